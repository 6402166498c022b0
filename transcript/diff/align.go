package diff

import (
	"slices"
	"sort"
)

// A pair is an item of a and the corresponding item of b; -1 for none. The fields from and to are
// their indices on both sides, or those of the place where they would be.
type pair struct{ a, b, from, to int }

// keys are the hashes by which the items of both sides are compared; 0 for an item
// that has none.
type keys struct{ a, b []uint64 }

func keysOf[T any](a, b []T, key func(T) uint64) keys {
	k := keys{make([]uint64, len(a)), make([]uint64, len(b))}
	for i, x := range a {
		k.a[i] = key(x)
	}
	for j, x := range b {
		k.b[j] = key(x)
	}
	return k
}

// span is a range on both sides.
type span struct{ a0, a1, b0, b1 int }

// aligner pairs the items of two lists, in order.
type aligner struct {
	levels     []keys // the most reliable first
	similarity func(i, j int) float64
	with       []int // index of the item of b for each item of a; -1 for none
}

// align pairs n items with m so that pairs do not cross. It returns every item of both
// sides once, in order; items of a without a partner come before those of b.
func align(levels []keys, similarity func(i, j int) float64, n, m int) []pair {
	al := &aligner{levels, similarity, make([]int, n)}
	for i := range al.with {
		al.with[i] = -1
	}
	al.stretch(span{0, n, 0, m}, 0)
	var list []pair
	j := 0
	for i, k := range al.with {
		for ; j < k; j++ {
			list = append(list, pair{-1, j, i, j})
		}
		if k < 0 {
			list = append(list, pair{i, -1, i, j})
			continue
		}
		list = append(list, pair{i, k, i, k})
		j = k + 1
	}
	for ; j < m; j++ {
		list = append(list, pair{-1, j, n, j})
	}
	return list
}

// stretch pairs the items between two pairs: first those with equal keys at both ends,
// then those whose key is unique on each side, as in patience diff. When a level pairs
// nothing, the next level is used, and finally the similarity of items.
func (al *aligner) stretch(s span, level int) {
	if level < len(al.levels) {
		s = al.ends(s, al.levels[level])
	}
	if s.a0 == s.a1 || s.b0 == s.b1 {
		return
	}
	if level == len(al.levels) {
		al.bySimilarity(s)
		return
	}
	anchors := unique(s, al.levels[level])
	next := level
	if len(anchors) == 0 {
		next++
	}
	at := span{a0: s.a0, b0: s.b0}
	for _, p := range anchors {
		al.with[p.a] = p.b
		at.a1, at.b1 = p.a, p.b
		al.stretch(at, next)
		at.a0, at.b0 = p.a+1, p.b+1
	}
	at.a1, at.b1 = s.a1, s.b1
	al.stretch(at, next)
}

// ends pairs equal items at the start and at the end of a span, and returns the span
// between them.
func (al *aligner) ends(s span, k keys) span {
	same := func(i, j int) bool { return k.a[i] == k.b[j] && k.a[i] != 0 }
	for s.a0 < s.a1 && s.b0 < s.b1 && same(s.a0, s.b0) {
		al.with[s.a0] = s.b0
		s.a0, s.b0 = s.a0+1, s.b0+1
	}
	for s.a0 < s.a1 && s.b0 < s.b1 && same(s.a1-1, s.b1-1) {
		s.a1, s.b1 = s.a1-1, s.b1-1
		al.with[s.a1] = s.b1
	}
	return s
}

// unique returns the longest list of pairs that do not cross, among the items whose
// key is unique on each side of a span.
func unique(s span, k keys) []pair {
	const several = -2
	at := map[uint64]int{}
	for i := s.a0; i < s.a1; i++ {
		if _, seen := at[k.a[i]]; seen {
			at[k.a[i]] = several
		} else {
			at[k.a[i]] = i
		}
	}
	delete(at, 0)
	count := map[uint64]int{}
	for j := s.b0; j < s.b1; j++ {
		count[k.b[j]]++
	}
	var all []pair
	for j := s.b0; j < s.b1; j++ {
		if i, ok := at[k.b[j]]; ok && i != several && count[k.b[j]] == 1 {
			all = append(all, pair{a: i, b: j})
		}
	}
	return increasing(all)
}

// increasing returns the longest list of pairs whose a increases; all are in the order
// of b.
func increasing(all []pair) []pair {
	var tails []int // of the shortest-ending list of each length, the index of its last pair
	before := make([]int, len(all))
	for i, p := range all {
		n := sort.Search(len(tails), func(n int) bool { return all[tails[n]].a >= p.a })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	var list []pair
	if len(tails) > 0 {
		for i := tails[len(tails)-1]; i >= 0; i = before[i] {
			list = append(list, all[i])
		}
	}
	slices.Reverse(list)
	return list
}

// cells is the largest number of combinations that are tried in one span. A larger
// span, which takes hundreds of adjacent changed messages, is compared item by item.
const cells = 1 << 16

// bySimilarity pairs items so that the sum of their similarities is largest.
func (al *aligner) bySimilarity(s span) {
	n, m := s.a1-s.a0, s.b1-s.b0
	if n*m > cells {
		for i, j := s.a0, s.b0; i < s.a1 && j < s.b1; i, j = i+1, j+1 {
			if al.similarity(i, j) > 0 {
				al.with[i] = j
			}
		}
		return
	}
	score := make([]float64, n*m)
	best := make([]float64, (n+1)*(m+1)) // of what lies behind i and j
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			at := i*m + j
			score[at] = al.similarity(s.a0+i, s.b0+j)
			best[i*(m+1)+j] = max(best[(i+1)*(m+1)+j], best[i*(m+1)+j+1])
			if score[at] > 0 {
				best[i*(m+1)+j] = max(best[i*(m+1)+j], score[at]+best[(i+1)*(m+1)+j+1])
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch here := best[i*(m+1)+j]; {
		case score[i*m+j] > 0 && here == score[i*m+j]+best[(i+1)*(m+1)+j+1]:
			al.with[s.a0+i] = s.b0 + j
			i, j = i+1, j+1
		case here == best[(i+1)*(m+1)+j]:
			i++
		default:
			j++
		}
	}
}
