package picker

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// fruits are the items of the tests.
func fruits() []Item {
	var items []Item
	for _, name := range strings.Fields("apple banana cherry apricot") {
		items = append(items, Item{Row: name, Search: name + " fruit"})
	}
	return items
}

// TestKeys types keys, as terminals send them, and checks which row is taken.
func TestKeys(t *testing.T) {
	for _, tt := range []struct{ name, typed, want string }{
		{"the first", "\r", "apple"},
		{"arrows", "\x1b[B\x1b[B\x1b[A\r", "banana"},
		{"arrows of the other kind", "\x1bOB\x1bOB\r", "cherry"},
		{"control keys", "\x0e\x0e\x10\n", "banana"},
		{"past the end", "\x1b[6~\x1b[B\r", "apricot"},
		{"past the start", "\x1b[F\x1b[5~\x1b[A\r", "apple"},
		{"home and end", "\x1b[4~\x1b[1~\r", "apple"},
		{"words", "ap\x1b[B\r", "apricot"},
		{"words in any case and order", "FRUIT Ban\r", "banana"},
		{"words are erased", "chex\x7f\r", "cherry"},
		{"words are cleared", "xyz\x15\r", "apple"},
		{"no such row", "xyz\r\x7f\x7f\x7f\r", "apple"},
		{"leave", "\x1b[B\x1b", ""},
		{"control C", "ap\x03", ""},
		{"unknown keys", "\x1b[1;5C\x1b[24~\x1bx\x01\x1b[\r", ""},
		{"no text", "\xff\x1b[B\r", "banana"},
		{"letters of all scripts", "ä\x7f\r", "apple"},
	} {
		s, got, typed := newScreen(fruits()), "", []byte(tt.typed)
		for len(typed) > 0 {
			k, n := nextKey(typed)
			typed = typed[n:]
			if o := s.press(k); o == taken {
				got = s.items[s.chosen()].Row
				break
			} else if o == left {
				break
			}
		}
		if got != tt.want {
			t.Errorf("%s: took %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestLines checks that all lines fit a terminal of any size, and that the chosen row is among them.
func TestLines(t *testing.T) {
	var items []Item
	for i := range 40 {
		items = append(items, Item{Row: strings.Repeat(string(rune('a'+i%26)), 100)})
	}
	for _, color := range []bool{false, true} {
		for width := 2; width < 120; width += 7 {
			for height := 1; height < 40; height++ {
				p, s := &Picker{Title: "Sessions", Head: "names", Items: items, Color: color}, newScreen(items)
				for range 3 {
					s.press(keyPageDown)
					lines := p.lines(s, "", width, height)
					chosen := 0
					for _, line := range lines {
						if ansi.StringWidth(line) >= width {
							t.Fatalf("%d columns: %q", width, line)
						}
						if strings.HasPrefix(ansi.Strip(line), ">") {
							chosen++
						}
					}
					if chosen != 1 && width > 2 || len(lines) > max(height, otherLines) {
						t.Fatalf("%d rows: %d lines, %d are chosen", height, len(lines), chosen)
					}
				}
			}
		}
	}
}
