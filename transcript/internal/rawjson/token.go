package rawjson

import "math/bits"

// findings are properties of a string that skipString reports.
type findings uint8

const (
	backslash findings = 1 << iota // an escape
	malformed                      // a fault, at the offset that skipString returns
)

// skipString returns the offset after the closing quote of the string whose content
// starts at s[i]. If the string is malformed, it returns the offset of the fault.
func skipString(s []byte, i int) (int, findings) {
	var found findings
	for {
		for i+8 <= len(s) {
			w := word(s[i : i+8])
			m := stops(w)
			if m != 0 {
				i += bits.TrailingZeros64(m) / 8 // bytes before the first stop
				break
			}
			i += 8
		}
		for i < len(s) && s[i] >= ' ' && s[i] != '"' && s[i] != '\\' {
			i++ // the last seven bytes of the source
		}
		switch at(s, i) {
		case '"':
			return i + 1, found
		case '\\':
			found |= backslash
			switch at(s, i+1) {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				i += 2
			case 'u':
				if i+6 > len(s) || hex4(s[i+2:i+6]) < 0 {
					return i, malformed
				}
				i += 6
			default:
				return i, malformed
			}
		default:
			return i, malformed
		}
	}
}

// skipNumber returns the offset after the number at s[i], which starts with a minus sign
// or a digit.
func skipNumber(s []byte, i int) (int, error) {
	if s[i] == '-' {
		i++
	}
	end := skipDigits(s, i)
	if end == i {
		return i, unexpected(s, i, "a digit after '-'")
	}
	if s[i] == '0' {
		end = i + 1 // no leading zeros: 01 is a 0 with a 1 after it
	}
	i = end
	if at(s, i) == '.' {
		if end = skipDigits(s, i+1); end == i+1 {
			return end, unexpected(s, end, "a digit after '.'")
		}
		i = end
	}
	if c := at(s, i); c == 'e' || c == 'E' {
		i++
		if c = at(s, i); c == '+' || c == '-' {
			i++
		}
		if end = skipDigits(s, i); end == i {
			return end, unexpected(s, end, "a digit in the exponent")
		}
		i = end
	}
	return i, nil
}

func skipDigits(s []byte, i int) int {
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return i
}

// at returns s[i], or after the end of s a NUL, which the grammar never accepts.
func at(s []byte, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// hex4 returns the hexadecimal number in the first four bytes of s, or -1.
func hex4(s []byte) rune {
	var r rune
	for _, c := range s[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}
