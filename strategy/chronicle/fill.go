package chronicle

import (
	"container/heap"
	"slices"

	"condense/strategy/allocate"
)

// fill keeps the groups of a text with the highest densities, for no more than most tokens
// in total, and returns their cost. It skips paragraphs that only announce the next step.
func (c *choice) fill(t *text, most float64) (spent float64) {
	var groups []int32
	for g, first := range t.starts {
		if t.form != prose || c.toneOf(t, t.source(first, t.groupEnd(g))) >= 1 {
			groups = append(groups, int32(t.begin+g))
		}
	}
	return c.spend(groups, most)
}

// fillLines keeps single lines of a result for no more than most tokens in total, the densest first,
// and returns their cost.
func (c *choice) fillLines(t *text, most float64) (spent float64) {
	var lines []int32
	for i := t.begin + len(t.starts); i < len(c.items) && c.items[i].kind == pieceItem && &c.texts[c.items[i].at] == t; i++ {
		lines = append(lines, int32(i))
	}
	return c.spend(lines, most)
}

// spend keeps items of one text for no more than most tokens in total, always the densest of those
// that fit, and returns their cost. The items are in ascending order; of equally dense ones it keeps
// the first.
//
// A kept item makes others less dense, which is found when they come to the top of the heap. It
// makes its neighbours denser, because fewer markers remain, so they are offered again. The first
// item also changes the cost of all others: they need the same call or record.
func (c *choice) spend(items []int32, most float64) (spent float64) {
	var h offers
	offer := func(some []int32) {
		for _, i := range some {
			if d, cost, ok := c.offer(i); ok && cost <= most-spent && d > 0 {
				heap.Push(&h, allocate.Item{Density: d, ID: i})
			}
		}
	}
	offer(items)
	for first := true; len(h) > 0; {
		top := h[0]
		d, cost, ok := c.offer(top.ID)
		switch fits := ok && cost <= most-spent && d > 0; {
		case !fits:
			heap.Pop(&h)
		case d < top.Density:
			h[0].Density = d
			heap.Fix(&h, 0)
		default:
			c.Take(top.ID, cost)
			spent += cost
			if first {
				first, h = false, h[:0]
				offer(items)
				continue
			}
			heap.Pop(&h)
			at, _ := slices.BinarySearch(items, top.ID)
			offer(items[max(0, at-1):min(len(items), at+2)])
		}
	}
	return spent
}

// offers is a heap of items: the densest first, and of equally dense ones the one with the lowest ID.
type offers []allocate.Item

func (h offers) Len() int { return len(h) }

func (h offers) Less(i, k int) bool {
	return h[i].Density > h[k].Density || h[i].Density == h[k].Density && h[i].ID < h[k].ID
}

func (h offers) Swap(i, k int) { h[i], h[k] = h[k], h[i] }

func (h *offers) Push(x any) { *h = append(*h, x.(allocate.Item)) }

func (h *offers) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}
