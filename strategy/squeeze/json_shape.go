package squeeze

import "strings"

// hash joins a text to a hash.
func hash(h uint64, s string) uint64 {
	h = (h ^ fnvStart) * fnvPrime // so that "a", "b" is not "ab"
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * fnvPrime
	}
	return h
}

// lineShape is a hash of a line under a path, its numbers aside; 0 when hardly a
// word is left.
func lineShape(path uint64, line string) uint64 {
	key, ok := shape(line)
	if !ok {
		return 0
	}
	return hash(path, "") ^ key
}

// shapeOf is a hash of what an entry has in common with its likes: where it is and
// of what type; for an object the types of its members; for a string without a
// key what it says but for the numbers.
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

// meaning is what the name of a member says about its value.
type meaning uint8

const (
	_     meaning = iota
	fault         // there, and not empty, when something went wrong
	good          // false when something went wrong
	code          // not 0 when a program failed
	http          // 400 or more when a request failed
	warn          // there, and not empty, when something is doubtful
)

// meanings are names of members, without case and joints.
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

// failWords are values of a status, a level or a conclusion, spelt like meanings.
var failWords = map[string]bool{
	"aborted": true, "broken": true, "crashed": true, "crashloopbackoff": true, "critical": true, "dead": true,
	"degraded": true, "denied": true, "err": true, "error": true, "errored": true, "evicted": true,
	"exception": true, "fail": true, "failed": true, "failing": true, "failure": true, "fatal": true,
	"forbidden": true, "imagepullbackoff": true, "invalid": true, "killed": true, "offline": true,
	"oomkilled": true, "panic": true, "refused": true, "rejected": true, "severe": true, "timedout": true,
	"timeout": true, "unauthorized": true, "unavailable": true, "unhealthy": true, "unreachable": true,
}

const (
	failCue = 1.0
	oddCue  = 0.5 // unlike its siblings; a warning
)

// memberCue judges a member by its key and a value of a few words by what it says.
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

// failWord reports whether a short text is a word for something that failed.
func failWord(s string) bool {
	var buf [24]byte
	return failWords[string(plainName(buf[:0], s))]
}

// plainName writes a name into buf in lower case without "_", "-" and " "; nothing
// when it is long or has other characters than letters.
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

// emptyValue reports whether a JSON value says that there is nothing.
func emptyValue(value string) bool {
	switch strings.ToLower(strings.Trim(value, `"`)) {
	case "", "null", "false", "0", "none", "no", "n/a", "-", "{}", "[]":
		return true
	}
	return len(value) < 16 && strings.Trim(value, "{}[] \t\r\n") == ""
}
