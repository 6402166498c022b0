package allocate

import (
	"flag"
	"fmt"
	"math"
	"math/rand"
	"testing"

	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// TestOutcomes checks the choices of random problems: how many items are taken, how much is left, and a
// checksum of the order, of the numbers of offers and counts, and of what the functions were called with. A
// change of a rule shows in testdata/choices.txt, and -update rewrites it.
func TestOutcomes(t *testing.T) {
	rows := [][]string{{"problem", "fill", "range", "meet", "meet-refills", "meet-wrong", "meet-jumps"}}
	for seed := range int64(40) {
		row := []string{fmt.Sprint(seed)}
		for kind := range 6 {
			budget := []float64{0.5, 20, 90, 200, 700, 3000}[int(seed)%6]
			k := newKnapsack(seed, budget)
			offers, counts := 0, ""
			offer := k.Chooser.Offer
			k.Chooser.Offer = func(i int32) (float64, float64, bool) { offers++; return offer(i) }
			spent := 0.0
			switch kind {
			case 0:
				k.Fill()
			case 1:
				n := len(k.kept)
				spent = k.FillRange(n/5, n/2, budget/2, func(i int32) bool { return i%7 == 3 })
				k.Take(int32(n-1), k.cost[n-1])
				spent += k.FillRange(0, n, budget/3, nil)
				k.Reset(budget / 4)
				k.PushAll(n)
				k.Fill()
			default:
				k.Refills = []int{0, 0, 0, 3, 1, 2}[kind]
				wrong := []float64{0, 0, 1, 1, 1.7, .6}[kind]
				k.Meet(int(budget), func() int {
					n := int(wrong*k.spent()) + []int{0, 0, 0, 1, 7, len(k.order) % 5 * 11}[kind]
					counts += fmt.Sprint(n, " ")
					return n
				})
			}
			row = append(row, fmt.Sprintf("%d/%.1f:%s", len(k.taken), k.Left, transcripttest.Sum(fmt.Sprint(k.order, k.kept, offers, counts, spent))))
		}
		rows = append(rows, row)
	}
	transcripttest.Frozen(t, "testdata/choices.txt", *update, rows)
}

// TestOutcomesOfMany checks choices among thousands of items, for which the queue has lists: the order, and the number of
// chunks that they take.
func TestOutcomesOfMany(t *testing.T) {
	rows := [][]string{{"items", "choice", "chunks"}}
	for _, n := range []int{4095, 4096, 4097, 9000, 30000} {
		for _, spread := range []float64{0, 3, 40} { // of the exponents of the densities
			rng := rand.New(rand.NewSource(int64(n)))
			density := make([]float64, n)
			for i := range density {
				density[i] = math.Ldexp(1+rng.Float64(), int(spread*(rng.Float64()-.6)))
				if i%97 == 0 {
					density[i] = 0
				}
			}
			var order []int32
			offers, soon := 0, 0
			c := Chooser{Left: float64(n / 2), Soon: func(items []Item) { soon = soon*31 + len(items) }, Keep: func(i int32) {
				order = append(order, i)
				for j := range min(i, 3) { // others become less dense
					density[i-1-j] *= .7
				}
			}}
			kept := map[int32]bool{}
			c.Offer = func(i int32) (float64, float64, bool) { offers++; return density[i], 1, !kept[i] }
			c.PushAll(n)
			c.Fill()
			chunks := fmt.Sprint(c.queue.made, len(c.queue.chunks))
			c.Reset(50)
			c.PushAll(n / 3)
			c.Fill()
			rows = append(rows, []string{fmt.Sprint(n, "-", spread), fmt.Sprintf("%d:%s", len(order), transcripttest.Sum(fmt.Sprint(order, offers, soon))), chunks + fmt.Sprint(" ", c.queue.made, len(c.queue.chunks), c.queue.count)})
		}
	}
	transcripttest.Frozen(t, "testdata/many.txt", *update, rows)
}

// TestBucketOf checks that the buckets have the order of the densities, and where the first and the last of
// them end.
func TestBucketOf(t *testing.T) {
	last := 0
	for exponent := -30.0; exponent < 20; exponent += 1.0 / 512 {
		bucket := bucketOf(math.Exp2(exponent))
		if bucket < last || bucket > last+1 {
			t.Errorf("2^%v is in bucket %d, after %d", exponent, bucket, last)
		}
		last = bucket
	}
	for density, want := range map[float64]int{
		-1: 0, 0: 0, math.Exp2(-40): 0, math.Exp2(-18): 0, 1.0001 * math.Exp2(-18): 0, 1.004 * math.Exp2(-18): 1,
		math.Exp2(10): inAll - 1, math.Exp2(9.999): inAll - 2, math.Exp2(11): inAll - 1, math.MaxFloat64: inAll - 1,
	} {
		if got := bucketOf(density); got != want {
			t.Errorf("%g is in bucket %d, want %d", density, got, want)
		}
	}
}
