package token

import "unicode/utf8"

// chars is an estimate by characters, for comparison with tools that have no
// tokenizer: four of ASCII or one and a half of others to a token, each rounded
// up, and 15 % on top, rounded up again. It is arithmetic on integers, so that
// every machine counts the same.
func chars() engine {
	return engine{count: func(s string) int {
		ascii, others := 0, 0
		for _, r := range s {
			if r < utf8.RuneSelf {
				ascii++
			} else {
				others++
			}
		}
		n := (ascii+3)/4 + (2*others+2)/3
		return (n*115 + 99) / 100
	}}
}
