package cmd

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/batch"
	"condense/cmd/config"
	"condense/cmd/report"
	"condense/cmd/ui"
	"condense/strategy"
	"condense/strategy/condense"
)

// runOptions holds the flags of condense run.
type runOptions struct {
	strategy  strategy.Options
	stages    []*strategy.Strategy
	pipeline  *parsed[[]*strategy.Strategy] // the flag that sets stages
	choices   []choice                      // --strategy-for
	sel       string                        // --select
	dropRows  bool
	maxBytes  int64 // 0 for no limit
	tag       bool
	sessionID string
	unpin     []string
	preset    *config.Preset // nil for none

	reading
	countOptions
	llmOptions
	outputOptions
	external     externalOptions
	maxMemory    int64  // bytes, 0 for no limit
	events       string // file for the events of the run
	stash        stashOptions
	strict       bool
	minRetention report.Least // --min-retention
	explain      bool
	diff         bool
	limits       []string // that the project's file sets
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
	fs.Var(&parsed[string]{to: &o.sessionID, parse: parseSessionID, kind: "UUID|new"},
		"session-id", "make a second session with this id beside the first, or in the folder of -o; new: an id made from the content")
	fs.StringVar(&o.sel, "select", "", "condense only this conversation of the file: id, or number from 1")
	o.outputOptions.addFlags(fs, "list each changed block with the reason")
	o.stash.addFlags(fs)
	o.addStrictFlag(fs)
	o.addReportFlags(fs)
}

// addCondensingFlags adds the flags of every command that writes condensed conversations: how
// to condense, and what the output must satisfy.
func (o *runOptions) addCondensingFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	o.addAimFlags(fs)
	o.countOptions.addFlags(cmd, fs)
	o.addStrategyFlags(fs)
	o.llmOptions.addFlags(cmd, fs)
	fs.BoolVar(&o.tag, "tag", false, "hide messages by tags instead of removing them (Roo Code, not Cline; with truncate, or summarize --layout fresh)")
	o.reading.addFlags(cmd, fs)
	fs.Var(newLeast(&o.minRetention), "min-retention",
		"write nothing and exit 1 if the retention is less: 0.9 for all measures, last=1,facts=0.8 for single ones")
	fs.Var(&parsed[int64]{to: &o.maxMemory, parse: batch.ParseBytes, kind: "SIZE"},
		"max-memory", "memory limit (500M, 2G): what would need more, as samples of its content show, is refused before it is condensed")
	o.external.addFlags(fs)
}

// addStrategyFlags adds the flags that set options of strategies.
func (o *runOptions) addStrategyFlags(fs *pflag.FlagSet) {
	s := &o.strategy
	fs.IntVar(&s.KeepFirst, "keep-first", s.KeepFirst, "messages at the start that stay unchanged")
	fs.IntVar(&s.KeepLast, "keep-last", s.KeepLast, "messages at the end that stay unchanged")
	fs.IntVar(&s.FreezePrefix, "freeze-prefix", s.FreezePrefix, "messages at the start, including instructions, that stay unchanged for the prompt cache")
	fs.IntVar(&s.KeepRounds, "keep-rounds", s.KeepRounds, "mask: tool rounds at the end whose results stay; progressive: rounds that layer 1 keeps")
	addTriggerFlags(fs, s)
	fs.Float64Var(&s.L1, "l1", s.L1, "progressive: share of the window above which results are compacted and old rounds are removed")
	fs.Float64Var(&s.L2, "l2", s.L2, "progressive: share above which old thinking is removed; --thinking keep keeps it")
	fs.Float64Var(&s.L3, "l3", s.L3, "progressive: share above which old turns are removed")
	fs.Float64Var(&s.Aggression, "aggression", s.Aggression,
		"progressive: from 0.1 to 1, how much harder results are compacted the older they are; 0: no harder")
	fs.Float64Var(&s.Fraction, "fraction", s.Fraction,
		"truncate: remove this share of the messages instead of aiming at a target; implies --unpin user")
	addSummaryFlags(s, fs)
	fs.Var(&repeated[*regexp.Regexp]{to: &s.Pin, parse: regexp.Compile, kind: "REGEX"},
		"pin", "keep every block that this regular expression matches (repeatable)")
	fs.Var(&repeated[*regexp.Regexp]{to: &s.Protect, parse: regexp.Compile, kind: "REGEX"},
		"protect", "keep every line that this regular expression matches; without smart-compress, its block (repeatable)")
	fs.Var(&repeated[strategy.Glob]{to: &s.ProtectTools, parse: unmarshal[strategy.Glob], kind: "GLOB"},
		"protect-tool", "keep the calls of tools whose name matches, and their results (repeatable)")
	fs.Var(&repeated[strategy.Glob]{to: &s.ProtectPaths, parse: unmarshal[strategy.Glob], kind: "GLOB"},
		"protect-path", "keep the calls with a path that matches, and their results (repeatable)")
	fs.Var(&repeated[strategy.Glob]{to: &s.Only, parse: parseOnly, kind: "tool:GLOB"},
		"only", "change only the calls of tools whose name matches, and their results (repeatable)")
	fs.Var(&parsed[strategy.Range]{to: &s.Messages, parse: unmarshal[strategy.Range], kind: "A..B"},
		"messages", "change only the messages with these numbers, as -v and validate print them")
	fs.Var(&repeated[string]{to: &o.unpin, parse: unpinnable, kind: "user|last"},
		"unpin", "remove a pin: user, that of typed text; last, that of the last answer (repeatable)")
	fs.Var(&parsed[strategy.Thinking]{to: &s.Thinking, parse: unmarshal[strategy.Thinking], kind: "keep|drop-old|drop"},
		"thinking", "thinking: keep all of it, drop what is older than the current turn, or drop all (default: a strategy may remove it, as other text)")
	fs.StringVar(&s.TargetModel, "target-model", "", "drop thinking of other families than this model, which will continue the conversation")
	fs.Var(&parsed[strategy.Images]{to: &s.Images, parse: unmarshal[strategy.Images], text: "keep", kind: "keep|placeholder|last N"},
		"images", "images: keep, replace by a line, or keep the newest N")
	fs.BoolVar(&s.DropHidden, "drop-hidden", false, "remove messages outside the effective view")
	o.addDemandFlags(fs)
	o.addTrainingFlags(fs)
}

// newLeast returns the value of the flag --min-retention.
func newLeast(to *report.Least) pflag.Value {
	return &parsed[report.Least]{to: to, parse: unmarshal[report.Least], kind: "SHARE|MEASURE=SHARE,…"}
}

func (o *runOptions) addStrictFlag(fs *pflag.FlagSet) {
	fs.BoolVar(&o.strict, "strict", false, "exit 1 if the target is not reached; write nothing if one of several conversations fails")
}

// addReportFlags adds the flags about the report and the events of a run.
func (o *runOptions) addReportFlags(fs *pflag.FlagSet) {
	fs.BoolVar(&o.explain, "explain", false, "list every block in a table: what is left, its lines and tokens, and the reason; also in --json")
	fs.BoolVarP(&o.diff, "diff", "d", false, "print the changes to standard output (with -o, -w or -n); exit 1 if there are any")
	o.reportOptions.addFlags(fs, &report.Report{}, "write the report to this file instead of standard error")
	fs.StringVar(&o.events, "events", "", "append the events of the run to this file, one JSON object a line")
}

// parseSessionID refuses ids with which no session can be resumed. A report shows the id in a command,
// and a client uses it as the name of a file.
func parseSessionID(id string) (string, error) {
	if id != "" && id != "new" && !uuidName.MatchString(strings.ToLower(id)) {
		return "", errors.New("expected a UUID, or new")
	}
	return id, nil
}

func unpinnable(what string) (string, error) {
	if what != "user" && what != "last" {
		return "", errors.New("expected user or last, the pins that can be removed")
	}
	return what, nil
}

// check completes the options and refuses combinations that contradict each other. path is the
// input, "" if there are several.
func (o *runOptions) check(path string) error {
	if err := o.checkRanges(); err != nil {
		return err
	}
	o.strategy.UnpinUser, o.strategy.UnpinLast = slices.Contains(o.unpin, "user"), slices.Contains(o.unpin, "last")
	o.strategy.Hide = o.tag
	library := condense.Options{Options: o.strategy, Pipeline: o.stages, DropRows: o.dropRows, MaxBytes: int(o.maxBytes)}
	if err := library.Validate(); err != nil {
		return explained(err)
	}
	o.named = o.makesSession(path)
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

// checkRanges refuses numbers that are out of range.
func (o *runOptions) checkRanges() error {
	if err := o.strategy.Validate(); err != nil {
		return explained(err)
	}
	return nil
}

// addAimFlags adds --strategy, --strategy-for and --target.
func (o *runOptions) addAimFlags(fs *pflag.FlagSet) {
	fs.VarP(o.pipeline, "strategy", "s", "strategy, or several separated by commas; condense strategies lists them")
	fs.Var(&repeated[choice]{to: &o.choices, parse: o.parseChoice, kind: "CONDITIONS=>NAME,…|exec:PROGRAM"},
		"strategy-for", "other strategies for some conversations: 'tokens>100k, kind=agent => summarize'; the first that matches counts (repeatable)")
	fs.VarP(&parsed[strategy.Target]{to: &o.strategy.Target, parse: unmarshal[strategy.Target], kind: "TOKENS|PERCENT"},
		"target", "t", "tokens that may be left: a number (20000, 20k) or a share of the input (50%)")
	fs.Var(&parsed[int64]{to: &o.maxBytes, parse: batch.ParseBytes, kind: "SIZE"},
		"max-bytes", "bytes that the output may have (5M), besides the target; alone: keep as many tokens as fit")
}

// addDemandFlags adds --preset, and the flags that shorten single texts whatever the target is.
func (o *runOptions) addDemandFlags(fs *pflag.FlagSet) {
	s := &o.strategy
	fs.Var(&parsed[*config.Preset]{to: &o.preset, parse: config.ParsePreset, kind: strings.Join(config.PresetNames(), "|")},
		"preset", "set of other flags, which condense run --help lists; flags that are given win")
	fs.Var(&repeated[strategy.Cap]{to: &s.Caps, parse: unmarshal[strategy.Cap], kind: "GLOB=TOKENS"},
		"cap", "token limit for each result of tools whose name matches, even if the target is reached (repeatable)")
	fs.Var(&parsed[strategy.Tags]{to: &s.Tags, parse: unmarshal[strategy.Tags], kind: "typed|all"},
		"tags", "keep text between <keep> and </keep>, and remove text between <drop> and </drop>: "+
			"typed, in typed text only; all, also in texts of tools and the model")
}

// addSummaryFlags adds the flags of summarize.
func addSummaryFlags(s *strategy.Options, fs *pflag.FlagSet) {
	fs.Var(&parsed[strategy.Layout]{to: &s.Layout, parse: unmarshal[strategy.Layout], text: string(strategy.LayoutKeep), kind: "keep|fresh|fork"},
		"layout", "summarize: keep the first message and the last ones (--keep-last, default 3), keep nothing (fresh), or continue from a state (fork)")
}

// addTriggerFlags adds the flags that decide whether a conversation is condensed at all.
func addTriggerFlags(fs *pflag.FlagSet, s *strategy.Options) {
	t := &s.Trigger
	fs.Var(&parsed[int]{to: &s.Window, parse: parseWindow, kind: "TOKENS"},
		"window", "context window of the model (200000, 200k): act only if it is nearly full; for progressive, --l1 to --l3 are shares of it")
	fs.Var(&parsed[int]{to: &t.Reserve, parse: parseReserve, kind: "TOKENS"},
		"reserve", "tokens of the window that stay free for the answer, besides a tenth of it; 0 for none (default 8192)")
	fs.Var(&parsed[float64]{to: &t.Threshold, parse: parseThreshold, kind: "PERCENT"},
		"threshold", "percent of the window, 5 to 100, from which to act even if there is room (default 100)")
	fs.StringVar(&t.Profile, "profile", "", "use the threshold of this profile")
	fs.Var(&repeated[strategy.ProfileThreshold]{to: &t.Profiles, parse: unmarshal[strategy.ProfileThreshold], kind: "NAME=PERCENT"},
		"profile-threshold", "threshold of a profile; -1: that of --threshold (repeatable)")
	fs.BoolVar(&t.Always, "always", false, "act regardless of --window, --min-messages and --min-gap")
	fs.IntVar(&t.MinMessages, "min-messages", 0, "do not condense conversations with fewer messages")
	fs.IntVar(&t.MinGap, "min-gap", 0, "do not condense conversations with a summary or a truncation marker among this number of messages at the end")
	fs.Var(&parsed[int]{to: &t.MinTokens, parse: parseWindow, kind: "TOKENS"},
		"min-tokens", "leave at least this number of tokens")
	fs.Var(&parsed[strategy.Target]{to: &t.MinGain, parse: unmarshal[strategy.Target], kind: "TOKENS|PERCENT"},
		"min-gain", "change nothing if all changes together would save less than this")
	fs.Var(&parsed[strategy.Target]{to: &t.MinStageGain, parse: unmarshal[strategy.Target], kind: "TOKENS|PERCENT"},
		"min-stage-gain", "undo a strategy that saves less than this and misses the target; the next one takes over")
}

// addTrainingFlags adds the flags for rows of training sets.
func (o *runOptions) addTrainingFlags(fs *pflag.FlagSet) {
	fs.Var(&parsed[bool]{to: &o.strategy.Training, parse: parsePurpose, kind: forTraining},
		"for", "training: shorten rows of a training set; only results and injected texts change, and lines that a later label repeats stay")
	fs.BoolVar(&o.dropRows, "drop-rows", false, "with --for training: leave out rows that do not fit within the target, instead of copying them")
}

// forTraining is the value of --for.
const forTraining = "training"

func parsePurpose(s string) (training bool, err error) {
	if s != forTraining {
		return false, errors.New("expected " + forTraining)
	}
	return true, nil
}
