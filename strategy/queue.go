package strategy

// candidate is a piece of an [allocation], or ^unit, with the value for each
// token that it had when it was queued. Values only fall but for neighbours of
// what was taken, which are queued anew.
type candidate struct {
	density float64
	item    int32
}

// queue is a heap: the densest first, and among equals the newest.
type queue []candidate

func (x candidate) before(y candidate) bool {
	return x.density > y.density || x.density == y.density && x.item > y.item
}

func (q *queue) push(density float64, item int32) {
	h := append(*q, candidate{density, item})
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h[i].before(h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	*q = h
}

func (q *queue) pop() candidate {
	h := *q
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		next := 2*i + 1
		if next >= last {
			break
		}
		if next+1 < last && h[next+1].before(h[next]) {
			next++
		}
		if !h[next].before(h[i]) {
			break
		}
		h[i], h[next] = h[next], h[i]
		i = next
	}
	*q = h
	return top
}
