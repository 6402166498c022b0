package strategy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"condense/strategy/digest"
	"condense/transcript"
	"condense/transcript/fact"
)

// Layout is what stays beside the summary that [Summarize] writes. The zero value
// is LayoutKeep.
type Layout string

// The layouts.
const (
	LayoutKeep  Layout = "keep"  // the first message, the last ones, and what was typed, in its place
	LayoutFresh Layout = "fresh" // nothing: everything is behind the summary
	LayoutFork  Layout = "fork"  // what follows the last message of the user's, behind a state and its acknowledgement
)

// SummarizeOptions are the options of a summary, whichever strategy writes it. Those
// about a model are in [Model].
type SummarizeOptions struct {
	Layout Layout // what stays beside the summary
}

// ParseLayout reads keep, fresh or fork.
func ParseLayout(s string) (Layout, error) {
	switch l := Layout(s); l {
	case LayoutKeep, LayoutFresh, LayoutFork:
		return l, nil
	}
	return "", fmt.Errorf("expected keep, fresh or fork")
}

func (l Layout) keeps() bool { return l == "" || l == LayoutKeep }

// acknowledgement is what stands for the model's answer to a state. It is the same
// always, says that it is not the model's, and claims nothing.
const acknowledgement = "[condense: this stands for an answer to the summary above]"

// tail are the messages that a layout leaves alone at the end, with the units that
// they belong to: no call loses its result, however far back it was made.
func (in *Input) tail() map[int]bool {
	last := map[int]bool{}
	switch {
	case in.Opts.Layout == LayoutFork:
		last = lastOfUser(in.Conv)
	case in.Opts.Layout.keeps():
		last = lastMessages(in.Conv, in.Opts.KeepLast)
	}
	tail := map[int]bool{}
	for _, u := range in.Conv.Units() {
		stays := u.Open
		for _, id := range u.Msgs {
			stays = stays || last[id]
		}
		for _, id := range u.Msgs {
			tail[id] = tail[id] || stays
		}
	}
	return tail
}

// defaultTail is how many messages at the end stay when nothing is said (SYSTEMS §1.4).
const defaultTail = 3

func lastMessages(c *transcript.Conversation, n int) map[int]bool {
	if n == 0 {
		n = defaultTail
	}
	last := map[int]bool{}
	for i := len(c.Messages) - 1; i >= 0 && len(last) < n; i-- {
		if m := c.Messages[i]; !m.Hidden && m.Role != transcript.System {
			last[m.ID] = true
		}
	}
	return last
}

// lastOfUser are the last message that is not the model's, and those behind it.
func lastOfUser(c *transcript.Conversation) map[int]bool {
	last := map[int]bool{}
	for i := len(c.Messages) - 1; i >= 0; i-- {
		m := c.Messages[i]
		if m.Hidden {
			continue
		}
		if m.Role == transcript.System || isSummary(m) {
			break
		}
		last[m.ID] = true
		if m.Role != transcript.Assistant {
			break
		}
	}
	return last
}

// What [Summarize] may take away because it says it again: summaries of ours in
// every layout; in those that keep no messages, what a person typed, the todo list
// and what frames the conversation.

// retelling returns the pins for it; pins are those for others. Where the file holds
// hidden messages, what was typed stays in its place in every layout: it may be what
// shows that another branch was given up.
func retelling(c *transcript.Conversation, o *Options, pins map[transcript.Ref]transcript.Pin) map[transcript.Ref]transcript.Pin {
	if o.Layout.keeps() || !o.Hide && slices.ContainsFunc(c.Messages, func(m *transcript.Message) bool { return m.Hidden }) {
		pins = maps.Clone(pins)
		for ref, b := range c.Blocks() {
			if digest.Is(b.Text()) && pins[ref] == transcript.Present && !hides(c, ref, o) {
				delete(pins, ref)
			}
		}
		return pins
	}
	p := newPins(c)
	for ref, b := range c.Blocks() {
		m := c.Message(ref.Msg)
		switch {
		case b.Origin == transcript.Typed && b.Kind == transcript.ToolResult && !o.UnpinUser:
			p.raise(ref, transcript.Verbatim) // the user's words are only part of it
		case m.Role == transcript.System, m.Shadows, b.Origin == transcript.Generated && hides(c, ref, o), b.Origin == transcript.Typed && b.Kind != transcript.Text && !o.UnpinUser:
			p.raise(ref, transcript.Present)
		}
		p.matching(ref, b, o)
	}
	if fact.OpenTodos(c) == nil {
		p.todo() // all is done in it, or it is of a kind that cannot be told again
	}
	p.progress(c.Units())
	p.demanded(o)
	p.lines(o, transcript.Present)
	return p.of
}

// hides reports whether a summary may be what hides messages in front of it: some
// clients show them again when it goes, unless the next one hides them by tags.
func hides(c *transcript.Conversation, summary transcript.Ref, o *Options) bool {
	at := c.Position(summary.Msg)
	return !o.Hide && slices.ContainsFunc(c.Messages[:at], func(m *transcript.Message) bool { return m.Hidden })
}

// retellable are the texts among drops that have to be said again, in order.
func retellable(in *Input, drops []transcript.Edit) (texts []string) {
	for _, d := range drops {
		if b := in.Conv.Block(d.At); isTyped(in, b) {
			texts = append(texts, b.Text())
		}
	}
	return texts
}

func isTyped(in *Input, b *transcript.Block) bool {
	return b.Kind == transcript.Text && b.Origin == transcript.Typed && !in.Opts.UnpinUser && !digest.Is(b.Text()) && strings.TrimSpace(b.Text()) != ""
}

// retoldWhole is an error unless all that a person typed and edits drop stands in
// what they insert for the user, in order.
func retoldWhole(in *Input, edits []transcript.Edit) error {
	var said strings.Builder
	var drops []transcript.Edit
	for _, e := range edits {
		switch {
		case e.Op == transcript.Insert && e.New.Role == transcript.User:
			for _, b := range e.New.Blocks {
				if b.Origin == transcript.Typed {
					said.WriteString(b.Text() + "\n")
				}
			}
		case e.Op == transcript.Drop && e.At.Block == transcript.Whole:
			for _, b := range in.Conv.Message(e.At.Msg).Blocks {
				drops = append(drops, transcript.Edit{At: transcript.Ref{Msg: e.At.Msg, Block: b.ID, Part: transcript.Whole}})
			}
		case e.Op == transcript.Drop:
			drops = append(drops, e)
		}
	}
	slices.SortStableFunc(drops, func(a, b transcript.Edit) int { return in.Conv.Position(a.At.Msg) - in.Conv.Position(b.At.Msg) })
	rest := said.String()
	for _, text := range retellable(in, drops) {
		_, after, ok := strings.Cut(rest, text)
		if !ok {
			return fmt.Errorf("typed text would be lost: %.60q", text)
		}
		rest = after
	}
	return nil
}
