package allocate

import (
	"math/rand"
	"slices"
	"testing"
)

// random returns items, many of the same density.
func random(n int) (items []Item) {
	rng := rand.New(rand.NewSource(1))
	for i := range n {
		items = append(items, Item{float64(rng.Intn(50)), int32(i - n/2)})
	}
	return items
}

// sorted returns items in the order of a queue.
func sorted(items []Item) []Item {
	return slices.SortedFunc(slices.Values(items), func(x, y Item) int {
		if x.before(y) {
			return -1
		}
		return 1
	})
}

// wantOrder checks the order in which items are popped.
func wantOrder(t *testing.T, q queue, want []Item) {
	t.Helper()
	if len(q) != len(want) {
		t.Fatalf("%d items, want %d", len(q), len(want))
	}
	for i, w := range want {
		if q[0] != w {
			t.Fatalf("number %d is %v, want %v", i, q[0], w)
		}
		q.Pop()
	}
	if len(q) != 0 {
		t.Errorf("%d items are left", len(q))
	}
}

// TestQueuePushAndLower pops items of which some were lowered.
func TestQueuePushAndLower(t *testing.T) {
	var q queue
	rng := rand.New(rand.NewSource(2))
	last := map[int32]float64{}
	for i, x := range random(1000) {
		q.Push(x.Density, x.ID)
		last[x.ID] = x.Density
		if first := q[0]; i%2 == 0 {
			last[first.ID] -= float64(rng.Intn(20))
			q.Lower(last[first.ID])
		}
	}
	var want []Item
	for id, density := range last {
		want = append(want, Item{density, id})
	}
	wantOrder(t, q, sorted(want))
}

// TestQueueOrder checks that Order and Push lead to the same order, at every size.
func TestQueueOrder(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 4, 5, 6, 16, 17, 18, 1000} {
		items := random(n)
		q := queue(slices.Clone(items))
		q.Order()
		wantOrder(t, q, sorted(items))
	}
}

func TestQueueEqualsByID(t *testing.T) {
	q := queue{{1, -3}, {1, 7}, {2, 0}, {1, 2}}
	q.Order()
	wantOrder(t, q, []Item{{2, 0}, {1, 7}, {1, 2}, {1, -3}})
}

// BenchmarkQueue uses a queue as a choice does: it lowers the first item once, and pops it when it is
// first again.
func BenchmarkQueue(b *testing.B) {
	items := random(100_000)
	q := make(queue, 0, len(items))
	drain := func() {
		for len(q) > 0 {
			if x := q[0]; x.ID%2 != 0 && x.Density > 0 {
				q.Lower(-x.Density)
				continue
			}
			q.Pop()
		}
	}
	b.Run("pushed", func(b *testing.B) {
		for b.Loop() {
			q = q[:0]
			for _, x := range items {
				q.Push(x.Density, x.ID)
			}
			drain()
		}
	})
	b.Run("ordered", func(b *testing.B) {
		for b.Loop() {
			q = append(q[:0], items...)
			q.Order()
			drain()
		}
	})
}
