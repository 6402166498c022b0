package splice

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"condense/transcript/internal/rawjson"
)

// TestPack checks that places are the same after packing, whether some were sealed before or not, and that
// those of a few messages are not packed.
func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []struct {
		messages, blocks int
		seals            bool
	}{{manyMessages, 3, false}, {1, 3 * manyMessages, false}, {3 * manyMessages, 1, true}, {manyMessages - 1, 700, false}, {9, 700, true}} {
		l := New(nil)
		var want [][]BlockPlace
		var records [][]int
		for i := range size.messages {
			if size.seals && r.IntN(4) == 0 {
				l.Seal()
			}
			m := &MessagePlace{Records: [][]int{{7}, {3, 4}, nil, {0}, {-1}}[r.IntN(5)]}
			var own []BlockPlace
			for range r.IntN(size.blocks + 1) {
				own = append(own, randomPlace(r))
				m.Blocks.Add(own[len(own)-1])
			}
			want, records = append(want, own), append(records, m.Records)
			l.Messages = append(l.Messages, m)
			checkPlaces(t, l, want, records, r.IntN(i+1))
		}
		if size.seals {
			l.Unseal()
			for id := range want {
				if at := &l.Messages[id].Blocks; at.Len() > 0 { // a change of one message is none of the others
					i := r.IntN(at.Len())
					at.Copy(i, BlockPlace{Flagged: true})
					was := want[id][i]
					want[id][i].Copies = append(slices.Clip(was.Copies), BlockPlace{Flagged: true})
				}
			}
			l.Seal()
		}
		l.pack()
		if many := size.messages >= manyMessages || size.seals; (l.packed != nil) != many || l.known() != len(want) || l.Has(len(want)) || l.Has(-1) {
			t.Fatalf("%v: packed is %t, %d messages", size, l.packed != nil, l.known())
		}
		for id := range want {
			checkPlaces(t, l, want, records, id)
		}
	}
}

// checkPlaces checks what a layout tells about a message.
func checkPlaces(t *testing.T, l *Layout, blocks [][]BlockPlace, records [][]int, id int) {
	t.Helper()
	if got := l.Records(id); !slices.Equal(got, records[id]) {
		t.Fatalf("message %d: records %v, want %v", id, got, records[id])
	}
	want := blocks[id]
	places := l.placesOf(id)
	i := 0
	for b := range places.all() {
		if !reflect.DeepEqual(*b, want[i]) || !reflect.DeepEqual(l.Block(id, i), want[i]) || l.Flagged(id, i) != want[i].Flagged {
			t.Fatalf("message %d block %d: %v, want %v", id, i, *b, want[i])
		}
		i++
	}
	if i != len(want) || l.Blocks(id) != i {
		t.Fatalf("message %d: %d blocks, want %d", id, i, len(want))
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
