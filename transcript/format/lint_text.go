package format

import (
	"fmt"
	"strconv"

	"condense/transcript/rules"
)

// lintSurrogates finds escapes that are half of a surrogate pair. Backslashes
// stand in JSON strings only, each in front of what it escapes.
func lintSurrogates(f *File) []flaw {
	var found []flaw
	src := f.src
	for i := 0; i+1 < len(src); i++ {
		if src[i] != '\\' {
			continue
		}
		at, unit := i, escapedUnit(src, i)
		if i++; unit < 0xd800 || unit > 0xdfff {
			continue
		}
		i = at + 5
		if next := escapedUnit(src, at+6); unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff {
			i = at + 11
			continue
		}
		found = append(found, f.flaw(&rules.UTF16WellFormed, at, fmt.Sprintf(`half of a surrogate pair: \u%04x`, unit)))
	}
	return found
}

// escapedUnit is the UTF-16 unit of an escape \uXXXX at i, -1 when there is none.
func escapedUnit(src []byte, i int) int64 {
	if i+6 > len(src) || src[i] != '\\' || src[i+1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(string(src[i+2:i+6]), 16, 16)
	if err != nil {
		return -1
	}
	return int64(unit)
}
