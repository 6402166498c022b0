package condense

import (
	"cmp"
	"context"
	"slices"

	"condense/strategy"
	"condense/transcript"
)

// maxAnchors limits the units that a run tries as an anchor: each costs an encoding.
const maxAnchors = 8

// anchored decides again about conversation i, with an anchor: a unit that stays because
// detection recognises the dialect by it. It reports whether there is one. A run looks for
// an anchor once, so that its work is linear in the source.
func (r *run) anchored(ctx context.Context, i int) bool {
	if r.sought {
		return false
	}
	r.sought = true
	anchor := r.anchor(i)
	if anchor == nil {
		return false
	}
	r.kept[i].stay = anchor.Msgs
	result := r.again(ctx, i)
	if result != nil {
		r.convs[i].Result = result
	}
	return result != nil
}

// A keeping holds what a further decision about a conversation knows of the outputs before it.
type keeping struct {
	stay []int // messages that stay
	free []int // messages that must no longer stay when the stages have run
}

// again decides again about conversation i, as kept says. It returns nil if that fails.
func (r *run) again(ctx context.Context, i int) *strategy.Result {
	implied, options, err := r.implied(ctx, i)
	if err != nil {
		return nil
	}
	implied.Stay, implied.Free = r.kept[i].stay, r.kept[i].free
	result, err := strategy.Run(ctx, r.file.Convs[i], options.Pipeline, &implied, r.envAgain(i))
	if err != nil {
		return nil
	}
	return result
}

// maxWhole limits the conversations about which a run decides again with all messages: each costs an
// encoding.
const maxWhole = 8

// whole decides again about conversation i, so that all its messages stay, and only their texts become
// shorter. In a damaged source a reader may find the meaning of a message by others around it: their place,
// an id that is there twice, a lost parent. why is what a reader would find otherwise. whole reports whether
// the output keeps the guarantees then, together with the good conversations.
func (r *run) whole(ctx context.Context, i int, good []int, why error) bool {
	if r.wholes++; r.wholes > maxWhole {
		return false
	}
	var all []int
	for m := range r.file.Convs[i].Visible() {
		all = append(all, m.ID)
	}
	before, kept := r.convs[i], r.kept[i]
	r.kept[i].stay = all
	result := r.again(ctx, i)
	fits := result != nil && edited(result)
	if fits {
		r.convs[i].Result = result
		_, err := r.try(append(slices.Clip(good), i))
		fits = err == nil
	}
	if !fits {
		r.convs[i], r.kept[i] = before, kept
		return false
	}
	result.Notes = append(result.Notes, "no message was removed whole, since others would be read otherwise: "+why.Error())
	return true
}

// anchor returns the smallest unit of conversation i that detection recognises the dialect
// by when it is the only one, or nil. Of units with the same kinds of blocks it tries the
// smallest.
func (r *run) anchor(i int) *transcript.Unit {
	c := r.file.Convs[i]
	smallest := map[uint64]int{} // by the kinds of blocks and their roles, an index in units
	units := c.Units()
	sizes := make([]int, len(units))
	for k, u := range units {
		kinds := uint64(0)
		for _, id := range u.Msgs {
			m := c.Message(id)
			for _, b := range m.Blocks {
				kinds |= 1 << (8*uint(m.Role) + uint(b.Kind))
				sizes[k] += len(b.Text())
			}
		}
		if s, known := smallest[kinds]; !known || sizes[k] < sizes[s] {
			smallest[kinds] = k
		}
	}
	var tries []int
	for _, k := range smallest {
		tries = append(tries, k)
	}
	slices.SortFunc(tries, func(a, b int) int { return cmp.Or(cmp.Compare(sizes[a], sizes[b]), cmp.Compare(a, b)) })
	for _, k := range tries[:min(len(tries), maxAnchors)] {
		if r.recognised(i, units[k]) {
			return &units[k]
		}
	}
	return nil
}

// recognised reports whether detection recognises the dialect if conversation i has only
// one unit.
func (r *run) recognised(i int, u transcript.Unit) bool {
	c := r.file.Convs[i].WithPins(nil) // its pins would keep the other units
	stays := map[int]bool{}
	for _, id := range u.Msgs {
		stays[id] = true
	}
	var drops []transcript.Edit
	for m := range c.Visible() {
		if !stays[m.ID] {
			drops = append(drops, transcript.Edit{At: transcript.At(m.ID), Op: transcript.Drop})
		}
	}
	alone, err := c.Apply(drops)
	if err != nil {
		return false
	}
	final := slices.Clone(r.file.Convs)
	final[i] = alone
	out, err := r.file.Bytes(final)
	if err != nil {
		return false
	}
	again, _, err := r.file.Compare(final, out)
	return err == nil && r.misread(again) == nil
}
