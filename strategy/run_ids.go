package strategy

import (
	"math"

	"condense/strategy/expand"
	"condense/transcript"
	"condense/transcript/marker"
)

// idShare is the part of a budget that is for ids. At half of the tokens, sessions of agents have a marker
// for about 200 tokens of the output, and an id has 3: half a percent is enough for two thirds of the
// markers, which stand for nine tenths of the removed text. More ids would displace facts.
const idShare = 200

// A small budget has as many ids as the stages leave room for, up to fewIDs. The tokens of up to five are
// set aside, as far as they are no more than smallShare of the budget.
const (
	fewIDs     = 8
	aside      = 15
	smallShare = 160
)

// forIDs returns the number of tokens of a budget that the stages leave free for ids.
func forIDs(budget int) int { return max(budget/idShare, min(aside, budget/smallShare)) }

// writesIDs reports whether markers carry ids.
func (r *runner) writesIDs() bool {
	return r.env.IDs != nil && r.training == nil && !r.opts.Hide
}

// writeIDs writes the ids of removed texts into the markers of the final state, as far as the budget
// allows. Their tokens count for the last stage that changed something.
func (r *runner) writeIDs(res *Result) error {
	if !r.writesIDs() || !res.edited() {
		return nil
	}
	found := expand.Find(res.From, r.conv, r.env.IDs)
	sign := r.env.Tokens(&transcript.Block{Parts: []transcript.Part{{Text: marker.Sign("482193", "")}}})
	room := r.roomForIDs(res, sign)
	found.Keep(func(at transcript.Ref, n int) bool { // a capped block with ids must not be capped again
		b := r.conv.Block(at)
		limit := r.opts.capOf(r.conv, at, b)
		return limit == math.MaxInt || r.env.Tokens(withoutRecords(b))+n*(sign+1) <= limit
	})
	n, again := found.Sites()
	n = min(n, again+room/max(1, sign))
	for n > 0 {
		next, err := r.conv.Apply(found.Edits(n))
		if err != nil {
			return &StageError{"ids", err}
		}
		total := r.counts.conversation(next)
		if over := total - r.total - room; over > 0 && (n > again || total > res.Before || r.total <= res.Budget) {
			n -= max(1, over/max(1, sign))
			continue
		}
		r.addIDs(res, next, total)
		break
	}
	found.Show(max(n, 0))
	res.Removed = found.Removals
	return nil
}

// roomForIDs returns the number of tokens that ids may add; one has as many as sign says. A target that
// the stages missed, because rules keep more, does not forbid ids.
func (r *runner) roomForIDs(res *Result, sign int) int {
	room := res.Before - r.total
	switch {
	case res.Budget == 0 || res.Before <= res.Budget:
		return room
	case r.total <= res.Budget:
		return min(room, res.Budget-r.total, max(res.Budget/idShare, fewIDs*sign))
	}
	return min(room, r.total/idShare)
}

// addIDs makes the state with ids the final one.
func (r *runner) addIDs(res *Result, next *transcript.Conversation, total int) {
	last := len(res.Stages) - 1
	for len(res.Stages[last].Edits) == 0 {
		res.Stages[last].Before, res.Stages[last].After = total, total
		last--
	}
	res.Stages[last].After = total
	r.conv, r.total = next, total
}
