package cmd

import (
	"errors"
	"regexp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/cmd/report"
	"condense/cmd/ui"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript/format"
)

// runOptions are the flags of condense run.
type runOptions struct {
	strategy  strategy.Options
	stages    []*strategy.Strategy
	pipeline  *parsed[[]*strategy.Strategy] // what stages were given as
	format    string
	sel       string // --select
	tag       bool
	sessionID string
	unpin     []string
	preset    *config.Preset // nil for none

	countOptions
	llmOptions
	outputOptions
	external     externalOptions
	events       string // file for the log of the run
	stash        stashOptions
	strict       bool
	minRetention float64 // share of facts that must stay bound, 0 to 1
	explain      bool
	diff         bool
}

func newRunOptions() *runOptions {
	o := &runOptions{
		strategy: strategy.Defaults(), stages: strategy.Hybrid,
		llmOptions: newLLMOptions(), external: newExternalOptions(), outputOptions: outputOptions{color: ui.ColorAuto},
	}
	o.pipeline = &parsed[[]*strategy.Strategy]{to: &o.stages, parse: o.external.parsePipeline, text: strategy.HybridName, kind: "NAME[,NAME…]"}
	return o
}

func (o *runOptions) addFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	o.addCondensingFlags(cmd, fs)
	fs.StringVar(&o.sessionID, "session-id", "", "give the session another id (Claude Code): an id, or new; -o ID.jsonl implies it")
	fs.StringVar(&o.sel, "select", "", "condense only this conversation of the file: id, or number from 1")
	o.outputOptions.addFlags(fs, "say why each block was changed")
	o.stash.addFlags(fs)
	o.addStrictFlag(fs)
	o.addReportFlags(fs)
}

// addCondensingFlags adds the flags of every command that condenses: how that is done, and
// what is demanded of the output.
func (o *runOptions) addCondensingFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	o.addAimFlags(fs)
	o.countOptions.addFlags(cmd, fs)
	o.addStrategyFlags(fs)
	o.llmOptions.addFlags(cmd, fs)
	fs.BoolVar(&o.tag, "tag", false, "hide messages by tags instead of removing them (Roo Code, not Cline; with truncate, or summarize --layout fresh)")
	fs.StringVar(&o.format, "format", "", "format of the input, instead of detecting it")
	fs.Float64Var(&o.minRetention, "min-retention", 0,
		"write nothing and exit 1 when less than this share of the facts, 0 to 1, is still where it belongs")
	o.external.addFlags(fs)
}

// addStrategyFlags adds the flags that say how strategies go about it.
func (o *runOptions) addStrategyFlags(fs *pflag.FlagSet) {
	s := &o.strategy
	fs.IntVar(&s.KeepFirst, "keep-first", s.KeepFirst, "messages at the start that are not touched")
	fs.IntVar(&s.KeepLast, "keep-last", s.KeepLast, "messages at the end that are not touched")
	fs.IntVar(&s.FreezePrefix, "freeze-prefix", s.FreezePrefix, "messages at the start, instructions counted, that stay as they are cached")
	fs.IntVar(&s.KeepRounds, "keep-rounds", s.KeepRounds, "mask: tool rounds at the end whose results stay; progressive: rounds that layer 1 keeps")
	addTriggerFlags(fs, s)
	fs.Float64Var(&s.L1, "l1", s.L1, "progressive: share of the window over which results are compacted and old rounds go")
	fs.Float64Var(&s.L2, "l2", s.L2, "progressive: share over which old thinking goes; --thinking keep keeps it")
	fs.Float64Var(&s.L3, "l3", s.L3, "progressive: share over which old turns go")
	fs.Float64Var(&s.Aggression, "aggression", s.Aggression,
		"progressive: from 0.1 to 1, how much harder results are compacted the older they are; 0: no harder")
	fs.Float64Var(&s.Fraction, "fraction", s.Fraction,
		"truncate: remove this share of the messages instead of aiming at a target; implies --unpin user")
	addSummaryFlags(s, fs)
	fs.Var(&repeated[*regexp.Regexp]{to: &s.Pin, parse: regexp.Compile, kind: "REGEX"},
		"pin", "keep every block that this regular expression matches (repeatable)")
	fs.Var(&repeated[*regexp.Regexp]{to: &s.Protect, parse: regexp.Compile, kind: "REGEX"},
		"protect", "keep every line that this regular expression matches; without smart-compress, its block (repeatable)")
	fs.Var(&repeated[strategy.Glob]{to: &s.ProtectTools, parse: strategy.ParseGlob, kind: "GLOB"},
		"protect-tool", "keep the calls of tools with such a name, and their results (repeatable)")
	fs.Var(&repeated[strategy.Glob]{to: &s.ProtectPaths, parse: strategy.ParseGlob, kind: "GLOB"},
		"protect-path", "keep the calls that name such a path, and their results (repeatable)")
	fs.Var(&repeated[strategy.Glob]{to: &s.Only, parse: strategy.ParseOnly, kind: "tool:GLOB"},
		"only", "change nothing but the calls of tools with such a name, and their results (repeatable)")
	fs.Var(&parsed[strategy.Range]{to: &s.Messages, parse: strategy.ParseRange, kind: "A..B"},
		"messages", "change nothing but the messages with these numbers, as -v and validate give them")
	fs.Var(&repeated[string]{to: &o.unpin, parse: unpinnable, kind: "user"},
		"unpin", "give up a protection: user, what the user typed")
	fs.Var(&parsed[strategy.Thinking]{to: &s.Thinking, parse: strategy.ParseThinking, kind: "keep|drop-old|drop"},
		"thinking", "the model's thinking: keep, drop what is older than the current turn, or drop all (default keep, but in layer 2 of progressive)")
	fs.StringVar(&s.TargetModel, "target-model", "", "the model that will go on: thinking of another family is dropped")
	fs.Var(&parsed[strategy.Images]{to: &s.Images, parse: strategy.ParseImages, text: "keep", kind: "keep|placeholder|last N"},
		"images", "images: keep, replace by a line, or keep the newest N")
	fs.BoolVar(&s.DropHidden, "drop-hidden", false, "remove history that the model does not see")
	o.addDemandFlags(fs)
}

func (o *runOptions) addStrictFlag(fs *pflag.FlagSet) {
	fs.BoolVar(&o.strict, "strict", false, "exit 1 when the target is not reached, and write nothing when one conversation of several fails")
}

// addReportFlags adds the flags that say what is told of a run.
func (o *runOptions) addReportFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.explain, "explain", false, "list in a table what became of each block: what is left, lines of lines, its tokens, and why; in --json, too")
	fs.BoolVarP(&o.diff, "diff", "d", false, "print what changes to standard output (with -o, -w or -n); exit 1 when something does")
	o.reportOptions.addFlags(fs, &report.Report{}, "write the report to this file instead of standard error")
	fs.StringVar(&o.events, "events", "", "append what happens to this file, as it happens, one JSON object a line")
}

func unpinnable(what string) (string, error) {
	if what != "user" {
		return "", errors.New("only user can be unpinned")
	}
	return what, nil
}

// addCompletions tells shells the values of those flags of addCondensingFlags of which
// [completeFlags] cannot know them.
func addCompletions(cmd *cobra.Command) {
	complete(cmd, "format", formatNames()...)
	complete(cmd, "unpin", "user")
}

// complete tells shells the values of one flag.
func complete(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // no flag of that name: a fault of the caller
	}
}

func formatNames() []string {
	names := make([]string, len(format.Dialects))
	for i, d := range format.Dialects {
		names[i] = d.Name
	}
	return names
}

// check finishes the options and refuses combinations that contradict each other.
func (o *runOptions) check(path string) error {
	if err := o.checkRanges(); err != nil {
		return err
	}
	if !o.takes("fraction") { // then it must not give up what was typed, nor the target
		o.strategy.Fraction = 0
	}
	o.strategy.UnpinUser = len(o.unpin) > 0 || o.strategy.Fraction > 0
	o.strategy.Hide = o.tag
	library := condense.Options{Options: o.strategy, Pipeline: o.stages}
	if err := library.Validate(); err != nil {
		return explained(err)
	}
	if err := o.outputOptions.check(path); err != nil {
		return err
	}
	if err := o.countOptions.check(); err != nil {
		return err
	}
	if err := o.external.check(); err != nil {
		return err
	}
	if err := o.stash.check(); err != nil {
		return err
	}
	if err := o.llmOptions.check(); err != nil {
		return err
	}
	switch {
	case o.diff && !o.elsewhere():
		return usage("--json and --diff need standard output for themselves: add -o FILE, -w or -n")
	case o.json && o.diff:
		return usage("--json and --diff both want standard output")
	}
	return nil
}

// checkRanges refuses numbers that make no sense, each for itself.
func (o *runOptions) checkRanges() error {
	if err := o.strategy.Validate(); err != nil {
		return explained(err)
	}
	if !(0 <= o.minRetention && o.minRetention <= 1) {
		return usage("--min-retention is a share from 0 to 1, not %g", o.minRetention)
	}
	return nil
}
