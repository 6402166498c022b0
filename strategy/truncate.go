package strategy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"condense/transcript"
)

// Truncate removes the oldest units.
var Truncate = Strategy{
	Name:    "truncate",
	Doc:     "the oldest messages go, whole, a call together with its result, until the rest fits",
	Loses:   "whole turns",
	Options: []string{"Fraction", "Hide"},
	Aims:    true,
	Run:     truncate,
}

// TruncateOptions are the options of [Truncate] alone.
type TruncateOptions struct {
	// Fraction is the share of the messages to remove, 0 to 1, in place of a budget; 0:
	// there is no such rule. It is the sliding window of Roo Code 3.41, except that
	// pinned messages stay. UnpinUser lets it remove typed messages, as Roo Code does.
	Fraction float64
}

func (o *TruncateOptions) validate() error {
	if o.Fraction < 0 || o.Fraction > 1 || math.IsNaN(o.Fraction) {
		return &OptionError{"Fraction", fmt.Sprintf("takes a number from 0 to 1, not %v", o.Fraction)}
	}
	return nil
}

// truncate proposes to drop units, oldest first and each as one group, until the budget is
// met. If Fraction is set, that share of the messages decides instead. Pinned blocks of a
// unit stay, and so do the calls or results that belong to them. Hidden messages and the
// marker that hides them are one group.
func truncate(_ context.Context, in *Input) (Proposal, error) {
	units := in.Conv.Units()
	if in.Opts.Hide {
		units = hideable(in.Conv, units)
	}
	p := Proposal{}
	if in.Opts.Fraction > 0 {
		p = oldestFraction(in, units)
	} else {
		p.Edits = oldest(in, units)
	}
	switch {
	case p.Skipped != "":
		return p, nil
	case len(p.Edits) == 0:
		return Skip(allKept), nil
	case in.Opts.Hide:
		return behindMarker(in, p.Edits), nil
	}
	return p, nil
}

// allKept is the reason to skip if every unit is pinned or open.
const allKept = "every message is kept by rule"

// oldest proposes to drop units until the budget is met. It includes the tokens of the
// marker that hides them.
func oldest(in *Input, units []transcript.Unit) []transcript.Edit {
	var edits []transcript.Edit
	need := in.Need
	if in.Opts.Hide {
		need += in.Tokens(windowMarker(len(in.Conv.Messages)).Blocks[0])
	}
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
	return edits
}

// oldestFraction is the sliding window of Roo Code 3.41. The first visible message stays,
// and the messages that windowCut counts after it are removed. Markers of earlier cuts do
// not count. The cut moves on to the next border of a unit, so that no call loses its
// result.
func oldestFraction(in *Input, units []transcript.Unit) Proposal {
	position := map[int]int{}
	visible := 0
	for m := range in.Conv.Visible() {
		if m.Role != transcript.System && !m.Hides {
			position[m.ID] = visible
			visible++
		}
	}
	cut := windowCut(visible, in.Opts.Fraction)
	if cut == 0 {
		return Skip(fmt.Sprintf("%v of %d messages after the first is less than two", in.Opts.Fraction, max(visible-1, 0)))
	}
	var edits []transcript.Edit
	for i, u := range units {
		at, ok := position[u.Msgs[0]]
		if ok && at >= 1 && at <= cut {
			edits = append(edits, dropUnit(in, u, i+1)...)
		}
	}
	return Proposal{Edits: edits}
}

// hideable returns the units that end before work in progress. A marker among calls that
// wait for results would make these look abandoned.
func hideable(c *transcript.Conversation, units []transcript.Unit) []transcript.Unit {
	end := len(c.Messages)
	for _, u := range units {
		if u.Open {
			end = min(end, c.Position(u.Msgs[0]))
		}
	}
	return slices.DeleteFunc(units, func(u transcript.Unit) bool { return c.Position(u.Msgs[len(u.Msgs)-1]) >= end })
}

// behindMarker makes the drops one group with a marker that shows the number of messages.
// As in Roo Code 3.41, sliding-window, the marker stands before the first unit that stays
// after them. It must have fewer tokens than the messages that it hides.
func behindMarker(in *Input, drops []transcript.Edit) Proposal {
	gone := map[int]bool{}
	saved, last := 0, 0
	for i := range drops {
		d := &drops[i]
		d.Group, d.Why = 1, "hidden, oldest first"
		saved -= in.delta(d)
		gone[d.At.Msg] = true
		last = max(last, in.Conv.Position(d.At.Msg))
	}
	marker := windowMarker(len(gone))
	if cost := in.Tokens(marker.Blocks[0]); cost >= saved {
		return Skip(fmt.Sprintf("the marker of what is hidden would take %d tokens and save %d", cost, saved))
	}
	at := transcript.At(transcript.End)
	for _, u := range in.Conv.Units() {
		if first := in.Conv.Message(u.Msgs[0]); in.Conv.Position(first.ID) > last && !first.Hides {
			at = transcript.At(first.ID)
			break
		}
	}
	insert := transcript.Edit{At: at, Op: transcript.Insert, New: marker, Group: 1, Why: "marker of what is hidden"}
	return Proposal{Edits: append(drops, insert)}
}

// windowMarker returns the message that takes the place of n hidden ones in Roo Code. The
// text is for the model. Roo Code itself reads fields that the format adds.
func windowMarker(n int) *transcript.Message {
	return &transcript.Message{Role: transcript.User, Hides: true, Blocks: []*transcript.Block{{
		Origin: transcript.Generated,
		Parts:  []transcript.Part{{Text: fmt.Sprintf("[Sliding window truncation: %d messages hidden to save context]", n)}},
	}}}
}

// windowCut returns the number of messages to remove after the first: the fraction of all
// but the first, rounded down to an even number.
func windowCut(visible int, fraction float64) int {
	n := int(float64(max(visible-1, 0)) * fraction)
	return n - n%2
}

// dropUnit returns the edits that remove a unit, except its pinned blocks and the calls or
// results that belong to them. With Hide it returns none if a block is pinned, because
// only whole messages can be hidden.
func dropUnit(in *Input, u transcript.Unit, group int) []transcript.Edit {
	c := in.Conv
	if u.Open {
		return nil
	}
	var stays map[transcript.Ref]bool // nil until a pinned block is found
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
	if in.Opts.Hide && len(stays) > 0 {
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
