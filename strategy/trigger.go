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

// Trigger is what a user can set about whether a conversation is condensed at
// all: the arithmetic of Roo Code (SYSTEMS §1.2) and a few guards. How far it
// goes is for Options.Target. The zero value asks for nothing but the default
// arithmetic where Options.Window is given.
type Trigger struct {
	// Reserve is the tokens kept free for the answer; 0: DefaultReserve.
	Reserve int
	// Threshold is the share of the window from which on it acts, 0.05 to 1; 0: 1.
	Threshold float64
	// Profile names whose threshold counts, of Profiles. A profile without an entry,
	// or with -1, has the global one, and so has one with an invalid number.
	Profile  string
	Profiles []ProfileThreshold

	Always      bool // act whatever the window, MinMessages and MinGap say
	MinMessages int  // conversations with fewer messages, of those that the model sees, stay as they are
	MinGap      int  // those with a summary or a truncation marker among so many messages at the end too

	MinTokens int    // no conversation is made smaller than this; 0: no limit
	MinGain   Target // a run that saves less changes nothing; zero: no limit
}

// ProfileThreshold is the share of the window from which on a profile acts.
type ProfileThreshold struct {
	Profile string
	Share   float64 // 0.05 to 1; Inherited: the global one; NaN when what was given is neither
}

// Inherited is the share of a profile that has the global threshold.
const Inherited = -1

// The numbers of Roo Code 3.41: estimates may be off by a tenth of the window; a model
// whose longest answer is not known gets DefaultReserve. Thresholds are in percent.
const (
	DefaultReserve = 8192
	minThreshold   = 5
	maxThreshold   = 100
)

// Rule names what decided whether a conversation is condensed.
type Rule string

// The rules. The zero value: nothing was set about it, so the target alone decides.
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

// Decision is whether a conversation is condensed, and why. Tokens are those of
// its effective view, the last message included.
type Decision struct {
	Rule   Rule
	Act    bool
	Why    string // for people; "" without a rule
	Tokens int

	// What was compared; 0 where the window did not decide.
	Window    int
	Reserve   int
	Allowed   int     // tokens that the window has room for: nine tenths of it less the reserve
	Threshold float64 // share of the window
}

// ParseProfileThreshold reads NAME=PERCENT, such as "work=80"; -1 is [Inherited]. Another
// text than a percentage from 5 to 100 is kept as NaN: [Trigger.Warning] tells of it.
func ParseProfileThreshold(s string) (ProfileThreshold, error) {
	name, number, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return ProfileThreshold{}, fmt.Errorf("malformed %q, expected NAME=PERCENT, such as work=80", s)
	}
	percent, err := strconv.ParseFloat(strings.TrimSuffix(number, "%"), 64)
	switch {
	case err == nil && percent == -1:
		return ProfileThreshold{name, Inherited}, nil
	case err != nil || !validThreshold(percent):
		return ProfileThreshold{name, math.NaN()}, nil
	}
	return ProfileThreshold{name, percent / 100}, nil
}

// ParseThreshold reads a percentage from 5 to 100, with or without the sign, and
// returns it as a share, 0.05 to 1.
func ParseThreshold(s string) (float64, error) {
	percent, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || !validThreshold(percent) {
		return 0, fmt.Errorf("malformed threshold %q, expected a percentage from %d to %d", s, minThreshold, maxThreshold)
	}
	return percent / 100, nil
}

func validThreshold(percent float64) bool { return percent >= minThreshold && percent <= maxThreshold }

// Asked reports whether an option says how the window decides. Without one, stages
// that go by their own shares of the window are not held back.
func (t *Trigger) Asked() bool { return t.Reserve > 0 || t.Threshold > 0 || t.Profile != "" }

// threshold returns the percentage that counts, and a warning when that of the profile
// is not usable.
func (t *Trigger) threshold() (percent float64, warning string) {
	global := cmp.Or(percentOf(t.Threshold), maxThreshold)
	for _, p := range slices.Backward(t.Profiles) { // the last one said counts
		switch {
		case t.Profile == "" || p.Profile != t.Profile:
		case p.Share == Inherited:
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

// Warning says that the profile's threshold is not usable, and which one counts
// instead; "" when there is nothing to say.
func (t *Trigger) Warning() string {
	_, warning := t.threshold()
	return warning
}

// validate reports the first option that makes no sense.
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

// decide reports whether a conversation of so many tokens is to be condensed in a
// window; 0: there is none.
func (t *Trigger) decide(c *transcript.Conversation, tokens, window int) Decision {
	d := Decision{Act: true, Tokens: tokens}
	messages := slices.Collect(c.Visible())
	switch {
	case tokens <= t.MinTokens && t.MinTokens > 0:
		d.no(RuleFewTokens, fmt.Sprintf("%s tokens are not more than the %s that must be left", thousands(tokens), thousands(t.MinTokens)))
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

// byWindow is the arithmetic of the original: at least the threshold (>=), or
// more than the window has room for (>). All in integers but for the threshold.
func (t *Trigger) byWindow(d *Decision, window int) {
	d.Window, d.Reserve = window, cmp.Or(t.Reserve, DefaultReserve)
	d.Allowed = int(math.Floor(float64(9*window-10*d.Reserve) / 10))
	threshold, _ := t.threshold()
	d.Threshold = threshold / 100
	room := fmt.Sprintf("the %s that a window of %s has room for (nine tenths of it, less %s for the answer)",
		thousands(max(0, d.Allowed)), thousands(window), thousands(d.Reserve))
	share := fmt.Sprintf("%s of the window of %s", percent100(threshold), thousands(window))
	switch {
	case float64(100*d.Tokens) >= threshold*float64(window):
		d.Rule, d.Why = RuleThreshold, fmt.Sprintf("%s tokens have reached %s", thousands(d.Tokens), share)
	case d.Tokens > d.Allowed:
		d.Rule, d.Why = RuleFull, fmt.Sprintf("%s tokens are more than %s", thousands(d.Tokens), room)
	case threshold < maxThreshold:
		d.no(RuleFits, fmt.Sprintf("%s tokens are below %s, and within %s", thousands(d.Tokens), share, room))
	default:
		d.no(RuleFits, fmt.Sprintf("%s tokens are within %s", thousands(d.Tokens), room))
	}
}

func (d *Decision) no(rule Rule, why string) { d.Act, d.Rule, d.Why = false, rule, why }

// holds reports whether the decision keeps a stage from running. A stage that goes
// by its own shares of the window is held by the guards, and by the window's rule
// only where that was asked for.
func (d *Decision) holds(windowed bool, t *Trigger) bool {
	return !d.Act && (d.Rule != RuleFits || !windowed || t.Asked())
}

// of is the decision about the whole conversation: none where stages are left that
// decide for themselves.
func (d Decision) of(free []*Strategy) Decision {
	if !d.Act && len(free) > 0 {
		return Decision{Act: true, Tokens: d.Tokens}
	}
	return d
}

// triggerWindow is the window that the trigger goes by: none when every stage
// goes by its own shares of it, and no option asks for more.
func triggerWindow(stages []*Strategy, o *Options) int {
	alone := func(s *Strategy) bool { return !s.Windowed }
	if !o.Trigger.Asked() && !slices.ContainsFunc(stages, alone) {
		return 0
	}
	return o.Window
}

// condensed reports whether a condenser left its mark in a message: a summary, or a
// marker in the place of messages.
func condensed(m *transcript.Message) bool {
	return m.Hides || slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool { return b.Origin == transcript.Generated })
}
