package strategy

import "condense/transcript"

// Room beside a model's notes is for the newest turns, shortened as by smart-compress.
const (
	// leastFill is the number of tokens below which nothing is added to the notes.
	leastFill = 100
	// filling is how many times the room the newest turns have before they are shortened,
	// at most: there is a choice of what to keep, and hardly a turn goes without a trace.
	filling = 1.5
	// enough is how many times the room they have at least, so that the room is used.
	enough = 1.25
	// replacing is how many times their own tokens the notes replace, at least.
	replacing = 1.5
)

// olderDrops returns the drops that remain when the newest turns stay beside notes: those
// of the older messages, as far as the budget has no room for them. The notes add a number
// of tokens. Only the layout keep has messages beside notes.
func (in *Input) olderDrops(drops []transcript.Edit, added int) []transcript.Edit {
	gone := -in.deltas(drops)
	left := gone - in.Need - added
	if left < leastFill || in.Opts.Hide || !in.Opts.Layout.keeps() {
		return drops
	}
	size := map[int]int{} // by message: tokens of its drops
	for _, d := range drops {
		size[d.At.Msg] += in.Tokens(in.Conv.Block(d.At))
	}
	units := in.Conv.Units()
	stays := map[int]bool{}
	for i, sum := len(units)-1, 0; i >= 0; i-- {
		unit := 0
		for _, id := range units[i].Msgs {
			unit += size[id]
		}
		if unit > 0 && float64(sum) >= enough*float64(left) && float64(sum+unit) > filling*float64(left) {
			break
		}
		if sum += unit; float64(gone-sum) < replacing*float64(added) {
			break
		}
		for _, id := range units[i].Msgs {
			stays[id] = true
		}
	}
	var older []transcript.Edit
	for _, d := range drops {
		if !stays[d.At.Msg] {
			older = append(older, d)
		}
	}
	return older
}
