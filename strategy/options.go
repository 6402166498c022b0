package strategy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
)

// Options are the settings of a run. The zero value is not useful; start from
// [Defaults].
type Options struct {
	// Target is the size to condense to. With the zero Target, strategies that aim at a
	// budget get the room of the window, or half of the tokens.
	Target Target
	// Window is the context window of the model in tokens; 0: not known. Trigger uses it
	// to decide whether a conversation is condensed. The layers of [Progressive] start at
	// shares of it.
	Window  int
	Trigger Trigger

	// Pins, in addition to those that every conversation has.
	KeepFirst    int              // number of messages at the start that must not change
	KeepLast     int              // number of messages at the end that must not change
	FreezePrefix int              // like KeepFirst, but it counts instructions: a provider may have cached the prefix
	Pin          []*regexp.Regexp // blocks with a match must not change
	Protect      []*regexp.Regexp // lines with a match stay: alone in smart-compress, with their block elsewhere
	UnpinUser    bool             // typed text may be removed
	UnpinLast    bool             // the last answer may change
	ProtectTools []Glob           // calls of these tools must not change, nor their results
	ProtectPaths []Glob           // calls with such a path as an argument must not change, nor their results
	Only         []Glob           // only calls and results of these tools may change; empty: everything may
	Messages     Range            // only these messages may change
	Stay         []int            // ids of messages that stay: their blocks may be shortened, only their thinking may go
	Free         []int            // ids of messages to release when the stages have run, as Conversation.Released does; then preparations run again
	// Training is for conversations that are rows of a training set: a model learns to
	// write the messages of the assistant, which are its labels. Only results, injected
	// texts and text of the model without weight may change. Pieces of them that a later
	// label repeats stay, since a model that is trained without them learns to invent. A
	// row that cannot be brought to the budget does not change.
	Training bool

	// KeepRounds is the number of tool rounds at the end that keep their results in
	// [Mask], and stay whole in layer 1 of [Progressive].
	KeepRounds int
	// Hide makes [Truncate] and [Summarize] hide whole messages instead of removing
	// them.
	Hide bool
	// Layout selects the messages that stay beside a summary, of all strategies that
	// write one. Options about a model are in [Model].
	Layout Layout

	// Options of the preparations and of single strategies.
	PrepareOptions
	TruncateOptions
	ProgressiveOptions
}

// Defaults returns the options of a run without any settings.
func Defaults() Options {
	return Options{KeepRounds: 10, ProgressiveOptions: defaultLayers()}
}

// OptionError is the error for an option with an invalid value.
type OptionError struct {
	Field   string // of [Options] or [Trigger]: "KeepFirst"
	Problem string // the valid values: "takes a number from 0 up, not -1"
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
	if o.Window < 0 {
		return &OptionError{"Window", "takes a number of tokens from 0 up"}
	}
	for _, validate := range []func() error{o.TruncateOptions.validate, o.ProgressiveOptions.validate, o.Trigger.validate} {
		if err := validate(); err != nil {
			return err
		}
	}
	return nil
}

func notNegative(field string, value int) error {
	return &OptionError{field, fmt.Sprintf("takes a number from 0 up, not %d", value)}
}

// Unmatched is an option that names texts, tools, paths or messages that do not exist,
// most likely by mistake.
type Unmatched struct {
	Field   string // of [Options]
	Value   string // as text that can be parsed again
	Problem string // what does not exist, for people
}

// Unmatched returns the options that match nothing in the effective view of any of the
// conversations. Of an option with several values, it returns each such value. Without
// conversations it returns nil.
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

// expect adds the option unless found reports true for a block.
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

// called returns the sorted names of the tools that are called. It is never nil.
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

// few formats a list of names: the first ones, and the number of the others.
func few(names []string) string {
	const shown = 8
	if len(names) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
	}
	return strings.Join(names, ", ")
}
