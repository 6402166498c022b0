package report

import (
	"slices"

	"condense/strategy"
	"condense/transcript"
)

// turns lists the messages of the effective view before and after, in order; those
// that were inserted stand behind the message that they followed. after is the
// result as decoded again: message by message the same as r.Conv, records without
// content aside, but counted on what was written.
func turns(r *strategy.Result, after *transcript.Conversation) (list []Turn) {
	const start = -1
	written := slices.DeleteFunc(slices.Collect(after.Visible()), isEmpty)
	left := map[int]int{} // tokens that are left of a message
	inserted, behind := map[int][]Turn{}, start
	for m := range r.Conv.Visible() {
		tokens := 0
		if len(written) > 0 && !isEmpty(m) {
			tokens, written = tokensOf(r, written[0]), written[1:]
		}
		if r.From.Message(m.ID) != nil {
			behind, left[m.ID] = m.ID, tokens
		} else {
			inserted[behind] = append(inserted[behind], newTurn(r, 0, m, Change{After: tokens}))
		}
	}
	list = append(list, inserted[start]...)
	for i, m := range r.From.Messages {
		if !m.Hidden {
			list = append(list, newTurn(r, i+1, m, Change{Before: tokensOf(r, m), After: left[m.ID]}))
		}
		list = append(list, inserted[m.ID]...)
	}
	return list
}

func newTurn(r *strategy.Result, number int, m *transcript.Message, tokens Change) Turn {
	return Turn{Message: number, Role: m.Role.String(), Kind: strategy.KindOf(m, r.Tokens), Tokens: tokens}
}

func tokensOf(r *strategy.Result, m *transcript.Message) (n int) {
	for _, b := range m.Blocks {
		n += r.Tokens(b)
	}
	return n
}

func isEmpty(m *transcript.Message) bool { return len(m.Blocks) == 0 }
