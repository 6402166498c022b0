package strategy

import (
	"cmp"
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
	unit := map[int]string{}
	for i, u := range ends(r.conv, r.conv.Units()) {
		for _, id := range u.Msgs {
			unit[id] = [...]string{"first unit", "last unit"}[i]
		}
	}
	sums := map[string]int{}
	for ref, b := range r.conv.Blocks() {
		why := reason(b, r.conv.Message(ref.Msg), unit[ref.Msg])
		if other := partner(r.conv, ref); why == unreached && other != nil { // half of a pair stays for the other
			p, _ := r.conv.Partner(ref)
			why = reason(other, r.conv.Message(p.Msg), unit[p.Msg])
		}
		sums[why] += r.counts.block(b)
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

// reason is the rule that keeps a block.
func reason(b *transcript.Block, m *transcript.Message, unit string) string {
	switch {
	case b.Origin == transcript.Typed && b.Pin == transcript.Verbatim:
		return "typed by the user"
	case m.Role == transcript.System:
		return "instructions"
	case b.Origin == transcript.Generated && b.Pin != transcript.Unpinned:
		return "earlier summaries"
	case unit != "" && b.Pin != transcript.Unpinned:
		return unit
	case b.Pin != transcript.Unpinned:
		return "pinned"
	}
	return unreached
}
