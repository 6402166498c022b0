package cmd

import (
	"github.com/spf13/pflag"

	"condense/strategy"
	"condense/transcript/token"
)

// addTriggerFlags adds the flags that say whether a conversation is condensed at all.
func addTriggerFlags(fs *pflag.FlagSet, s *strategy.Options) {
	t := &s.Trigger
	fs.Var(&parsed[int]{to: &s.Window, parse: strategy.ParseWindow, kind: "TOKENS"},
		"window", "the model's context window (200000, 200k): act only when it is nearly full; progressive instead goes by --l1 to --l3 of it")
	fs.Var(&parsed[int]{to: &t.Reserve, parse: strategy.ParseWindow, kind: "TOKENS"},
		"reserve", "tokens of the window that stay free for the answer, beside a tenth of it (default 8192)")
	fs.Var(&parsed[float64]{to: &t.Threshold, parse: strategy.ParseThreshold, kind: "PERCENT"},
		"threshold", "share of the window, 5 to 100, from which on to act though there is room (default 100)")
	fs.StringVar(&t.Profile, "profile", "", "go by the threshold of this profile")
	fs.Var(&repeated[strategy.ProfileThreshold]{to: &t.Profiles, parse: strategy.ParseProfileThreshold, kind: "NAME=PERCENT"},
		"profile-threshold", "the threshold of a profile; -1: that of --threshold (repeatable)")
	fs.BoolVar(&t.Always, "always", false, "act whatever --window, --min-messages and --min-gap say")
	fs.IntVar(&t.MinMessages, "min-messages", 0, "leave conversations alone that have fewer messages")
	fs.IntVar(&t.MinGap, "min-gap", 0, "leave conversations alone that have a summary or a truncation marker among so many messages at the end")
	fs.Var(&parsed[int]{to: &t.MinTokens, parse: strategy.ParseWindow, kind: "TOKENS"},
		"min-tokens", "never leave less than this")
	fs.Var(&parsed[strategy.Target]{to: &t.MinGain, parse: strategy.ParseTarget, kind: "TOKENS|PERCENT"},
		"min-gain", "change nothing when all of it would save less than this")
}

// windowOf is the window that the trigger goes by: where none is given, that of the
// model, if an option of the trigger needs one.
func (o *runOptions) windowOf(counter *token.Counter) int {
	if s := &o.strategy; s.Window > 0 || !s.Trigger.Asked() {
		return s.Window
	}
	window, _ := counter.Window()
	return window
}

// triggerNotes are what the flags of the trigger imply, for people.
func triggerNotes(s *strategy.Options) (notes []string) {
	t := &s.Trigger
	if warning := t.Warning(); warning != "" {
		notes = append(notes, warning)
	}
	if t.Asked() && s.Window == 0 {
		notes = append(notes, "--threshold, --profile and --reserve are about a window: without --window, or a --model whose window is known, the target alone decides")
	}
	return notes
}
