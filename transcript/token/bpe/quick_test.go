package bpe

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

func TestQuick(t *testing.T) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	src, _ := os.ReadFile("scan.go")
	for name, e := range map[string]*Encoding{"o200k_base": O200kBase(), "cl100k_base": CL100kBase()} {
		ref, err := tiktoken.GetEncoding(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{"Hello world", "antidisestablishmentarianism", "お誕生日おめでとう", "\xff", "<|endoftext|>", string(src), strings.Repeat("ab", 500), "12345٣٣", "don't DON'T fooBarBAZqux\n \n\t x"} {
			want := ref.EncodeOrdinary(s)
			var got []int
			for _, id := range e.AppendTokens(nil, s) {
				got = append(got, int(id))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s %.50q: got %v want %v", name, s, got[:min(30, len(got))], want[:min(30, len(want))])
			}
			if n := e.Count(s); n != len(want) {
				t.Errorf("%s %.50q: count %d want %d", name, s, n, len(want))
			}
		}
	}
}
