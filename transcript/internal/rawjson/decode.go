package rawjson

import (
	"bytes"
	"hash/maphash"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// Decode returns the text of the string literal raw, which includes the quotes and must
// be a literal that [Doc.Scan] accepts.
//
// Nothing is lost. Two \u escapes that are a surrogate pair become one character. Half
// a pair, which is common in truncated logs, has no UTF-8 form and becomes the three
// bytes of WTF-8, ED A0 80 to ED BF BF. Bytes of raw that are not UTF-8 stay as they
// are. The text is valid UTF-8 if and only if the literal has neither.
func Decode(raw []byte) string {
	lit := content(raw)
	// No escape is shorter than its character, so the capacity suffices.
	return shared(appendDecoded(make([]byte, 0, len(lit)), lit))
}

// Cuts translates ascending offsets into the decoded text of the literal raw to offsets
// into raw, so that a part of the text can be replaced alone. An offset inside a
// character becomes the start of that character, or of its escape. An offset after the
// text becomes that of the closing quote. Cuts takes linear time.
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

// charStart returns the start of the character of lit[i], but at least from.
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

// appendDecoded appends the text of lit, the content of a literal.
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

// decodesTo reports whether text is the text of lit, the content of a literal.
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

// unescape decodes the escape at the start of lit. It returns the code point, which may
// be half a surrogate pair, and the length of the escape. A pair of two escapes counts
// as one.
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

// The first code points of the two halves of surrogate pairs, and the end of both
// (Unicode 16, section 3.8).
const (
	highMin, lowMin, surrogateEnd = 0xd800, 0xdc00, 0xe000
)

func isHigh(r rune) bool      { return highMin <= r && r < lowMin }
func isLow(r rune) bool       { return lowMin <= r && r < surrogateEnd }
func isSurrogate(r rune) bool { return highMin <= r && r < surrogateEnd }

// appendRune is utf8.AppendRune, and also appends surrogates.
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

// decodeRune is utf8.DecodeRuneInString, and also decodes surrogates. For any other
// byte that is not UTF-8 it returns utf8.RuneError and 1.
func decodeRune(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80 {
		return highMin | rune(s[1]&0x1f)<<6 | rune(s[2]&0x3f), 3
	}
	return r, size
}

// shared returns b as a string without a copy. b must not change while the string is in
// use. It and bytesOf are the only uses of unsafe: most text of a conversation is only
// read, and to copy all of it would take as long as to scan it.
func shared(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bytesOf returns the bytes of s without a copy. They must not be changed.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Texts is a cache of the decoded texts of long literals. Equal literals, such as those
// of a repeated result or of an output and its source, are decoded and held once. The
// zero value is empty. It is safe for concurrent use.
//
// A Texts refers to the bytes of literals, and so keeps alive the sources of the Docs
// that use it.
type Texts struct {
	seeded sync.Once
	seed   maphash.Seed
	mu     sync.Mutex
	// By hash, because a map of literals would hash each again to add it and to grow.
	// Of literals with the same hash, one is remembered.
	known map[uint64]decoded
}

type decoded struct{ literal, text string }

// rememberFrom is the least length in bytes of a literal that is remembered. An entry
// of a shorter one would take more memory than another copy of its text.
const rememberFrom = 256

// decode is [Decode] of raw, which it remembers if keep is set. A nil Texts remembers
// nothing.
func (t *Texts) decode(raw []byte, keep bool) string {
	if t == nil || len(raw) < rememberFrom {
		return Decode(raw)
	}
	t.seeded.Do(func() { t.seed, t.known = maphash.MakeSeed(), map[uint64]decoded{} })
	hash := maphash.Bytes(t.seed, raw)
	t.mu.Lock()
	d, known := t.known[hash]
	t.mu.Unlock()
	if known && d.literal == shared(raw) {
		return d.text
	}
	text := Decode(raw)
	if keep && !known {
		t.mu.Lock()
		t.known[hash] = decoded{shared(raw), text}
		t.mu.Unlock()
	}
	return text
}
