package cmd

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"condense/cmd/source"
	"condense/cmd/ui"
	"condense/strategy"
)

func newRun(a *app) *cobra.Command {
	o := newRunOptions()
	cmd := &cobra.Command{
		Use:   "run [FILE|-]",
		Short: "Condense one file",
		Long: `Condense one file and write the result, in the same format, to standard output,
to -o FILE, or in place of the original with -w. The report goes to standard error.

Without FILE, or with "-", the conversation is read from standard input.

Strategies:
` + strategyHelp() + `

Several strategies separated by commas run one after the other. Without --target
the aim is half of the tokens; dedupe and mask alone do all that they can, and
progressive goes by the shares of --window where one is given.

The report says what the output still holds: the share of the facts (paths,
errors, commands, identifiers, numbers, constraints), rare ones weighing more,
that is still there, and the share that is bound: still in its line, or among the
words that it stood among. --min-retention 0.9 demands that bound share of each
conversation, or nothing is written and the exit code is 1.`,
		Example: `  condense run --strategy hybrid --target 20k session.jsonl -o smaller.jsonl
  cat chat.json | condense run --strategy dedupe | jq .
  condense run -w --target 50% session.jsonl
  condense run -n -v session.jsonl`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.replaces = cmd.Flags().Changed("in-place")
			path := "-"
			if len(args) > 0 {
				path = args[0]
			} else if isTerminal(a.in) {
				return usage("no FILE, and standard input is a terminal")
			}
			return runRun(cmd.Context(), a, o, path)
		},
	}
	o.addFlags(cmd, cmd.Flags())
	addCompletions(cmd)
	return cmd
}

// runRun condenses the file at path, or standard input for "-".
func runRun(ctx context.Context, a *app, o *runOptions, path string) error {
	if err := o.check(path); err != nil {
		return err
	}
	counter, err := o.counter(ctx)
	if err != nil {
		return err
	}
	if err := o.llmOptions.connect(ctx, a.env, &o.countOptions, o.dryRun); err != nil {
		return err
	}
	in, dest, err := a.openFor(ctx, path, &o.outputOptions)
	if err != nil {
		return err
	}
	c, err := condense(ctx, in.Data, o, counter)
	if err != nil {
		return &namedError{in.Name, err}
	}
	c.notes = append(c.notes, o.llmOptions.spent()...)
	report := newReport(in, o, c)
	refused := checkRetention(o, report)
	if refused == nil {
		if report.Output, report.Backup, err = dest.write(ctx, c.out, c.changed); err != nil {
			return err
		}
	}
	if err := a.publish(ctx, o, report); err != nil {
		return err
	}
	if refused != nil {
		return &namedError{in.Name, refused}
	}
	return verdict(o, report)
}

// verdict is the error of a run that did its work, but not what was demanded.
func verdict(o *runOptions, r *ui.Report) error {
	for _, c := range r.Conversations {
		if o.strict && !c.Reached {
			return &policyError{"the target was not reached"}
		}
	}
	if o.diff && r.Changed {
		return &policyError{}
	}
	return nil
}

func (a *app) open(ctx context.Context, path string) (*source.Input, error) {
	if path == "-" {
		return source.ReadStream(ctx, path, a.in, 0)
	}
	return source.Open(ctx, path, 0)
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// strategyHelp is a line for each strategy, and one for the preset.
func strategyHelp() string {
	var text strings.Builder
	for _, s := range strategy.All {
		fmt.Fprintf(&text, "  %-11s %s\n", s.Name, s.Doc)
	}
	var names []string
	for _, s := range strategy.Hybrid {
		names = append(names, s.Name)
	}
	fmt.Fprintf(&text, "  %-11s %s; each only while still over the target", strategy.HybridName, strings.Join(names, ", then "))
	return text.String()
}
