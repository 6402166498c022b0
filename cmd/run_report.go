package cmd

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"condense/cmd/config"
	"condense/cmd/report"
	"condense/cmd/source"
	"condense/cmd/ui"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/strategy/retain"
	"condense/transcript"
)

// newReport returns the report of a run.
func newReport(in *source.Input, o *runOptions, c *condensed) *report.Report {
	f := report.Builder{
		Outcome: c.Outcome, Counter: c.counter, Millis: c.millis,
		Tag: o.tag, Explain: o.explain, Turns: o.reportFormat == "html", Measure: o.measures(),
		Labels: o.strategy.Training,
	}
	r := f.Report()
	r.Rows = o.rows(c.Outcome)
	o.complete(r, in, c)
	r.Notes = append(append(reportNotes(in, o, c), o.eachRow()...), rowNotes(r.Rows)...)
	return r
}

// complete adds to a report the names of the file and of what was asked for.
func (o *runOptions) complete(r *report.Report, in *source.Input, c *condensed) {
	r.Input, r.Bytes = in.Name, report.Change{Before: len(in.Data), After: len(c.Out)}
	r.Strategy, r.Target, r.DryRun = c.pipeline(o), o.strategy.Target.String(), o.dryRun
	r.Limits, r.MaxBytes = o.limits, int(o.maxBytes)
}

// reportNotes returns the notes of a report.
func reportNotes(in *source.Input, o *runOptions, c *condensed) []string {
	notes, implied := append(indexNotes(in, o, c), c.notes...), o.implied(c.counter)
	if implied.Fraction > 0 {
		notes = append(notes, "--fraction implies --unpin user: what the user typed may go with its message")
	}
	notes = append(notes, repeatedKeyNotes(c.Outcome)...)
	notes = append(notes, warningNotes(c.Outcome)...)
	notes = append(notes, leftNotes(c.Outcome)...)
	notes = append(notes, strategyNotes(c)...)
	notes = append(notes, largeNotes(o, c)...)
	notes = append(notes, triggerNotes(&implied)...)
	return append(notes, packingNotes(in.Encoding, packing(in, &o.outputOptions))...)
}

// repeatedKeyNotes returns a note on objects with two members of one key in a source that was changed.
// Programs differ in which of the two they read.
func repeatedKeyNotes(out *condense.Outcome) []string {
	if !out.Changed {
		return nil
	}
	found := out.File.RepeatedKeys()
	if len(found) == 0 {
		return nil
	}
	note := fmt.Sprintf("line %d: %s, and only that was condensed", found[0].Line, found[0].Text)
	if more := len(found) - 1; more > 0 {
		note += fmt.Sprintf("; %s more such objects", transcript.Number(more))
	}
	return []string{note}
}

// warningNotes returns a note on the warnings of condense validate that the source does not have.
func warningNotes(out *condense.Outcome) []string {
	if len(out.Warnings) == 0 {
		return nil
	}
	note := fmt.Sprintf("condense validate has a new warning: %s", out.Warnings[0])
	if more := len(out.Warnings) - 1; more > 0 {
		note += fmt.Sprintf("; and %s more", transcript.Number(more))
	}
	return []string{note}
}

// largeNotes returns a note on an output that is large, or larger than --max-bytes: why, and what
// helps.
func largeNotes(o *runOptions, c *condensed) []string {
	if o.many || c.Decoded == nil {
		return nil
	}
	bloat := report.NewBloat(c.Decoded)
	why := bloat.WhyLarge(len(c.Out))
	if c.Least > 0 {
		why = "--max-bytes: " + bloat.WhyOver(int(o.maxBytes), c.Least)
	}
	if why == "" {
		return nil
	}
	return []string{why}
}

// packingNotes returns a note on the compression or container of input and output, none if there is
// neither.
func packingNotes(from, to *source.Encoding) []string {
	const bytes = "; bytes are those of the transcript in it"
	switch {
	case from.Container() && from == to:
		return []string{"the file is " + from.Name + ", and so is what is written; bytes are those of its conversations as JSON"}
	case from.Container() && to == nil:
		return []string{"the file is " + from.Name + ", and what is written is its JSON, by its name"}
	case from != nil && from == to:
		return []string{"the file is compressed with " + from.Name + ", and so is what is written" + bytes}
	case from != nil:
		return []string{"the file is compressed with " + from.Name + ", and what is written with " + to.Name + ", by its name" + bytes}
	case to != nil:
		return []string{"what is written is compressed with " + to.Name + ", by its name" + bytes}
	}
	return nil
}

// strategyNotes returns the notes of strategies, which name their conversation if there are
// several, and a note on text that --tags removed.
func strategyNotes(c *condensed) (notes []string) {
	dropped := false
	for _, r := range c.results() {
		if r == nil {
			continue
		}
		for _, n := range r.Notes {
			if len(c.Conversations) > 1 {
				n = "conversation " + r.From.ID + ": " + n
			}
			notes = append(notes, n)
		}
		for _, s := range r.Stages {
			dropped = dropped || s.Name == "tags" && len(s.Edits) > 0
		}
	}
	if dropped {
		notes = append(notes, "--tags: text between <drop> tags was removed, typed text included")
	}
	return notes
}

// measures reports whether the retention of facts must be measured: a report is shown, a flag
// demands it, or a program gets the report. It takes a fifth of the time of a run.
func (o *runOptions) measures() bool {
	shown := !o.many && (!o.quiet || o.report != "" || o.json)
	return shown || o.minRetention.Demanded() || len(o.external.after) > 0
}

// retentionError reports an output that retains less than --min-retention demands.
type retentionError struct {
	missed []report.Miss // not empty
}

func (e *retentionError) Error() string {
	texts := make([]string, len(e.missed))
	for i, m := range e.missed {
		texts[i] = m.String()
	}
	return "output refused: " + strings.Join(texts, "; ")
}

func (e *retentionError) ExitCode() int { return exitPolicy }

func (e *retentionError) Hint() string {
	return "nothing was written; raise --target, or demand less, such as --min-retention " + e.missed[0].Reached()
}

// checkRetention returns an error if a conversation of the output retains less than
// --min-retention demands. The error has the lowest value of each measure.
func checkRetention(o *runOptions, r *report.Report) error {
	var all []*report.Retained
	for _, c := range r.Conversations {
		if c.Retained != nil {
			all = append(all, c.Retained)
		}
	}
	return retainedLess(&o.minRetention, all)
}

// leastRetained does the same as [checkRetention] for an output without a report.
func leastRetained(least *report.Least, c *condensed) error {
	if !least.Demanded() || !c.Changed {
		return nil
	}
	var all []*report.Retained
	for i, conv := range c.Conversations {
		if conv.Result != nil {
			all = append(all, report.NewRetained(retain.Of(c.File.Convs[i], conv.Final)))
		}
	}
	return retainedLess(least, all)
}

// retainedLess returns an error if a conversation retains less than least demands.
func retainedLess(least *report.Least, all []*report.Retained) error {
	if missed := least.Missed(all...); len(missed) > 0 {
		return &retentionError{missed}
	}
	return nil
}

// publish prints the report of a run, and the results of --json and --diff.
func (a *app) publish(ctx context.Context, o *runOptions, r *report.Report) error {
	if o.json {
		if err := ui.Write(a.out, "json", r, ui.Options{}); err != nil {
			return &outputError{err}
		}
	}
	if o.diff {
		if err := ui.Diff(a.out, r, a.textOptions(&o.outputOptions, a.out)); err != nil {
			return &outputError{err}
		}
	}
	text := a.textOptions(&o.outputOptions, a.err)
	text.Explain = o.explain
	switch {
	case o.report != "":
		return a.writeReport(ctx, o.report, o.form(), r, text, source.CreateOptions{Force: o.force})
	case o.quiet:
		return nil
	}
	return ui.Write(a.err, o.form(), r, a.dated(text))
}

// triggerNotes returns warnings about the flags of the trigger.
func triggerNotes(s *strategy.Options) (notes []string) {
	t := &s.Trigger
	if warning := t.Warning(); warning != "" {
		notes = append(notes, warning)
	}
	if t.Asked() && s.Window == 0 {
		notes = append(notes, "--threshold, --profile and --reserve need a window: without --window, or a --model with a known window, only the target decides")
	}
	return notes
}

// matterToAll lists options that affect every strategy, although only some strategies list
// them.
var matterToAll = []string{"window", "protect", "thinking", "tag"}

// takes reports whether a stage of the pipeline uses a flag.
func (o *runOptions) takes(flag string) bool {
	stages := slices.Clone(o.stages)
	for _, c := range o.choices {
		stages = append(stages, c.stages...)
	}
	return slices.ContainsFunc(stages, func(s *strategy.Strategy) bool { return slices.Contains(flagsOf(s), flag) })
}

// idleNotes returns notes about flags on the command line that have no effect: no strategy of
// the run uses them, they need another flag, or they name something that does not occur.
// Settings in files and variables get no notes, because other runs may use them. Misspelt
// variables do.
func (a *app) idleNotes(o *runOptions, results []*strategy.Result) (notes []string) {
	typed := func(flag string) bool { return len(a.settings.Given[flag]) > 0 }
	if a.running != nil {
		for _, err := range config.Misspelt(a.env, configKeys(a.running.Root())) {
			notes = append(notes, err.Error())
		}
		notes = append(notes, replacedFlags(a.running.Flags())...)
	}
	var unasked []string
	if !o.use {
		for _, flag := range llmFlags() {
			if typed(flag) && flag != "llm" {
				unasked = append(unasked, flag)
			}
		}
	}
	if len(unasked) > 0 {
		notes = append(notes, noEffect(unasked)+" without --llm")
	}
	notes = append(notes, o.unused(func(flag string) bool { return typed(flag) && !slices.Contains(unasked, flag) })...)
	var convs []*transcript.Conversation
	for _, r := range results {
		if r != nil {
			convs = append(convs, r.From)
		}
	}
	for _, u := range o.strategy.Unmatched(convs) {
		if flag := flagOf(u.Field); typed(flag) {
			notes = append(notes, fmt.Sprintf("--%s %s: %s", flag, u.Value, u.Problem))
		}
	}
	return notes
}

// unused returns notes about typed flags that no stage uses, with the strategies that would.
// Programs use none of these flags.
func (o *runOptions) unused(typed func(flag string) bool) (notes []string) {
	var owners []string // keys of groups, in the order of the notes
	groups := map[string][]string{}
	for _, s := range strategy.All {
		for _, flag := range flagsOf(s) {
			if slices.Contains(matterToAll, flag) || o.takes(flag) || !typed(flag) {
				continue
			}
			of := strings.Join(ownersOf(flag), " and ")
			if !slices.Contains(owners, of) {
				owners = append(owners, of)
			}
			if !slices.Contains(groups[of], flag) {
				groups[of] = append(groups[of], flag)
			}
		}
	}
	for _, of := range owners {
		notes = append(notes, noEffect(groups[of])+" on "+o.pipeline.String()+": only on "+of)
	}
	return notes
}

// ownersOf lists the strategies that use a flag.
func ownersOf(flag string) (names []string) {
	for _, s := range strategy.All {
		if slices.Contains(flagsOf(s), flag) {
			names = append(names, s.Name)
		}
	}
	return names
}

// noEffect returns the beginning of a note, such as "--l1 and --l2 have no effect".
func noEffect(flags []string) string {
	if len(flags) == 1 {
		return fmt.Sprintf("--%s has no effect", flags[0])
	}
	last := len(flags) - 1
	return fmt.Sprintf("--%s and --%s have no effect", strings.Join(flags[:last], ", --"), flags[last])
}

// rows returns the numbers of rows of a training set that fit, were left unchanged and were
// dropped. It returns nil without --for training.
func (o *runOptions) rows(out *condense.Outcome) *report.Rows {
	if !o.strategy.Training {
		return nil
	}
	n := out.Rows()
	return &report.Rows{Fit: n.Fit, Left: n.Left, Dropped: n.Dropped}
}

// eachRow returns a note on a target that is a share, which rows of a training set have each for itself.
func (o *runOptions) eachRow() []string {
	if t := o.strategy.Target; o.strategy.Training && t.Share > 0 && !o.many {
		return []string{"--for training: the target is " + t.String() + " of each row, so a short row loses as much as a long one; a number of tokens holds for all"}
	}
	return nil
}

// rowNotes returns notes on rows that do not fit, which the report counts.
func rowNotes(n *report.Rows) []string {
	var notes []string
	if n != nil && n.Fit == 0 && n.Left+n.Dropped > 0 {
		notes = append(notes, "--for training: only results of tools and texts that a client adds become shorter")
	}
	if n != nil && n.Dropped > 0 {
		notes = append(notes, "--drop-rows: the shares of what is retained are those of the other rows; the tokens of the rows that are left out count as saved")
	}
	return notes
}

// rowText describes the rows of a training set that do not fit, or returns "" when all fit.
func rowText(n *report.Rows) string {
	if n == nil || n.Left+n.Dropped == 0 {
		return ""
	}
	text := fmt.Sprintf("%s of %s rows do not fit within the target", transcript.Number(n.Left+n.Dropped), transcript.Number(n.Fit+n.Left+n.Dropped))
	switch {
	case n.Dropped == 0:
		return text + " and are left as they are"
	case n.Left == 0:
		return text + " and are left out"
	}
	return text + fmt.Sprintf("; %s are left out, %s are left as they are", transcript.Number(n.Dropped), transcript.Number(n.Left))
}
