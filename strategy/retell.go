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
