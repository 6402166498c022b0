// Package queue gives what is worth most for each token first.
//
// It is what choosing within a budget (lazy greedy) needs and container/heap is slow
// at: the first is looked at, has its density lowered in place, or is taken off,
// again and again.
package queue

// Item is something that can be taken, with the density that it had when it was
// queued.
type Item struct {
	Density float64 // value for each token
	ID      int32   // the caller's
}

// Queue is a heap: the densest first, and among equals the one with the highest ID.
// Each has four below it, which lie together: half as many levels as with two, and
// no more to wait for on each. The zero value is empty; Queue[0] is the first.
type Queue []Item

const below = 4

func (x Item) before(y Item) bool {
	return x.Density > y.Density || x.Density == y.Density && x.ID > y.ID
}

// Order makes a heap of items that were appended in no order. It is faster than to
// Push each.
func (q Queue) Order() {
	for i := len(q) / below; i >= 0 && i < len(q); i-- {
		q.sink(i, q[i])
	}
}

// Push adds an item to a heap.
func (q *Queue) Push(density float64, id int32) {
	x := Item{density, id}
	h := append(*q, x)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / below
		if !x.before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = x
	*q = h
}

// Pop takes the first off. There must be one.
func (q *Queue) Pop() {
	h := *q
	last := len(h) - 1
	x := h[last]
	if h = h[:last]; last > 0 {
		h.sink(0, x)
	}
	*q = h
}

// Lower returns the first another density, which is not higher. There must be one.
func (q Queue) Lower(density float64) { q.sink(0, Item{density, q[0].ID}) }

// sink puts x in the place of an item, and then below it where it belongs.
func (q Queue) sink(i int, x Item) {
	for first := below*i + 1; first < len(q); first = below*i + 1 {
		next := first
		for k := first + 1; k < min(first+below, len(q)); k++ {
			if q[k].before(q[next]) {
				next = k
			}
		}
		if !q[next].before(x) {
			break
		}
		q[i] = q[next]
		i = next
	}
	q[i] = x
}
