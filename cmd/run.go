package cmd

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"condense/cmd/batch"
	"condense/cmd/config"
	"condense/cmd/report"
	"condense/cmd/source"
	"condense/cmd/stash"
	"condense/cmd/ui"
	"condense/strategy"
	"condense/transcript/format"
)

func newRun(a *app) *cobra.Command {
	o := newRunOptions()
	cmd := &cobra.Command{
		Use:   "run [FILE|-]",
		Short: "Condense one file",
		Long: `Condense one file and write the result, in the same format, to standard output,
to -o FILE, or in place of the original with -w. The report goes to standard error. On a
terminal, the result is printed, too, and the report follows it: -n shows the report alone.

Without FILE, or with "-", the conversation is read from standard input. FILE can be the
id of a session that condense ls lists. On a terminal, without FILE, you pick a session.

Strategies:
` + strategyHelp() + `

Several strategies separated by commas run one after the other. Without --target the
target is what --window has room for, or half of the tokens. Without a target, dedupe
and mask alone remove all that they can; progressive uses shares of --window.

Presets; flags that are given, or their variables in the environment, win:
` + config.PresetHelp() + `

--window is the context window of the model. With it, a conversation is not condensed
until its tokens exceed nine tenths of the window minus --reserve, or reach --threshold
percent of it. Stages that use shares of the window, such as those of progressive, wait
only with --threshold, --profile or --reserve. --always acts in any case.

With --min-messages, short conversations are not condensed. With --min-gap, a condensed
conversation is not condensed again after only a few new messages. --min-tokens limits
how small a conversation becomes, --min-gain demands a least saving of the run, and
--min-stage-gain of each strategy. A conversation that is not condensed is copied, the
report says why, and the exit code is 0.

The report has the retention of each conversation, the shares of its content that the
output still holds: condense help report explains them.

--min-retention 0.9 demands this share for every measure of each conversation; for facts,
the bound share counts. last=1,facts=0.8 demands shares for single measures that a
conversation has. If one is missed, nothing is written and the exit code is 1.`,
		Example: `  condense run --strategy hybrid --target 20k session.jsonl -o smaller.jsonl
  cat chat.json | condense run --strategy dedupe | jq .
  condense run -w --target 50% session.jsonl
  condense run -n -v session.jsonl`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: a.onFile(&o.outputOptions, func(ctx context.Context, path string) error { return runRun(ctx, a, o, path) }),
	}
	cmd.PreRun = func(*cobra.Command, []string) { a.preview = a.previewOf(o) }
	o.addFlags(cmd, cmd.Flags())
	return cmd
}

// runRun condenses the file at path, or standard input for "-", and writes the log of --events.
func runRun(ctx context.Context, a *app, o *runOptions, path string) error {
	if err := o.check(path); err != nil {
		return err
	}
	a.memory = batch.NewMemory(o.maxMemory)
	log, err := openEvents(o.events, []string{path, o.output, o.report}, a.now)
	if err != nil {
		return err
	}
	o.external.limit(a, o.quiet)
	log.write(event{Event: "start", Input: path, Strategy: o.pipeline.String(), Target: o.strategy.Target.String()})
	report, err := a.run(ctx, o, path, log)
	log.done(report, err, exitCode(ctx, err))
	if failed := log.close(); err == nil {
		err = failed
	}
	return err
}

// run does the work of [runRun] except for the log. The report is nil if there is none.
func (a *app) run(ctx context.Context, o *runOptions, path string, log *events) (*report.Report, error) {
	count, err := o.ready(ctx, a)
	if err != nil {
		return nil, err
	}
	report, failed := a.condenseTo(ctx, o, path, count, log, nil)
	if report == nil {
		return nil, failed
	}
	if err := a.publish(ctx, o, report); err != nil {
		return report, err
	}
	if failed != nil {
		return report, failed
	}
	if err := o.external.runAfter(ctx, report); err != nil {
		return report, err
	}
	return report, verdict(o, report)
}

// ready makes the client of the model, which all files of a command share. It returns how to count
// their tokens.
func (o *runOptions) ready(ctx context.Context, a *app) (*counting, error) {
	o.limits = a.limits
	count, err := o.counting(ctx)
	if err != nil {
		return nil, err
	}
	return count, o.llmOptions.connect(ctx, a.env, &o.countOptions, o.dryRun)
}

// beforeWrite is called with a compressed output before it is written. An error prevents that.
type beforeWrite func(ctx context.Context, in *source.Input, r *report.Report, packed []byte) error

// condenseTo condenses the file at path, or standard input for "-", and writes the output to
// the place that the options name. It calls first, unless that is nil, before it writes. If
// it returns a report and an error, the output was refused.
func (a *app) condenseTo(ctx context.Context, o *runOptions, path string, count *counting, log *events, first beforeWrite) (*report.Report, error) {
	if err := o.runBefore(ctx, path); err != nil {
		return nil, err
	}
	if err := a.memory.FileFits(path); err != nil {
		return nil, &namedError{path, err}
	}
	in, dest, err := a.openFor(ctx, path, &o.outputOptions)
	if err != nil {
		return nil, err
	}
	need := batch.Need(in.Data)
	if err := a.memory.Fits(need); err != nil {
		return nil, &namedError{in.Name, err}
	}
	defer a.limitGarbage(o, len(in.Data), need)()
	c, report, err := a.condenseInput(ctx, dest, o, count, log)
	if err != nil {
		return nil, err
	}
	refused := o.refused(report)
	if refused == nil {
		refused = o.external.askValidators(ctx, c, in.Name, o.output)
	}
	if refused != nil {
		return report, &namedError{in.Name, refused}
	}
	dest.without = c.rowsLeftOut()
	keep := o.stash.keepRun(in, c, report)
	dest.keep = func(ctx context.Context, packed []byte) error {
		err := keep(ctx, packed)
		if err == nil && first != nil {
			err = first(ctx, in, report, packed)
		}
		if err == nil && c.Changed {
			undo, notes := a.keepUndo(ctx, &o.outputOptions, &o.stash, in, runName(report), packed)
			report.Undo, report.Notes = undo, append(report.Notes, notes...)
			report.Notes = append(report.Notes, a.stillThere(&o.outputOptions, &o.stash, report, in.Name)...)
		}
		return err
	}
	if report.Output, report.Backup, err = dest.write(ctx, c.Out, c.Changed); err != nil {
		return nil, err
	}
	c.addNextSteps(report)
	return report, nil
}

// condenseInput condenses the input of a run.
func (a *app) condenseInput(ctx context.Context, dest *destination, o *runOptions, count *counting, log *events) (*condensed, *report.Report, error) {
	in := dest.in
	if !o.sumsOnly() || count.calibrate.auto || o.column != "" {
		log.steps = a.stepsOf(o, len(in.Data))
		defer log.steps.Close()
		c, err := condenseSource(ctx, in.Data, o, count, log)
		return a.reported(dest, o, c, log, err)
	}
	chunks, file, err := format.Split(in.Data, o.format, chunkSize)
	if err != nil {
		return nil, nil, &namedError{in.Name, err}
	}
	if chunks != nil {
		c, r, err := condenseChunks(ctx, in, chunks, o, count)
		if c != nil || err != nil {
			return c, r, err
		}
		if file, err = format.Decode(in.Data, o.format); err != nil {
			return nil, nil, &namedError{in.Name, err}
		}
	}
	c, err := consumeFile(ctx, file, o, count, log)
	if err != nil {
		return nil, nil, &namedError{in.Name, err}
	}
	if err := dest.placeSession(c); err != nil {
		return nil, nil, err
	}
	var sums report.Brief
	sums.Add(c.Outcome)
	r := sums.Report(c.counter)
	r.Rows = o.rows(c.Outcome)
	o.complete(r, in, c)
	return c, r, nil
}

// reported returns the report of a file whose conversations were condensed together, or err with the name
// of the file.
func (a *app) reported(dest *destination, o *runOptions, c *condensed, log *events, err error) (*condensed, *report.Report, error) {
	in := dest.in
	if err != nil {
		return nil, nil, &namedError{in.Name, err}
	}
	if err := dest.placeSession(c); err != nil {
		return nil, nil, err
	}
	c.notes = append(c.notes, o.llmOptions.spent()...)
	log.steps.Begin("counting")
	r := newReport(in, o, c)
	if !o.many { // a batch has flags for all files, so most have no effect on some of them
		r.Notes = append(r.Notes, a.idleNotes(o, c.results())...)
	}
	return c, r, nil
}

// slowSource is the size of a source from which on its progress is shown, in bytes.
const slowSource = 10 << 20

// stepsOf returns the progress of condensing one source of a size. It is nil if the source is small,
// or if standard error is no terminal that can redraw a line.
func (a *app) stepsOf(o *runOptions, size int) *ui.Progress {
	if size < slowSource || o.many || o.quiet || !a.redraws() {
		return nil
	}
	return ui.NewStepProgress(a.err, true, otherSteps+len(o.stages), a.now)
}

// Garbage beside the memory in use, in percent, from which on it is collected: for large sources of long
// texts, in which the collector finds few pointers to follow, and for other large sources.
const (
	largeSource = 16 << 20 // bytes
	textGC      = 30
	denseGC     = 60
	textNeed    = 9  // bytes of memory that a source of long texts needs for each of its own, at most
	spare       = 10 // percent for a source of any size that needs more memory than it should
)

// limitGarbage makes the garbage collector run more often, unless the environment or --max-memory
// decides that. A source stays in memory to the end, and by default as much garbage may collect beside
// it. need is the memory that the source needs. The function that it returns removes the limit.
func (a *app) limitGarbage(o *runOptions, size int, need int64) (restore func()) {
	set := a.env("GOGC") != ""
	percent := denseGC
	if need <= textNeed*int64(size) {
		percent = textGC
	}
	if !set && size >= largeSource {
		debug.SetGCPercent(percent)
	}
	if set || o.many || o.maxMemory > 0 || a.env("GOMEMLIMIT") != "" {
		return func() {}
	}
	return batch.LimitGarbage(size, spare)
}

// refused returns an error if an output must not be written, by the flags and its report.
func (o *runOptions) refused(r *report.Report) error {
	if err := checkRetention(o, r); err != nil {
		return err
	}
	return o.mistaken(r)
}

// mistaken returns an error if a file would be replaced by one that misses a target which reads like a
// percentage: much would be gone for a typing mistake. A target of 1 stands for as little as possible.
func (o *runOptions) mistaken(r *report.Report) error {
	const likePercent = 100
	n := o.strategy.Target.Tokens
	if n <= 1 || n > likePercent || !o.replaces || o.force || o.dryRun || o.many || !r.Changed || !slices.ContainsFunc(r.Conversations, func(c report.Conversation) bool { return c.Missed() }) {
		return nil
	}
	return &usageError{fmt.Errorf("the target %d is a number of tokens, which cannot be reached: nothing was written", n),
		fmt.Sprintf("%d%% is a share of the input, %dk are thousands of tokens; --force replaces the file all the same", n, n)}
}

// verdict returns an error if a run did its work, but missed a demand.
func verdict(o *runOptions, r *report.Report) error {
	if o.strict && o.maxBytes > 0 && r.Bytes.After > int(o.maxBytes) {
		return &policyError{"the file has more bytes than --max-bytes"}
	}
	for _, c := range r.Conversations {
		if c.Failed != "" {
			return &leftError{r}
		}
		if o.strict && !c.Reached {
			return &policyError{"the target was not reached"}
		}
	}
	if o.diff && r.Changed {
		return &policyError{}
	}
	return nil
}

// strategyHelp returns a line for each strategy, and one for the preset.
func strategyHelp() string {
	var text strings.Builder
	for _, s := range strategy.All {
		fmt.Fprintf(&text, "  %-14s  %s\n", s.Name, s.Doc)
	}
	fmt.Fprintf(&text, "  %-14s  %s", strategy.HybridName, strategy.HybridDoc)
	return text.String()
}

// keepRun returns a function that adds the entry of a run to the stash. It is called with the
// output before that is written.
func (o *stashOptions) keepRun(in *source.Input, c *condensed, r *report.Report) func(context.Context, []byte) error {
	return func(ctx context.Context, out []byte) error {
		id, err := o.keep(ctx, stash.Run{
			File: in.Name, Format: r.Format, How: runName(r), In: in.Raw, Out: out, Edits: o.removed(c, r), Texts: o.texts(c),
		})
		if id != "" && err == nil {
			r.Notes = append(r.Notes, "to restore the original: condense restore FILE --stash "+shellWord(o.dir)+" (entry "+id[:stash.MinID]+")")
		}
		return err
	}
}

// runName names a run for the list of a stash: "hybrid, target 50%".
func runName(r *report.Report) string {
	if r.Target == "" {
		return r.Strategy
	}
	return r.Strategy + ", target " + r.Target
}

// removed lists the edits of a run with the text that they removed.
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

// texts lists the removed texts of a run with their ids.
func (o *stashOptions) texts(c *condensed) (list []stash.Text) {
	if o.dir == "" || !c.Changed {
		return nil
	}
	for i := range c.Conversations {
		res := c.Conversations[i].Result
		if res == nil {
			continue
		}
		for _, x := range res.Removed {
			t := stash.Text{ID: x.ID, Number: x.Number, Conversation: i + 1, Text: x.Text, Of: x.Of, Shown: x.Shown}
			if m := res.From.Message(x.At.Msg); m != nil {
				t.Message = res.From.Position(m.ID) + 1
				if b := m.Block(x.At.Block); b != nil && len(x.Of) == 0 {
					t.Block = slices.Index(m.Blocks, b) + 1
					t.What = report.BlockName(res.From, x.At, b)
				}
			}
			list = append(list, t)
		}
	}
	return list
}

// askValidators lets the programs of --validator check an output before it is written.
func (o *externalOptions) askValidators(ctx context.Context, c *condensed, file, output string) error {
	if !c.Changed {
		return nil
	}
	vars := variables("validate", file, c.File.Dialect.Name, output)
	return o.runHooks(ctx, o.validators, c.Out, vars, "output refused, nothing was written")
}

// runBefore runs the programs of --before. It must be called before anything is read.
func (o *runOptions) runBefore(ctx context.Context, path string) error {
	if o.dryRun {
		return nil
	}
	return o.external.runHooks(ctx, o.external.before, nil, variables("before", path, o.format, o.output), "nothing was done, --before failed")
}
