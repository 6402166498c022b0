package rawjson

import (
	"sync"
	"unicode/utf8"
)

// Style is the way a program writes strings where JSON leaves a choice: which characters
// it escapes without need, and how.
//
//	choice            escaped by default in             written as
//	beyond ASCII      Python, PHP, System.Text.Json     \u00e9 \ud83d\ude00
//	the slash         PHP, Swift's JSONEncoder          \/
//	< > &             Go, Gson, System.Text.Json        \u003c \u003e \u0026
//	DEL               jq                                \u007f
//	U+2028, U+2029    Go, Gson                          \u2028 \u2029
//	capital hex       System.Text.Json                  \u00E9
//
// Each choice of a Style is yes, no or unknown. The zero Style knows none and writes like
// JSON.stringify, which escapes only what JSON demands. Styles are comparable.
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
	everyChoice choice = 1<<iota - 1
)

// choicesOf returns the choices that escape r.
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

// StyleOf returns the style of raw, a literal or any part of a JSON source that does not
// start inside an escape.
//
// One raw character settles a choice, because a program that escapes a character always
// does; escapes settle it where no raw one occurs. The rule avoids a style that no
// program has, for text of several programs and for a \/ after < in HTML.
func StyleOf(raw []byte) Style { return NewSample(raw).Style() }

// Sample is a source whose style is read only as far as a caller needs it. It is safe
// for concurrent use.
type Sample struct {
	mu             sync.Mutex
	raw            []byte
	seen           int // raw[:seen] was read
	escaped, plain choice
}

// NewSample returns a Sample of raw, which must not change; see [StyleOf].
func NewSample(raw []byte) *Sample { return &Sample{raw: raw} }

// Style returns the style of the whole source, like StyleOf.
func (s *Sample) Style() Style { return s.settle(everyChoice) }

// StyleFor returns a style that writes text like near.Style().Or(far.Style()). It reads
// only the part of both that decides about this text.
func StyleFor(text string, near, far *Sample) Style {
	need, hex := choicesFor(text)
	if hex {
		need |= upperHex
	}
	s := near.settle(need)
	if s.yes&need&^escapeSlash != 0 { // these are written in hexadecimal
		need |= upperHex
	}
	if open := need &^ (s.yes | s.no); open != 0 {
		return s.Or(far.settle(open))
	}
	return s
}

// choicesFor returns the choices that decide about text, and whether every style writes
// a character of it in hexadecimal.
func choicesFor(text string) (need choice, hex bool) {
	for i := skipOrdinary(text, 0); i < len(text); i = skipOrdinary(text, i) {
		r, size := decodeRune(text[i:])
		need |= choicesOf(r)
		hex = hex || isSurrogate(r) || r < ' ' && r != '\b' && r != '\f' && r != '\n' && r != '\r' && r != '\t'
		i += size
	}
	return need, hex
}

// settle reads the source until a raw character has settled every choice of need, or to
// the end.
func (s *Sample) settle(need choice) Style {
	s.mu.Lock()
	defer s.mu.Unlock()
	raw := s.raw
	for need&^s.plain != 0 && s.seen < len(raw) {
		i := skipOrdinary(shared(raw), s.seen)
		switch {
		case i == len(raw):
		case raw[i] != '\\':
			r, size := decodeRune(shared(raw[i:]))
			s.plain |= choicesOf(r)
			i += size
		case i+2 > len(raw) || raw[i+1] == 'u' && i+6 > len(raw):
			i = len(raw) // the source ends inside an escape
		case raw[i+1] != 'u' && raw[i+1] != '/':
			i += 2 // an escape that every style has
		default:
			i += s.escape(raw[i:])
		}
		s.seen = i
	}
	return Style{yes: s.escaped &^ s.plain, no: s.plain}
}

// escape records the escape at the start of lit as evidence, and returns its length.
func (s *Sample) escape(lit []byte) int {
	r, size := unescape(lit)
	s.escaped |= evidenceOf(r)
	if lit[1] == 'u' {
		for _, digit := range lit[2:6] {
			switch {
			case 'a' <= digit && digit <= 'f':
				s.plain |= upperHex
			case 'A' <= digit && digit <= 'F':
				s.escaped |= upperHex
			}
		}
	}
	return size
}

// evidenceOf returns the choices that an escape for r supports. Some escapes also occur
// in programs that leave other characters raw: half a surrogate pair has no other form,
// Go writes \ufffd for bytes that are not UTF-8, and line separators are a choice of
// their own.
func evidenceOf(r rune) choice {
	switch {
	case isSurrogate(r) || r == utf8.RuneError:
		return 0
	case r == '\u2028' || r == '\u2029':
		return escapeLineSeparators
	}
	return choicesOf(r)
}

// Or returns s with the choices of t where s knows none.
func (s Style) Or(t Style) Style {
	open := ^(s.yes | s.no)
	return Style{yes: s.yes | t.yes&open, no: s.no | t.no&open}
}
