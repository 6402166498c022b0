package strategy

import (
	"context"
	"fmt"

	"condense/transcript"
)

// Truncate removes the oldest units.
var Truncate = Strategy{
	Name: "truncate",
	Doc:  "the oldest messages go, whole, a call together with its result, until the rest fits",
	Aims: true, Whole: true,
	Run: truncate,
}

// truncate proposes to drop units from the oldest on, each as one group, until
// the budget is met; or by the classic rule when a fraction is set. What is
// pinned in a unit stays, with the other half of its pair.
func truncate(_ context.Context, in *Input) ([]transcript.Edit, error) {
	units := in.Conv.Units()
	if in.Opts.Fraction > 0 {
		return truncateFraction(in, units)
	}
	var edits []transcript.Edit
	need := in.Need
	for i, u := range units {
		if need <= 0 {
			break
		}
		drops := dropUnit(in, u, i+1)
		for j := range drops {
			need += in.delta(&drops[j])
		}
		edits = append(edits, drops...)
	}
	if len(edits) == 0 {
		return nil, &SkipError{allKept}
	}
	return edits, nil
}

// allKept is why nothing goes when every candidate is pinned or open.
const allKept = "every message is kept by rule"

// truncateFraction is the sliding window of SYSTEMS §1.3: of the visible
// messages, the first stays and the next cut go. The cut moves on to the next
// border of a unit, so that no call loses its result.
func truncateFraction(in *Input, units []transcript.Unit) ([]transcript.Edit, error) {
	position := map[int]int{}
	visible := 0
	for m := range in.Conv.Visible() {
		if m.Role != transcript.System {
			position[m.ID] = visible
			visible++
		}
	}
	cut := windowCut(visible, in.Opts.Fraction)
	if cut == 0 {
		return nil, &SkipError{fmt.Sprintf("%v of %d messages after the first is less than two", in.Opts.Fraction, max(visible-1, 0))}
	}
	var edits []transcript.Edit
	for i, u := range units {
		at, ok := position[u.Msgs[0]]
		if ok && at >= 1 && at <= cut {
			edits = append(edits, dropUnit(in, u, i+1)...)
		}
	}
	if len(edits) == 0 {
		return nil, &SkipError{allKept}
	}
	return edits, nil
}

// windowCut is how many messages after the first the classic rule removes: the
// fraction of all but the first, rounded down to an even number.
func windowCut(visible int, fraction float64) int {
	n := int(float64(max(visible-1, 0)) * fraction)
	return n - n%2
}

// dropUnit gives the edits that remove a unit but for what is pinned in it; none
// when only whole messages may go and something is.
func dropUnit(in *Input, u transcript.Unit, group int) []transcript.Edit {
	c := in.Conv
	if u.Open {
		return nil
	}
	var stays map[transcript.Ref]bool // nil as long as nothing does
	for _, id := range u.Msgs {
		for _, b := range c.Message(id).Blocks {
			ref := transcript.Ref{Msg: id, Block: b.ID, Part: transcript.Whole}
			if b.Pin != transcript.Unpinned {
				if stays == nil {
					stays = map[transcript.Ref]bool{}
				}
				stays[ref] = true
				if other, ok := c.Partner(ref); ok {
					stays[other] = true
				}
			}
		}
	}
	if in.Opts.Whole && len(stays) > 0 {
		return nil
	}
	var edits []transcript.Edit
	for _, id := range u.Msgs {
		for _, b := range c.Message(id).Blocks {
			ref := transcript.Ref{Msg: id, Block: b.ID, Part: transcript.Whole}
			if !stays[ref] {
				edits = append(edits, transcript.Edit{At: ref, Op: transcript.Drop, Group: group, Why: "oldest first"})
			}
		}
	}
	return edits
}
