package transcript

import (
	"strings"
	"unicode/utf8"
)

// Limits of what IsMarker takes for a marker. Marker keeps its phrase under the
// limit, so that whatever condense writes is recognised by the next run.
const (
	maxMarker = 400 // bytes
	omitted   = " omitted]"
)

// Marker is the one phrase that stands for removed content:
// Marker("Read src/a.go: 214 lines") is "[Read src/a.go: 214 lines omitted]".
// It names content, never message numbers, which change. Brackets and line
// breaks in what are replaced, so that the phrase stays one.
func Marker(what string) string {
	what = strings.Map(func(r rune) rune {
		switch {
		case r == '[' || r == '{' || r == '<':
			return '('
		case r == ']' || r == '}' || r == '>':
			return ')'
		case r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029:
			return ' '
		}
		return r
	}, what)
	if room := maxMarker - len(omitted) - 1; len(what) > room {
		for !utf8.RuneStart(what[room]) {
			room--
		}
		what = what[:room]
	}
	return "[" + what + omitted
}

// IsMarker reports whether text is, or begins with, a line made by [Marker].
func IsMarker(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(line, "[") && strings.HasSuffix(line, omitted) && Marker(line[1:len(line)-len(omitted)]) == line
}
