package ui

import (
	"slices"
	"strings"
	"testing"
)

func TestDifferentWords(t *testing.T) {
	for _, c := range []struct {
		text, partner string
		want          []string // common and different in turn
	}{
		{"It is Paris, I believe.", "It is Paris, I am sure.", []string{"It is Paris, I ", "believe", "."}},
		{"same", "same", []string{"same"}},
		{"one", "two", []string{"", "one"}},
		{"a b c", "a c", []string{"a", " b", " c"}},
		{"", "x", []string{""}},
		{"x := f(1)", "x := f(22)", []string{"x := f(", "1", ")"}},
		{"日本語 text", "日本 text", []string{"", "日本語", " text"}},
	} {
		if got := differentWords(c.text, c.partner); !slices.Equal(got, c.want) {
			t.Errorf("%q beside %q: %q, want %q", c.text, c.partner, got, c.want)
		}
	}
}

func FuzzDifferentWords(f *testing.F) {
	f.Add("It is Paris, I believe.", "It is Paris, I am sure.")
	f.Add("a  b\tc", "\xff\u00e9 b")
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = strings.ReplaceAll(a, "\n", " "), strings.ReplaceAll(b, "\n", " ")
		pieces := differentWords(a, b)
		if got := strings.Join(pieces, ""); got != a {
			t.Errorf("the pieces %q do not add up to the line %q", got, a)
		}
		if a == b && len(pieces) != 1 {
			t.Errorf("%q differs from itself: %q", a, pieces)
		}
	})
}
