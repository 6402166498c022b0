package strategy

import (
	"fmt"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/fact"
)

// Layout selects the messages that stay beside a summary. The zero value is LayoutKeep.
type Layout string

// The layouts.
const (
	LayoutKeep  Layout = "keep"  // the first message, the last ones, and typed text in its place
	LayoutFresh Layout = "fresh" // none: typed text is quoted after the summary
	LayoutFork  Layout = "fork"  // the last message of the user and those after it, following the summary and an acknowledgement of it
)

// UnmarshalText parses keep, fresh or fork.
func (l *Layout) UnmarshalText(text []byte) (err error) {
	*l, err = parseLayout(string(text))
	return err
}

func parseLayout(s string) (Layout, error) {
	switch l := Layout(s); l {
	case LayoutKeep, LayoutFresh, LayoutFork:
		return l, nil
	}
	return "", fmt.Errorf("expected keep, fresh or fork")
}

func (l Layout) keeps() bool { return l == "" || l == LayoutKeep }

// acknowledgement takes the place of an answer of the model to a summary. It is a fixed
// text that states only that the model did not write it.
const acknowledgement = "[condense: this stands for an answer to the summary above]"

// tail returns the messages at the end that the layout keeps. It has whole units, so that
// no call loses its result.
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

// defaultTail is the number of messages at the end that stay if Options.KeepLast is 0, as
// in Roo Code 3.41.
const defaultTail = 3

// lastMessages returns the last n visible messages without system prompts; for 0, the
// last defaultTail ones.
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

// lastOfUser returns the last visible message that is not of the model, and those after
// it. System prompts, summaries and the messages before them do not count.
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

// [Summarize] quotes some content in the summary, and may then remove it. In every layout
// this is true of earlier summaries. In LayoutFresh and LayoutFork it is also true of typed
// text, the todo list, and the first and the last unit.

// quotingPins returns the pins for a stage that quotes. pins are those for other stages, and
// loose has the thinking that only Options.Only pins. In a file with hidden messages, typed
// text keeps its pin in every layout: it may show that another branch was abandoned.
func quotingPins(c *transcript.Conversation, o *Options, pins *pinMap, loose map[transcript.Ref]bool) *pinMap {
	if o.Layout.keeps() || !o.Hide && slices.ContainsFunc(c.Messages, func(m *transcript.Message) bool { return m.Hidden }) {
		free := *o
		free.UnpinUser = true
		others := pinsOf(c, &free, transcript.Present) // pins that do not depend on typed text
		pins = pins.clone()
		for ref, b := range c.Blocks() {
			switch {
			case mayReplace(c.Message(ref.Msg), b):
				if pins.of(ref) == transcript.Present && !hides(c, ref, o) {
					pins.set(ref, transcript.Unpinned)
				}
			case b.Kind == transcript.Text && b.Origin == transcript.Typed && pins.of(ref) == transcript.Verbatim:
				pins.set(ref, others.of(ref))
			}
		}
		holdFirst(c, pins, loose)
		return pins
	}
	p := newPins(c)
	for ref, b := range c.Blocks() {
		m := c.Message(ref.Msg)
		switch {
		case b.Origin == transcript.Typed && b.Kind == transcript.ToolResult && !o.UnpinUser:
			p.raise(ref, transcript.Verbatim) // the user typed only a part of the result
		case m.Role == transcript.System, m.Shadows, b.Anchor, b.Origin == transcript.Generated && hides(c, ref, o), b.Origin == transcript.Generated && isSummary(m) && !mayReplace(m, b), b.Origin == transcript.Typed && b.Kind != transcript.Text && !o.UnpinUser:
			p.raise(ref, transcript.Present)
		}
		p.matching(ref, b, o)
	}
	if fact.OpenTodos(c) == nil {
		p.todo() // all items are done, or the list cannot be quoted
	}
	p.progress(c.Units())
	p.byOptions(o)
	p.lines(o, transcript.Present)
	holdFirst(c, p.pinMap, nil)
	p.only(o)
	return p.pinMap
}

// hides reports whether a summary may hide the messages before it. Some clients show them
// again without the summary, unless Options.Hide tags them.
func hides(c *transcript.Conversation, summary transcript.Ref, o *Options) bool {
	at := c.Position(summary.Msg)
	return !o.Hide && slices.ContainsFunc(c.Messages[:at], func(m *transcript.Message) bool { return m.Hidden })
}

// quotable returns the typed texts that drops remove, in order. A summary must quote them.
func quotable(in *Input, drops []transcript.Edit) (texts []string) {
	for _, d := range drops {
		if b := in.Conv.Block(d.At); isTyped(in, b) {
			texts = append(texts, b.Text())
		}
	}
	return texts
}

// isTyped reports whether a block is typed text that must be quoted where it is dropped.
func isTyped(in *Input, b *transcript.Block) bool {
	return b.Kind == transcript.Text && b.Origin == transcript.Typed && !in.Opts.UnpinUser && strings.TrimSpace(b.Text()) != ""
}

// checkQuotes returns an error unless the user messages that edits insert have all typed
// text that the edits drop, in order.
func checkQuotes(in *Input, edits []transcript.Edit) error {
	var quoted strings.Builder
	var drops []transcript.Edit
	for _, e := range edits {
		switch {
		case e.Op == transcript.Insert && e.New.Role == transcript.User:
			for _, b := range e.New.Blocks {
				if b.Origin == transcript.Typed {
					quoted.WriteString(b.Text() + "\n")
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
	rest := quoted.String()
	for _, text := range quotable(in, drops) {
		_, after, ok := strings.Cut(rest, text)
		if !ok {
			return fmt.Errorf("typed text would be lost: %.60q", text)
		}
		rest = after
	}
	return nil
}
