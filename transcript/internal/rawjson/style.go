package rawjson

import "unicode/utf8"

// Style is how a program writes strings, as far as JSON leaves it a choice:
// which characters it escapes without need, and how.
//
//	choice            escaped by default in             written as
//	beyond ASCII      Python, PHP, System.Text.Json     \u00e9 \ud83d\ude00
//	the slash         PHP, Swift's JSONEncoder          \/
//	< > &             Go, Gson, System.Text.Json        \u003c \u003e \u0026
//	DEL               jq                                \u007f
//	U+2028, U+2029    Go, Gson                          \u2028 \u2029
//	capital hex       System.Text.Json                  \u00E9
//
// For each choice a Style knows yes, no, or nothing. The zero Style knows
// nothing and writes like JSON.stringify: everything raw that may be raw. Styles
// are comparable.
type Style struct{ yes, no choice }

// A choice is a set of the choices above.
type choice uint8

const (
	escapeNonASCII choice = 1 << iota
	escapeSlash
	escapeHTML
	escapeDEL
	escapeLineSeparators
	upperHex
)

// choicesOf returns those choices that make r an escape.
func choicesOf(r rune) choice {
	switch {
	case r == '/':
		return escapeSlash
	case r == '<' || r == '>' || r == '&':
		return escapeHTML
	case r == 0x7f:
		return escapeDEL
	case r == '\u2028' || r == '\u2029':
		return escapeNonASCII | escapeLineSeparators
	case r > 0x7f:
		return escapeNonASCII
	}
	return 0
}

// StyleOf returns the style of raw: a literal, or any stretch of a JSON source
// that does not start inside an escape.
//
// One raw character settles a choice, for a program that escapes a character
// escapes it always; escapes settle it where there is no raw one. That rule
// keeps a text from several hands, and a \/ after < for the sake of HTML, from
// making a style that nobody has.
func StyleOf(raw []byte) Style {
	var escaped, plain choice
	for i := skipOrdinary(shared(raw), 0); i < len(raw); i = skipOrdinary(shared(raw), i) {
		if raw[i] != '\\' {
			r, size := decodeRune(shared(raw[i:]))
			plain |= choicesOf(r)
			i += size
			continue
		}
		if i+2 > len(raw) || raw[i+1] == 'u' && i+6 > len(raw) {
			break // the stretch ends within an escape
		}
		r, size := unescape(raw[i:])
		escaped |= evidenceOf(r)
		if raw[i+1] == 'u' {
			for _, digit := range raw[i+2 : i+6] {
				switch {
				case 'a' <= digit && digit <= 'f':
					plain |= upperHex
				case 'A' <= digit && digit <= 'F':
					escaped |= upperHex
				}
			}
		}
		i += size
	}
	return Style{yes: escaped &^ plain, no: plain}
}

// evidenceOf returns the choices that an escape for r speaks for. Some are made
// by programs that leave other characters raw: half a surrogate pair has no
// other form, \ufffd is Go's word for bytes that are no UTF-8, and line
// separators are a choice of their own.
func evidenceOf(r rune) choice {
	switch {
	case isSurrogate(r) || r == utf8.RuneError:
		return 0
	case r == '\u2028' || r == '\u2029':
		return escapeLineSeparators
	}
	return choicesOf(r)
}

// Or returns s where s knows, and t elsewhere: the style of a string, then that
// of its file.
func (s Style) Or(t Style) Style {
	open := ^(s.yes | s.no)
	return Style{yes: s.yes | t.yes&open, no: s.no | t.no&open}
}
