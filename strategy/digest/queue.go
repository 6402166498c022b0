package digest

// item is a piece in the queue, with its density when it was last looked at.
type item struct {
	density float64
	piece   int32
}

// queue is a heap of pieces, the densest first, then the first. Each has four below
// it, which lie together.
type queue []item

const below = 4

func (x item) before(y item) bool {
	return x.density > y.density || x.density == y.density && x.piece < y.piece
}

// order makes a heap of what is in no order.
func (q queue) order() {
	for i := len(q) / below; i >= 0 && i < len(q); i-- {
		q.sink(i, q[i])
	}
}

// pop takes the first off.
func (q *queue) pop() {
	last := len(*q) - 1
	x := (*q)[last]
	if *q = (*q)[:last]; last > 0 {
		q.sink(0, x)
	}
}

// sink puts x in the place of an item, and then below it where it belongs.
func (q queue) sink(i int, x item) {
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
