package strategy

import (
	"cmp"
	"iter"
	"slices"

	"condense/strategy/breakdown"
	"condense/strategy/expand"
	"condense/transcript"
	"condense/transcript/rules"
)

// Result holds the outcome of a run.
type Result struct {
	From   *transcript.Conversation // the input, with its pins
	Conv   *transcript.Conversation // the final state
	Before int                      // tokens of the effective view
	After  int
	Budget int  // tokens that the run aimed at; 0 without a budget
	Raised bool // the budget is more than the target, because of Trigger.MinTokens
	// Decision reports whether the run acted, and why.
	Decision Decision
	Stages   []Stage
	// Floor holds the tokens that rules keep, by rule, largest first. It is empty if the
	// budget is met. In an unfit row it is what the stages left.
	Floor []FloorItem
	// Notes reports, for people, options that had no effect, and why.
	Notes []string
	// Faults lists the rules that the input breaks.
	Faults []rules.Finding
	// Removed lists the removed texts with their ids. It is empty without [Env].IDs.
	Removed []expand.Removal

	counts *counts
}

// Reached reports whether the budget is met. It reports true without a budget.
func (r *Result) Reached() bool { return r.Budget == 0 || r.After <= r.Budget }

// edited reports whether a stage has edits.
func (r *Result) edited() bool {
	return slices.ContainsFunc(r.Stages, func(s Stage) bool { return len(s.Edits) > 0 })
}

// Undo discards the edits of all stages because the file that they lead to cannot be used.
// why is the reason, for people.
func (r *Result) Undo(why string) {
	r.undo(RuleOutput, why, "given up: "+why)
	if !r.Reached() {
		r.Floor = floorOf(r.Conv, r.counts)
	}
}

// undo discards the edits of all stages because of a rule. skipped is the reason for each
// stage that had edits.
func (r *Result) undo(rule Rule, why, skipped string) {
	r.Decision.decline(rule, why)
	r.Conv, r.After, r.Removed = r.From, r.Before, nil
	for i := range r.Stages {
		s := &r.Stages[i]
		if len(s.Edits) > 0 {
			s.Skipped = skipped
		}
		s.Edits, s.From, s.Before, s.After = nil, r.From, r.Before, r.Before
	}
}

// Measure returns the tokens of the input of the run, or of its decoded output, as
// [breakdown.Measure] does. It does not count again what the run has counted. It is not
// safe for concurrent use.
func (r *Result) Measure(c *transcript.Conversation) (total int, shares []breakdown.KindTokens) {
	r.counts.recall(r.Conv, c)
	return breakdown.Measure(c, r.counts.block)
}

// Tokens returns the tokens of a block by the counter of the run. It does not count again
// the blocks of the run, and of conversations that [Result.Measure] has measured.
func (r *Result) Tokens(b *transcript.Block) int { return r.counts.block(b) }

// FloorItem holds the number of tokens that one rule keeps.
type FloorItem struct {
	What   string // "typed by the user", "last unit", …
	Tokens int
}

// unkept is the reason for blocks that no rule keeps.
const unkept = ""

// floorOf returns the tokens of a conversation that no strategy may remove, by the rule
// that keeps them, largest first. Other tokens that the pipeline left are not included.
func floorOf(c *transcript.Conversation, counts *counts) []FloorItem {
	sums := map[string]int{}
	for ref, why := range reasons(c) {
		sums[why] += counts.block(c.Block(ref))
	}
	items := make([]FloorItem, 0, len(sums))
	for what, tokens := range sums {
		if tokens > 0 && what != unkept {
			items = append(items, FloorItem{what, tokens})
		}
	}
	slices.SortFunc(items, func(a, b FloorItem) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.What, b.What))
	})
	return items
}

// Reasons yields each block of the effective view of r.From, oldest first, and the rule
// that keeps it, as in [FloorItem]. The rule is "" if none keeps the block.
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
			if other := partner(c, ref); why == unkept && other != nil { // a call stays with its result, and a result with its call
				p, _ := c.Partner(ref)
				why = reason(other, c.Message(p.Msg), unit[p.Msg])
			}
			if !yield(ref, why) {
				return
			}
		}
	}
}

// reason returns the rule that keeps a block. unit is the rule for the unit of its message.
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
	return unkept
}
