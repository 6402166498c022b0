package rawjson

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// Decode returns the text that the string literal raw, with its quotes, stands
// for. raw must be a literal that [Doc.Scan] accepts.
//
// Nothing is lost. Two \u escapes that are a surrogate pair become one
// character. Half a pair, which truncated logs are full of, is no character and
// has no UTF-8 form; it takes the three bytes that UTF-8 would give it (ED A0 80
// to ED BF BF, known as WTF-8). Bytes of raw that are no UTF-8 stay as they are.
// So the text is valid UTF-8 if and only if the literal is sound in both ways.
func Decode(raw []byte) string {
	lit := content(raw)
	// No escape is shorter than what it stands for: the capacity is enough.
	return shared(appendDecoded(make([]byte, 0, len(lit)), lit))
}

// Cuts translates offsets into the decoded text of the literal raw to offsets
// into raw, so that a part of the text can be replaced alone: the text between
// two offsets is written by the bytes between the results. decoded must ascend.
// An offset inside a character means the start of that character, an escape
// being one character. Offsets behind the text mean its end, before the closing
// quote. It takes one pass.
func Cuts(raw []byte, decoded []int) []int {
	lit := content(raw)
	cuts := make([]int, 0, len(decoded))
	i, text := 0, 0 // the same place in lit and in the text
	for len(cuts) < len(decoded) {
		if i == len(lit) {
			cuts = append(cuts, 1+i)
			continue
		}
		run := untilEscape(lit[i:])
		for len(cuts) < len(decoded) && decoded[len(cuts)] < text+run {
			ahead := max(0, decoded[len(cuts)]-text)
			cuts = append(cuts, 1+charStart(lit, i, i+ahead))
		}
		i, text = i+run, text+run
		if i == len(lit) {
			continue
		}
		r, size := unescape(lit[i:])
		width := runeLen(r)
		for len(cuts) < len(decoded) && decoded[len(cuts)] < text+width {
			cuts = append(cuts, 1+i)
		}
		i, text = i+size, text+width
	}
	return cuts
}

// charStart returns where the character that holds lit[i] starts, looking back
// no further than from.
func charStart(lit []byte, from, i int) int {
	for start := i; start >= from && start > i-utf8.UTFMax; start-- {
		if utf8.RuneStart(lit[start]) {
			if _, size := decodeRune(shared(lit[start:])); start+size > i {
				return start
			}
			break
		}
	}
	return i
}

// appendDecoded appends the text that the content lit of a literal stands for.
func appendDecoded(dst, lit []byte) []byte {
	for {
		run := untilEscape(lit)
		dst = append(dst, lit[:run]...)
		if run == len(lit) {
			return dst
		}
		r, size := unescape(lit[run:])
		dst = appendRune(dst, r)
		lit = lit[run+size:]
	}
}

// decodesTo reports whether the content lit of a literal stands for text.
func decodesTo(lit []byte, text string) bool {
	var buf [utf8.UTFMax]byte
	for {
		run := untilEscape(lit)
		if len(text) < run || string(lit[:run]) != text[:run] {
			return false
		}
		if run == len(lit) {
			return run == len(text)
		}
		r, size := unescape(lit[run:])
		char := appendRune(buf[:0], r)
		if !strings.HasPrefix(text[run:], shared(char)) {
			return false
		}
		lit, text = lit[run+size:], text[run+len(char):]
	}
}

// content returns a literal without its quotes.
func content(raw []byte) []byte { return raw[1 : len(raw)-1] }

// untilEscape returns the number of bytes of lit before its first escape.
func untilEscape(lit []byte) int {
	if n := bytes.IndexByte(lit, '\\'); n >= 0 {
		return n
	}
	return len(lit)
}

// unescape decodes the escape that lit starts with: the code point, which may be
// half a surrogate pair, and the number of bytes that it takes. A pair that is
// written as two escapes counts as one.
func unescape(lit []byte) (r rune, size int) {
	switch c := lit[1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
	default: // " \ /
		return rune(c), 2
	}
	r = hex4(lit[2:])
	if isHigh(r) && len(lit) >= 12 && lit[6] == '\\' && lit[7] == 'u' {
		if low := hex4(lit[8:]); isLow(low) {
			return utf16.DecodeRune(r, low), 12
		}
	}
	return r, 6
}

// The first code points of the two halves of surrogate pairs, and the one
// behind them (Unicode 16, section 3.8).
const (
	highMin, lowMin, surrogateEnd = 0xd800, 0xdc00, 0xe000
)

func isHigh(r rune) bool      { return highMin <= r && r < lowMin }
func isLow(r rune) bool       { return lowMin <= r && r < surrogateEnd }
func isSurrogate(r rune) bool { return highMin <= r && r < surrogateEnd }

// appendRune is utf8.AppendRune that also takes surrogates.
func appendRune(dst []byte, r rune) []byte {
	if isSurrogate(r) {
		return append(dst, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return utf8.AppendRune(dst, r)
}

// runeLen returns the number of bytes that appendRune writes.
func runeLen(r rune) int {
	if isSurrogate(r) {
		return 3
	}
	return utf8.RuneLen(r)
}

// decodeRune is utf8.DecodeRuneInString that also knows surrogates. For any
// other byte that is no UTF-8 it returns utf8.RuneError and 1.
func decodeRune(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80 {
		return highMin | rune(s[1]&0x1f)<<6 | rune(s[2]&0x3f), 3
	}
	return r, size
}

// shared returns b as a string without copying it. With bytesOf it is the one use
// of unsafe: most text of a conversation is only looked at, and copying it all
// would cost as much as scanning it. b must not change while the string is in use.
func shared(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bytesOf returns the bytes of s without copying them. Nobody may change them.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
