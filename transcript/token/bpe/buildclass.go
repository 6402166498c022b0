package bpe

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

var classNames = map[string]class{
	"upper": upper, "lower": lower, "letter": letter, "mark": mark, "number": number, "space": space, "break": newline,
}

// BuildClasses returns the table of character classes. list has a line for each range
// of characters: the first and the last in hexadecimal, and the class, such as "0041
// 005A upper". Lines that begin with # are comments. Characters in no range are
// symbols.
func BuildClasses(list string) ([]byte, error) {
	var classes [utf8.MaxRune + 1]class
	for i := range classes {
		classes[i] = symbol
	}
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var first, last rune
		var name string
		if _, err := fmt.Sscanf(line, "%x %x %s\n", &first, &last, &name); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		c, ok := classNames[name]
		if !ok || first > last || last > utf8.MaxRune {
			return nil, fmt.Errorf("%q is not a range and a class", line)
		}
		for r := first; r <= last; r++ {
			classes[r] = c
		}
	}

	const size = 1 << blockBits
	var table, data []byte
	numbers := map[[size]class]int{}
	for r := 0; r < len(classes); r += size {
		block := [size]class(classes[r:])
		number, ok := numbers[block]
		if !ok {
			number = len(numbers)
			numbers[block] = number
			for _, c := range block {
				data = append(data, byte(c))
			}
		}
		table = append(table, byte(number))
	}
	if len(numbers) > 0x100 {
		return nil, errors.New("more different blocks than a byte can number")
	}
	return append(table, data...), nil
}
