package squeeze

import "testing"

func TestWordy(t *testing.T) {
	for text, want := range map[string]bool{
		"":                         false,
		"one two three":            false,
		"one two three four":       true,
		"one, two, three, four":    true,
		"über é ñ 世界":              true,
		"1 2 3 four five":          false,
		"one  two  three  four":    true,
		" one two three":           false,
		"one two three (4567890)":  false,
		"a.b c.d e.f g.h i.j k.l.": false,
	} {
		if got := wordy(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
