package condense

import (
	"context"
	"slices"

	"condense/strategy"
	"condense/transcript"
)

// maxSettled limits how often a run decides again for what its own edits have freed: each time costs an
// encoding.
const maxSettled = 8

// settle decides again about the conversations in whose output a message is free that had to stay in the
// source: what it shadowed was removed. Without that, a second run on the output would remove more,
// since preparations run also within the budget. An output that breaks a guarantee is not taken.
func (r *run) settle(ctx context.Context) error {
	if !r.o.removes() {
		return nil
	}
	for _, i := range r.good {
		for range maxSettled {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !r.freed(ctx, i) {
				break
			}
		}
	}
	return nil
}

// removes reports whether the options ask for a preparation that removes messages or blocks.
func (o *Options) removes() bool {
	thinks := o.Thinking != "" && o.Thinking != strategy.ThinkingKeep
	return o.DropHidden || thinks || o.TargetModel != "" || o.Tags != ""
}

// freed decides again about conversation i, with the messages that its output has freed. It reports whether
// the output has changed.
func (r *run) freed(ctx context.Context, i int) bool {
	was, kept, out, decoded, warnings := r.convs[i], r.kept[i], r.out, r.decoded, r.warnings
	free := released(was.Result.Conv, decoded.Convs[i])
	if len(free) == 0 {
		return false
	}
	r.kept[i].free = slices.Concat(kept.free, free)
	if result := r.again(ctx, i); result != nil && edited(result) {
		r.convs[i].Result = result
		if _, err := r.try(r.good); err == nil {
			return true
		}
	}
	r.kept[i], r.convs[i], r.out, r.decoded, r.warnings = kept, was, out, decoded, warnings
	return false
}

// released returns the messages of the final state that a reader of the output finds free: they no longer
// shadow others, or they have no blocks and are hidden.
func released(final, out *transcript.Conversation) (ids []int) {
	want, read := final.Messages, out.Messages
	if len(want) != len(read) { // not every format can write a message without blocks
		want, read = withBlocks(want), withBlocks(read)
	}
	for k, m := range want[:min(len(want), len(read))] {
		if m.Shadows && !read[k].Shadows || len(m.Blocks) == 0 && read[k].Hidden && !m.Hidden {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// withBlocks returns the messages that have blocks.
func withBlocks(all []*transcript.Message) []*transcript.Message {
	return slices.DeleteFunc(slices.Clone(all), func(m *transcript.Message) bool { return len(m.Blocks) == 0 })
}
