package cmd

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"condense/cmd/report/inventory"
	"condense/cmd/stash"
	"condense/cmd/ui"
	"condense/transcript/marker"
)

// showOptions holds the flags of condense show.
type showOptions struct {
	dir          string
	message      int // 0 for all
	conversation int // 0 for all
	showing
	color ui.ColorMode
}

func newShow(a *app) *cobra.Command {
	o := &showOptions{color: ui.ColorAuto}
	cmd := &cobra.Command{
		Use:     "show ID",
		Aliases: []string{"expand"},
		Short:   "Show the text that a run removed",
		Long: `Show the text that a run removed: for each message and block, the lines that are no longer
in the output. Messages are numbered as in the input of that run.

With --stash DIR, the run is one with this directory, and each text has its reason. Without
it, the run is one with -w, whose old file condense undo keeps. The lines are those that the
file of now has no more.

ID is the beginning of the name of an entry. condense stash list, condense grep and the
report of the run print it.

With --stash DIR, ID can also be the number in a marker, such as 482193 of [12 lines #482193 omitted]. Then
the text of the marker goes to standard output, word for word. If the number is of a record
that stands for several texts, they are shown with their places.`,
		Example: `  condense run -q -w session.jsonl && condense show $(condense stash list -q | head -n 1)
  condense run -q --stash undo session.jsonl > smaller.jsonl && condense show --stash undo $(condense stash list -q --stash undo)`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, flag := range []string{"message", "conversation"} {
				if n, err := cmd.Flags().GetInt(flag); err != nil || cmd.Flags().Changed(flag) && n < 1 {
					return usage("--%s is a number from 1", flag)
				}
			}
			return runShow(cmd.Context(), a, o, args[0])
		},
	}
	fs := cmd.Flags()
	addStashFlag(fs, &o.dir, "directory that was given to the runs (default: that of condense undo)")
	fs.IntVarP(&o.message, "message", "m", 0, "show only the text of the message with this number")
	fs.IntVar(&o.conversation, "conversation", 0, "show only the text of the conversation with this number")
	o.showing.addFlags(fs, &inventory.Removed{}, "print the entry for programs")
	fs.Var(&o.color, "color", "colour")
	cmd.ValidArgsFunction = a.completeEntries
	return cmd
}

func runShow(ctx context.Context, a *app, o *showOptions, id string) error {
	from, err := a.removals(o.dir)
	if err != nil {
		return err
	}
	if done, err := o.expand(ctx, a, from.store, strings.TrimPrefix(id, "#")); done || err != nil {
		return err
	}
	e, edits, err := from.store.Look(id)
	if err == nil && e.Whole {
		edits, err = from.of(ctx, e)
		from.note(a.err)
	}
	if err != nil {
		return err
	}
	removed := &inventory.Removed{StashEntry: stashEntry(e)}
	for _, x := range edits {
		removed.Several = removed.Several || x.Conversation > 1
		if (o.message == 0 || o.message == x.Message) && (o.conversation == 0 || o.conversation == x.Conversation) {
			removed.Edits = append(removed.Edits, inventory.RemovedEdit(x))
		}
	}
	return a.show(ctx, &o.showing, removed, a.screen(o.color, 0))
}

// expand writes the text that a marker stands for. It reports false if no run has written the id.
func (o *showOptions) expand(ctx context.Context, a *app, store *stash.Store, id string) (done bool, err error) {
	if !marker.IsID(id) {
		return false, nil
	}
	entries, err := store.Entries()
	if err != nil {
		return false, err
	}
	x, ok, err := store.Expand(entries, id)
	if err != nil || !ok {
		return false, err
	}
	if len(x.Texts) == 1 && !o.json && o.report == "" {
		if _, err := io.WriteString(a.out, x.Texts[0].Text); err != nil {
			return true, &outputError{err}
		}
		return true, nil
	}
	removed := &inventory.Removed{StashEntry: stashEntry(x.Entry)}
	for _, t := range x.Texts {
		removed.Several = removed.Several || t.Conversation > 1
		if (o.message == 0 || o.message == t.Message) && (o.conversation == 0 || o.conversation == t.Conversation) {
			removed.Edits = append(removed.Edits, inventory.RemovedEdit{Conversation: t.Conversation, Message: t.Message, Block: t.Block, What: t.What, Op: "expand", Text: t.Text})
		}
	}
	return true, a.show(ctx, &o.showing, removed, a.screen(o.color, 0))
}
