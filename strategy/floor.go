package strategy

import (
	"cmp"
	"iter"
	"slices"

	"condense/transcript"
)

// FloorItem is a part of what is kept by rule.
type FloorItem struct {
	What   string // "typed by the user", "last unit", …
	Tokens int
}

// unreached is the reason of what no rule keeps.
const unreached = ""

// floor itemises the tokens that no strategy may remove, by the reason that
// holds them, largest first. What a pipeline merely did not get at is not in it.
func (r *runner) floor() []FloorItem {
	sums := map[string]int{}
	for ref, why := range Reasons(r.conv) {
		sums[why] += r.counts.block(r.conv.Block(ref))
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

// Reasons yields for each block of the effective view, oldest first, the rule that
// keeps it by the pins of the conversation, as [FloorItem] names it; "" without.
func Reasons(c *transcript.Conversation) iter.Seq2[transcript.Ref, string] {
	return func(yield func(transcript.Ref, string) bool) {
		unit := map[int]string{}
		for i, u := range ends(c, c.Units()) {
			for _, id := range u.Msgs {
				unit[id] = [...]string{"first unit", "last unit"}[i]
			}
		}
		for ref, b := range c.Blocks() {
			why := reason(b, c.Message(ref.Msg), unit[ref.Msg])
			if other := partner(c, ref); why == unreached && other != nil { // half of a pair stays for the other
				p, _ := c.Partner(ref)
				why = reason(other, c.Message(p.Msg), unit[p.Msg])
			}
			if !yield(ref, why) {
				return
			}
		}
	}
}

// reason is the rule that keeps a block.
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
