package strategy

import (
	"hash/maphash"
	"math/bits"

	"condense/transcript"
)

// countTable maps blocks to their tokens. A conversation can have a block for every few bytes, and a map
// would take twice the memory.
type countTable struct {
	seed  maphash.Seed
	slots []*transcript.Block // nil where free; at most four fifths of them are taken
	of    []int32             // tokens, by slot
	count int
}

// newCountTable returns a table with room for n blocks.
func newCountTable(n int) *countTable {
	t := &countTable{seed: maphash.MakeSeed()}
	t.resize(n)
	return t
}

func (t *countTable) resize(n int) {
	slots, of := t.slots, t.of
	size := n + n/4 + 8
	t.slots, t.of = make([]*transcript.Block, size), make([]int32, size)
	for i, b := range slots {
		if b != nil {
			at := t.place(b)
			t.slots[at], t.of[at] = b, of[i]
		}
	}
}

// place returns the slot of a block, or the free slot where it belongs.
func (t *countTable) place(b *transcript.Block) int {
	high, _ := bits.Mul64(maphash.Comparable(t.seed, b), uint64(len(t.slots)))
	at := int(high)
	for t.slots[at] != nil && t.slots[at] != b {
		if at++; at == len(t.slots) {
			at = 0
		}
	}
	return at
}

// get returns the tokens of a block; false if they are not known.
func (t *countTable) get(b *transcript.Block) (tokens int, ok bool) {
	at := t.place(b)
	return int(t.of[at]), t.slots[at] != nil
}

// set sets the tokens of a block.
func (t *countTable) set(b *transcript.Block, tokens int) {
	at := t.place(b)
	if t.slots[at] == nil {
		if 5*(t.count+1) > 4*len(t.slots) {
			t.resize(2 * len(t.slots))
			at = t.place(b)
		}
		t.count++
		t.slots[at] = b
	}
	t.of[at] = int32(tokens)
}
