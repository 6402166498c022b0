package tiktoken

import (
	"maps"
	"slices"
	"testing"

	loader "github.com/pkoukk/tiktoken-go-loader"

	"condense/transcript/token/bpe"
)

// TestVocabularies compares the vocabularies in the program with those of tiktoken-go-loader.
func TestVocabularies(t *testing.T) {
	for _, name := range []string{"o200k_base", "cl100k_base", "p50k_base", "r50k_base"} {
		got, err := builtIn{}.LoadTiktokenBpe("https://example.org/" + name + ".tiktoken")
		if err != nil {
			t.Fatal(err)
		}
		want, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s has %d tokens, want %d", name, len(got), len(want))
		}
	}
	const other = "https://example.org/gpt2.tiktoken"
	if got, err := (builtIn{}).LoadTiktokenBpe(other); err == nil || err.Error() != "no vocabulary for "+other {
		t.Errorf("%d tokens for an unknown address, %v", len(got), err)
	}
}

// TestTokens compares with counts of the OpenAI Cookbook, "How to count tokens with tiktoken", and with
// package bpe.
func TestTokens(t *testing.T) {
	for name, want := range map[string][3]int{
		"r50k_base": {5, 5, 14}, "p50k_base": {5, 5, 14}, "p50k_edit": {5, 5, 14}, "cl100k_base": {6, 7, 9}, "o200k_base": {6, 7, 8},
	} {
		e, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range []string{"antidisestablishmentarianism", "2 + 2 = 4", "お誕生日おめでとう"} {
			if got := e.Count(text); got != want[i] {
				t.Errorf("%s: %s has %d tokens, want %d", name, text, got, want[i])
			}
		}
	}
	for _, name := range Names() {
		e, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"a\xffb", "\xff", "\xed\xa0\x80 surrogate", "cut off \xf0\x9f", "\xe6\x96a", "日\xc3\xc3本"} {
			if got, want := e.AppendTokens(nil, text), e.AppendTokens(nil, string([]rune(text))); !slices.Equal(got, want) {
				t.Errorf("%s, %q: %v, want the tokens with U+FFFD, %v", name, text, got, want)
			}
		}
	}
	if e, err := Load("gpt2"); e != nil || err != nil {
		t.Error("an unknown encoding was loaded")
	}
	for name, own := range map[string]*bpe.Encoding{"cl100k_base": bpe.CL100kBase(), "o200k_base": bpe.O200kBase()} {
		e, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"", "Hello, world!\n\n  x", "<|endoftext|>", "a\xffb", "1234567 日本語 🙂", "don't  \t stop"} {
			if got, want := e.AppendTokens(nil, text), own.AppendTokens(nil, text); !slices.Equal(got, want) {
				t.Errorf("%s, %q: %v, want %v", name, text, got, want)
			}
		}
	}
}
