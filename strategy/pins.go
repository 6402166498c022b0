package strategy

import (
	"cmp"
	"regexp"
	"slices"

	"condense/strategy/digest"
	"condense/transcript"
	"condense/transcript/fact"
)

// PinOptions pin what is not to be changed or removed.
type PinOptions struct {
	KeepFirst    int              // messages at the start that are not touched
	KeepLast     int              // messages at the end that are not touched
	FreezePrefix int              // messages at the start, instructions counted, that a provider may have cached
	Pin          []*regexp.Regexp // blocks with a match are not touched
	Protect      []*regexp.Regexp // lines that stay: alone in smart-compress, else with their block
	UnpinUser    bool             // typed text may be removed

	// ProtectTools and ProtectPaths name calls that stay word for word, with their
	// results: by the tool, by a path among the arguments.
	ProtectTools, ProtectPaths []Glob

	Only     []Glob // tools whose calls and results alone may be changed; none: everything may
	Messages Range  // messages that alone may be changed
}

// pinsOf lists the pins of a conversation (DESIGN §5). Verbatim is what a person
// typed, the newest todo list, what --pin, --keep-* and --protect-* name and --only
// and --messages do not, a frozen prefix, and work in progress. Present is what
// frames the conversation: instructions, summaries, the first and the last unit,
// and media that a person gave. lines is the pin of blocks with a protected line:
// Present for who keeps those lines, Verbatim for who cannot.
func pinsOf(c *transcript.Conversation, o *Options, lines transcript.Pin) map[transcript.Ref]transcript.Pin {
	return pinsBy(c, o, lines, transcript.Verbatim)
}

// pinsBy is pinsOf with another pin of what was typed in messages that hide others.
// Without it a branch would not be known as one that was gone on with; nor with a
// marker in its place.
func pinsBy(c *transcript.Conversation, o *Options, lines, shadowing transcript.Pin) map[transcript.Ref]transcript.Pin {
	p := newPins(c)
	for ref, b := range c.Blocks() {
		m := c.Message(ref.Msg)
		p.byContent(ref, b, m.Role, o)
		switch {
		case m.Shadows && b.Origin == transcript.Typed:
			p.raise(ref, shadowing)
		case m.Shadows:
			p.raise(ref, transcript.Present)
		}
	}
	p.todo()
	p.frame()
	p.demanded(o)
	p.freeThinking(o.thinking(c))
	p.lines(o, lines)
	return p.of
}

// demanded pins what flags name beside --pin and --protect.
func (p *pins) demanded(o *Options) {
	p.keep(o)
	p.calls(o)
	p.limits(o)
}

func newPins(c *transcript.Conversation) pins {
	return pins{c: c, of: map[transcript.Ref]transcript.Pin{}}
}

type pins struct {
	c  *transcript.Conversation
	of map[transcript.Ref]transcript.Pin
}

// raise sets a pin unless a stronger one is set.
func (p *pins) raise(ref transcript.Ref, pin transcript.Pin) {
	p.of[ref] = max(p.of[ref], pin)
}

func (p *pins) byContent(ref transcript.Ref, b *transcript.Block, role transcript.Role, o *Options) {
	typed := b.Origin == transcript.Typed && !o.UnpinUser && !digest.Is(b.Text())
	switch {
	case typed && (b.Kind == transcript.Text || b.Kind == transcript.ToolResult):
		p.raise(ref, transcript.Verbatim)
	case role == transcript.System, typed, digest.Is(b.Text()),
		b.Origin == transcript.Generated && !transcript.IsMarker(b.Text()):
		p.raise(ref, transcript.Present)
	}
	p.matching(ref, b, o)
}

// matching pins what --pin names.
func (p *pins) matching(ref transcript.Ref, b *transcript.Block, o *Options) {
	for _, re := range o.Pin {
		if re.MatchString(b.Text()) {
			p.raise(ref, transcript.Verbatim)
		}
	}
}

// freeThinking lets all thinking go that is not held verbatim, when it is to go.
func (p *pins) freeThinking(mode Thinking) {
	if mode != ThinkingDrop {
		return
	}
	for ref, b := range p.c.Blocks() {
		if b.Kind == transcript.Thinking && p.of[ref] == transcript.Present {
			delete(p.of, ref)
		}
	}
}

// todo pins the last state of the todo list or plan: the last call that did not fail.
func (p *pins) todo() {
	var last *transcript.Ref
	for ref, b := range p.c.Blocks() {
		if !fact.IsTodoList(b) {
			continue
		}
		if answer := partner(p.c, ref); answer == nil || !answer.Error {
			last = &ref
		}
	}
	if last != nil {
		p.raise(*last, transcript.Verbatim)
	}
}

// frame pins the first unit and the last, and entirely so what the agent is in
// the middle of.
func (p *pins) frame() {
	units := p.c.Units()
	for _, u := range ends(p.c, units) {
		p.unit(u, transcript.Present)
		if u.Kind == transcript.AssistantUnit {
			p.thoughtOut(u)
		}
	}
	p.progress(units)
}

// progress pins what the agent is in the middle of.
func (p *pins) progress(units []transcript.Unit) {
	if slices.ContainsFunc(units, func(u transcript.Unit) bool { return u.Open }) {
		p.units(units, p.inProgress(units))
	}
}

// thoughtOut lets the thinking of an answer go: with the answer the turn is over,
// and only the thinking of one that goes on has to be sent back. An answer that
// is nothing but thinking was broken off, and stays.
func (p *pins) thoughtOut(u transcript.Unit) {
	var thinking []transcript.Ref
	answered := false
	for _, id := range u.Msgs {
		for _, b := range p.c.Message(id).Blocks {
			ref := transcript.Ref{Msg: id, Block: b.ID, Part: transcript.Whole}
			if b.Kind != transcript.Thinking {
				answered = true
			} else if p.of[ref] == transcript.Present {
				thinking = append(thinking, ref)
			}
		}
	}
	for _, ref := range thinking {
		if answered && !p.c.Message(ref.Msg).Shadows {
			delete(p.of, ref)
		}
	}
}

// ends returns the first unit and the one that the last message belongs to, not
// counting system prompts: two, one twice, or none.
func ends(c *transcript.Conversation, units []transcript.Unit) []transcript.Unit {
	units = slices.DeleteFunc(slices.Clone(units), func(u transcript.Unit) bool { return u.Kind == transcript.SystemUnit })
	if len(units) == 0 {
		return nil
	}
	last := slices.MaxFunc(units, func(a, b transcript.Unit) int {
		return cmp.Compare(c.Position(a.Msgs[len(a.Msgs)-1]), c.Position(b.Msgs[len(b.Msgs)-1]))
	})
	return []transcript.Unit{units[0], last}
}

// inProgress are the messages that an agent in the middle of its work looks at:
// the results that came last, and the calls right before them. Without one of
// these, open calls would look abandoned.
func (p *pins) inProgress(units []transcript.Unit) map[int]bool {
	inRound := map[int]bool{}
	for _, u := range units {
		for _, id := range u.Msgs {
			inRound[id] = u.Kind == transcript.ToolRound
		}
	}
	msgs := map[int]bool{}
	results := true
	for _, m := range slices.Backward(p.c.Messages) {
		if m.Hidden {
			continue
		}
		results = results && m.Role != transcript.Assistant
		if !inRound[m.ID] || !results && m.Role != transcript.Assistant {
			break
		}
		msgs[m.ID] = true
	}
	return msgs
}

// units pins the units that the messages belong to: half a tool round is no use.
func (p *pins) units(units []transcript.Unit, msgs map[int]bool) {
	for _, u := range units {
		if slices.ContainsFunc(u.Msgs, func(id int) bool { return msgs[id] }) {
			p.unit(u, transcript.Verbatim)
		}
	}
}

func (p *pins) unit(u transcript.Unit, pin transcript.Pin) {
	for _, id := range u.Msgs {
		p.message(p.c.Message(id), pin)
	}
}

func (p *pins) message(m *transcript.Message, pin transcript.Pin) {
	for _, b := range m.Blocks {
		p.raise(transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}, pin)
	}
}

// keep pins the messages that --keep-first and --keep-last name, and the units
// they belong to.
func (p *pins) keep(o *Options) {
	var visible []int
	for m := range p.c.Visible() {
		if m.Role != transcript.System {
			visible = append(visible, m.ID)
		}
	}
	named := map[int]bool{}
	for i, id := range visible {
		if i < o.KeepFirst || i >= len(visible)-o.KeepLast {
			named[id] = true
		}
	}
	if len(named) > 0 {
		p.units(p.c.Units(), named)
	}
}
