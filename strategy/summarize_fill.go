package strategy

import (
	"context"
	"slices"

	"condense/transcript"
)

// The room beside a model's notes is for the newest turns, shortened as smart-compress does.
const (
	// unused is the share of the budget that may stay unused.
	unused = 0.05
	// filling is the largest size of the newest turns before they are shortened, as a
	// multiple of the room. Notes stand for the older ones.
	filling = 1.5
	// enough is their smallest size, as a multiple of the room, so that it is used.
	enough = 1.25
)

// filled returns c with the newest turns in the room that its notes leave, or c unchanged
// if that does not help. summary holds the edits of the summary alone. They are those of c
// if nothing else was shortened. Only the layout keep has messages beside notes, and hidden
// messages are not shortened.
func (in *Input) filled(ctx context.Context, c outcome, summary []transcript.Edit, tail map[int]bool) (outcome, error) {
	if asked := in.record(); asked.made == nil || asked.fallback != "" { // no model wrote it
		return c, nil
	}
	if in.Budget == 0 || float64(-c.over) < unused*float64(in.Budget) || in.Opts.Hide || !in.Opts.Layout.keeps() {
		return c, nil
	}
	at := slices.IndexFunc(summary, func(e transcript.Edit) bool { return e.Op == transcript.Insert })
	older := in.olderDrops(summary[:at], -c.over)
	if len(older) == at || len(older) == 0 {
		return c, nil
	}
	gone, behind := in.replaced(older)
	place := transcript.At(summaryPlace(in.Conv, gone))
	for _, m := range append([]*transcript.Message{summary[at].New}, behind...) {
		older = append(older, transcript.Edit{At: place, Op: transcript.Insert, Group: 1, Why: "summary", New: m})
	}
	edits, over, err := withRest(ctx, in, older, tail)
	if err != nil {
		return c, err
	}
	if !in.saves(older) { // the summary saves only together with the shortened turns
		for i := range edits {
			edits[i].Group = 1
		}
	}
	if over > 0 || over <= c.over || !in.saves(edits) {
		return c, nil
	}
	c.Edits, c.over = edits, over
	return c, nil
}

// olderDrops returns the drops that remain when the newest units stay in a room of left
// tokens. At least one unit goes, so that the notes stand for something: the oldest, or the
// second oldest if the others do not fill the room without the oldest.
func (in *Input) olderDrops(drops []transcript.Edit, left int) (older []transcript.Edit) {
	size := map[int]int{} // by message: tokens of its drops
	for _, d := range drops {
		size[d.At.Msg] += in.Tokens(in.Conv.Block(d.At))
	}
	var units []sized // with drops, newest first
	for _, u := range slices.Backward(in.Conv.Units()) {
		s := sized{msgs: u.Msgs}
		for _, id := range u.Msgs {
			s.tokens += size[id]
		}
		if s.tokens > 0 {
			units = append(units, s)
		}
	}
	n, sum := 0, 0
	for n < len(units) && (float64(sum) < enough*float64(left) || float64(sum+units[n].tokens) <= filling*float64(left)) {
		sum += units[n].tokens
		n++
	}
	if n == len(units) && n > 0 {
		n--
		if n > 0 && sum-units[n].tokens < left {
			units[n-1], units[n] = units[n], units[n-1]
		}
	}
	goes := map[int]bool{}
	for _, u := range units[n:] {
		for _, id := range u.msgs {
			goes[id] = true
		}
	}
	for _, d := range drops {
		if goes[d.At.Msg] {
			older = append(older, d)
		}
	}
	return older
}

// sized is a unit with the tokens of its blocks that may go.
type sized struct {
	msgs   []int
	tokens int
}
