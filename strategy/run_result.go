package strategy

import (
	"cmp"
	"iter"
	"slices"

	"condense/strategy/breakdown"
	"condense/transcript"
	"condense/transcript/rules"
)

// Result holds the outcome of a run.
type Result struct {
	From   *transcript.Conversation // the input, with its pins
	Conv   *transcript.Conversation // the final state
	Before int                      // tokens of the effective view
	After  int
	Budget int  // tokens aimed at; 0 when nothing was
	Raised bool // the target was lower than Trigger.MinTokens allows
	// Decision reports whether the conversation had to be condensed.
	Decision Decision
	Stages   []Stage
	// Floor holds what keeps the conversation over the budget, largest first; it is
	// empty when the budget is met. In an unfit row it is what the stages left.
	Floor []FloorItem
	// Notes name, for people, options without effect, and the reason.
	Notes []string
	// Faults lists the faults of the input.
	Faults []rules.Finding

	counts *counts
}

// Reached reports whether the budget is met, or there was none.
func (r *Result) Reached() bool { return r.Budget == 0 || r.After <= r.Budget }

// edited reports whether any stage did something.
func (r *Result) edited() bool {
	return slices.ContainsFunc(r.Stages, func(s Stage) bool { return len(s.Edits) > 0 })
}

// undo discards what the stages did, for a reason that a rule has. Each stage that did
// something is skipped with the reason skipped.
func (r *Result) undo(rule Rule, why, skipped string) {
	r.Decision.no(rule, why)
	r.Conv, r.After = r.From, r.Before
	for i := range r.Stages {
		s := &r.Stages[i]
		if len(s.Edits) > 0 {
			s.Skipped = skipped
		}
		s.Edits, s.From, s.Before, s.After = nil, r.From, r.Before, r.Before
	}
}

// Measure is the function [breakdown.Measure] with the counter of the run, for its input or its
// decoded output. Blocks that the run has counted are not counted again. It is not safe
// for concurrent use.
func (r *Result) Measure(c *transcript.Conversation) (total int, shares []breakdown.KindTokens) {
	r.counts.recall(r.Conv, c)
	return breakdown.Measure(c, r.counts.block)
}

// Tokens returns the tokens of a block by the counter of the run. Blocks of the run, and of
// conversations that [Result.Measure] has measured, are not counted again.
func (r *Result) Tokens(b *transcript.Block) int { return r.counts.block(b) }

// FloorItem is the tokens that one rule keeps.
type FloorItem struct {
	What   string // "typed by the user", "last unit", …
	Tokens int
}

// unreached is the reason for blocks that no rule keeps.
const unreached = ""

// floorOf returns the tokens of a conversation that no strategy may remove, by the rule
// that keeps them, largest first. Tokens that a pipeline merely did not remove are not included.
func floorOf(c *transcript.Conversation, counts *counts) []FloorItem {
	sums := map[string]int{}
	for ref, why := range reasons(c) {
		sums[why] += counts.block(c.Block(ref))
	}
	items := make([]FloorItem, 0, len(sums))
	for what, tokens := range sums {
		if tokens > 0 && what != unreached {
			items = append(items, FloorItem{what, tokens})
		}
	}
	slices.SortFunc(items, func(a, b FloorItem) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.What, b.What))
	})
	return items
}

// Reasons yields each block of the effective view of r.From, oldest first, with the rule
// that keeps it, as in [FloorItem]; "" when no rule does.
func (r *Result) Reasons() iter.Seq2[transcript.Ref, string] { return reasons(r.From) }

func reasons(c *transcript.Conversation) iter.Seq2[transcript.Ref, string] {
	return func(yield func(transcript.Ref, string) bool) {
		unit := map[int]string{}
		for i, u := range ends(c, c.Units()) {
			for _, id := range u.Msgs {
				unit[id] = [...]string{"first unit", "last unit"}[i]
			}
		}
		last, answered := lastAnswer(c)
		for ref, b := range c.Blocks() {
			why := reason(b, c.Message(ref.Msg), unit[ref.Msg])
			if answered && ref == last && b.Pin == transcript.Verbatim {
				why = "last answer"
			}
			if other := partner(c, ref); why == unreached && other != nil { // a half of a pair stays with the other
				p, _ := c.Partner(ref)
				why = reason(other, c.Message(p.Msg), unit[p.Msg])
			}
			if !yield(ref, why) {
				return
			}
		}
	}
}

// reason returns the rule that keeps a block.
func reason(b *transcript.Block, m *transcript.Message, unit string) string {
	switch {
	case b.Origin == transcript.Typed && b.Pin == transcript.Verbatim:
		return "typed by the user"
	case m.Role == transcript.System:
		return "instructions"
	case b.Origin == transcript.Generated && b.Pin != transcript.Unpinned && transcript.IsMarker(b.Text()):
		return "markers"
	case b.Origin == transcript.Generated && b.Pin != transcript.Unpinned:
		return "earlier summaries"
	case unit != "" && b.Pin != transcript.Unpinned:
		return unit
	case b.Pin != transcript.Unpinned:
		return "pinned"
	}
	return unreached
}
