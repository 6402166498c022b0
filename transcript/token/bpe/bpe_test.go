package bpe

import (
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
