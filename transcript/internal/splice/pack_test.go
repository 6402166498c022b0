package splice

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"condense/transcript/internal/rawjson"
)

// TestPack checks that the places of very many messages, or of a message with very many blocks, are the
// same after packing, and that a few messages are not packed.
func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []struct{ messages, blocks int }{{manyMessages, 3}, {1, manyBlocks}, {3 * manyMessages, 1}, {manyMessages - 1, manyBlocks - 1}} {
		l := New(nil)
		for range size.messages {
			m := &MessagePlace{Records: [][]int{{7}, {3, 4}, nil, {0}, {-1}}[r.IntN(5)]}
			for range r.IntN(size.blocks + 1) {
				m.Blocks = append(m.Blocks, randomPlace(r))
			}
			l.Messages = append(l.Messages, m)
		}
		if size.messages == 1 {
			for len(l.Messages[0].Blocks) < manyBlocks {
				l.Messages[0].Blocks = append(l.Messages[0].Blocks, randomPlace(r))
			}
		}
		want := l.Messages
		l.pack()
		if many := size.messages >= manyMessages || size.messages == 1; (l.packed != nil) != many || l.known() != len(want) || l.Has(len(want)) || l.Has(-1) {
			t.Fatalf("%v: packed is %t, %d messages", size, l.packed != nil, l.known())
		}
		for id, m := range want {
			if got := l.Records(id); !slices.Equal(got, m.Records) {
				t.Fatalf("message %d: records %v, want %v", id, got, m.Records)
			}
			if got := l.place(id).Blocks; len(got) != len(m.Blocks) || len(got) > 0 && !reflect.DeepEqual(got, m.Blocks) {
				t.Fatalf("message %d: %v, want %v", id, got, m.Blocks)
			}
			i := 0
			for b := range l.blocks(id) {
				if !reflect.DeepEqual(*b, m.Blocks[i]) || !reflect.DeepEqual(*l.Block(id, i), m.Blocks[i]) {
					t.Fatalf("message %d block %d: %v, want %v", id, i, *b, m.Blocks[i])
				}
				i++
			}
			if i != len(m.Blocks) || l.Blocks(id) != i {
				t.Fatalf("message %d: %d blocks, want %d", id, i, len(m.Blocks))
			}
		}
	}
}

// randomPlace returns the place of a block: mostly one that packs, or one that differs from it in one way.
func randomPlace(r *rand.Rand) BlockPlace {
	p := Place{Slot: r.IntN(9) - 1, Lit: rawjson.Span{Start: r.IntN(100), End: 100 + r.IntN(100)}}
	b := BlockPlace{Slots: []int{r.IntN(9)}}
	switch r.IntN(12) {
	case 0:
		p.From, p.To = 1, 4
	case 1:
		p.Nested = true
	case 2:
		p.Media, p.InputText, p.Bare = true, r.IntN(2) == 0, r.IntN(2) == 0
	case 3:
		p.Wide = &[2]int{0, 9}
	case 4:
		b.Flagged = true
	case 5:
		b.Copies = []BlockPlace{{Slots: []int{1}}}
	case 6:
		b.Slots = nil
	case 7:
		b.Slots = append(b.Slots, 2)
	case 8:
		return b
	case 9:
		b.Parts = append(b.Parts, p)
	}
	b.Parts = append(b.Parts, p)
	return b
}
