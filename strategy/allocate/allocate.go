// Package allocate chooses what to keep within a budget.
//
// A [Chooser] takes items until a budget of tokens is spent, those with the most
// value per token first (lazy greedy). The caller numbers the items and says by
// functions what each would add now: what is kept already may change the value and
// the cost of the rest. [Marginal] holds values of that sort: a thing that many items
// mention counts in full only once.
//
// The choice is deterministic. It depends on no map order, and of items with the
// same density the one with the highest number comes first. To be the same on every
// machine, values have to be rounded by [Exact] and products converted explicitly
// (float64(a*b)), so that they are not fused with a sum.
//
// Costs are estimates. [Chooser.Meet] corrects a choice by the tokens that the caller
// counts in what it wrote, until the budget is met.
package allocate

import "slices"

// A Chooser takes items within a budget. Its four functions are set by the caller,
// and so is Left; Needs may be nil.
//
// An item may be in the queue with a density that is too high by now, but not with
// one that is too low. So a caller calls [Chooser.Push] again for each item that
// another one, once kept, has made denser.
type Chooser struct {
	// Offer returns what taking an item would add now, to the items that it needs as
	// well: the value per token, and the tokens. An item that opens others may return
	// a density that counts some of them. ok is false when the item is kept, or cannot
	// be taken any more.
	Offer func(item int32) (density, cost float64, ok bool)
	// Needs returns an item that has to be kept when another one is, and is not yet.
	Needs func(item int32) (other int32, ok bool)
	// Keep marks an item as kept.
	Keep func(item int32)
	// Drop marks an item that was kept as not kept, and returns the tokens that this frees.
	Drop func(item int32) (freed float64)
	// Left is the tokens that may still be spent.
	Left float64

	queue Queue
	taken []int32 // in order, for undo
}

// Grow makes room in the queue for n more items.
func (c *Chooser) Grow(n int) { c.queue = slices.Grow(c.queue, n) }

// Reset empties the queue and starts over with another budget. What is kept stays kept,
// and is not taken back any more.
func (c *Chooser) Reset(left float64) { c.queue, c.taken, c.Left = c.queue[:0], c.taken[:0], left }

// Push puts an item into the queue with its present density, again if it is there.
func (c *Chooser) Push(item int32) {
	if density, _, ok := c.Offer(item); ok {
		c.queue.Push(density, item)
	}
}

// Fill takes the densest items until Left is spent. Items that cost more than Left
// and items without value stay out.
func (c *Chooser) Fill() {
	for len(c.queue) > 0 && c.Left >= 1 {
		top := c.queue[0]
		if top.Density <= 0 {
			c.queue.Pop()
			return
		}
		density, cost, ok := c.Offer(top.ID)
		if ok && density < top.Density {
			c.queue.Lower(density)
			continue
		}
		c.queue.Pop()
		if ok && cost <= c.Left {
			c.Take(top.ID, cost)
		}
	}
}

// Take keeps an item and those that it needs, out of turn and whether or not Left
// suffices, and takes the cost off Left.
func (c *Chooser) Take(item int32, cost float64) {
	c.Left -= cost
	if c.Needs != nil {
		for other, ok := c.Needs(item); ok; other, ok = c.Needs(other) {
			c.keep(other)
		}
	}
	c.keep(item)
}

func (c *Chooser) keep(item int32) {
	c.taken = append(c.taken, item)
	c.Keep(item)
}

// Meet is close enough when less than this part of the budget is unused, or after
// this number of corrections upwards.
const (
	closePart   = 200
	corrections = 6
)

// Meet fills what is left, has the result counted, and corrects the choice until the
// count is close to the budget and not above it, or until there is nothing more to take
// or to take back. count returns the tokens of what the items that are kept amount to.
// Its last call is for the final choice.
func (c *Chooser) Meet(budget int, count func() int) {
	for try := 1; ; try++ {
		c.Fill()
		unused := budget - count()
		switch {
		case unused < 0 && len(c.taken) > 0:
			c.undo(float64(try * -unused))
		case unused <= budget/closePart || len(c.queue) == 0 || try >= corrections:
			return
		default:
			c.Left = float64(unused)
		}
	}
}

// undo takes back what was taken last until that many tokens are free, and leaves
// nothing to spend.
func (c *Chooser) undo(tokens float64) {
	for tokens > 0 && len(c.taken) > 0 {
		last := len(c.taken) - 1
		item := c.taken[last]
		c.taken = c.taken[:last]
		tokens -= c.Drop(item)
	}
	c.Left = 0
}
