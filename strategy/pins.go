package strategy

import (
	"slices"
	"strings"

	"condense/transcript"
)

// pinned gives the conversation with its pins set (DESIGN §5). Verbatim is what
// a person typed, the newest todo list, what --pin and --keep-* name, and work
// in progress. Present is what frames the conversation: instructions, summaries,
// the first and the last unit, media that a person gave.
func pinned(c *transcript.Conversation, o *Options) *transcript.Conversation {
	p := pins{c: c, of: map[transcript.Ref]transcript.Pin{}}
	for ref, b := range c.Blocks() {
		p.byContent(ref, b, c.Message(ref.Msg).Role, o)
	}
	p.todo()
	p.frame()
	p.keep(o)
	return c.WithPins(p.of)
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
	typed := b.Origin == transcript.Typed && !o.UnpinUser
	switch {
	case typed && (b.Kind == transcript.Text || b.Kind == transcript.ToolResult):
		p.raise(ref, transcript.Verbatim)
	case role == transcript.System, typed,
		b.Origin == transcript.Generated && !transcript.IsMarker(b.Text()):
		p.raise(ref, transcript.Present)
	}
	for _, re := range o.Pin {
		if re.MatchString(b.Text()) {
			p.raise(ref, transcript.Verbatim)
		}
	}
}

// todoTools keep the list of what is to be done.
var todoTools = []string{"todowrite", "todo_write", "write_todos", "update_plan", "update_todo_list"}

// todo pins the last state of the todo list or plan.
func (p *pins) todo() {
	var last *transcript.Ref
	for ref, b := range p.c.Blocks() {
		if b.Kind == transcript.ToolCall && slices.Contains(todoTools, strings.ToLower(b.Tool)) {
			last = &ref
		}
	}
	if last != nil {
		p.raise(*last, transcript.Verbatim)
	}
}

// frame pins the first unit that is not a system prompt, and the last; entirely
// so when the agent is in the middle of it.
func (p *pins) frame() {
	units := p.c.Units()
	if len(units) == 0 {
		return
	}
	for _, u := range units {
		if u.Kind != transcript.SystemUnit {
			p.unit(u, transcript.Present)
			break
		}
	}
	p.unit(units[len(units)-1], transcript.Present)
	for _, u := range units {
		if u.Open {
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
// they belong to: half a tool round is no use.
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
	if len(named) == 0 {
		return
	}
	for _, u := range p.c.Units() {
		if slices.ContainsFunc(u.Msgs, func(id int) bool { return named[id] }) {
			p.unit(u, transcript.Verbatim)
		}
	}
}
