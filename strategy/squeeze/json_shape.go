package squeeze

import (
	"strings"

	"condense/transcript/fact"
)

// hash extends a hash by a text.
func hash(h uint64, s string) uint64 {
	h = HashByte(h^HashStart, 0) // so that "a", "b" is not "ab"
	for i := range len(s) {
		h = HashByte(h, s[i])
	}
	return h
}

// lineShape returns a hash of a line under a path, its numbers aside; 0 when it has
// hardly any words.
func lineShape(path uint64, line string) uint64 {
	key, ok := Shape(line)
	if !ok {
		return 0
	}
	return hash(path, "") ^ key
}

// shapeOf returns a hash of what an entry has in common with others of its kind: its
// place and type; for an object also the types of its members; for a string without a
// key also its text without numbers.
func shapeOf(s string, e item, path uint64) uint64 {
	value := s[e.value:e.end]
	if e.key == "" && value[0] == '"' {
		return lineShape(path, value)
	}
	shape := hash(path, string(classOf(value)))
	if value[0] != '{' {
		return shape
	}
	cursor := int32(0)
	for at := skipSpace(s, e.value+1); s[at] != '}'; {
		m := entryAt(s, at, true, nil, &cursor)
		shape = hash(hash(shape, m.key), string(classOf(s[m.value:m.end])))
		at = m.next
	}
	return shape
}

// A meaning is what the name of a member implies about its value.
type meaning uint8

const (
	_     meaning = iota
	fault         // present and not empty when something went wrong
	good          // false when something went wrong
	code          // not 0 when a program failed
	http          // 400 or more when a request failed
	warn          // present and not empty when something is doubtful
)

// meanings are names of members in lower case, without separators.
var meanings = map[string]meaning{
	"err": fault, "errmsg": fault, "error": fault, "errorcode": fault, "errormessage": fault, "errors": fault,
	"errortype": fault, "exception": fault, "exceptions": fault, "failed": fault, "failure": fault,
	"failurereason": fault, "failures": fault, "fault": fault, "panic": fault, "stacktrace": fault, "traceback": fault,
	"healthy": good, "ok": good, "okay": good, "passed": good, "ready": good, "succeeded": good, "success": good,
	"successful": good, "valid": good,
	"errno": code, "exitcode": code, "exitstatus": code, "rc": code, "returncode": code,
	"statuscode": http,
	"warning":    warn, "warnings": warn,
}

const (
	failCue = 1.0
	oddCue  = 0.5 // unlike its siblings; a warning
)

// memberCue returns the cue of a member, by its key, and of a value of a few words by
// those.
func memberCue(key, value string) float32 {
	var buf [24]byte
	switch meanings[string(plainName(buf[:0], key))] {
	case fault:
		if !emptyValue(value) {
			return failCue
		}
	case good:
		if value == "false" {
			return failCue
		}
	case code:
		if value != "0" && classOf(value) == number {
			return failCue
		}
	case http:
		if len(value) == 3 && (value[0] == '4' || value[0] == '5') {
			return failCue
		}
	case warn:
		if !emptyValue(value) {
			return oddCue
		}
	}
	if value[0] == '"' && failWord(value[1:len(value)-1]) {
		return failCue
	}
	return 0
}

// failWord reports whether a short text is a word for a failure.
func failWord(s string) bool {
	var buf [24]byte
	return fact.IsFailedState(plainName(buf[:0], s))
}

// plainName writes a name into buf in lower case without "_", "-" and " ". It returns
// nothing for a name that is long or has characters other than letters.
func plainName(buf []byte, name string) []byte {
	if len(name) > cap(buf) {
		return nil
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c|' ' && c|' ' <= 'z':
			buf = append(buf, c|' ')
		case c != '_' && c != '-' && c != ' ':
			return nil
		}
	}
	return buf
}

// emptyValue reports whether a JSON value is empty: null, "", [] or the like.
func emptyValue(value string) bool {
	switch strings.ToLower(strings.Trim(value, `"`)) {
	case "", "null", "false", "0", "none", "no", "n/a", "-", "{}", "[]":
		return true
	}
	return len(value) < 16 && strings.Trim(value, "{}[] \t\r\n") == ""
}
