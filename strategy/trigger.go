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

// Trigger sets when a conversation is condensed at all, by the arithmetic of Roo Code
// 3.41 and a few guards. Options.Target sets how far. With the zero value only
// Options.Window decides, if it is set.
type Trigger struct {
	// Reserve is the tokens that stay free for the answer; 0: 8192.
	Reserve int
	// Threshold is the share of the window from which on to act, 0.05 to 1; 0: 1.
	Threshold float64
	// Profile is the name of the profile whose threshold in Profiles counts. Without an
	// entry, or with one of -1, or an invalid one, Threshold counts.
	Profile  string
	Profiles []ProfileThreshold

	Always      bool // act, whatever the window, MinMessages and MinGap say
	MinMessages int  // conversations with fewer visible messages stay as they are
	MinGap      int  // so do those with a summary or truncation marker among this number of messages at the end

	MinTokens int    // no conversation is made smaller than this; 0: no limit
	MinGain   Target // a run that saves less changes nothing; zero: no limit
}

// ProfileThreshold is the share of the window from which on to act for a profile.
type ProfileThreshold struct {
	Profile string
	Share   float64 // 0.05 to 1; -1: Trigger.Threshold; NaN for an invalid text
}

// inherited is the share of a profile that goes by Trigger.Threshold.
const inherited = -1

// The numbers of Roo Code 3.41: a tenth of the window stays free because counts are
// estimates, and defaultReserve for the answer of a model whose longest answer is not
// known. Thresholds here are in percent.
const (
	defaultReserve = 8192
	minThreshold   = 5
	maxThreshold   = 100
)

// Rule is the name of what decided whether a conversation is condensed.
type Rule string

// The rules. With the zero value no option decided, and the target does.
const (
	RuleAlways      Rule = "always"       // acts: Always
	RuleThreshold   Rule = "threshold"    // acts: the share of the window is reached
	RuleFull        Rule = "full"         // acts: more than the window has room for
	RuleFits        Rule = "fits"         // does not: neither of these
	RuleFewMessages Rule = "few-messages" // does not: MinMessages
	RuleFewTokens   Rule = "few-tokens"   // does not: MinTokens
	RuleRecent      Rule = "recent"       // does not: MinGap
	RuleSmallGain   Rule = "small-gain"   // did not, after the work was done: MinGain
)

// Decision reports whether to condense a conversation, and why. Tokens are those of its
// effective view, the last message included.
type Decision struct {
	Rule   Rule
	Act    bool
	Why    string // for people; "" without a rule
	Tokens int

	// The compared numbers; 0 where the window did not decide.
	Window    int
	Reserve   int
	Allowed   int     // tokens for which the window has room: nine tenths of it less the reserve
	Threshold float64 // share of the window
}

// UnmarshalText parses NAME=PERCENT, such as "work=80"; -1 is Trigger.Threshold.
// The share is NaN for another text than a percentage from 5 to 100, and
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

// Asked reports whether an option sets how the window decides. Without one, stages that
// go by their own shares of the window always may run.
func (t *Trigger) Asked() bool { return t.Reserve > 0 || t.Threshold > 0 || t.Profile != "" }

// threshold returns the percentage that counts, and a warning when that of the profile
// is invalid.
func (t *Trigger) threshold() (percent float64, warning string) {
	global := cmp.Or(percentOf(t.Threshold), maxThreshold)
	for _, p := range slices.Backward(t.Profiles) { // the last entry counts
		switch {
		case t.Profile == "" || p.Profile != t.Profile:
		case p.Share == inherited:
			return global, ""
		case validThreshold(percentOf(p.Share)):
			return percentOf(p.Share), ""
		default:
			return global, fmt.Sprintf("the threshold of profile %s is not a percentage from %d to %d: the global one, %s, counts",
				p.Profile, minThreshold, maxThreshold, percent100(global))
		}
	}
	return global, ""
}

// Warning reports that the profile's threshold is invalid, and which one counts
// instead; "" when it is valid.
func (t *Trigger) Warning() string {
	_, warning := t.threshold()
	return warning
}

// decide returns whether a conversation of tokens tokens is condensed in a window; 0
// for no window.
func (t *Trigger) decide(c *transcript.Conversation, tokens, window int) Decision {
	d := Decision{Act: true, Tokens: tokens}
	messages := slices.Collect(c.Visible())
	switch {
	case tokens <= t.MinTokens && t.MinTokens > 0:
		d.no(RuleFewTokens, fmt.Sprintf("%s tokens are not more than the %s that must be left", transcript.Number(tokens), transcript.Number(t.MinTokens)))
	case t.Always:
		d.Rule, d.Why = RuleAlways, "it is forced"
	case len(messages) < t.MinMessages:
		d.no(RuleFewMessages, fmt.Sprintf("%d messages are fewer than the required %d", len(messages), t.MinMessages))
	case t.MinGap > 0 && slices.ContainsFunc(messages[max(0, len(messages)-t.MinGap):], condensed):
		d.no(RuleRecent, fmt.Sprintf("condensed recently: a summary or a marker stands among the last %d messages", t.MinGap))
	case window > 0:
		t.byWindow(&d, window)
	}
	return d
}

// byWindow decides by the arithmetic of Roo Code: at least the threshold (>=), or more
// than the window has room for (>). Everything except the threshold is an integer.
func (t *Trigger) byWindow(d *Decision, window int) {
	d.Window, d.Reserve = window, cmp.Or(t.Reserve, defaultReserve)
	d.Allowed = t.allowed(window)
	threshold, _ := t.threshold()
	d.Threshold = threshold / 100
	room := fmt.Sprintf("the %s that a window of %s has room for (nine tenths of it, less %s for the answer)",
		transcript.Number(max(0, d.Allowed)), transcript.Number(window), transcript.Number(d.Reserve))
	share := fmt.Sprintf("%s of the window of %s", percent100(threshold), transcript.Number(window))
	switch {
	case float64(100*d.Tokens) >= threshold*float64(window):
		d.Rule, d.Why = RuleThreshold, fmt.Sprintf("%s tokens have reached %s", transcript.Number(d.Tokens), share)
	case d.Tokens > d.Allowed:
		d.Rule, d.Why = RuleFull, fmt.Sprintf("%s tokens are more than %s", transcript.Number(d.Tokens), room)
	case threshold < maxThreshold:
		d.no(RuleFits, fmt.Sprintf("%s tokens are below %s, and within %s", transcript.Number(d.Tokens), share, room))
	default:
		d.no(RuleFits, fmt.Sprintf("%s tokens are within %s", transcript.Number(d.Tokens), room))
	}
}

// allowed returns the tokens for which a window has room: nine tenths of it less the reserve.
func (t *Trigger) allowed(window int) int {
	return int(math.Floor(float64(9*window-10*cmp.Or(t.Reserve, defaultReserve)) / 10))
}

// room returns the largest number of tokens with which a window does not decide to act. It
// may be less than 0.
func (t *Trigger) room(window int) int {
	threshold, _ := t.threshold()
	return min(t.allowed(window), int(math.Ceil(threshold*float64(window)/100))-1)
}

func (d *Decision) no(rule Rule, why string) { d.Act, d.Rule, d.Why = false, rule, why }

// holds reports whether the decision keeps a stage from running. Guards keep every
// stage from running. The window keeps one that goes by its own shares of the window
// from running only when an option asked for that.
func (d *Decision) holds(windowed bool, t *Trigger) bool {
	return !d.Act && (d.Rule != RuleFits || !windowed || t.Asked())
}

// condensed reports whether a condenser left a summary or a marker in a message.
func condensed(m *transcript.Message) bool {
	return m.Hides || slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool { return b.Origin == transcript.Generated })
}

// validate returns an *OptionError for the first option with an invalid value.
func (t *Trigger) validate() error {
	switch {
	case t.Threshold != 0 && !validThreshold(percentOf(t.Threshold)):
		return &OptionError{"Threshold", fmt.Sprintf("takes a percentage from %d to %d, not %v", minThreshold, maxThreshold, percentOf(t.Threshold))}
	case t.Reserve < 0:
		return notNegative("Reserve", t.Reserve)
	case t.MinMessages < 0:
		return notNegative("MinMessages", t.MinMessages)
	case t.MinGap < 0:
		return notNegative("MinGap", t.MinGap)
	case t.MinTokens < 0:
		return notNegative("MinTokens", t.MinTokens)
	}
	return nil
}
