package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"condense/cmd/report/survey"
	"condense/cmd/ui"
	"condense/transcript"
)

// explainOptions holds the flags of condense explain.
type explainOptions struct {
	run     *runOptions // options of the run that is explained
	message int
	showing
	color ui.ColorMode
}

func newExplain(a *app) *cobra.Command {
	o := &explainOptions{run: newRunOptions(), color: ui.ColorAuto}
	cmd := &cobra.Command{
		Use:   "explain [FILE|-]",
		Short: "Explain what a run would do to a message, and why",
		Long: `Explain what condense run would do with the same flags, block by block. Each block has what
would be left of it, its tokens, and the strategy that would change it, with the reason, or
the rule that keeps it. With --message, numbered as in -v, validate and diff, explain only
that message, with its place in the file and the changes in its text. Nothing is written.

With --json, the lists are those of the conversation in the report of condense run.`,
		Example: `  condense explain --message 6 session.jsonl
  condense explain --message 4 --target 20% chat.json
  condense explain --strategy mask --keep-rounds 2 chat.json
  condense explain --json --message 4 chat.json | jq '.blocks[0].why'`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			paths, err := a.orInput(cmd, args)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("message") && o.message < 1 {
				return usage("messages are numbered from 1")
			}
			return runExplain(cmd.Context(), a, o, paths[0])
		},
	}
	fs := cmd.Flags()
	fs.IntVar(&o.message, "message", 0, "number of the message, from 1 (default: all)")
	o.run.addAimFlags(fs)
	o.run.countOptions.addFlags(cmd, fs)
	o.run.addStrategyFlags(fs)
	o.run.reading.addFlags(cmd, fs)
	fs.StringVar(&o.run.sel, "select", "", "only this conversation of the file: id, or number from 1")
	o.showing.addFlags(fs, &survey.Explanation{}, "print an object for programs")
	fs.Var(&o.color, "color", "colour")
	return cmd
}

// runExplain explains the file at path, or standard input for "-".
func runExplain(ctx context.Context, a *app, o *explainOptions, path string) error {
	if err := o.run.check(path); err != nil {
		return err
	}
	count, err := o.run.counting(ctx)
	if err != nil {
		return err
	}
	o.run.external.limit(a, false)
	o.run.explain, o.run.dryRun = true, true
	in, err := a.open(ctx, path)
	if err != nil {
		return err
	}
	c, err := condenseSource(ctx, in.Data, o.run, count, noEvents())
	if err != nil {
		return &namedError{in.Name, err}
	}
	e := survey.Explain(newReport(in, o.run, c), o.message)
	if o.message > 0 {
		if e.Place, err = place(c, o.message); err != nil {
			return err
		}
	}
	return a.show(ctx, &o.showing, e, a.screen(o.color, 0))
}

// place returns the place of the message with a number, from 1, in the only conversation that
// was condensed.
func place(c *condensed, number int) (*survey.Place, error) {
	at := -1
	for i, conv := range c.Conversations {
		if conv.Result != nil && at >= 0 {
			return nil, usage("the file holds %d conversations: name that of message %d with --select", len(c.Conversations), number)
		}
		if conv.Result != nil {
			at = i
		}
	}
	if at < 0 || number > len(c.File.Convs[at].Messages) {
		n := 0
		if at >= 0 {
			n = len(c.File.Convs[at].Messages)
		}
		return nil, usage("there is no message %d: the conversation has %d", number, n)
	}
	m := c.File.Convs[at].Messages[number-1]
	return &survey.Place{
		Message: number, Of: len(c.File.Convs[at].Messages), Line: c.File.Line(at, transcript.At(m.ID)),
		Role: m.Role.String(), Hidden: m.Hidden,
	}, nil
}
