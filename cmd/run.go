package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"condense/cmd/source"
	"condense/cmd/ui"
	"condense/strategy"
	"condense/transcript/format"
	"condense/transcript/token"
)

// runOptions are the flags of condense run.
type runOptions struct {
	strategy     strategy.Options
	pipeline     string
	target       string
	pins         []string
	unpin        []string
	tokenizer    string
	model        string
	format       string
	sel          string // --select
	output       string
	inPlace      string // suffix of the backup
	force        bool
	dryRun       bool
	diff         bool
	report       string
	reportFormat string
	json         bool
	strict       bool
	quiet        bool
	verbose      int
	color        string

	replaces bool // --in-place was given
}

func newRun(a *app) *cobra.Command {
	o := &runOptions{strategy: strategy.Defaults()}
	cmd := &cobra.Command{
		Use:   "run [FILE|-]",
		Short: "Condense one file",
		Long: `Condense one file and write the result, in the same format, to standard output,
to -o FILE, or in place of the original with -w. The report goes to standard error.

Without FILE, or with "-", the conversation is read from standard input.

Strategies:
` + strategyHelp() + `
  hybrid    ` + hybridHelp() + `

Several strategies separated by commas run one after the other. Without --target
the aim is half of the tokens; dedupe and mask alone do all that they can.`,
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
				return &usageError{"no FILE, and standard input is a terminal", "see " + cmd.CommandPath() + " --help"}
			}
			return runRun(cmd.Context(), a, o, path)
		},
	}
	o.addFlags(cmd.Flags())
	complete := func(names func() []string) cobra.CompletionFunc {
		return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return names(), cobra.ShellCompDirectiveNoFileComp
		}
	}
	for flag, names := range map[string]func() []string{
		"strategy": strategy.Names, "tokenizer": token.Names, "format": formatNames,
		"report-format": func() []string { return reportFormats },
		"color":         func() []string { return colorModes },
	} {
		if err := cmd.RegisterFlagCompletionFunc(flag, complete(names)); err != nil {
			panic(err) // a flag of that name is not defined: a fault of this file
		}
	}
	return cmd
}

var (
	reportFormats = []string{"text", "json", "markdown"}
	colorModes    = []string{"auto", "always", "never"}
)

// defaultBackup is the suffix of the backup that -w keeps when none is named.
const defaultBackup = ".bak"

func (o *runOptions) addFlags(fs *pflag.FlagSet) {
	s := &o.strategy
	fs.StringVarP(&o.pipeline, "strategy", "s", strategy.HybridName, "strategy, or several separated by commas")
	fs.StringVarP(&o.target, "target", "t", "", "how far to go: tokens (20000, 20k) or a share of the input (50%)")
	fs.StringVar(&o.tokenizer, "tokenizer", "", "how tokens are counted: o200k_base, cl100k_base or bytes4")
	fs.StringVarP(&o.model, "model", "m", "", "count as this model does, as far as its tokenizer is public")
	fs.IntVar(&s.KeepFirst, "keep-first", s.KeepFirst, "messages at the start that are not touched")
	fs.IntVar(&s.KeepLast, "keep-last", s.KeepLast, "messages at the end that are not touched")
	fs.IntVar(&s.KeepRounds, "keep-rounds", s.KeepRounds, "mask: tool rounds at the end whose results stay")
	fs.Float64Var(&s.Fraction, "fraction", s.Fraction, "truncate: remove this share of the messages instead of aiming at a target; implies --unpin user")
	fs.StringArrayVar(&o.pins, "pin", nil, "keep every block that matches this regular expression (repeatable)")
	fs.StringArrayVar(&o.unpin, "unpin", nil, "give up a protection: user (what the user typed)")
	fs.StringVar(&o.format, "format", "", "format of the input, instead of detecting it")
	fs.StringVar(&o.sel, "select", "", "condense only this conversation of the file: id or number from 1")
	fs.StringVarP(&o.output, "output", "o", "", "write to this file instead of standard output")
	fs.StringVarP(&o.inPlace, "in-place", "w", "", "replace the file; the old one is kept under its name with this suffix")
	fs.Lookup("in-place").NoOptDefVal = defaultBackup
	fs.BoolVarP(&o.force, "force", "f", false, "overwrite what exists")
	fs.BoolVarP(&o.dryRun, "dry-run", "n", false, "do everything but write")
	fs.BoolVarP(&o.diff, "diff", "d", false, "print what changes to standard output (with -o, -w or -n); exit 1 when something does")
	fs.StringVar(&o.report, "report", "", "write the report to this file instead of standard error")
	fs.StringVar(&o.reportFormat, "report-format", "text", "form of the report: text, json or markdown")
	fs.BoolVar(&o.json, "json", false, "print the report as JSON to standard output (with -o, -w or -n)")
	fs.BoolVar(&o.strict, "strict", false, "exit 1 when the target is not reached")
	fs.BoolVarP(&o.quiet, "quiet", "q", false, "no report, only errors")
	fs.CountVarP(&o.verbose, "verbose", "v", "say why each block was changed")
	fs.StringVar(&o.color, "color", "auto", "colour: auto, always or never")
}

// check reads the flags that are more than a value, and refuses combinations
// that contradict each other.
func (o *runOptions) check(path string) ([]*strategy.Strategy, error) {
	usage := func(format string, args ...any) error {
		return &usageError{fmt.Sprintf(format, args...), "see condense run --help"}
	}
	stages, err := strategy.Parse(o.pipeline)
	if err != nil {
		return nil, usage("%v", err)
	}
	if o.target != "" {
		if o.strategy.Target, err = strategy.ParseTarget(o.target); err != nil {
			return nil, usage("%v", err)
		}
	}
	for _, expr := range o.pins {
		re, err := regexp.Compile(expr)
		if err != nil {
			return nil, usage("--pin: %v", err)
		}
		o.strategy.Pin = append(o.strategy.Pin, re)
	}
	for _, what := range o.unpin {
		if what != "user" {
			return nil, usage("--unpin takes user, not %q", what)
		}
		o.strategy.UnpinUser = true
	}
	if err := o.strategy.Validate(); err != nil {
		return nil, usage("%v", err)
	}
	o.strategy.UnpinUser = o.strategy.UnpinUser || o.strategy.Fraction > 0
	switch elsewhere := o.output != "" && o.output != "-" || o.replaces || o.dryRun; {
	case o.replaces && o.output != "":
		return nil, usage("-w and -o say two places for one output")
	case o.replaces && path == "-":
		return nil, usage("-w needs a FILE: standard input cannot be replaced")
	case (o.json || o.diff) && !elsewhere:
		return nil, usage("--json and --diff need standard output for themselves: add -o FILE, -w or -n")
	case o.json && o.diff:
		return nil, usage("--json and --diff both want standard output")
	case o.tokenizer != "" && o.model != "":
		return nil, usage("--tokenizer and --model both say how to count")
	case !contains(reportFormats, o.reportFormat):
		return nil, usage("--report-format takes text, json or markdown, not %q", o.reportFormat)
	case !contains(colorModes, o.color):
		return nil, usage("--color takes auto, always or never, not %q", o.color)
	}
	return stages, nil
}

// runRun condenses the file at path, or standard input for "-".
func runRun(ctx context.Context, a *app, o *runOptions, path string) error {
	stages, err := o.check(path)
	if err != nil {
		return err
	}
	counter, err := o.counter()
	if err != nil {
		return err
	}
	in, err := a.open(ctx, path)
	if err != nil {
		return err
	}
	dest := destination{a: a, in: in, o: o}
	if err := dest.possible(); err != nil {
		return err
	}
	c, err := condense(ctx, in.Data, o, stages, counter)
	if err != nil {
		return &namedError{in.Name, err}
	}
	report := newReport(in.Name, o, c, counter)
	if err := dest.write(ctx, c, report); err != nil {
		return err
	}
	if err := a.publish(ctx, o, report); err != nil {
		return err
	}
	return verdict(o, report)
}

// verdict is the error of a run that did its work but not what was demanded.
func verdict(o *runOptions, r *ui.Report) error {
	if o.strict {
		for _, c := range r.Conversations {
			if !c.Reached {
				return &policyError{"the target was not reached"}
			}
		}
	}
	if o.diff && r.Changed {
		return &policyError{}
	}
	return nil
}

func (o *runOptions) counter() (*token.Counter, error) {
	c, err := token.New(o.tokenizer)
	if o.model != "" {
		c, err = token.ForModel(o.model)
	}
	if err != nil {
		return nil, &usageError{err.Error(), "see condense run --help"}
	}
	return c, nil
}

func (a *app) open(ctx context.Context, path string) (*source.Input, error) {
	if path == "-" {
		return source.ReadStream(ctx, path, a.in, 0)
	}
	return source.Open(ctx, path, 0)
}

func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func formatNames() []string {
	names := make([]string, len(format.Dialects))
	for i, d := range format.Dialects {
		names[i] = d.Name
	}
	return names
}

func strategyHelp() (text string) {
	for _, s := range strategy.All {
		text += fmt.Sprintf("  %-9s %s\n", s.Name, s.Doc)
	}
	return text[:len(text)-1]
}

func hybridHelp() (text string) {
	for i, s := range strategy.Hybrid {
		if i > 0 {
			text += ", then "
		}
		text += s.Name
	}
	return text + "; each only while still over the target"
}

