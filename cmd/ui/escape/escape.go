// Package escape makes untrusted strings safe to print on a terminal.
package escape

import (
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// Text returns s in a form that is safe to print on a terminal. It writes control characters (C0, DEL
// and C1), separators of lines and paragraphs, bidirectional controls and invalid UTF-8 as visible
// escapes such as \x1b and \u202e. It keeps line feeds and tabs. It returns safe text unchanged and does
// not allocate for it.
func Text(s string) string { return escaped(s, false) }

// Line is like [Text], but writes line feeds and tabs as \n and \t, so that the result is one line.
func Line(s string) string { return escaped(s, true) }

// escaped implements Text and Line.
func escaped(s string, oneLine bool) string {
	var b strings.Builder
	done := 0 // s[:done] is in b
	for i, size := 0, 0; i < len(s); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(s[i:])
		invalid := r == utf8.RuneError && size == 1
		if !invalid && !unsafeRune(r) || !oneLine && (r == '\n' || r == '\t') {
			continue
		}
		if invalid {
			r = rune(s[i])
		}
		b.WriteString(s[done:i])
		writeEscaped(&b, r, invalid)
		done = i + size
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// unsafeRune reports whether r can act on a terminal, or end a line, instead of being shown.
func unsafeRune(r rune) bool {
	switch {
	case r < 0x20, 0x7f <= r && r <= 0x9f:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, 0x2028 <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
		return true
	}
	return false
}

// writeEscaped writes the escape of an unsafe rune or of an invalid byte. All unsafe runes are below
// U+10000.
func writeEscaped(b *strings.Builder, r rune, isByte bool) {
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case isByte || r < utf8.RuneSelf:
		b.Write([]byte{'\\', 'x', hexDigits[r>>4&15], hexDigits[r&15]})
	default:
		writeU(b, r)
	}
}

// writeU writes \uXXXX, which is also the escape of JSON.
func writeU(b *strings.Builder, r rune) {
	b.Write([]byte{'\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15]})
}

// JSON escapes the characters of a JSON document that an encoder leaves as they are and that could act
// on a terminal: DEL, C1, separators of lines and bidirectional controls. They occur only in strings, since encoders write
// no control characters but line feeds outside of strings. The document keeps its meaning.
func JSON(doc string) string {
	var b strings.Builder
	b.Grow(len(doc))
	done := 0
	for i, r := range doc {
		if r != '\n' && unsafeRune(r) {
			b.WriteString(doc[done:i])
			writeU(&b, r)
			done = i + utf8.RuneLen(r)
		}
	}
	b.WriteString(doc[done:])
	return b.String()
}
