package rawjson

import "unicode/utf16"

// Quote returns text as a literal in style s, with quotes. See [Style.Append].
func (s Style) Quote(text string) []byte {
	const slack = 16 // quotes and a few escapes
	dst := make([]byte, 0, len(text)+slack)
	return append(s.Append(append(dst, '"'), text), '"')
}

// Append appends text to dst as the content of a literal in style s, without
// quotes.
//
// A text from [Decode] is written so that it decodes to the same text. Surrogates in
// their form of three bytes become escapes such as \ud800; a high one right before a low
// one thus becomes one character, as WTF-8 requires. Other bytes that are not UTF-8 are
// copied. A style that writes ASCII has no form for them and writes \ufffd for each.
func (s Style) Append(dst []byte, text string) []byte {
	done := 0 // text[:done] is written
	for i := skipOrdinary(text, 0); i < len(text); i = skipOrdinary(text, i) {
		r, size := decodeRune(text[i:])
		if s.escapes(r) {
			dst = append(dst, text[done:i]...)
			dst = s.appendEscape(dst, r)
			done = i + size
		}
		i += size
	}
	return append(dst, text[done:]...)
}

// escapes reports whether r is escaped in style s.
func (s Style) escapes(r rune) bool {
	return r < ' ' || r == '"' || r == '\\' || isSurrogate(r) || s.yes&choicesOf(r) != 0
}

// appendEscape appends the escape for r.
func (s Style) appendEscape(dst []byte, r rune) []byte {
	switch r {
	case '"', '\\', '/':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return s.appendHex(s.appendHex(dst, high), low)
	}
	return s.appendHex(dst, r)
}

// appendHex appends \u and the four digits of r.
func (s Style) appendHex(dst []byte, r rune) []byte {
	digits := "0123456789abcdef"
	if s.yes&upperHex != 0 {
		digits = "0123456789ABCDEF"
	}
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
