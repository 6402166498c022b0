package squeeze

import (
	"strings"
	"unicode/utf8"

	"condense/transcript/fact"
)

// The scale of cues. A cue is how informative a piece is, by its position and by words that tools of all
// kinds use, regardless of the facts in it.
const (
	none    = 0
	context = .25 // a warning, a changed line, a nested declaration, a line beside an error
	outline = .5  // a heading, a summary, an exported declaration, the header of a file or hunk
	message = 1   // the message of an error, a failed test
)

// scanned is the number of bytes of a line that are searched for words.
const scanned = 400

// wordCue returns the cue of a line by its words. A word for a failure has the highest
// cue where messages have it: at the beginning, before a colon, in capitals.
func wordCue(line string) float32 {
	if len(line) > scanned {
		line = line[:scanned]
	}
	var best float32
	for i := 0; i < len(line); {
		c := line[i]
		if c >= utf8.RuneSelf {
			best = max(best, signCue(line[i:]))
			i++
			for i < len(line) && !utf8.RuneStart(line[i]) {
				i++
			}
			continue
		}
		if !letter(c) {
			i += max(1, escape(line[i:]))
			continue
		}
		start := i
		for i < len(line) && letter(line[i]) {
			i++
		}
		if got := word(line, start, i); got > best {
			if best = got; best == message {
				return best
			}
		}
	}
	return best
}

// escape returns the length of the control sequence (ECMA-48: colours, cursor
// movements) at the beginning of s; 0 without one.
func escape(s string) int {
	if len(s) < 2 || s[0] != '\x1b' || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		if s[i] >= '@' {
			return i + 1
		}
	}
	return len(s)
}

// uncoloured returns a line without white space and control sequences at its ends.
func uncoloured(line string) string {
	for {
		line = strings.TrimSpace(line)
		n := escape(line)
		if n == 0 {
			break
		}
		line = line[n:]
	}
	for {
		i := strings.LastIndexByte(line, '\x1b')
		if i < 0 || i+escape(line[i:]) != len(line) {
			return line
		}
		line = strings.TrimSpace(line[:i])
	}
}

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }

// word returns the cue of the word line[start:end].
func word(line string, start, end int) float32 {
	n := end - start
	if n < 3 || n > 40 {
		return none
	}
	w := line[start:end]
	var got float32
	if n <= 12 {
		var low [12]byte
		for i := range n {
			low[i] = w[i] | 0x20
		}
		got = cues[fact.SeverityOf(low[:n])]
	}
	if got == none && n > 5 {
		got = cues[fact.SeverityOfName(w)]
	}
	switch {
	case got == none || inName(line, start, end) || denied(line, start, end):
		return none
	case got < message || emphatic(line, start, end):
		return got
	}
	return outline
}

// cues are the cues of error words, by their severity.
var cues = [...]float32{fact.Harmless: none, fact.Warning: context, fact.Cause: outline, fact.Failure: message}

// inName reports whether a word is part of a name: errors.go, --fail-fast,
// error_handler, /var/err/.
func inName(line string, start, end int) bool {
	if start > 0 {
		switch c := line[start-1]; {
		case c == '_' || c == '/' || c == '\\' || c == '.' || c == '-' || c == '$' || c == '@' || digit(c):
			return true
		}
	}
	if end < len(line) {
		switch c := line[end]; {
		case c == '_' || c == '/' || c == '\\' || digit(c):
			return true
		case (c == '.' || c == '-') && end+1 < len(line) && (letter(line[end+1]) || digit(line[end+1])):
			return true
		case c == '(' && end+1 < len(line) && line[end+1] != 's' && !digit(line[end+1]):
			return true // a call
		}
	}
	return false
}

// denied reports whether the text around a word negates it: "0 errors", "no errors", "failures: 0",
// "exit code 0". The word "found" is the reverse: it has a meaning only after "not" or "no".
func denied(line string, start, end int) bool {
	before := strings.TrimRight(line[:start], " ")
	switch line[start:end] {
	case "found", "Found", "such":
		return !endsWord(before, "not") && !endsWord(before, "no") && !endsWord(before, "No")
	case "exit", "Exit", "exited", "status", "Status", "EXIT":
		return !nonzero(line[end:])
	}
	if endsWord(before, "no") || endsWord(before, "No") || endsWord(before, "without") || endsWord(before, "0") {
		return true
	}
	after := strings.TrimLeft(line[end:], " ")
	if after != "" && (after[0] == ':' || after[0] == '=') {
		after = strings.TrimLeft(after[1:], " ")
		switch strings.ToLower(strings.Trim(after[:min(len(after), len("(none),"))], "(), \t\r\n")) {
		case "none", "null", "nil":
			return true
		}
		return after != "" && after[0] == '0' && (len(after) == 1 || !digit(after[1]) && after[1] != 'x' && after[1] != '.')
	}
	return false
}

// endsWord reports whether s ends with the word w, and not with a longer word.
func endsWord(s, w string) bool {
	if !strings.HasSuffix(s, w) {
		return false
	}
	i := len(s) - len(w)
	return i == 0 || !letter(s[i-1]) && !digit(s[i-1]) && s[i-1] != '.'
}

// nonzero reports whether s begins with "code" or the like and a number other than 0.
func nonzero(s string) bool {
	for i := 0; i < len(s) && i < 24; i++ {
		if digit(s[i]) {
			return s[i] != '0'
		}
		if c := s[i]; !letter(c) && c != ' ' && c != ':' && c != '=' && c != '(' && c != '"' {
			return false
		}
	}
	return false
}

// emphatic reports whether a word stands where messages have it.
func emphatic(line string, start, end int) bool {
	w := line[start:end]
	if len(w) > 2 && w[1] < 'a' { // capitals
		return true
	}
	if end < len(line) && (line[end] == ':' || line[end] == '[' || line[end] == ']') {
		return true
	}
	for i := 0; i < start; i += max(1, escape(line[i:])) {
		if c := line[i]; c == '\x1b' {
			continue
		} else if letter(c) || c >= utf8.RuneSelf {
			return rawCode(line[end:])
		}
	}
	return true // the first word
}

// rawCode reports whether the code of a message follows: error TS2345, Error 2.
func rawCode(s string) bool {
	s = strings.TrimLeft(s, " ")
	if s != "" && '1' <= s[0] && s[0] <= '9' {
		return true
	}
	return len(s) > 2 && 'A' <= s[0] && s[0] <= 'Z' && (digit(s[1]) || digit(s[2]))
}

// signCue returns the cue of a sign outside ASCII at the beginning of s: a cross, a
// warning sign, an error word of another script.
func signCue(s string) float32 {
	if s[0] < 0xD0 { // Latin letters with accents
		return none
	}
	return cues[fact.SeverityOfSign(s)]
}

// Cue returns how informative the words of one line are, regardless of the facts in it: from 0 to 1,
// which is the message of an error.
func Cue(line string) float64 { return float64(wordCue(line)) }
