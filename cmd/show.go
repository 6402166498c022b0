package cmd

import (
	"github.com/spf13/cobra"

	"condense/cmd/stash"
	"condense/cmd/ui"
)

// showOptions are the flags of condense show.
type showOptions struct {
	dir          string
	message      int // 0 for all
	conversation int // 0 for all
	json         bool
	color        ui.ColorMode
}

func newShow(a *app) *cobra.Command {
	o := &showOptions{color: ui.ColorAuto}
	cmd := &cobra.Command{
		Use:   "show ID --stash DIR",
		Short: "Show what a run removed",
		Long: `Show what a run that was given --stash DIR removed: by message and block, with the
reason, the lines that are not in its output any more. Messages are numbered as in
the input of that run.

ID is the beginning of the name of an entry, as condense stash list, condense grep
and the report of the run give it.`,
		Example: `  condense run -q --stash undo session.jsonl > smaller.jsonl && condense show --stash undo $(condense stash list -q --stash undo)`,
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, flag := range []string{"message", "conversation"} {
				if n, err := cmd.Flags().GetInt(flag); err != nil || cmd.Flags().Changed(flag) && n < 1 {
					return usage("--%s: they are numbered from 1", flag)
				}
			}
			return runShow(a, o, args[0])
		},
	}
	fs := cmd.Flags()
	addStashFlag(fs, &o.dir, "the directory that was given to the runs")
	fs.IntVarP(&o.message, "message", "m", 0, "only what this message lost")
	fs.IntVar(&o.conversation, "conversation", 0, "only what this conversation of the file lost, by its number")
	fs.BoolVar(&o.json, "json", false, "print the entry for programs")
	fs.Var(&o.color, "color", "colour")
	return cmd
}

func runShow(a *app, o *showOptions, id string) error {
	store, err := openStash(o.dir)
	if err != nil {
		return err
	}
	e, edits, err := store.Look(id)
	if err != nil {
		return err
	}
	removed := &ui.Removed{StashEntry: stashEntry(e)}
	for _, x := range edits {
		removed.Several = removed.Several || x.Conversation > 1
		if (o.message == 0 || o.message == x.Message) && (o.conversation == 0 || o.conversation == x.Conversation) {
			removed.Edits = append(removed.Edits, ui.RemovedEdit(x))
		}
	}
	if o.json {
		err = ui.JSON(a.out, removed)
	} else {
		err = ui.WriteRemoved(a.out, removed, ui.TextOptions{Color: ui.UseColor(o.color, a.out, a.env), Width: ui.Width(a.out)})
	}
	if err != nil {
		return &outputError{err}
	}
	return nil
}

// stashEntry describes an entry for people and programs.
func stashEntry(e stash.Entry) ui.StashEntry {
	return ui.StashEntry{
		ID: e.ID, File: e.File, Format: e.Format, How: e.How, Bytes: ui.Change{Before: e.InputBytes, After: e.OutputBytes},
		Edits: e.Edits, Stored: int(e.Bytes), Used: e.Used, Damaged: e.Damaged,
	}
}
