package cmd

import (
	"condense/cmd/ui"
	"condense/strategy"
	"condense/transcript"
)

// turns lists the messages of the effective view before and after, in order; those
// that were inserted stand behind the message that they followed.
func turns(r *strategy.Result) (list []ui.Turn) {
	const start = -1
	inserted, behind := map[int][]ui.Turn{}, start
	for _, m := range r.Conv.Messages {
		if r.From.Message(m.ID) != nil {
			behind = m.ID
		} else if !m.Hidden {
			inserted[behind] = append(inserted[behind], newTurn(r, 0, m, ui.Change{After: tokensOf(r, m)}))
		}
	}
	list = append(list, inserted[start]...)
	for i, m := range r.From.Messages {
		if !m.Hidden {
			t := ui.Change{Before: tokensOf(r, m)}
			if now := r.Conv.Message(m.ID); now != nil && !now.Hidden {
				t.After = tokensOf(r, now)
			}
			list = append(list, newTurn(r, i+1, m, t))
		}
		list = append(list, inserted[m.ID]...)
	}
	return list
}

func newTurn(r *strategy.Result, number int, m *transcript.Message, tokens ui.Change) ui.Turn {
	return ui.Turn{Message: number, Role: m.Role.String(), Kind: strategy.KindOf(m, r.Tokens), Tokens: tokens}
}

func tokensOf(r *strategy.Result, m *transcript.Message) (n int) {
	for _, b := range m.Blocks {
		n += r.Tokens(b)
	}
	return n
}
