package bpe

import (
	"fmt"
	"runtime"
	"testing"
)

// TestWorkers checks that a worker outlives garbage collections, and that no two calls have the same one.
func TestWorkers(t *testing.T) {
	e := O200kBase()
	first := e.take()
	e.leave(first)
	for range 3 {
		runtime.GC()
	}
	if e.take() != first {
		t.Error("another worker, which has counted nothing, after a garbage collection")
	}
	taken := map[*worker]bool{first: true}
	for range 2 * mostWorkers {
		taken[e.take()] = true
	}
	if len(taken) != 2*mostWorkers+1 {
		t.Errorf("%d workers for %d calls at the same time", len(taken), 2*mostWorkers+1)
	}
	for w := range taken {
		e.leave(w)
	}
	for range mostWorkers {
		if w := e.take(); !taken[w] {
			t.Fatal("a new worker, while others are free")
		}
	}
}

// TestCache checks that a count stays in the cache while other words take its slot, in the slot beside it, and
// that a word that is counted first leaves the slot beside its own as it is.
func TestCache(t *testing.T) {
	e := O200kBase()
	words := map[uint64][]string{} // by slot
	var own, beside []string
	for i := 0; own == nil; i++ {
		word := fmt.Sprintf("word%d", i)
		slot := keyOf(word, 0, len(word)).slot()
		words[slot] = append(words[slot], word)
		if slot ^= 1; len(words[slot]) > 1 && len(words[slot^1]) > 0 {
			own, beside = words[slot], words[slot^1]
		} else if len(words[slot^1]) > 1 && len(words[slot]) > 0 {
			own, beside = words[slot^1], words[slot]
		}
	}
	first, second, other := own[0], own[1], beside[0]
	for _, test := range []struct{ counted, kept []string }{
		{[]string{first, second}, []string{first, second}},
		{[]string{other, first}, []string{other, first}},
		{[]string{other, first, second}, []string{first, second}},
		{[]string{first, second, first}, []string{first, second}},
	} {
		w := new(worker)
		for _, word := range test.counted {
			if got, want := w.short(&e.vocab, word, 0, len(word)), len(e.AppendTokens(nil, word)); got != want {
				t.Errorf("%s has %d tokens, want %d", word, got, want)
			}
		}
		for _, word := range test.kept {
			k := keyOf(word, 0, len(word))
			for _, entry := range []key{w.cache[k.slot()], w.cache[k.slot()^1]} {
				if entry.low == k.low && entry.high&^countMask == k.high {
					k = key{}
				}
			}
			if k != (key{}) {
				t.Errorf("%s is not in the cache after %q", word, test.counted)
			}
		}
	}
}
