package strategy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"condense/transcript"
)

// Trigger decides whether a conversation is condensed at all: by the arithmetic of Roo
// Code 3.41, and by a few guards. Options.Target decides how far. With the zero Trigger
// only Options.Window decides, if it is set.
type Trigger struct {
	// Reserve is the number of tokens that stay free for the answer; 0: 8192; negative: none.
	Reserve int
	// Threshold is the share of the window at which a run acts, 0.05 to 1; 0: 1.
	Threshold float64
	// Profile names the entry of Profiles that replaces Threshold. Threshold holds if
	// there is no such entry, or if its share is -1 or invalid.
	Profile  string
	Profiles []ProfileThreshold

	Always      bool // act, regardless of the window, MinMessages and MinGap
	MinMessages int  // leave conversations with fewer visible messages as they are
	MinGap      int  // also those with a summary or marker among the last MinGap messages

	MinTokens int    // no conversation is made smaller than this; 0: no limit
	MinGain   Target // a run that saves less changes nothing; zero: no limit
	// MinStageGain is the least that a strategy has to save, unless it reaches the budget.
	// Otherwise it is undone, and the next one begins with what it had. Zero: no limit.
	MinStageGain Target
}

// ProfileThreshold is the share of the window at which a run acts for a profile.
type ProfileThreshold struct {
	Profile string
	Share   float64 // 0.05 to 1; -1: Trigger.Threshold; NaN for an invalid text
}

// inherited is the share of a profile for which Trigger.Threshold holds.
const inherited = -1

// The numbers of Roo Code 3.41. A tenth of the window stays free because counts are
// estimates. defaultReserve stays free for the answer of a model whose longest answer is
// not known. Thresholds are in percent here.
const (
	defaultReserve = 8192
	minThreshold   = 5
	maxThreshold   = 100
)

// Rule names the rule by which a trigger decided.
type Rule string

// The rules. The zero Rule means that no option decided: the run acts if a target or a
// strategy asks for it.
const (
	RuleAlways      Rule = "always"       // act: Always is set
	RuleThreshold   Rule = "threshold"    // act: the tokens reach the threshold
	RuleFull        Rule = "full"         // act: the window has no room for the tokens
	RuleFits        Rule = "fits"         // do not act: neither of the two
	RuleFewMessages Rule = "few-messages" // do not act: fewer than MinMessages
	RuleFewTokens   Rule = "few-tokens"   // do not act: no more than MinTokens
	RuleRecent      Rule = "recent"       // do not act: condensed within MinGap
	RuleSmallGain   Rule = "small-gain"   // undo: the run saved less than MinGain
	RuleUnfit       Rule = "unfit"        // undo: a row of a training set is still over its budget
	RuleOutput      Rule = "output"       // undo: the file would be larger, or be read as another format
)

// Decision reports whether to condense a conversation, and why.
type Decision struct {
	Rule   Rule
	Act    bool
	Why    string // for people; "" without a rule
	Tokens int    // of the effective view, the last message included

	// The numbers that were compared; 0 if the window did not decide.
	Window    int
	Reserve   int
	Allowed   int     // tokens for which the window has room: nine tenths of it less the reserve
	Threshold float64 // share of the window
}

// UnmarshalText parses NAME=PERCENT, such as "work=80". A percentage of -1 stands for
// Trigger.Threshold. If PERCENT is not a number from 5 to 100, the share is NaN, and
// [Trigger.Warning] reports it.
func (p *ProfileThreshold) UnmarshalText(text []byte) (err error) {
	*p, err = parseProfileThreshold(string(text))
	return err
}

func parseProfileThreshold(s string) (ProfileThreshold, error) {
	name, number, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return ProfileThreshold{}, fmt.Errorf("malformed %q, expected NAME=PERCENT, such as work=80", s)
	}
	percent, err := strconv.ParseFloat(strings.TrimSuffix(number, "%"), 64)
	switch {
	case err == nil && percent == -1:
		return ProfileThreshold{name, inherited}, nil
	case err != nil || !validThreshold(percent):
		return ProfileThreshold{name, math.NaN()}, nil
	}
	return ProfileThreshold{name, percent / 100}, nil
}

func validThreshold(percent float64) bool { return percent >= minThreshold && percent <= maxThreshold }

// Asked reports whether an option changes how the window decides. Without such an option,
// stages that are governed by their own shares of the window may always run.
func (t *Trigger) Asked() bool { return t.Reserve != 0 || t.Threshold > 0 || t.Profile != "" }

// threshold returns the percentage that holds, and a warning if that of the profile is
// invalid.
func (t *Trigger) threshold() (percent float64, warning string) {
	global := cmp.Or(percentOf(t.Threshold), maxThreshold)
	for _, p := range slices.Backward(t.Profiles) { // the last entry holds
		switch {
		case t.Profile == "" || p.Profile != t.Profile:
		case p.Share == inherited:
			return global, ""
		case validThreshold(percentOf(p.Share)):
			return percentOf(p.Share), ""
		default:
			return global, fmt.Sprintf("the threshold of profile %s is not a percentage from %d to %d: the global one, %s, counts",
				p.Profile, minThreshold, maxThreshold, formatPercent(global))
		}
	}
	return global, ""
}

// Warning returns a message if the threshold of the profile is invalid, with the one that
// holds instead. It returns "" if there is none, or if it is valid.
func (t *Trigger) Warning() string {
	_, warning := t.threshold()
	return warning
}

// decide decides whether a conversation with that number of tokens is condensed. A window
// of 0 means that there is none.
func (t *Trigger) decide(c *transcript.Conversation, tokens, window int) Decision {
	d := Decision{Act: true, Tokens: tokens}
	messages := slices.AppendSeq(make([]*transcript.Message, 0, len(c.Messages)), c.Visible())
	switch {
	case tokens <= t.MinTokens && t.MinTokens > 0:
		d.decline(RuleFewTokens, fmt.Sprintf("%s tokens are not more than the %s that must be left", transcript.Number(tokens), transcript.Number(t.MinTokens)))
	case t.Always:
		d.Rule, d.Why = RuleAlways, "it is forced"
	case len(messages) < t.MinMessages:
		d.decline(RuleFewMessages, fmt.Sprintf("%d messages are fewer than the required %d", len(messages), t.MinMessages))
	case t.MinGap > 0 && slices.ContainsFunc(messages[max(0, len(messages)-t.MinGap):], condensed):
		d.decline(RuleRecent, fmt.Sprintf("condensed recently: a summary or a marker stands among the last %d messages", t.MinGap))
	case window > 0:
		t.byWindow(&d, window)
	}
	return d
}

// byWindow decides by the arithmetic of Roo Code 3.41: the tokens reach the threshold
// (>=), or are more than the window has room for (>). Only the threshold is not an
// integer.
func (t *Trigger) byWindow(d *Decision, window int) {
	d.Window, d.Reserve = window, t.reserve()
	d.Allowed = t.allowed(window)
	threshold, _ := t.threshold()
	d.Threshold = threshold / 100
	room := fmt.Sprintf("the %s that a window of %s has room for (nine tenths of it, less %s for the answer)",
		transcript.Number(max(0, d.Allowed)), transcript.Number(window), transcript.Number(d.Reserve))
	share := fmt.Sprintf("%s of the window of %s", formatPercent(threshold), transcript.Number(window))
	switch {
	case float64(100*d.Tokens) >= threshold*float64(window):
		d.Rule, d.Why = RuleThreshold, fmt.Sprintf("%s tokens are at least %s", transcript.Number(d.Tokens), share)
	case d.Tokens > d.Allowed:
		d.Rule, d.Why = RuleFull, fmt.Sprintf("%s tokens are more than %s", transcript.Number(d.Tokens), room)
	case threshold < maxThreshold:
		d.decline(RuleFits, fmt.Sprintf("%s tokens are below %s, and within %s", transcript.Number(d.Tokens), share, room))
	default:
		d.decline(RuleFits, fmt.Sprintf("%s tokens are within %s", transcript.Number(d.Tokens), room))
	}
}

// reserve returns the tokens of the window that stay free for the answer.
func (t *Trigger) reserve() int { return max(0, cmp.Or(t.Reserve, defaultReserve)) }

// allowed returns the tokens for which a window has room: nine tenths of it less the
// reserve, rounded down. It may be negative.
func (t *Trigger) allowed(window int) int {
	return int(math.Floor(float64(9*window-10*t.reserve()) / 10))
}

// room returns the largest number of tokens with which byWindow does not act. It may be
// negative.
func (t *Trigger) room(window int) int {
	threshold, _ := t.threshold()
	return min(t.allowed(window), int(math.Ceil(threshold*float64(window)/100))-1)
}

// decline decides not to act.
func (d *Decision) decline(rule Rule, why string) { d.Act, d.Rule, d.Why = false, rule, why }

// stops reports whether the decision keeps a stage from running. A guard stops every
// stage. The window stops a windowed stage only if an option changes how it decides.
func (d *Decision) stops(windowed bool, t *Trigger) bool {
	return !d.Act && (d.Rule != RuleFits || !windowed || t.Asked())
}

// condensed reports whether a message has a summary or a marker of a condenser.
func condensed(m *transcript.Message) bool {
	return m.Hides || slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool { return b.Origin == transcript.Generated })
}

// validate returns an *OptionError for the first option with an invalid value.
func (t *Trigger) validate() error {
	switch {
	case t.Threshold != 0 && !validThreshold(percentOf(t.Threshold)):
		return &OptionError{"Threshold", fmt.Sprintf("takes a percentage from %d to %d, not %v", minThreshold, maxThreshold, percentOf(t.Threshold))}
	case t.MinMessages < 0:
		return notNegative("MinMessages", t.MinMessages)
	case t.MinGap < 0:
		return notNegative("MinGap", t.MinGap)
	case t.MinTokens < 0:
		return notNegative("MinTokens", t.MinTokens)
	}
	return nil
}
