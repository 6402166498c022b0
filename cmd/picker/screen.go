package picker

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// screen is the state of a picker.
type screen struct {
	items []Item
	typed []rune
	found []int // items that have the typed words
	at    int   // index in found
	top   int   // index in found of the first row that is shown
}

func newScreen(items []Item) *screen {
	s := &screen{items: items}
	s.search()
	return s
}

// chosen returns the index of the chosen item, -1 if no item has the typed words.
func (s *screen) chosen() int {
	if len(s.found) == 0 {
		return -1
	}
	return s.found[s.at]
}

// search finds the items that have all typed words, in any case, and chooses the first.
func (s *screen) search() {
	words := strings.Fields(strings.ToLower(string(s.typed)))
	s.found, s.at, s.top = nil, 0, 0
next:
	for i := range s.items {
		text := strings.ToLower(s.items[i].Search)
		for _, w := range words {
			if !strings.Contains(text, w) {
				continue next
			}
		}
		s.found = append(s.found, i)
	}
}

// window returns the range of found that is shown on a number of rows.
func (s *screen) window(rows int) (from, to int) {
	s.top = min(s.top, s.at)
	s.top = max(s.top, s.at-rows+1)
	return s.top, min(len(s.found), s.top+rows)
}

// outcome is what a key did.
type outcome int

const (
	stays outcome = iota
	taken
	left
)

// key is a key of the keyboard: a character, or one of the constants.
type key rune

const (
	keyNone key = -1 - iota
	keyUp
	keyDown
	keyPageUp
	keyPageDown
	keyHome
	keyEnd
	keyEnter
	keyLeave
	keyErase
	keyClear
)

// page is the number of rows by which the page keys move.
const page = 10

// press changes the state by a key.
func (s *screen) press(k key) outcome {
	switch k {
	case keyEnter:
		if s.chosen() < 0 {
			return stays
		}
		return taken
	case keyLeave:
		return left
	case keyUp:
		s.move(-1)
	case keyDown:
		s.move(1)
	case keyPageUp:
		s.move(-page)
	case keyPageDown:
		s.move(page)
	case keyHome:
		s.move(-len(s.found))
	case keyEnd:
		s.move(len(s.found))
	case keyErase:
		s.typed = s.typed[:max(0, len(s.typed)-1)]
		s.search()
	case keyClear:
		s.typed = nil
		s.search()
	case keyNone:
	default:
		s.typed = append(s.typed, rune(k))
		s.search()
	}
	return stays
}

// move chooses the row a number of rows below.
func (s *screen) move(rows int) {
	s.at = max(0, min(len(s.found)-1, s.at+rows))
}

// sequences are the bytes that terminals send for keys.
var sequences = []struct {
	bytes string
	key   key
}{
	{"\x1b[A", keyUp}, {"\x1bOA", keyUp}, {"\x1b[B", keyDown}, {"\x1bOB", keyDown},
	{"\x1b[5~", keyPageUp}, {"\x1b[6~", keyPageDown},
	{"\x1b[H", keyHome}, {"\x1bOH", keyHome}, {"\x1b[1~", keyHome}, {"\x1b[F", keyEnd}, {"\x1bOF", keyEnd}, {"\x1b[4~", keyEnd},
	{"\r", keyEnter}, {"\n", keyEnter},
	{"\x03", keyLeave}, {"\x04", keyLeave}, // control C and D
	{"\x7f", keyErase}, {"\x08", keyErase}, {"\x15", keyClear},
	{"\x10", keyUp}, {"\x0e", keyDown}, // control P and N
}

// nextKey returns the first key of typed bytes, and the number of its bytes.
func nextKey(typed []byte) (k key, n int) {
	for _, s := range sequences {
		if strings.HasPrefix(string(typed), s.bytes) {
			return s.key, len(s.bytes)
		}
	}
	if typed[0] == '\x1b' {
		if len(typed) == 1 {
			return keyLeave, 1
		}
		return keyNone, unknownSequence(typed)
	}
	r, n := utf8.DecodeRune(typed)
	if r == utf8.RuneError || !unicode.IsPrint(r) {
		return keyNone, n
	}
	return key(r), n
}

// unknownSequence returns the length of a sequence that stands for no known key: to its last byte.
func unknownSequence(typed []byte) int {
	if typed[1] != '[' && typed[1] != 'O' {
		return 2
	}
	for i, c := range typed[2:] {
		if 0x40 <= c && c <= 0x7e {
			return i + 3
		}
	}
	return len(typed)
}
