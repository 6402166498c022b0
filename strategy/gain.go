package strategy

import (
	"fmt"
	"math"
	"slices"

	"condense/transcript"
)

// The two ends of what a run may save: not so little that it is not worth it
// (Trigger.MinGain), not so much that too little is left (Trigger.MinTokens).

// tooLittle says that a run that saves so much is not worth it; "" when it is.
func (t *Trigger) tooLittle(before, after int) string {
	gain := t.MinGain.Tokens
	if gain == 0 {
		gain = int(math.Ceil(t.MinGain.Share * float64(before)))
	}
	if before-after >= gain {
		return ""
	}
	return fmt.Sprintf("all of it would save %s of %s tokens, less than the required gain of %s", thousands(before-after), thousands(before), t.MinGain)
}

// edited reports whether any stage did something.
func (r *Result) edited() bool {
	return slices.ContainsFunc(r.Stages, func(s Stage) bool { return len(s.Edits) > 0 })
}

// least is the lowest budget that --min-tokens allows: a twentieth above it, because
// strategies land a little below their budget.
func (t *Trigger) least() int { return t.MinTokens + t.MinTokens/20 }

// undo gives up what the stages did: it was not worth it.
func (r *Result) undo(why string) {
	r.Decision.no(RuleSmallGain, why)
	r.Conv, r.After = r.From, r.Before
	for i := range r.Stages {
		s := &r.Stages[i]
		if len(s.Edits) > 0 {
			s.Skipped = "given up: it is too little"
		}
		s.Edits, s.From, s.Before, s.After = nil, r.From, r.Before, r.Before
	}
}

// above leaves out the edits, alone or with their whole group, that would make a
// conversation of so many tokens smaller than --min-tokens.
func (in *Input) above(total int, edits []transcript.Edit) []transcript.Edit {
	least := in.Opts.Trigger.MinTokens
	if least == 0 || total+in.deltas(edits) >= least {
		return edits
	}
	groups := map[int]int{}
	for i := range edits {
		groups[edits[i].Group] += in.delta(&edits[i])
	}
	decided := map[int]bool{} // of groups: whether they go
	var kept []transcript.Edit
	for _, e := range edits {
		adds, goes := groups[e.Group], decided[e.Group]
		if e.Group == 0 {
			adds = in.delta(&e)
		}
		if _, known := decided[e.Group]; !known || e.Group == 0 {
			if goes = total+adds >= least; goes {
				total += adds
			}
			decided[e.Group] = goes
		}
		if goes {
			kept = append(kept, e)
		}
	}
	return kept
}
