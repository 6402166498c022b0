package strategy

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
)

// Options are the settings of a run. The zero value is not useful; start from
// [Defaults].
type Options struct {
	Target Target // how far to go; zero: what Window has room for, or half of the tokens, for strategies that aim at a budget
	// Window is the context window of the model in tokens; 0: not known. Trigger
	// decides by it whether a conversation is condensed, and the layers of
	// [Progressive] start at shares of it.
	Window  int
	Trigger Trigger

	// Pins, in addition to those that every conversation has.
	KeepFirst    int              // messages at the start that are not changed
	KeepLast     int              // messages at the end that are not changed
	FreezePrefix int              // messages at the start, instructions included, that a provider may have cached
	Pin          []*regexp.Regexp // blocks with a match are not changed
	Protect      []*regexp.Regexp // lines that stay: alone in smart-compress, otherwise with their block
	UnpinUser    bool             // typed text may be removed
	UnpinLast    bool             // the last answer may be changed
	ProtectTools []Glob           // calls of tools whose name matches are not changed, nor are their results
	ProtectPaths []Glob           // nor are calls with such a path among the arguments, and their results
	Only         []Glob           // only calls and results of these tools may be changed; none: everything may
	Messages     Range            // only these messages may be changed

	// preparations, which these options demand.
	DropHidden  bool     // remove what is outside the effective view
	Thinking    Thinking // what becomes of the model's thinking
	TargetModel string   // the model that will continue the conversation, if it is another
	Tags        Tags     // where <keep> and <drop> tags have an effect
	Images      Images   // what becomes of images
	Caps        []Cap    // limits for results of tools; of several that match, the smallest counts

	// KeepRounds is the number of tool rounds at the end that keep their results in
	// [Mask], and stay whole in layer 1 of [Progressive].
	KeepRounds int
	// Hide makes [Truncate] and [Summarize] hide whole messages instead of removing
	// them.
	Hide bool
	// Layout says what stays beside a summary, whichever strategy writes it. Options
	// about a model are in [Model].
	Layout Layout
	// Fraction is the share of the messages that goes by the classic rule of
	// [Truncate], 0 to 1, in place of a budget; 0: the rule does not apply. Pinned
	// messages stay, so the rule needs UnpinUser to be that of its source.
	Fraction float64
	// L1, L2 and L3 are the shares of Window over which the layers of [Progressive]
	// run; 0: always. They may be larger than 1. The budget stands in for a window that
	// is not known.
	L1, L2, L3 float64
	// Aggression says how much harder [Progressive] compacts the results of older
	// rounds: 0 (no harder), or 0.1 to 1.
	Aggression float64
}

// Defaults returns the options of a run without any settings. The shares of the layers
// are those of Antigravity Manager.
func Defaults() Options {
	return Options{KeepRounds: 10, L1: 0.4, L2: 0.55, L3: 0.7}
}

// OptionError is an option with an invalid value.
type OptionError struct {
	Field   string // of [Options] or [Trigger]: "KeepFirst"
	Problem string // what it takes: "takes a number from 0 up, not -1"
}

func (e *OptionError) Error() string { return e.Field + " " + e.Problem }

// Validate returns an *[OptionError] for the first option with an invalid value.
func (o *Options) Validate() error {
	for _, n := range []struct {
		field string
		value int
	}{
		{"FreezePrefix", o.FreezePrefix}, {"KeepFirst", o.KeepFirst}, {"KeepLast", o.KeepLast}, {"KeepRounds", o.KeepRounds},
	} {
		if n.value < 0 {
			return notNegative(n.field, n.value)
		}
	}
	for _, l := range []struct {
		field string
		share float64
	}{{"L1", o.L1}, {"L2", o.L2}, {"L3", o.L3}} {
		if !(l.share >= 0) || math.IsInf(l.share, 1) { // also for NaN
			return &OptionError{l.field, "takes a share of the window from 0 up, such as 0.4"}
		}
	}
	switch {
	case o.Fraction < 0 || o.Fraction > 1 || math.IsNaN(o.Fraction):
		return &OptionError{"Fraction", fmt.Sprintf("takes a number from 0 to 1, not %v", o.Fraction)}
	case o.Window < 0:
		return &OptionError{"Window", "takes a number of tokens from 0 up"}
	case o.Aggression != 0 && !(o.Aggression >= 0.1 && o.Aggression <= 1):
		return &OptionError{"Aggression", fmt.Sprintf("takes a number from 0.1 to 1, or 0, not %v", o.Aggression)}
	}
	return o.Trigger.validate()
}

func notNegative(field string, value int) error {
	return &OptionError{field, fmt.Sprintf("takes a number from 0 up, not %d", value)}
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

// Unmatched is an option that names texts, tools, paths or messages that do not exist.
// Most likely it is a typing error.
type Unmatched struct {
	Field   string // of [Options]
	Value   string // in the form in which it is parsed
	Problem string // what does not exist, for people
}

// Unmatched returns the options, or single values of them, that match nothing in the
// effective view of any of the conversations; none without conversations.
func (o *Options) Unmatched(convs []*transcript.Conversation) []Unmatched {
	if len(convs) == 0 {
		return nil
	}
	w := &missing{convs: convs}
	for _, re := range o.Pin {
		w.expect("Pin", re.String(), "nothing matches it", func(_ *transcript.Conversation, _ transcript.Ref, b *transcript.Block) bool {
			return re.MatchString(b.Text())
		})
	}
	for i, re := range o.Protect {
		w.expect("Protect", re.String(), "no line matches it", func(_ *transcript.Conversation, _ transcript.Ref, b *transcript.Block) bool {
			return slices.ContainsFunc(b.Parts, func(p transcript.Part) bool { return hasProtected(p.Text, o.Protect[i:i+1]) })
		})
	}
	for _, g := range o.ProtectTools {
		w.tool("ProtectTools", g.String(), g)
	}
	for _, g := range o.Only {
		w.tool("Only", "tool:"+g.String(), g)
	}
	for _, one := range o.Caps {
		w.tool("Caps", fmt.Sprintf("%s=%d", one.Tool, one.Tokens), one.Tool)
	}
	for _, g := range o.ProtectPaths {
		w.expect("ProtectPaths", g.String(), "no call names such a path", func(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block) bool {
			_, paths := subject.Concerns(c, ref, b)
			return slices.ContainsFunc(paths, g.Path)
		})
	}
	w.messages(o.Messages)
	return w.list
}

// missing collects options that match nothing.
type missing struct {
	convs []*transcript.Conversation
	list  []Unmatched
	tools []string // names of the tools that are called, sorted; nil until they are needed
}

func (w *missing) add(field, value, problem string) {
	w.list = append(w.list, Unmatched{field, value, problem})
}

// expect adds the option unless found reports one of the blocks.
func (w *missing) expect(field, value, problem string, found func(*transcript.Conversation, transcript.Ref, *transcript.Block) bool) {
	for _, c := range w.convs {
		for ref, b := range c.Blocks() {
			if found(c, ref, b) {
				return
			}
		}
	}
	w.add(field, value, problem)
}

// tool adds the option unless a tool that matches the pattern is called.
func (w *missing) tool(field, value string, g Glob) {
	if w.tools == nil {
		w.tools = called(w.convs)
	}
	switch {
	case slices.ContainsFunc(w.tools, g.Name):
	case len(w.tools) == 0:
		w.add(field, value, "no tool is called")
	default:
		w.add(field, value, "no such tool is called, but "+few(w.tools))
	}
}

// messages adds the option unless there are messages with these numbers.
func (w *missing) messages(r Range) {
	most := 0
	for _, c := range w.convs {
		most = max(most, len(c.Messages))
	}
	if r.First > most {
		w.add("Messages", r.String(), fmt.Sprintf("the last message is %s", transcript.Number(most)))
	}
}

// called returns the names of the tools that are called, sorted; not nil.
func called(convs []*transcript.Conversation) []string {
	names := []string{}
	known := map[string]bool{"": true}
	for _, c := range convs {
		for ref, b := range c.Blocks() {
			if tool, _ := subject.Concerns(c, ref, b); !known[tool] {
				known[tool] = true
				names = append(names, tool)
			}
		}
	}
	slices.Sort(names)
	return names
}

// few returns the first names of a list, and the number of the others.
func few(names []string) string {
	const shown = 8
	if len(names) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
	}
	return strings.Join(names, ", ")
}

// Thinking says what becomes of the model's thinking. A block of it stays byte for byte
// or goes whole.
type Thinking string

// The choices. The zero value is ThinkingKeep, but allows layer 2 of [Progressive] to
// drop thinking.
const (
	ThinkingKeep    Thinking = "keep"
	ThinkingDropOld Thinking = "drop-old" // all but that of the current turn: since the last typed message
	ThinkingDrop    Thinking = "drop"
)

// UnmarshalText parses keep, drop-old or drop.
func (t *Thinking) UnmarshalText(text []byte) (err error) {
	*t, err = parseThinking(string(text))
	return err
}

func parseThinking(s string) (Thinking, error) {
	switch t := Thinking(s); t {
	case ThinkingKeep, ThinkingDropOld, ThinkingDrop:
		return t, nil
	}
	return "", fmt.Errorf("expected keep, drop-old or drop")
}

// Images says which images and other media stay; a line takes the place of each other
// one. The zero value keeps all.
type Images struct {
	Limited bool
	Last    int // with Limited: the newest that stay
}

// UnmarshalText parses keep, placeholder, or "last N".
func (i *Images) UnmarshalText(text []byte) (err error) {
	*i, err = parseImages(string(text))
	return err
}

func parseImages(s string) (Images, error) {
	switch s {
	case "keep":
		return Images{}, nil
	case "placeholder":
		return Images{Limited: true}, nil
	}
	if rest, ok := strings.CutPrefix(s, "last"); ok {
		if n, err := strconv.Atoi(strings.Trim(rest, " :=")); err == nil && n >= 0 {
			return Images{true, n}, nil
		}
	}
	return Images{}, fmt.Errorf(`expected keep, placeholder or "last N"`)
}

// Cap limits the tokens of a result of some tools. The zero Cap matches no tool.
type Cap struct {
	Tool   Glob
	Tokens int // of one result, images included; a marker stays even where it is larger
}

// UnmarshalText parses "GLOB=TOKENS", such as "Bash=500" or "mcp__*=2k".
func (c *Cap) UnmarshalText(text []byte) (err error) {
	*c, err = parseCap(string(text))
	return err
}

func parseCap(s string) (Cap, error) {
	at := strings.LastIndexByte(s, '=')
	if at < 0 {
		return Cap{}, fmt.Errorf("expected TOOL_GLOB=TOKENS, such as Bash=500")
	}
	tool, err := parseGlob(s[:at])
	if err != nil {
		return Cap{}, err
	}
	t, err := parseTarget(s[at+1:])
	if err != nil || t.Tokens == 0 {
		return Cap{}, fmt.Errorf("malformed cap %q, expected tokens (500, 2k)", s[at+1:])
	}
	return Cap{tool, t.Tokens}, nil
}
