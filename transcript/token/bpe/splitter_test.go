package bpe

import (
	"slices"
	"testing"
)

// TestSplitter checks the pieces of the patterns of many models, and that there is no code for other patterns.
func TestSplitter(t *testing.T) {
	const contractions, words, tail = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|`, `[^\r\n\p{L}\p{N}]?\p{L}+|`, `| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	for pattern, want := range map[string][]string{
		contractions + words + `\p{N}{1,3}` + tail: {"It", "'s", " ", "123", "45", " x", "."},
		contractions + words + `\p{N}` + tail:      {"It", "'s", " ", "1", "2", "3", "4", "5", " x", "."},
		`\s+`:                                      nil,
	} {
		next := Splitter(pattern)
		if (next == nil) != (want == nil) {
			t.Errorf("%s: there is code for it: %v", pattern, next != nil)
		}
		if next == nil {
			continue
		}
		const text = "It's 12345 x."
		var got []string
		for i := 0; i < len(text); {
			end := next(text, i)
			got = append(got, text[i:end])
			i = end
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}
