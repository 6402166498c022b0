package allocate

import (
	"math"
	"math/rand"
	"testing"
)

// TestBucketsAreAQueue pushes, lowers and pops items in buckets and in a queue, which must agree.
func TestBucketsAreAQueue(t *testing.T) {
	for _, n := range []int{10, mostFirst, mostFirst + 1, 5 * mostFirst} {
		rng := rand.New(rand.NewSource(int64(n)))
		var b buckets
		var q queue
		for round := range 2 {
			for id := range n {
				density := math.Ldexp(rng.Float64(), rng.Intn(60)-40)
				if id%100 == 0 {
					density = []float64{0, -1, math.MaxFloat64, 1e-300}[rng.Intn(4)]
				}
				b.push(density, int32(id))
				q.Push(density, int32(id))
			}
			for popped := 0; len(q) > 0; {
				if got := b.top(nil); got != q[0] || b.count != len(q) {
					t.Fatalf("%d items: %v of %d, want %v of %d", n, got, b.count, q[0], len(q))
				}
				if x := q[0]; x.Density > 0 && rng.Intn(3) == 0 {
					lower := x.Density * rng.Float64()
					b.lower(lower)
					q.Lower(lower)
					continue
				}
				b.pop()
				q.Pop()
				if popped++; popped%10 == 0 && popped < n/2 {
					b.push(float64(popped), int32(popped))
					q.Push(float64(popped), int32(popped))
				}
				if round == 0 && popped > n/2 {
					break
				}
			}
			b.reset()
			q = q[:0]
		}
	}
}

// TestBucketsAnnounceItems checks that each item in a list is announced before it is the first.
func TestBucketsAnnounceItems(t *testing.T) {
	var b buckets
	for _, x := range random(2 * mostFirst) {
		b.push(x.Density, x.ID)
	}
	soon := map[int32]bool{}
	for b.count > 0 {
		x := b.top(func(items []Item) {
			for _, y := range items {
				soon[y.ID] = true
			}
		})
		if !soon[x.ID] {
			t.Fatalf("%v was not announced", x)
		}
		b.pop()
	}
}

// BenchmarkBuckets lowers each item of a large choice once before it pops it.
func BenchmarkBuckets(b *testing.B) {
	rng := rand.New(rand.NewSource(1))
	densities := make([]float64, 400_000)
	for i := range densities {
		densities[i] = rng.ExpFloat64()
	}
	var q buckets
	for b.Loop() {
		q.reset()
		for i, d := range densities {
			q.push(d, int32(i))
		}
		for q.count > 0 {
			if x := q.top(nil); x.Density == densities[x.ID] {
				q.lower(x.Density / 2)
				continue
			}
			q.pop()
		}
	}
}
