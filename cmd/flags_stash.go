package cmd

import (
	"context"

	"github.com/spf13/pflag"

	"condense/cmd/report"
	"condense/cmd/source"
	"condense/cmd/stash"
)

// stashOptions are the flags of a command that can leave a way back.
type stashOptions struct {
	dir    string // "" keeps none
	verify bool
}

func (o *stashOptions) addFlags(fs *pflag.FlagSet) {
	addStashFlag(fs, &o.dir, "keep the way back to the original in this directory, for condense restore")
	fs.BoolVar(&o.verify, "verify-restore", false, "restore the original from --stash and compare it before anything is written")
}

func addStashFlag(fs *pflag.FlagSet, dir *string, doc string) { fs.StringVar(dir, "stash", "", doc) }

// openStash is the directory that --stash names.
func openStash(dir string) (*stash.Store, error) {
	if dir == "" {
		return nil, noStash()
	}
	return stash.Open(dir)
}

func noStash() error {
	return usage("no --stash DIR, and no CONDENSE_STASH: where is what was removed?")
}

// keep puts the way back from out into the stash, if there is to be one, and returns its id.
func (o *stashOptions) keep(ctx context.Context, run stash.Run) (id string, err error) {
	if o.dir == "" {
		return "", nil
	}
	store := &stash.Store{Dir: o.dir}
	if id, err = store.Put(ctx, run); err != nil || !o.verify {
		return id, err
	}
	return id, store.Verify(run)
}

// check refuses to verify what is not kept.
func (o *stashOptions) check() error {
	if o.verify && o.dir == "" {
		return usage("--verify-restore restores from --stash DIR, and there is none")
	}
	return nil
}

// keepRun is what a destination does before it writes the output of a run.
func (o *stashOptions) keepRun(in *source.Input, c *condensed, r *report.Report) func(context.Context, []byte) error {
	return func(ctx context.Context, out []byte) error {
		how := r.Strategy
		if r.Target != "" {
			how += ", target " + r.Target
		}
		id, err := o.keep(ctx, stash.Run{
			File: in.Name, Format: r.Format, How: how, In: in.Raw, Out: out, Edits: o.removed(c, r),
		})
		if id != "" && err == nil {
			r.Notes = append(r.Notes, "the way back is "+id[:stash.MinID]+" in "+o.dir+": condense restore FILE --stash "+shellWord(o.dir))
		}
		return err
	}
}

// removed lists what went, for the stash.
func (o *stashOptions) removed(c *condensed, r *report.Report) (list []stash.Edit) {
	if o.dir == "" || !c.Changed {
		return nil
	}
	left := stash.Lines{}
	for _, conv := range c.Conversations {
		for _, b := range conv.Final.Blocks() {
			left.Add(b.Text())
		}
	}
	for i := range r.Conversations {
		conv := &r.Conversations[i]
		for _, e := range conv.Edits {
			text, elsewhere := left.Gone(e.Before, e.After)
			list = append(list, stash.Edit{
				Conversation: conv.Number, Message: e.Message, Block: e.Block, What: e.What, Op: e.Op, Why: e.Why, Text: text, Elsewhere: elsewhere,
			})
		}
	}
	return list
}

// keepRepair is what a destination does before it writes the output of a repair.
func (o *stashOptions) keepRepair(in *source.Input, m *report.Mending) func(context.Context, []byte) error {
	return func(ctx context.Context, out []byte) error {
		var list []stash.Edit
		for _, x := range m.Mended {
			list = append(list, stash.Edit{Conversation: x.Conversation, Message: x.Message, What: x.Rule, Op: "mend", Why: x.Done})
		}
		_, err := o.keep(ctx, stash.Run{File: in.Name, Format: m.Format, How: "repair, by the rules of " + m.API, In: in.Raw, Out: out, Edits: list})
		return err
	}
}
