package strategy

// candidate is a piece of an [allocation], or ^unit, with the value for each
// token that it had when it was queued. Values only fall but for neighbours of
// what was taken, which are queued anew.
type candidate struct {
	density float64
	item    int32
}

// queue is a heap: the densest first, and among equals the newest. Each has four
// below it, which lie together: half as many levels as with two, and no more to
// wait for on each.
type queue []candidate

const below = 4

func (x candidate) before(y candidate) bool {
	return x.density > y.density || x.density == y.density && x.item > y.item
}

func (q *queue) push(density float64, item int32) {
	x := candidate{density, item}
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

func (q *queue) pop() {
	h := *q
	last := len(h) - 1
	x := h[last]
	if h = h[:last]; last > 0 {
		h.sink(x)
	}
	*q = h
}

// lower gives the first candidate another density, which is not higher.
func (q queue) lower(density float64) { q.sink(candidate{density, q[0].item}) }

// sink puts x in the place of the first, and then where it belongs.
func (q queue) sink(x candidate) {
	i := 0
	for first := 1; first < len(q); first = below*i + 1 {
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
