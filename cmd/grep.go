package cmd

import (
	"context"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"condense/cmd/report/inventory"
	"condense/cmd/ui"
)

// grepOptions are the flags of condense grep.
type grepOptions struct {
	dir        string
	ignoreCase bool
	fixed      bool
	color      ui.ColorMode
}

func newGrep(a *app) *cobra.Command {
	o := &grepOptions{color: ui.ColorAuto}
	cmd := &cobra.Command{
		Use:   "grep PATTERN --stash DIR",
		Short: "Search what was removed",
		Long: `Search the lines that runs with --stash DIR removed for a regular expression, and
print each match:

  ID: message N: line

The newest run comes first. condense show ID -m N shows the whole message.

Exit code 1: no line matches.`,
		Example: `  condense run -q --stash undo session.jsonl > smaller.jsonl && condense grep 'func|error' --stash undo`,
		Args:    usageArgs(cobra.ExactArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return runGrep(cmd.Context(), a, o, args[0]) },
	}
	fs := cmd.Flags()
	addStashFlag(fs, &o.dir, "the directory that was given to the runs")
	fs.BoolVarP(&o.ignoreCase, "ignore-case", "i", false, "ignore case")
	fs.BoolVarP(&o.fixed, "fixed-strings", "F", false, "PATTERN is text, not a regular expression")
	fs.Var(&o.color, "color", "colour")
	return cmd
}

func runGrep(ctx context.Context, a *app, o *grepOptions, text string) error {
	pattern, err := o.compile(text)
	if err != nil {
		return &usageError{err, "-F searches for the text as it stands"}
	}
	store, err := openStash(o.dir)
	if err != nil {
		return err
	}
	entries, err := store.Entries()
	if err != nil {
		return err
	}
	out := ui.NewMatches(a.out, pattern, ui.Options{Color: ui.UseColor(o.color, a.out, a.env), Width: ui.Width(a.out)})
	var unread error // what can be searched is searched first
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if e.IsOriginal() && !e.Damaged {
			continue
		}
		_, edits, err := store.Look(e.ID)
		if err != nil {
			unread = err
			continue
		}
		several := len(edits) > 0 && edits[len(edits)-1].Conversation > 1
		for _, x := range edits {
			if x.Text == "" {
				continue // an image, or what the output has elsewhere: no line, not an empty one
			}
			for line := range strings.SplitSeq(x.Text, "\n") {
				out.Line(e.ID, inventory.RemovedEdit(x), several, line)
			}
		}
	}
	found, err := out.Flush()
	switch {
	case err != nil:
		return &outputError{err}
	case unread != nil:
		return unread
	case !found:
		return &policyError{}
	}
	return nil
}

func (o *grepOptions) compile(text string) (*regexp.Regexp, error) {
	if o.fixed {
		text = regexp.QuoteMeta(text)
	}
	if o.ignoreCase {
		text = "(?i)" + text
	}
	return regexp.Compile(text)
}
