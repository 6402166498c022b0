package bpe

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestMergeTokens checks that every token, as a piece, is merged to itself.
func TestMergeTokens(t *testing.T) {
	for _, e := range encodings() {
		var m merger
		for id, token := range vocabulary(t, e.name) {
			if got := m.merge(&e.vocab, token); !slices.Equal(got, []uint32{uint32(id)}) {
				t.Errorf("%s: token %d, %q, is merged to %v", e.name, id, token, got)
			}
		}
	}
}

// TestMerge compares with the definition, on pieces that do not occur in text: random bytes, and
// tokens that were cut.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, e := range encodings() {
		tokens := vocabulary(t, e.name)
		ids := numbers(tokens)
		var m merger
		for range 20_000 {
			var b strings.Builder
			for n := 1 + r.IntN(6); n > 0; n-- {
				token := tokens[r.IntN(len(tokens))]
				if r.IntN(2) == 0 {
					token = tokens[r.IntN(3000)] // the short ones
				}
				from := r.IntN(len(token))
				b.WriteString(token[from : from+1+r.IntN(len(token)-from)])
			}
			piece := b.String()
			if got, want := m.merge(&e.vocab, piece), slowMerge(ids, piece); !slices.Equal(got, want) {
				t.Fatalf("%s: %q is merged to %v, want %v", e.name, piece, got, want)
			}
		}
	}
}

// TestRuns checks runs of all texts of which the vocabularies contain runs, in every length up to
// some tokens: alone, and between other texts.
func TestRuns(t *testing.T) {
	for _, e := range encodings() {
		tokens := vocabulary(t, e.name)
		ids := make(map[string]uint32, len(tokens))
		longest := map[string]int{} // run in the vocabulary, by what it is a run of
		for id, token := range tokens {
			ids[token] = uint32(id)
			for n := 1; n <= 4 && n <= len(token)/4; n++ {
				if unit := token[:n]; strings.Repeat(unit, len(token)/n) == token {
					longest[unit] = max(longest[unit], len(token))
					break
				}
			}
		}
		if len(longest) < 20 || longest[" "] < 64 {
			t.Fatalf("%s has runs of %d things, of %d spaces", e.name, len(longest), longest[" "])
		}
		var m merger
		for unit, most := range longest {
			for n := 1; n*len(unit) <= min(3*most+8, 300); n++ {
				run := strings.Repeat(unit, n)
				for _, piece := range []string{run, "x" + run, run + "/\n"} {
					if got, want := m.merge(&e.vocab, piece), slowMerge(ids, piece); !slices.Equal(got, want) {
						t.Fatalf("%s: %q is merged to %v, want %v", e.name, piece, got, want)
					}
				}
			}
		}
	}
}

// TestMergeRuns compares with the definition on runs: pieces of repeated long tokens, where many
// tokens fit at every place.
func TestMergeRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, e := range encodings() {
		ids := map[string]uint32{}
		var long []string
		for id, token := range vocabulary(t, e.name) {
			ids[token] = uint32(id)
			if len(token) >= longRun && strings.Count(token, token[:1]) > len(token)/2 {
				long = append(long, token)
			}
		}
		var m merger
		for range 2000 {
			var b strings.Builder
			char := long[r.IntN(len(long))][:1]
			for b.Len() < 50+r.IntN(500) {
				token := long[r.IntN(len(long))]
				if token[:1] == char || r.IntN(20) == 0 {
					b.WriteString(strings.Repeat(token[:1+r.IntN(len(token))], 1+r.IntN(5)))
				}
			}
			piece := b.String()
			if got, want := m.merge(&e.vocab, piece), slowMerge(ids, piece); !slices.Equal(got, want) {
				t.Fatalf("%s: %q is merged to %v, want %v", e.name, piece, got, want)
			}
		}
	}
}

// slowMerge is the definition of byte pair encoding.
func slowMerge(ids map[string]uint32, piece string) []uint32 {
	var parts []string
	for i := range len(piece) {
		parts = append(parts, piece[i:i+1])
	}
	rank := func(i int) uint32 { // of the token that parts i and i+1 are together
		if i >= 0 && i+1 < len(parts) {
			if id, ok := ids[parts[i]+parts[i+1]]; ok {
				return id
			}
		}
		return none
	}
	ranks := make([]uint32, len(parts))
	for i := range parts {
		ranks[i] = rank(i)
	}
	for {
		best := slices.Min(ranks)
		if best == none {
			break
		}
		at := slices.Index(ranks, best)
		parts[at] += parts[at+1]
		parts, ranks = slices.Delete(parts, at+1, at+2), slices.Delete(ranks, at+1, at+2)
		ranks[at] = rank(at)
		if at > 0 {
			ranks[at-1] = rank(at - 1)
		}
	}
	out := make([]uint32, len(parts))
	for i, p := range parts {
		out[i] = ids[p]
	}
	return out
}

// TestLongPieces checks that a run of a megabyte is one piece with the right count. The count is
// extrapolated from shorter runs, which the definition can count: where a run repeats, its tokens
// do.
func TestLongPieces(t *testing.T) {
	const size = 1 << 20
	for _, e := range encodings() {
		for _, unit := range []string{"a", " ", "\n", "=", "文", "ab", "0"} {
			n := size / len(unit)
			tokens := e.AppendTokens(nil, strings.Repeat(unit, n))
			if got := e.Count(strings.Repeat(unit, n)); got != len(tokens) {
				t.Errorf("%s counts %d in %q times %d, which has %d tokens", e.name, got, unit, n, len(tokens))
			}
			if !slices.Equal(slices.Compact(slices.Clone(tokens[:1000])), tokens[:1]) && unit != "ab" {
				t.Errorf("%s: a run of %q begins with %v", e.name, unit, first(tokens))
			}
		}
	}
}

// TestAllocations checks that text in UTF-8 is counted without an allocation, and encoded without
// one where there is room.
func TestAllocations(t *testing.T) {
	text := strings.Repeat("func main() { fmt.Println(\"Hello, wörld: \", 12345, 港が静かだった) }\n\t", 100) + strings.Repeat("x", 10_000)
	for _, e := range encodings() {
		tokens := make([]uint32, 0, e.Count(text))
		if n := testing.AllocsPerRun(10, func() { e.Count(text) }); n >= 1 {
			t.Errorf("%s: Count allocates %v times", e.name, n)
		}
		if n := testing.AllocsPerRun(10, func() { e.AppendTokens(tokens, text) }); n >= 1 {
			t.Errorf("%s: AppendTokens allocates %v times", e.name, n)
		}
	}
}

// TestConcurrent is for the race detector.
func TestConcurrent(t *testing.T) {
	e := O200kBase()
	text := strings.Repeat("a worker each; ", 100)
	want := e.Count(text)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if got := e.Count(text); got != want {
					t.Errorf("counts %d, want %d", got, want)
				}
			}
		})
	}
	wg.Wait()
}
