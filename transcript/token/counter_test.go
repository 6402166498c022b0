package token

import (
	"strings"
	"sync"
	"testing"

	"condense/transcript"
)

// TestText checks the published counts of the OpenAI Cookbook, "How to count tokens with tiktoken",
// and strings that broke other counters.
func TestText(t *testing.T) {
	for _, tt := range []struct {
		text          string
		o200k, cl100k int
	}{
		{"", 0, 0},
		{"Hello world", 2, 2},
		{"tiktoken is great!", 6, 6},
		{"antidisestablishmentarianism", 6, 6},
		{"2 + 2 = 4", 7, 7},
		{"お誕生日おめでとう", 8, 9},
		{"<|endoftext|>", 7, 7},
		{"\xff", 1, 1},
	} {
		if got := mustNew(t, "o200k_base").Text(tt.text); got != tt.o200k {
			t.Errorf("o200k_base counts %d in %q, want %d", got, tt.text, tt.o200k)
		}
		if got := mustNew(t, "cl100k_base").Text(tt.text); got != tt.cl100k {
			t.Errorf("cl100k_base counts %d in %q, want %d", got, tt.text, tt.cl100k)
		}
	}
}

func TestBlock(t *testing.T) {
	b := &transcript.Block{
		Kind: transcript.ToolCall, Tool: "Edit", Call: "toolu_01", Opaque: 5000,
		Parts: []transcript.Part{
			{Name: "path", Text: "Hello world"},
			{Name: "line", Text: "12", Number: true},
			{Media: &transcript.Medium{Type: "image/png", Bytes: 1 << 20}},
			{},
		},
	}
	for name, want := range map[string]int{"o200k_base": 3 + MediaTokens, "cl100k_base": 3 + MediaTokens, "bytes4": 4} {
		if got := mustNew(t, name).Block(b); got != want {
			t.Errorf("%s counts %d, want %d", name, got, want)
		}
	}
}

// TestConcurrent is for the race detector; two Counters share an engine.
func TestConcurrent(t *testing.T) {
	a, b := mustNew(t, "cl100k_base"), mustNew(t, "cl100k_base")
	texts := strings.SplitAfter(samples()["code"][:16<<10], "\n\n")
	want := make([]int, len(texts))
	for i, s := range texts {
		want[i] = a.Text(s)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, s := range texts {
				if got := b.Text(s); got != want[i] {
					t.Errorf("counts %d in %q, want %d", got, s, want[i])
				}
			}
		})
	}
	wg.Wait()
}
