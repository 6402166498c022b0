package token

import "unicode"

// An encoding first splits a text into words, in the wide sense ("getName",
// " the", "();\n"), then merges the bytes of each word into tokens. tiktoken-go
// merges in time quadratic in the length of the word, which nobody notices until
// a transcript holds a megabyte of one letter. So texts go to it in pieces that
// cannot hold a long word.
const (
	cutRun = 256        // characters of a long run that go into one piece
	maxRun = 2 * cutRun // characters of a run that is left whole
	enough = 32 << 10   // bytes after which a piece ends where that changes no count: bounds memory
)

// class is the set of kinds of run that a character can be part of. The words
// of the encodings are
//
//	letters and marks, with any one character before and 's or the like after
//	up to three digits: too short to matter, so a digit has the empty class
//	white space
//	symbols and marks, with a space before, and line breaks and slashes after
//
// so a word is one run or two and the odd character.
type class uint8

const (
	letter class = 1 << iota
	space
	symbol
	tail // what may follow symbols
)

func classOf(c rune) class {
	switch {
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		return letter
	case '0' <= c && c <= '9':
		return 0
	case c == '\n' || c == '\r':
		return space | tail
	case c == '/':
		return symbol | tail
	case unicode.IsSpace(c):
		return space
	case c < 0x80:
		return symbol
	case unicode.IsLetter(c):
		return letter
	case unicode.IsNumber(c):
		return 0
	case unicode.IsMark(c):
		return letter | symbol
	}
	return symbol
}

// run is a stretch of characters that have a kind in common.
type run struct {
	start int
	kinds class // what its characters have in common
	chars int   // since the start or the last cut
	next  int   // where to cut next: cutRun characters after the start or the last cut
	cut   bool
}

// lost gives how many of its bytes are no longer counted whole when it ends there.
func (r *run) lost(end int) int {
	if !r.cut {
		return 0
	}
	return end - r.start
}

// split gives the ends of the pieces to count s in, and how many bytes of s lie
// in runs that had to be cut.
func split(s string) (ends []int, cut int) {
	if len(s) <= maxRun {
		return []int{len(s)}, 0
	}
	var (
		r     run
		piece int   // where the piece begins
		last  class // of the character before
	)
	for i, c := range s {
		k := classOf(c)
		if r.kinds &= k; r.kinds == 0 {
			cut += r.lost(i)
			r = run{start: i, kinds: k}
			if i-piece >= enough && apart(last, k, c) {
				ends, piece = append(ends, i), i
			}
		}
		switch r.chars++; r.chars {
		case cutRun + 1:
			r.next = i
		case maxRun + 1:
			ends, piece = append(ends, r.next), r.next
			r.next, r.chars, r.cut = i, cutRun+1, true
		}
		last = k
	}
	return append(ends, len(s)), cut + r.lost(len(s))
}

// apart tells whether the encodings always split between a character of class
// last and the character c of class k. After a letter or digit, all but letters,
// marks, digits and an apostrophe (it's) begin a new word.
func apart(last, k class, c rune) bool {
	return (last == letter || last == 0) && k != 0 && k&letter == 0 && c != '\''
}
