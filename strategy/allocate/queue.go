package allocate

// An Item is an element of a queue.
type Item struct {
	Density float64 // value per token when it was pushed
	ID      int32   // the caller's number
}

// queue is a heap of items. The first item is the densest, and of equally dense ones that with the
// highest ID. The zero value is empty.
//
// A choice repeatedly reads the first item and lowers its density or removes it. container/heap is slow
// at that. Here each item has four adjacent items below it, which halves the number of levels.
type queue []Item

const below = 4 // items below an item

// before reports whether x comes before y.
func (x Item) before(y Item) bool {
	return x.Density > y.Density || x.Density == y.Density && x.ID > y.ID
}

// Order makes a heap of items that were appended in any order. It is faster than pushing each.
func (q queue) Order() {
	for i := len(q) / below; i >= 0 && i < len(q); i-- {
		q.sink(i, q[i])
	}
}

// Push adds an item to a heap.
func (q *queue) Push(density float64, id int32) {
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

// Pop removes the first item. The queue must not be empty.
func (q *queue) Pop() {
	h := *q
	last := len(h) - 1
	x := h[last]
	if h = h[:last]; last > 0 {
		h.sink(0, x)
	}
	*q = h
}

// Lower sets the density of the first item, which must not rise. The queue must not be empty.
func (q queue) Lower(density float64) { q.sink(0, Item{density, q[0].ID}) }

// sink replaces item i by x, and moves x down until the heap is in order.
func (q queue) sink(i int, x Item) {
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
