package strategy

import (
	"math/rand/v2"
	"testing"

	"condense/transcript"
)

// TestCountTable checks that a table returns what a map would, whether it has room from the start or grows.
func TestCountTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, room := range []int{0, 10, 2000} {
		table, want := newCountTable(room), map[*transcript.Block]int{}
		blocks := make([]*transcript.Block, 1500)
		for i := range blocks {
			blocks[i] = &transcript.Block{ID: i}
		}
		for range 4000 {
			b := blocks[r.IntN(len(blocks))]
			known, ok := want[b]
			if got, found := table.get(b); found != ok || found && got != known {
				t.Fatalf("room %d, block %d: %d, %t, want %d, %t", room, b.ID, got, found, known, ok)
			}
			if r.IntN(2) == 0 {
				want[b] = r.IntN(100)
				table.set(b, want[b])
			}
		}
		if table.count != len(want) {
			t.Errorf("room %d: %d blocks, want %d", room, table.count, len(want))
		}
	}
}
