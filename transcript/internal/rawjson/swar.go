package rawjson

import "math/bits"

// Conversations are mostly long strings, so two loops determine the speed: the search for
// the end of a string and that for the next character to escape. Both read the eight
// bytes of a word at a time.
//
// They use one test, whether any byte of a word is less than n. To subtract n from every
// byte sets the top bit of those below n, unless it was set before. A borrow may reach
// later bytes but never an earlier one, so the first hit is always right. Toggling bits
// before (^) moves other bytes below n; n is 1 in the search for a single byte.

// Eight copies of a byte, one for each byte of a word.
const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// word returns the first eight bytes of s, the first in the lowest bits. The compiler
// turns it into one load.
func word[S []byte | string](s S) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// stops marks the quotes, backslashes and control characters in w: the lowest
// set bit of the result is the top bit of the first of them. It is 0 if there is
// none.
func stops(w uint64) uint64 {
	// 0x02 moves the quote from 0x22 to 0x20, next to the control characters, and its
	// neighbours elsewhere.
	low := (w ^ 0x02*ones) - 0x21*ones
	esc := (w ^ '\\'*ones) - ones
	return (low | esc) &^ w & highs
}

// unusual marks, like stops, all bytes in w that are not ordinary.
func unusual(w uint64) uint64 {
	amp := (w ^ '&'*ones) - ones
	slash := (w ^ '/'*ones) - ones
	angle := ((w | 0x02*ones) ^ '>'*ones) - ones // '<' is '>' without 0x02
	high := w | (w + ones)                       // 0x7f and above
	return stops(w) | (amp|slash|angle)&^w&highs | high&highs
}

// skipOrdinary returns the offset of the first byte of s, from i on, that is not
// ordinary: len(s) if all are.
func skipOrdinary(s string, i int) int {
	for i+8 <= len(s) {
		if m := unusual(word(s[i : i+8])); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
		i += 8
	}
	for i < len(s) && ordinary(s[i]) {
		i++
	}
	return i
}

// ordinary reports whether c is an ASCII character that no style escapes. The
// others below 64 are looked up in a set of bits.
func ordinary(c byte) bool {
	const others uint64 = 1<<'"' | 1<<'&' | 1<<'/' | 1<<'<' | 1<<'>'
	return ' ' <= c && c < 0x7f && c != '\\' && (c >= 64 || others>>c&1 == 0)
}
