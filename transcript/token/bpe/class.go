package bpe

import (
	_ "embed"
	"unicode/utf8"
)

// class is a class of characters in the patterns of the encodings. Each character has
// one class. A class is a bit, so that classes form sets.
type class uint8

const (
	upper   class = 1 << iota // \p{Lu}, \p{Lt}
	lower                     // \p{Ll}
	letter                    // \p{Lm}, \p{Lo}: neither upper nor lower
	mark                      // \p{M}
	number                    // \p{N}
	space                     // \s, without the next
	newline                   // \r, \n
	symbol                    // the rest
)

const anyLetter = upper | lower | letter

// classTable has the classes of all characters in two stages. The first has a byte for
// each 128 characters, the number of a block. The blocks follow, with a byte for each
// character. The classes are those of Unicode 16.0, as in tiktoken; package unicode is
// older. scripts/gen-vocab writes the table.
//
//go:embed classes.bin
var classTable string

const (
	blockBits = 7
	blocks    = (utf8.MaxRune + 1) >> blockBits // where the first block begins
)

// classOf returns the class of a character.
func classOf(r rune) class {
	block := int(classTable[r>>blockBits])
	return class(classTable[blocks+block<<blockBits+int(r)&(1<<blockBits-1)])
}

// ascii has the classes of the bytes below 0x80. The others are 0 and in no set.
var ascii = [256]class{
	'\t': space, '\n': newline, '\v': space, '\f': space, '\r': newline, ' ': space,
	0x00: symbol, 0x01: symbol, 0x02: symbol, 0x03: symbol, 0x04: symbol, 0x05: symbol, 0x06: symbol, 0x07: symbol, 0x08: symbol,
	0x0e: symbol, 0x0f: symbol,
	0x10: symbol, 0x11: symbol, 0x12: symbol, 0x13: symbol, 0x14: symbol, 0x15: symbol, 0x16: symbol, 0x17: symbol,
	0x18: symbol, 0x19: symbol, 0x1a: symbol, 0x1b: symbol, 0x1c: symbol, 0x1d: symbol, 0x1e: symbol, 0x1f: symbol,
	'!': symbol, '"': symbol, '#': symbol, '$': symbol, '%': symbol, '&': symbol, '\'': symbol, '(': symbol,
	')': symbol, '*': symbol, '+': symbol, ',': symbol, '-': symbol, '.': symbol, '/': symbol,
	'0': number, '1': number, '2': number, '3': number, '4': number,
	'5': number, '6': number, '7': number, '8': number, '9': number,
	':': symbol, ';': symbol, '<': symbol, '=': symbol, '>': symbol, '?': symbol, '@': symbol,
	'A': upper, 'B': upper, 'C': upper, 'D': upper, 'E': upper, 'F': upper, 'G': upper, 'H': upper, 'I': upper,
	'J': upper, 'K': upper, 'L': upper, 'M': upper, 'N': upper, 'O': upper, 'P': upper, 'Q': upper, 'R': upper,
	'S': upper, 'T': upper, 'U': upper, 'V': upper, 'W': upper, 'X': upper, 'Y': upper, 'Z': upper,
	'[': symbol, '\\': symbol, ']': symbol, '^': symbol, '_': symbol, '`': symbol,
	'a': lower, 'b': lower, 'c': lower, 'd': lower, 'e': lower, 'f': lower, 'g': lower, 'h': lower, 'i': lower,
	'j': lower, 'k': lower, 'l': lower, 'm': lower, 'n': lower, 'o': lower, 'p': lower, 'q': lower, 'r': lower,
	's': lower, 't': lower, 'u': lower, 'v': lower, 'w': lower, 'x': lower, 'y': lower, 'z': lower,
	'{': symbol, '|': symbol, '}': symbol, '~': symbol, 0x7f: symbol,
}
