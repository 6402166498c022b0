package strategy

import (
	"slices"
	"strings"

	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
)

// pinsOf returns the pins of a conversation.
//
// These blocks are Verbatim: typed text, the last answer, the newest todo list, work in
// progress, and the frozen prefix. So are blocks that Pin, KeepFirst, KeepLast,
// ProtectTools or ProtectPaths name, blocks that Only or Messages exclude, and messages
// that the client writes again at resume, and thinking with ThinkingKeep.
//
// These are Present: instructions, summaries, typed media, and the first and the last
// unit.
//
// Blocks with a protected line get the pin lines: Present for strategies that keep such
// lines by themselves, and Verbatim for others.
func pinsOf(c *transcript.Conversation, o *Options, lines transcript.Pin) *pinMap {
	return pinsBy(c, o, lines, transcript.Verbatim)
}

// pinsBy is pinsOf with the pin shadowing for typed text in messages that shadow others.
// Formats recognise by this text on which branch the conversation went on. So it must not
// be removed, and no marker may take its place.
func pinsBy(c *transcript.Conversation, o *Options, lines, shadowing transcript.Pin) *pinMap {
	p := newPins(c)
	return p.all(o, lines, shadowing)
}

// recordingPins is pinsOf for a stage that leaves a record of the calls that it removes. It does not pin the
// last unit for being the last.
func recordingPins(c *transcript.Conversation, o *Options) *pinMap {
	p := newPins(c)
	p.records = true
	return p.all(o, transcript.Present, transcript.Verbatim)
}

// all sets all pins, and returns them.
func (p *pins) all(o *Options, lines, shadowing transcript.Pin) *pinMap {
	c := p.c
	for ref, b := range c.Blocks() {
		m := c.Message(ref.Msg)
		p.byContent(ref, b, m.Role, o)
		switch {
		case m.Shadows && b.Origin == transcript.Typed:
			p.raise(ref, shadowing)
		case m.Shadows, m.Hides, b.Anchor:
			p.raise(ref, transcript.Present)
		}
	}
	p.last(o)
	p.todo()
	p.frame()
	p.byOptions(o)
	p.freeThinking(o)
	p.lines(o, lines)
	p.hold()
	p.only(o)
	return p.pinMap
}

// typedPins returns the pins for a stage that may shorten typed text and the last answer,
// but not remove them. Blocks that are pinned for other reasons keep their pins.
func typedPins(c *transcript.Conversation, o *Options) *pinMap {
	free := *o
	free.UnpinUser, free.UnpinLast = true, true
	pins := pinsBy(c, &free, transcript.Present, transcript.Present)
	last, answered := lastAnswer(c)
	for ref, b := range c.Blocks() {
		if b.Origin == transcript.Typed || answered && ref == last && !o.UnpinLast {
			pins.raise(ref, transcript.Present)
		}
	}
	return pins
}

// byOptions pins by the options that name messages, tools and paths.
func (p *pins) byOptions(o *Options) {
	p.keep(o)
	p.calls(o)
	p.limits(o)
	p.thinking(o)
	for _, id := range o.Stay {
		if m := p.c.Message(id); m != nil {
			p.message(m, transcript.Present)
		}
	}
}

func newPins(c *transcript.Conversation) pins {
	return pins{c: c, pinMap: newPinMap(c)}
}

// pins collects the pins of a conversation by block.
type pins struct {
	c *transcript.Conversation
	*pinMap
	records bool // see recordingPins
}

// byContent pins a block by its origin, its kind and the role of its message, and by
// Options.Pin.
func (p *pins) byContent(ref transcript.Ref, b *transcript.Block, role transcript.Role, o *Options) {
	typed := b.Origin == transcript.Typed && !o.UnpinUser
	switch {
	case typed && (b.Kind == transcript.Text || b.Kind == transcript.ToolResult):
		p.raise(ref, transcript.Verbatim)
	case role == transcript.System, typed, isEarlier(b),
		b.Origin == transcript.Generated && !transcript.IsMarker(b.Text()):
		p.raise(ref, transcript.Present)
	}
	p.matching(ref, b, o)
}

// matching pins a block that Options.Pin matches.
func (p *pins) matching(ref transcript.Ref, b *transcript.Block, o *Options) {
	for _, re := range o.Pin {
		if re.MatchString(b.Text()) {
			p.raise(ref, transcript.Verbatim)
		}
	}
}

// thinking pins all thinking if the options ask to keep it. Thinking goes nevertheless if a model of
// another family will continue the conversation.
func (p *pins) thinking(o *Options) {
	if o.Thinking != ThinkingKeep || o.thinking(p.c) != ThinkingKeep {
		return
	}
	for ref, b := range p.c.Blocks() {
		if b.Kind == transcript.Thinking {
			p.raise(ref, transcript.Verbatim)
		}
	}
}

// freeThinking unpins the thinking that the options ask to drop, where it is only pinned
// Present. A message of Options.Stay keeps it if there is nothing else in it.
func (p *pins) freeThinking(o *Options) {
	for _, m := range p.c.Messages[:unthought(p.c, o)] {
		if m.Shadows || slices.Contains(o.Stay, m.ID) && !slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool { return b.Kind != transcript.Thinking }) {
			continue
		}
		for _, b := range m.Blocks {
			ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			if b.Kind == transcript.Thinking && p.of(ref) == transcript.Present {
				p.set(ref, transcript.Unpinned)
			}
		}
	}
}

// last pins the last answer.
func (p *pins) last(o *Options) {
	if ref, ok := lastAnswer(p.c); ok && !o.UnpinLast {
		p.raise(ref, transcript.Verbatim)
	}
}

// lastAnswer returns the last text of the model in the effective view, and false if there
// is none. Texts that are only records or markers do not count.
func lastAnswer(c *transcript.Conversation) (last transcript.Ref, ok bool) {
	for ref, b := range c.Blocks() {
		if b.Kind != transcript.Text || b.Origin != transcript.ByModel {
			continue
		}
		if text := b.Text(); !transcript.IsMarker(text) && strings.TrimSpace(transcript.WithoutRecords(text)) != "" {
			last, ok = ref, true
		}
	}
	return last, ok
}

// todo pins the newest todo list or plan: the last call that wrote one and did not fail.
func (p *pins) todo() {
	last, found := transcript.Ref{}, false
	for ref, b := range p.c.Blocks() {
		if !fact.IsTodoList(b) {
			continue
		}
		if answer := partner(p.c, ref); answer == nil || !answer.Error {
			last, found = ref, true
		}
	}
	if found {
		p.raise(last, transcript.Verbatim)
	}
}

// frame pins the first and the last unit, and work in progress.
func (p *pins) frame() {
	units := p.c.Units()
	for i, u := range ends(p.c, units) {
		if p.records && i > 0 {
			break
		}
		p.unitWithout(u, attached)
		if u.Kind == transcript.AssistantUnit || p.records && u.Kind == transcript.ToolRound && p.endsBeforeTyped(u) {
			p.freeAnswered(u)
		}
	}
	p.progress(units)
}

// progress pins work in progress, if a unit is open.
func (p *pins) progress(units []transcript.Unit) {
	if !slices.ContainsFunc(units, func(u transcript.Unit) bool { return u.Open }) {
		return
	}
	msgs := p.inProgress(units)
	for _, u := range units {
		if slices.ContainsFunc(u.Msgs, func(id int) bool { return msgs[id] }) {
			p.openRound(u)
		}
	}
}

// openRound pins a round of work in progress. Its results may be shortened.
func (p *pins) openRound(u transcript.Unit) {
	for _, id := range u.Msgs {
		for _, b := range p.c.Message(id).Blocks {
			pin := transcript.Verbatim
			if b.Kind == transcript.ToolResult {
				pin = transcript.Present
			}
			p.raise(transcript.Ref{Msg: id, Block: b.ID, Part: transcript.Whole}, pin)
		}
	}
}

// endsBeforeTyped reports whether something typed follows a unit, which ends the turn of the unit.
func (p *pins) endsBeforeTyped(u transcript.Unit) bool {
	last := p.c.Position(u.Msgs[len(u.Msgs)-1])
	return slices.ContainsFunc(p.c.Messages[last+1:], func(m *transcript.Message) bool {
		return !m.Hidden && m.Role == transcript.User && slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool { return b.Origin == transcript.Typed })
	})
}

// freeAnswered unpins the thinking of a unit that has an answer. The answer ends the turn,
// and APIs require only the thinking of turns that continue. A unit of thinking alone was
// interrupted, so its thinking stays pinned.
func (p *pins) freeAnswered(u transcript.Unit) {
	var thinking []transcript.Ref
	answered := false
	for _, id := range u.Msgs {
		for _, b := range p.c.Message(id).Blocks {
			ref := transcript.Ref{Msg: id, Block: b.ID, Part: transcript.Whole}
			if b.Kind != transcript.Thinking {
				answered = true
			} else if p.of(ref) == transcript.Present {
				thinking = append(thinking, ref)
			}
		}
	}
	for _, ref := range thinking {
		if answered && !p.c.Message(ref.Msg).Shadows {
			p.set(ref, transcript.Unpinned)
		}
	}
}

// ends returns the first unit and the unit of the last message. System prompts do not
// count. The result has two units, one unit twice, or none.
func ends(c *transcript.Conversation, units []transcript.Unit) []transcript.Unit {
	var two []transcript.Unit
	end := func(u transcript.Unit) int { return c.Position(u.Msgs[len(u.Msgs)-1]) }
	for _, u := range units {
		switch {
		case u.Kind == transcript.SystemUnit:
		case two == nil:
			two = []transcript.Unit{u, u}
		case end(u) > end(two[1]):
			two[1] = u
		}
	}
	return two
}

// inProgress returns the messages of work in progress: the last results, and the calls
// directly before them. If one of them were missing, open calls would look abandoned.
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

// units pins every unit that has one of the messages, so that tool rounds stay whole.
func (p *pins) units(units []transcript.Unit, msgs map[int]bool) {
	for _, u := range units {
		if slices.ContainsFunc(u.Msgs, func(id int) bool { return msgs[id] }) {
			p.unit(u, transcript.Verbatim)
		}
	}
}

// attached reports whether a block is an attachment: a text that a client adds to a message of the user.
func attached(b *transcript.Block) bool {
	return b.Kind == transcript.Text && b.Origin == transcript.Injected && b.Tool != ""
}

// unitWithout pins the blocks of a unit present, without those that free reports, unless a message
// has no others.
func (p *pins) unitWithout(u transcript.Unit, free func(*transcript.Block) bool) {
	for _, id := range u.Msgs {
		m := p.c.Message(id)
		all := !slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool { return !free(b) })
		for _, b := range m.Blocks {
			if all || !free(b) {
				p.raise(transcript.Ref{Msg: id, Block: b.ID, Part: transcript.Whole}, transcript.Present)
			}
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

// keep pins the units of the messages that KeepFirst and KeepLast name.
func (p *pins) keep(o *Options) {
	visible := make([]int, 0, len(p.c.Messages))
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

// partner returns the result of a call or the call of a result; nil if there is none.
func partner(c *transcript.Conversation, ref transcript.Ref) *transcript.Block {
	if p, ok := c.Partner(ref); ok {
		return c.Block(p)
	}
	return nil
}

// limits pins the blocks that options exclude from changes: those of messages outside the
// range Messages, and of the frozen prefix.
func (p *pins) limits(o *Options) {
	left := o.FreezePrefix
	for m := range p.c.Visible() {
		if left--; left < 0 {
			break
		}
		p.message(m, transcript.Verbatim)
	}
	if o.Messages != (Range{}) {
		for _, m := range p.c.Messages { // identities are places in the source, also when earlier stages removed messages
			if !o.Messages.holds(m.ID + 1) {
				p.message(m, transcript.Verbatim)
			}
		}
	}
}

// only pins the blocks that do not belong to a tool that Only names.
func (p *pins) only(o *Options) {
	if len(o.Only) == 0 {
		return
	}
	for ref, b := range p.c.Blocks() {
		tool, _ := subject.Concerns(p.c, ref, b)
		if tool == "" || !slices.ContainsFunc(o.Only, func(g Glob) bool { return g.Name(tool) }) {
			p.raise(ref, transcript.Verbatim)
		}
	}
}

// calls pins calls and results with a protected tool or path, and mentioned files with a
// protected path.
func (p *pins) calls(o *Options) {
	if len(o.ProtectTools) == 0 && len(o.ProtectPaths) == 0 {
		return
	}
	for ref, b := range p.c.Blocks() {
		tool, paths := subject.Concerns(p.c, ref, b)
		byTool := slices.ContainsFunc(o.ProtectTools, func(g Glob) bool { return g.Name(tool) })
		byPath := slices.ContainsFunc(o.ProtectPaths, func(g Glob) bool { return slices.ContainsFunc(paths, g.Path) })
		if byTool || byPath {
			p.raise(ref, transcript.Verbatim)
		}
	}
}

// protectsLines reports whether options may protect single lines of a text.
func protectsLines(o *Options) bool { return len(o.Protect) > 0 || o.Tags != "" }

// lines pins the blocks that have a protected line, or text between keep tags.
func (p *pins) lines(o *Options, pin transcript.Pin) {
	if !protectsLines(o) {
		return
	}
	for ref, b := range p.c.Blocks() {
		if slices.ContainsFunc(b.Parts, func(p transcript.Part) bool {
			return hasProtected(p.Text, o.Protect) || len(o.Tags.kept(b, p.Text[p.Head:])) > 0
		}) {
			p.raise(ref, pin)
		}
	}
}
