// Package escape makes strings of strangers safe to print on a terminal.
package escape

import (
	"strings"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// Text makes any text safe to print on a terminal. Control characters (C0, DEL and C1), the
// characters that reorder what is shown (bidirectional controls) and bytes that are not UTF-8
// become visible text: \x1b, \u202e. Line feeds and tabs stay. Text without any of these is
// returned as it is, without allocating.
func Text(s string) string { return escaped(s, false) }

// Line is [Escape] for text that must stay on one line: line feeds and tabs become \n and
// \t as well.
func Line(s string) string { return escaped(s, true) }

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

// unsafeRune reports whether r can act on a terminal instead of being shown by it.
func unsafeRune(r rune) bool {
	switch {
	case r < 0x20, 0x7f <= r && r <= 0x9f:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
		return true
	}
	return false
}

// writeEscaped writes the escape of an unsafe rune, or of a byte that is not UTF-8. All of them
// are below U+10000.
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

// writeU writes \uXXXX, which is also how JSON spells a rune.
func writeU(b *strings.Builder, r rune) {
	b.Write([]byte{'\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15]})
}

// JSON escapes in a JSON document, as an encoder wrote it, what could act on a terminal and
// is left as it is there: DEL, C1 and bidirectional controls. It means the same to every JSON
// reader, for they can only stand in strings: outside of them, an encoder writes no control
// characters but line feeds.
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
