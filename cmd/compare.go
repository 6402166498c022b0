package cmd

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/source"
	"condense/cmd/ui"
	"condense/strategy"
	"condense/strategy/breakdown"
	"condense/transcript/token"
)

// compareOptions holds the flags of condense compare.
type compareOptions struct {
	run       *runOptions // options of the strategies, and how tokens are counted
	pipelines []pipeline
	targets   []target
	recall    bool
	price     float64 // dollars for a million tokens of input; 0: not known
	showing
	quiet bool
	color ui.ColorMode
}

const defaultTargets = "50%,25%,10%"

func newCompare(a *app) *cobra.Command {
	o := &compareOptions{run: newRunOptions(), color: ui.ColorAuto}
	cmd := &cobra.Command{
		Use:   "compare [FILE|-]",
		Short: "Compare strategies on one file",
		Long: `Condense one file by every strategy, or by those of --strategy, to several targets, and
compare the results: tokens, retained facts, validity, and milliseconds. The first line
below the table recommends a strategy for each target: the one that keeps most. Shares that differ by less than 0.05 count as near: then
the output that leaves fewer requests without an answer is recommended. A star marks what
is recommended. Only the report is written.

Each --strategy has one row for each target; several strategies separated by commas are
a pipeline. A strategy without a target has one row, because it removes all that it can. If
that meets a target, it is compared with the others.

--recall measures with the file itself which facts matter. It cuts the conversation at up
to ten places, and condenses the part before each cut. It finds the facts that the model
used after the cut and could only know from before it. Recall is the share of these facts that
the output still has where they belong. It needs a conversation of at least 40 messages and
20,000 tokens.

With --price, in dollars for a million tokens of input, or if the price of --model is
known, the report has the cost of sending the output once.`,
		Example: `  condense compare session.jsonl
  condense compare --target 50%,20k -s hybrid -s dedupe,truncate session.jsonl
  condense compare --recall --report-format markdown session.jsonl
  condense compare --json --price 3 session.jsonl | jq '.trials[0]'`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: a.onFiles(func(ctx context.Context, paths []string) error {
			return runCompare(ctx, a, o, paths[0])
		}),
	}
	o.addFlags(cmd, cmd.Flags())
	return cmd
}

func (o *compareOptions) addFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	fs.VarP(&repeated[pipeline]{to: &o.pipelines, parse: parsePipeline, kind: "NAME[,NAME…]"},
		"strategy", "s", "strategy, or a pipeline of several separated by commas (repeatable; default: every one)")
	more := func(list string) ([]target, error) {
		targets, err := parseTargets(list)
		return append(slices.Clip(o.targets), targets...), err
	}
	fs.VarP(&parsed[[]target]{to: &o.targets, parse: more, text: defaultTargets, kind: "TOKENS|PERCENT[,…]"},
		"target", "t", "targets separated by commas: tokens (20000, 20k) or shares of the input (50%) (repeatable)")
	config.TypedOnly(fs, "strategy") // the settings of condense run would hide the other strategies
	config.TypedOnly(fs, "target")
	fs.BoolVar(&o.recall, "recall", false, "measure which share of the facts that were needed later is kept")
	fs.Float64Var(&o.price, "price", 0, "dollars for a million tokens of input (default: the price of --model, if it is known)")
	o.run.countOptions.addFlags(cmd, fs)
	o.run.addStrategyFlags(fs)
	o.run.reading.addFlags(cmd, fs)
	fs.StringVar(&o.run.sel, "select", "", "only this conversation of the file: id, or number from 1")
	o.showing.addFlags(fs, &survey.Comparison{}, "print an object for programs")
	o.addPageFlag(fs)
	addOldFlag(fs, "markdown", &parsed[bool]{to: new(bool), kind: "bool", text: "false", parse: o.setMarkdown}).NoOptDefVal = "true"
	fs.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress")
	fs.Var(&o.color, "color", "colour")
}

// setMarkdown sets --markdown, the old spelling of --report-format markdown.
func (o *compareOptions) setMarkdown(text string) (bool, error) {
	on, err := strconv.ParseBool(text)
	if on {
		o.reportFormat = "markdown"
	}
	return on, err
}

// check completes the options and refuses combinations that contradict each other.
func (o *compareOptions) check(path string) error {
	if o.targets == nil {
		o.targets, _ = parseTargets(defaultTargets)
	}
	if o.pipelines == nil {
		for _, name := range strategy.Names() {
			p, err := parsePipeline(name)
			if err != nil {
				return err
			}
			o.pipelines = append(o.pipelines, p)
		}
	}
	switch {
	case !(o.price >= 0):
		return usage("--price is a number of dollars, 0 or more")
	case o.run.strategy.Fraction > 0:
		return usage("--fraction replaces the target, but compare needs targets")
	}
	if known, ok := token.BuiltInPrices().Find(o.run.model); ok && o.price == 0 {
		o.price = known.Input
	}
	if err := o.showing.check(); err != nil {
		return err
	}
	return o.run.check(path)
}

// progressOf returns the progress line of the trials. It is shown on terminals, because some
// files take minutes.
func (a *app) progressOf(o *compareOptions) *ui.Progress {
	return ui.NewStepProgress(a.err, !o.quiet && a.redraws(), o.trials(), a.now)
}

// trials returns the number of trials to make.
func (o *compareOptions) trials() (n int) {
	for _, p := range o.pipelines {
		n += len(o.targetsOf(p))
	}
	return n
}

// targetsOf returns the targets to try with a pipeline. A pipeline that ignores targets is
// tried once, without one.
func (o *compareOptions) targetsOf(p pipeline) []target {
	if !p.aims() {
		return []target{{}}
	}
	return o.targets
}

// runCompare compares strategies on the file at path, or standard input for "-".
func runCompare(ctx context.Context, a *app, o *compareOptions, path string) error {
	if err := o.check(path); err != nil {
		return err
	}
	count, err := o.run.counting(ctx)
	if err != nil {
		return err
	}
	in, err := a.open(ctx, path)
	if err != nil {
		return err
	}
	if err := o.creatable(in); err != nil {
		return err
	}
	c, err := compare(ctx, in, o, count, a.progressOf(o))
	if err != nil {
		return &namedError{in.Name, err}
	}
	return a.show(ctx, &o.showing, c, a.screen(o.color, 0))
}

// compare makes every trial that the options ask for, and shows the progress.
func compare(ctx context.Context, in *source.Input, o *compareOptions, count *counting, progress *ui.Progress) (*survey.Comparison, error) {
	defer progress.Close()
	file, err := o.run.decode(in.Data)
	if err != nil {
		return nil, err
	}
	picked, err := pick(file.Convs, o.run.sel)
	if err != nil {
		return nil, err
	}
	counter, note, err := count.of(file.Convs)
	if err != nil {
		return nil, err
	}
	c := &survey.Comparison{
		Version: survey.ComparisonVersion, Condense: report.CondenseVersion(), Input: in.Name, Format: file.Dialect.Name,
		Bytes: len(in.Data), Price: o.price,
	}
	if note != "" {
		c.Notes = append(c.Notes, note)
	}
	for i, conv := range file.Convs {
		if picked[i] {
			total, _ := breakdown.Measure(conv, counter.Block)
			c.Tokens += total
		}
	}
	exam := &exam{counter: counter}
	if o.recall {
		c.Recall = exam.prepare(file.Convs, picked)
	}
	texts := []string{""}
	for _, t := range o.targets {
		texts = append(texts, t.text)
	}
	for _, p := range o.pipelines {
		for _, t := range o.targetsOf(p) {
			name := strings.TrimSuffix(p.name+" to "+t.text, " to ")
			progress.Begin(name)
			one, notes, err := try(ctx, file, o.options(p, t), p, t, o.targets, counter)
			if err != nil {
				return nil, err
			}
			if err := exam.take(ctx, o.options(p, t), p, t, o.targets, one); err != nil {
				return nil, err
			}
			for _, note := range notes {
				c.Notes = append(c.Notes, name+": "+note)
			}
			one.Cost = o.price * float64(one.Tokens) / 1e6
			c.Trials = append(c.Trials, *one)
			progress.Step(name)
		}
	}
	c.Rank(texts)
	c.Tokenizer = report.TokenizerOf(counter)
	return c, nil
}

// options returns the options of a run for one trial.
func (o *compareOptions) options(p pipeline, t target) *runOptions {
	run := *o.run
	run.stages, run.strategy.Target = p.stages, t.Target
	return &run
}
