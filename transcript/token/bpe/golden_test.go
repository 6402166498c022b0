package bpe

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"unicode/utf8"
)

// TestGolden compares both encodings with the answers of OpenAI's own tiktoken, see
// scripts/gen-vocab/golden.mjs.
func TestGolden(t *testing.T) {
	var cases [][3]json.RawMessage
	readJSON(t, "testdata/golden.json", &cases)
	both := encodings()
	for _, c := range cases {
		var text string
		unmarshal(t, c[0], &text)
		for i, e := range both {
			var want []uint32
			unmarshal(t, c[1+i], &want)
			if got := e.AppendTokens(nil, text); !slices.Equal(got, want) {
				t.Errorf("%s: %.80q is %v, want %v", e.name, text, first(got), first(want))
			}
			if got := e.Count(text); got != len(want) {
				t.Errorf("%s counts %d in %.80q, want %d", e.name, got, text, len(want))
			}
		}
	}
}

// TestCharacters compares every character, alone and among others. Without -all, it omits the planes
// that have no characters yet.
func TestCharacters(t *testing.T) {
	const block = 0x1000
	var golden map[string][]string
	readJSON(t, "testdata/characters.json", &golden)
	for _, e := range encodings() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			var tokens []uint32
			var bytes []byte
			for i, want := range golden[e.name] {
				if plane := i * block >> 16; plane > 3 && plane != 14 && !*all {
					continue
				}
				hash := sha256.New()
				for c := rune(i * block); c < rune(i+1)*block; c++ {
					if !utf8.ValidRune(c) {
						continue
					}
					s := string(c)
					tokens = e.AppendTokens(tokens[:0], s)
					alone := len(tokens)
					among := s + " a" + s + " " + s + "b A" + s + s + ". " + s + "1'" + s + "\n" + s + "\n"
					tokens = e.AppendTokens(tokens, among)
					if n := e.Count(s) + e.Count(among); n != len(tokens) || alone == 0 {
						t.Errorf("counts %d for %U, has %d tokens", n, c, len(tokens))
					}
					for _, id := range tokens {
						bytes = binary.LittleEndian.AppendUint32(bytes[:0], id)
						hash.Write(bytes)
					}
				}
				if got := hex.EncodeToString(hash.Sum(nil)[:8]); got != want {
					t.Errorf("some of %U to %U have other tokens", i*block, (i+1)*block-1)
				}
			}
		})
	}
}

// named is an encoding and its name.
type named struct {
	*Encoding
	name string
}

func encodings() []named {
	return []named{{O200kBase(), "o200k_base"}, {CL100kBase(), "cl100k_base"}}
}

func first(tokens []uint32) []uint32 { return tokens[:min(20, len(tokens))] }

func readJSON(t *testing.T, file string, to any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	unmarshal(t, data, to)
}

func unmarshal(t *testing.T, data []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatal(err)
	}
}

// TestTokenTexts checks that Vocabulary returns every token once, at the place of its number.
func TestTokenTexts(t *testing.T) {
	for _, e := range encodings() {
		words := e.Vocabulary()
		seen := make(map[string]bool, len(words))
		for id, word := range words {
			if word == "" || seen[word] {
				t.Fatalf("%s: token %d is %q, which is empty or there twice", e.name, id, word)
			}
			seen[word] = true
		}
		for _, text := range []string{"a", " the", "condense", "\n\n", "日本"} {
			whole := ""
			for _, id := range e.AppendTokens(nil, text) {
				whole += words[id]
			}
			if whole != text {
				t.Errorf("%s: the tokens of %q are %q", e.name, text, whole)
			}
		}
	}
}
