package rawjson

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// SyntaxError is the first fault of a source that is not JSON. It has no line and
// column, which depend on the file around the source.
type SyntaxError struct {
	Offset int    // of the first faulty byte; the length of the source if it ends too early
	Msg    string // "expected …, found …"

	truncated bool
}

// Error returns the offset and the message.
func (e *SyntaxError) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Msg) }

// Truncated reports whether the source ends too early and has no other fault, like the
// last line of a log after a crash.
func (e *SyntaxError) Truncated() bool { return e.truncated }

// unexpected returns the error for a source that should have want at i.
func unexpected(s []byte, i int, want string) *SyntaxError {
	return &SyntaxError{
		Offset:    i,
		Msg:       "expected " + want + ", found " + described(s, i),
		truncated: i >= len(s),
	}
}

// described returns s[i] for people.
func described(s []byte, i int) string {
	if i >= len(s) {
		return "end of input"
	}
	r, size := utf8.DecodeRune(s[i:])
	if r == utf8.RuneError && size == 1 {
		return fmt.Sprintf("byte 0x%02x", s[i])
	}
	return strconv.QuoteRune(r)
}

// stringError returns the fault of a string at i: an escape, a control character or
// the end.
func stringError(s []byte, i int) *SyntaxError {
	switch {
	case at(s, i) != '\\':
		if i < len(s) {
			return unexpected(s, i, "control characters in a string to be escaped")
		}
		return unexpected(s, i, `'"' at the end of the string`)
	case at(s, i+1) != 'u':
		return unexpected(s, i+1, `one of "\/bfnrtu after '\'`)
	}
	for i += 2; i < len(s) && isHex(s[i]); {
		i++
	}
	return unexpected(s, i, `four hexadecimal digits after '\u'`)
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// wordError returns the fault of a word at s[i] that begins like word.
func wordError(s []byte, i int, word string) *SyntaxError {
	for n := 0; at(s, i) == word[n]; n++ {
		i++
	}
	return unexpected(s, i, "the word "+word)
}
