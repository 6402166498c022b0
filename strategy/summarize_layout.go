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

// summaryPlace returns the message in front of which a summary of the gone blocks goes:
// the first message that stays after the first of them. When the file cannot hold a
// message there, or a call would be separated from its result, it is the next place, or
// the last one before.
func summaryPlace(c *transcript.Conversation, gone map[transcript.Ref]bool) int {
	before, begun, blocked, alone := transcript.End, false, false, true
	inside := insideRounds(c)
	for m := range c.Visible() {
		stays := alone && m.Role == transcript.Assistant && len(m.Blocks) == 0 // a conversation begins with the user
		follows := stays && begun                                              // what stays of it is behind a gone block
		for _, b := range m.Blocks {
			if gone[transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}] {
				begun = true
			} else {
				follows = follows || !stays && begun
				stays = true
			}
		}
		alone = alone && (!stays || m.Role == transcript.System)
		switch {
		case !stays:
		case begun && !follows:
		case begun && (m.Joined || inside[m.ID]):
			blocked = true
		case begun:
			return m.ID
		case !m.Joined && !inside[m.ID] && m.Role != transcript.System:
			before = m.ID
		}
	}
	if blocked {
		return before
	}
	return transcript.End
}

// insideRounds returns the messages in front of which a call waits for its result. The call
// of an open unit waits to the end.
func insideRounds(c *transcript.Conversation) map[int]bool {
	inside := map[int]bool{}
	end := 0 // of the messages in earlier rounds: parallel calls overlap
	for _, u := range c.Units() {
		if u.Kind != transcript.ToolRound {
			continue
		}
		first, last := c.Position(u.Msgs[0]), c.Position(u.Msgs[len(u.Msgs)-1])
		if u.Open {
			last = len(c.Messages) - 1
		}
		for _, m := range c.Messages[max(first+1, end):max(last+1, end)] {
			inside[m.ID] = true
		}
		end = max(end, last+1)
	}
	return inside
}

// answerPlace returns the message in front of which the last answer goes: that of the summary or, if messages that stay are
// between the two, the one behind its own, so that it stays the last answer.
func (in *Input) answerPlace(summary int) int {
	c := in.Conv
	last, _ := lastAnswer(c)
	if at := c.Position(last.Msg); summary == transcript.End || at <= c.Position(summary) {
		return summary
	}
	inside := insideRounds(c)
	for _, m := range c.Messages[c.Position(last.Msg)+1:] {
		switch {
		case m.Hidden:
		case m.Joined || inside[m.ID]:
			return summary
		default:
			return m.ID
		}
	}
	return transcript.End
}
