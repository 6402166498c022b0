package condense

import (
	"context"

	"condense/strategy"
	"condense/transcript"
	"condense/transcript/format"
)

// maxFits limits the runs that look for the largest output within MaxBytes, after the first run
// and the one with the smallest output.
const maxFits = 4

// nearEnough is the share of MaxBytes from which on an output is not made larger again.
const nearEnough = 0.95

// fit returns an outcome whose output has at most MaxBytes: the largest one that it finds by
// lowering the budgets of the conversations. If no budget reaches that, fit returns first
// and sets its Least.
func (c *Condenser) fit(ctx context.Context, f *format.File, first *Outcome) (*Outcome, error) {
	whole := afters(first)
	budgets := make([]int, len(whole))
	for i := range budgets {
		budgets[i] = 1
	}
	best, err := c.once(ctx, f, budgets, false)
	if err != nil {
		return nil, err
	}
	if len(best.Out) > c.o.MaxBytes {
		first.Least = min(len(best.Out), len(first.Out))
		return first, nil
	}
	least := afters(best)
	low, high := 0.0, 1.0 // shares of the tokens between least and whole: of best, and of one that is too large
	over := len(first.Out)
	for range maxFits {
		if float64(len(best.Out)) >= nearEnough*float64(c.o.MaxBytes) {
			break
		}
		share := low + (high-low)*nearEnough*float64(c.o.MaxBytes-len(best.Out))/float64(over-len(best.Out))
		for i := range budgets {
			budgets[i] = max(1, least[i]+int(share*float64(whole[i]-least[i])))
		}
		next, err := c.once(ctx, f, budgets, false)
		if err != nil {
			return nil, err
		}
		switch {
		case len(next.Out) > c.o.MaxBytes:
			high, over = share, len(next.Out)
		case len(next.Out) < len(best.Out): // more tokens and fewer bytes: the search ends
			return asAsked(best, first, &c.o), nil
		default:
			low, best = share, next
		}
	}
	return asAsked(best, first, &c.o), nil
}

// afters returns the tokens of the conversations after a run; 0 for those that were not
// selected.
func afters(o *Outcome) []int {
	list := make([]int, len(o.Conversations))
	for i := range o.Conversations {
		if r := o.Conversations[i].Result; r != nil {
			list[i] = r.After
		}
	}
	return list
}

// asAsked replaces the budgets that the search tried by those that the options ask for.
func asAsked(o, first *Outcome, asked *Options) *Outcome {
	for i := range o.Conversations {
		r, was := o.Conversations[i].Result, first.Conversations[i].Result
		if r == nil || was == nil {
			continue
		}
		r.Budget, r.Raised = was.Budget, was.Raised
		if r.Reached() {
			r.Floor = nil
		}
		if !asked.Trigger.Always && r.Decision.Act {
			r.Decision.Why = "the file would have more than " + transcript.Number(asked.MaxBytes) + " bytes"
		}
	}
	return o
}

// bytesOnly reports whether the number of bytes is the only target.
func (o *Options) bytesOnly() bool {
	return o.MaxBytes > 0 && o.Target == strategy.Target{} && o.Window == 0 && o.Fraction == 0
}
