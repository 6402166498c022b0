package allocate

import (
	"math"
	"math/rand"
	"slices"
	"testing"
)

// A knapsack is a random problem: items mention things and cost tokens, and some need the item before
// them.
type knapsack struct {
	Chooser
	values   *Marginal[int32]
	mentions [][]int32
	cost     []float64
	under    []bool
	kept     []bool
	order    []int32 // items in the order of Keep
}

// newKnapsack returns a problem with random items.
func newKnapsack(seed int64, budget float64) *knapsack {
	rng := rand.New(rand.NewSource(seed))
	full := make([]float64, 40)
	for i := range full {
		full[i] = Exact(rng.Float64())
	}
	k := &knapsack{values: NewMarginal[int32](full, 0.2)}
	for i := range 1 + rng.Intn(120) {
		var said []int32
		for range rng.Intn(6) {
			said = append(said, int32(rng.Intn(len(full))))
		}
		slices.Sort(said)
		k.mentions = append(k.mentions, slices.Compact(said))
		k.cost = append(k.cost, float64(rng.Intn(20)))
		k.under = append(k.under, i > 0 && rng.Intn(4) == 0)
	}
	k.kept = make([]bool, len(k.cost))
	k.Chooser = Chooser{Offer: k.offer, Needs: k.needs, Keep: k.keep, Drop: k.drop, Left: budget}
	for i := range k.cost {
		k.Push(int32(i))
	}
	return k
}

func (k *knapsack) offer(i int32) (density, cost float64, ok bool) {
	value, cost := k.values.Add(0, k.mentions[i]), k.cost[i]
	for other, ok := k.needs(i); ok; other, ok = k.needs(other) {
		value, cost = k.values.Add(value, k.mentions[other]), cost+k.cost[other]
	}
	return Density(value, cost), cost, !k.kept[i]
}

func (k *knapsack) needs(i int32) (other int32, ok bool) { return i - 1, k.under[i] && !k.kept[i-1] }

func (k *knapsack) keep(i int32) {
	k.kept[i] = true
	k.values.Keep(k.mentions[i])
	k.order = append(k.order, i)
	if n := i + 1; int(n) < len(k.kept) && k.under[n] && !k.kept[n] {
		k.Push(n)
	}
}

func (k *knapsack) drop(i int32) float64 {
	k.kept[i] = false
	k.values.Drop(k.mentions[i])
	return k.cost[i]
}

func (k *knapsack) spent() (sum float64) {
	for i, kept := range k.kept {
		if kept {
			sum += k.cost[i]
		}
	}
	return sum
}

func TestFillStaysWithinBudget(t *testing.T) {
	for seed := range int64(300) {
		for _, budget := range []float64{0, 1, 10, 60, 300, 1e6} {
			k := newKnapsack(seed, budget)
			k.Fill()
			if spent := k.spent(); spent > budget || math.Abs(budget-k.Left-spent) > 1e-9 {
				t.Fatalf("seed %d, budget %v: spent %v, left %v", seed, budget, spent, k.Left)
			}
			for i, kept := range k.kept {
				if kept && k.under[i] && !k.kept[i-1] {
					t.Fatalf("seed %d, budget %v: %d is kept without the item that it needs", seed, budget, i)
				}
			}
		}
	}
}

// TestFillRange checks that FillRange takes only items of the range, none that is skipped beyond those
// that others need, and no more than its share.
func TestFillRange(t *testing.T) {
	all := 0
	for seed := range int64(300) {
		for _, most := range []float64{0, 1, 10, 60, 1e6} {
			k := newKnapsack(seed, 1e6)
			first, end := len(k.cost)/3, 2*len(k.cost)/3
			skip := func(item int32) bool { return item%7 == 0 }
			spent := k.FillRange(first, end, most, skip)
			if spent > most || math.Abs(spent-k.spent()) > 1e-9 {
				t.Fatalf("seed %d: returned %v of %v, but took %v", seed, spent, most, k.spent())
			}
			for i, kept := range k.kept {
				needed := i+1 < len(k.kept) && k.under[i+1] && k.kept[i+1]
				switch {
				case kept && (i < first || i >= end || skip(int32(i))) && !needed:
					t.Fatalf("seed %d: took %d, which is outside of [%d, %d) or skipped", seed, i, first, end)
				case kept:
					all++
				}
			}
		}
	}
	if all < 300 {
		t.Errorf("took %d items", all)
	}
}

// TestMeetStaysWithinBudget checks that Meet ends within the budget however wrong the costs are, if the
// budget suffices for no items at all.
func TestMeetStaysWithinBudget(t *testing.T) {
	for seed := range int64(300) {
		const budget = 100
		k := newKnapsack(seed, budget)
		factor := []float64{0.3, 1, 1.4, 5}[seed%4]
		last := 0
		k.Meet(budget, func() int {
			last = 10 + int(math.Ceil(factor*k.spent()))
			return last
		})
		if now := 10 + int(math.Ceil(factor*k.spent())); now > budget || now != last {
			t.Fatalf("seed %d: %d tokens, last counted %d, of %d", seed, now, last, budget)
		}
	}
}

// TestMeetCountsChanges checks that Meet counts no choice again that did not change: to count is to write the
// whole output.
func TestMeetCountsChanges(t *testing.T) {
	for seed := range int64(300) {
		k := newKnapsack(seed, 60)
		k.Refills = 3
		var before []bool
		k.Meet(60, func() int {
			if slices.Equal(before, k.kept) {
				t.Fatalf("seed %d: the same choice is counted again", seed)
			}
			before = slices.Clone(k.kept)
			return int(math.Ceil(1.1 * k.spent()))
		})
	}
}

func TestChoiceIsDeterministic(t *testing.T) {
	for seed := range int64(50) {
		a, b := newKnapsack(seed, 80), newKnapsack(seed, 80)
		a.Fill()
		b.Fill()
		if !slices.Equal(a.order, b.order) {
			t.Fatalf("seed %d: took %v, then %v", seed, a.order, b.order)
		}
	}
}

// TestFillTakesDensestFirst checks, for items without needs, that no item is skipped for a less dense
// one that does not cost less.
func TestFillTakesDensestFirst(t *testing.T) {
	for seed := range int64(50) {
		k := newKnapsack(seed, 1e6)
		clear(k.under)
		k.Reset(1e6)
		for i := range k.cost {
			k.Push(int32(i))
		}
		last := math.Inf(1)
		keep := k.Keep
		k.Keep = func(i int32) {
			density, _, _ := k.offer(i)
			if density > last {
				t.Fatalf("seed %d: %d with %v came behind %v", seed, i, density, last)
			}
			last = density
			keep(i)
		}
		k.Fill()
	}
}

func TestResetKeepsTakenItems(t *testing.T) {
	k := newKnapsack(1, 80)
	k.Fill()
	before := slices.Clone(k.kept)
	k.Reset(0)
	k.Meet(0, func() int { return 1000 })
	if !slices.Equal(before, k.kept) {
		t.Error("items that were taken before Reset were dropped")
	}
}

// TestMarginalIsMonotone checks that the value of a mention never grows with kept mentions, and that
// dropping these restores it.
func TestMarginalIsMonotone(t *testing.T) {
	m := NewMarginal[int32]([]float64{4, 1, 0.5}, 0.25)
	all := []int32{0, 1, 2}
	var values []float64
	for range 4 {
		values = append(values, m.Add(0, all))
		m.Keep(all)
	}
	if want := []float64{5.5, 1.375, 0, 0}; !slices.Equal(values, want) {
		t.Errorf("values %v, want %v", values, want)
	}
	for i := range values {
		m.Drop(all)
		if got, want := m.Add(0, all), values[len(values)-1-i]; got != want {
			t.Errorf("with %d mentions: %v, want %v", len(values)-1-i, got, want)
		}
	}
	if got := m.Add(1, []int32{1}); got != 2 {
		t.Errorf("added to 1: %v, want 2", got)
	}
}

func TestDensity(t *testing.T) {
	if one, half := Density(3, 1), Density(3, .5); one != 3 || half != 6 {
		t.Errorf("3 for a token is %v, for half of one %v", one, half)
	}
	for _, tt := range []struct{ value, cost, want float64 }{
		{6, 3, 2}, {0, 3, 0}, {1, 0, math.MaxFloat64}, {0, -2, math.MaxFloat64},
	} {
		if got := Density(tt.value, tt.cost); got != tt.want {
			t.Errorf("%v for %v: got %v, want %v", tt.value, tt.cost, got, tt.want)
		}
	}
}

func TestExactSumsInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	values := make([]float64, 1000)
	for i := range values {
		values[i] = Exact(rng.Float64())
	}
	var forth, back float64
	for i := range values {
		forth += values[i]
		back += values[len(values)-1-i]
	}
	if forth != back {
		t.Errorf("%v forth, %v back", forth, back)
	}
}

// TestFillOffersOnce checks that an item is offered once when it was pushed twice with the same density.
func TestFillOffersOnce(t *testing.T) {
	offered := map[int32]int{}
	kept := map[int32]bool{}
	c := Chooser{Left: 100, Keep: func(i int32) { kept[i] = true }}
	c.Offer = func(i int32) (density, cost float64, ok bool) {
		offered[i]++
		return float64(i), 10, !kept[i]
	}
	for range 3 {
		c.Push(1)
		c.Push(2)
	}
	clear(offered)
	c.Fill()
	if len(kept) != 2 || offered[1] != 1 || offered[2] != 1 {
		t.Errorf("kept %v, offered %v", kept, offered)
	}
}

// equal returns a chooser of n items of the same density, each of some tokens.
func equal(n int, cost, left float64) (c *Chooser, kept []bool) {
	kept = make([]bool, n)
	return &Chooser{
		Offer: func(i int32) (density, need float64, ok bool) { return 1, cost, !kept[i] },
		Keep:  func(i int32) { kept[i] = true },
		Drop:  func(i int32) float64 { kept[i] = false; return cost },
		Left:  left,
	}, kept
}

// number returns the number of kept items.
func number(kept []bool) (n int) {
	for _, is := range kept {
		if is {
			n++
		}
	}
	return n
}

// TestMeetCorrectsUpwards checks that Meet spends the budget although the items cost less
// than they were expected to, with items that did not fit at first.
func TestMeetCorrectsUpwards(t *testing.T) {
	c, kept := equal(100, 10, 100)
	c.PushAll(100)
	c.Meet(100, func() int { return 5 * number(kept) })
	if got := number(kept); got < 16 || got > 20 {
		t.Errorf("%d items of 5 tokens are kept of a budget of 100", got)
	}
	// Of the two items only the large one fits, after the count of the first choice.
	for refills, want := range map[int]int{0: 1, 1: 2} {
		cost := []float64{30, 80}
		kept := []bool{false, false}
		c := &Chooser{
			Offer:   func(i int32) (density, need float64, ok bool) { return float64(2 - i), cost[i], !kept[i] },
			Keep:    func(i int32) { kept[i] = true },
			Left:    100,
			Refills: refills,
		}
		c.PushAll(2)
		c.Meet(100, func() int { return 10 * number(kept) })
		if got := number(kept); got != want {
			t.Errorf("%d refills: %d items are kept, want %d", refills, got, want)
		}
	}
}

// TestMeetEnds checks that Meet gives up after eight tries if the count never rises.
func TestMeetEnds(t *testing.T) {
	c, kept := equal(10_000, 10, 100)
	c.PushAll(len(kept))
	tries := 0
	c.Meet(100, func() int { tries++; return 0 })
	if tries != corrections {
		t.Errorf("%d tries", tries)
	}
}

// TestLessThanAToken checks that Fill ends when less than a token is left.
func TestLessThanAToken(t *testing.T) {
	for left, want := range map[float64]int{0.9: 0, 1: 2, 1.4: 1 + 1} {
		c, kept := equal(9, 0.5, left)
		c.PushAll(9)
		c.Fill()
		if left < 1 && number(kept) != 0 || left >= 1 && number(kept) > want {
			t.Errorf("%v tokens: %d items of half a token", left, number(kept))
		}
	}
}

// TestPushOfKept checks that an item that cannot be taken does not enter the queue.
func TestPushOfKept(t *testing.T) {
	c, kept := equal(2, 1, 10)
	kept[0] = true
	c.PushAll(2)
	if c.queue.count != 1 {
		t.Errorf("the queue has %d items", c.queue.count)
	}
}

// TestResetEmptiesTheQueue checks that items from before Reset are not taken, unless they
// are pushed again.
func TestResetEmptiesTheQueue(t *testing.T) {
	for _, n := range []int{10, 3 * mostFirst} {
		c, kept := equal(n, 1, 3)
		c.PushAll(n)
		c.Fill()
		c.Reset(5)
		if c.Fill(); number(kept) != 3 {
			t.Errorf("of %d, %d items are kept after Reset", n, number(kept))
		}
		c.PushAll(n)
		if c.Fill(); number(kept) != 8 {
			t.Errorf("of %d, %d items are kept after Reset and PushAll", n, number(kept))
		}
	}
}

// TestFillRangeTakesWhatBecomesDenser checks that FillRange takes an item that has no value until another one of the
// range is kept, and none outside of the range.
func TestFillRangeTakesWhatBecomesDenser(t *testing.T) {
	kept := make([]bool, 4)
	c := &Chooser{Left: 100}
	c.Offer = func(i int32) (density, cost float64, ok bool) {
		if density = 1; i > 0 && !kept[0] {
			density = 0
		}
		return density, 10, !kept[i]
	}
	c.Keep = func(i int32) {
		if kept[i] = true; i == 0 {
			c.Push(2)
			c.Push(3)
		}
	}
	if spent := c.FillRange(0, 3, 50, nil); spent != 20 || !kept[0] || kept[1] || !kept[2] || kept[3] {
		t.Errorf("spent %v, kept %v", spent, kept)
	}
}

// TestFillTakesWhatBecameLessDense checks that an item which has lost a part of its value is taken later, and not
// forgotten.
func TestFillTakesWhatBecameLessDense(t *testing.T) {
	density, kept := []float64{10, 7}, make([]bool, 2)
	var order []int32
	c := &Chooser{Left: 100}
	c.Offer = func(i int32) (float64, float64, bool) { return density[i], 10, !kept[i] }
	c.Keep = func(i int32) { kept[i], order = true, append(order, i) }
	c.PushAll(2)
	density[0] = 5
	if c.Fill(); len(order) != 2 || order[0] != 1 || order[1] != 0 {
		t.Errorf("taken in the order %v", order)
	}
}

// TestMeetDropsASingleItem checks that the only item that was taken is dropped if it turns out too large.
func TestMeetDropsASingleItem(t *testing.T) {
	c, kept := equal(1, 5, 10)
	c.PushAll(1)
	c.Meet(10, func() int { return 50 * number(kept) })
	if number(kept) != 0 {
		t.Error("it is kept")
	}
}
