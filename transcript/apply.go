package transcript

import (
	"cmp"
	"slices"
	"strings"
)

// Apply returns the conversation after all edits, or an error and no conversation.
// The result shares with c the messages and blocks that no edit changes. The order
// of edits matters only between insertions at the same place.
//
// The error is an [*EditError] for the first edit that
//   - has an unknown address, or the address of another edit,
//   - drops a pinned block, or rewrites a block that is fixed or pinned verbatim,
//   - changes a hidden message in any way except to drop it whole,
//   - drops or inserts a call without its result, or a result without its call, or
//     inserts a call between a call of the same id and its result.
func (c *Conversation) Apply(edits []Edit) (*Conversation, error) {
	if len(edits) == 0 {
		return c, nil
	}
	p := plan{c: c, at: make([]int32, len(c.at)), changes: make([]change, 0, min(len(edits), len(c.Messages)))}
	for i := range edits {
		if reason := p.add(&edits[i]); reason != "" {
			return nil, &EditError{edits[i], reason}
		}
	}
	next := p.build()
	if err := p.checkPairs(next); err != nil {
		return nil, err
	}
	return next, nil
}

// A change holds the edits of one message.
type change struct {
	drop   *Edit
	before []*Edit // insertions before it
	blocks blockEdits
}

// blockEdits holds the edits of the blocks of a message. Most messages have one at most.
type blockEdits struct {
	only *Edit           // nil if there are several, or none
	all  map[int][]*Edit // by block ID, if there are several
}

func (l *blockEdits) none() bool { return l.only == nil && l.all == nil }

// of returns the edits of a block.
func (l *blockEdits) of(block int) []*Edit {
	if l.only != nil && l.only.At.Block == block {
		return []*Edit{l.only}
	}
	return l.all[block]
}

// add adds an edit.
func (l *blockEdits) add(e *Edit) {
	if l.none() {
		l.only = e
		return
	}
	if l.all == nil {
		l.all = map[int][]*Edit{l.only.At.Block: {l.only}}
		l.only = nil
	}
	l.all[e.At.Block] = append(l.all[e.At.Block], e)
}

// A plan holds the edits of a conversation by the messages that they change.
type plan struct {
	c        *Conversation
	at       []int32 // by Message.ID: one more than the index in changes; 0 for none
	changes  []change
	appended []*Edit
	inserts  []*Edit // in the order of the identities of their messages
}

// of returns the change of a message, and creates it when there is none. It is valid until the next call.
func (p *plan) of(msg int) *change {
	if p.at[msg] == 0 {
		p.changes = append(p.changes, change{})
		p.at[msg] = int32(len(p.changes))
	}
	return &p.changes[p.at[msg]-1]
}

// known returns the change of a message, or nil.
func (p *plan) known(msg int) *change {
	if p.at[msg] == 0 {
		return nil
	}
	return &p.changes[p.at[msg]-1]
}

// add records the edit under its message. It returns the reason of a refusal, or "".
func (p *plan) add(e *Edit) (refused string) {
	if e.Op == Insert && e.At.Msg == End {
		p.appended = append(p.appended, e)
		return insertable(e.New)
	}
	m := p.c.Message(e.At.Msg)
	if m == nil {
		return "no such message"
	}
	ch := p.of(m.ID)
	switch {
	case e.Op == Insert:
		ch.before = append(ch.before, e)
		return insertable(e.New)
	case e.At.Block == Whole:
		if e.Op != Drop {
			return "a whole message can be dropped, not rewritten"
		}
		if ch.drop != nil || !ch.blocks.none() {
			return "another edit has the same address or a part of it"
		}
		ch.drop = e
		return droppable(m)
	}
	b := m.Block(e.At.Block)
	if b == nil {
		return "no such block"
	}
	if ch.drop != nil || clashes(ch.blocks.of(b.ID), e) {
		return "another edit has the same address or a part of it"
	}
	ch.blocks.add(e)
	if e.Op == Drop {
		return blockDroppable(m, b, e.At)
	}
	return rewritable(m, b, e)
}

// clashes reports whether an edit of the same block changes the same text.
func clashes(earlier []*Edit, e *Edit) bool {
	return slices.ContainsFunc(earlier, func(o *Edit) bool {
		return o.At.Part == Whole || e.At.Part == Whole || o.At.Part == e.At.Part
	})
}

// insertable returns the reason why m cannot be inserted, or "".
func insertable(m *Message) (refused string) {
	if m == nil || len(m.Blocks) == 0 {
		return "nothing to insert"
	}
	for _, b := range m.Blocks {
		if b.Text() == "" {
			return "an inserted block has no text"
		}
	}
	return ""
}

// droppable returns the reason why m cannot be dropped, or "".
func droppable(m *Message) (refused string) {
	for _, b := range m.Blocks {
		if b.Pin != Unpinned {
			return "a pinned block is in it"
		}
	}
	return ""
}

// blockDroppable returns the reason why b cannot be dropped, or "".
func blockDroppable(m *Message, b *Block, at Ref) (refused string) {
	switch {
	case m.Hidden:
		return "the message is outside the effective view"
	case at.Part != Whole:
		return "a part can be rewritten, not dropped"
	case b.Pin != Unpinned:
		return "the block is pinned"
	}
	return ""
}

// rewritable returns the reason why b cannot be rewritten as e asks, or "".
func rewritable(m *Message, b *Block, e *Edit) (refused string) {
	switch {
	case m.Hidden:
		return "the message is outside the effective view"
	case b.Pin == Verbatim:
		return "the block is pinned verbatim"
	case b.Fixed:
		return "a fixed block is kept or dropped whole"
	case b.Kind == Thinking, b.Kind == Opaque:
		return "a block of kind " + b.Kind.String() + " is kept or dropped whole"
	case len(b.Parts) == 0:
		return "the block has no text to rewrite"
	case e.Text == "":
		return "the new text is empty: drop it instead"
	case e.At.Part == Whole && b.Kind == ToolCall && (len(b.Parts) != 1 || b.Parts[0].Number):
		return "arguments of a call are rewritten one by one"
	case e.At.Part == Whole:
		return ""
	case e.At.Part < 0 || e.At.Part >= len(b.Parts):
		return "no such part"
	case b.Parts[e.At.Part].Number:
		return "the argument is a number"
	}
	return ""
}

// build returns the next conversation. It cannot fail, because add has checked all rules
// except those of pairs.
func (p *plan) build() *Conversation {
	next := &Conversation{ID: p.c.ID, Model: p.c.Model, Folder: p.c.Folder, Framing: p.c.Framing, Messages: make([]*Message, 0, len(p.c.Messages)+len(p.appended))}
	end := p.c.EndPosition()
	for i, m := range p.c.Messages {
		if i == end {
			next.Messages = p.atEnd(next.Messages)
		}
		ch := p.known(m.ID)
		if ch != nil {
			for _, e := range ch.before {
				next.Messages = append(next.Messages, p.insert(e))
			}
			m = ch.apply(m)
		}
		if m != nil {
			next.Messages = append(next.Messages, m)
		}
	}
	if end == len(p.c.Messages) {
		next.Messages = p.atEnd(next.Messages)
	}
	next.index(len(p.c.at) + len(p.inserts))
	return next
}

// atEnd appends what is inserted at the end.
func (p *plan) atEnd(msgs []*Message) []*Message {
	for _, e := range p.appended {
		msgs = append(msgs, p.insert(e))
	}
	return msgs
}

// insert returns a copy of the edit's message with the next free identity.
func (p *plan) insert(e *Edit) *Message {
	n := *e.New
	n.ID = len(p.c.at) + len(p.inserts)
	p.inserts = append(p.inserts, e)
	n.Blocks = make([]*Block, len(e.New.Blocks))
	for i, b := range e.New.Blocks {
		nb := *b
		nb.ID = i
		n.Blocks[i] = &nb
	}
	return &n
}

// apply returns the changed message, or nil when it is dropped.
func (ch *change) apply(m *Message) *Message {
	if ch.drop != nil {
		return nil
	}
	if ch.blocks.none() {
		return m
	}
	n := *m
	n.Blocks = make([]*Block, 0, len(m.Blocks))
	for _, b := range m.Blocks {
		if b = rewritten(b, ch.blocks.of(b.ID)); b != nil {
			n.Blocks = append(n.Blocks, b)
		}
	}
	if len(n.Blocks) == 0 {
		return nil
	}
	return &n
}

// rewritten returns the block after its edits, or nil when one of them drops it.
func rewritten(b *Block, edits []*Edit) *Block {
	if len(edits) == 0 {
		return b
	}
	slices.SortFunc(edits, func(a, b *Edit) int { return cmp.Compare(a.At.Part, b.At.Part) })
	for _, e := range edits {
		if e.Op == Drop {
			return nil
		}
		b = b.Rewritten(e)
	}
	return b
}

// Rewritten returns the block after e, which must be a Rewrite of it or of one of
// its parts. It does not check whether [Conversation.Apply] would allow the edit.
func (b *Block) Rewritten(e *Edit) *Block {
	n := *b
	switch {
	case e.At.Part != Whole:
		n.Parts = slices.Clone(b.Parts)
		n.Parts[e.At.Part] = b.Parts[e.At.Part].rewritten(e.Text)
	case len(b.Parts) > 0:
		n.Parts = []Part{b.Parts[0].rewritten(e.Text)}
	default:
		n.Parts = []Part{{Text: e.Text}}
	}
	if n.Kind == Media && !slices.ContainsFunc(n.Parts, func(p Part) bool { return p.Media != nil }) {
		n.Kind = Text
	}
	if n.Kind == Text && (n.Tool == "" || n.Origin != Injected) { // an attachment remains one
		n.Origin = Generated
	}
	return &n
}

// rewritten returns the part with another text after its head.
func (p Part) rewritten(text string) Part {
	head := strings.TrimRight(p.Text[:p.Head], "\n")
	if head != "" {
		text = head + "\n" + text
	}
	if p.Joined && IsMarker(text) {
		return Part{Name: p.Name, Text: "\n" + text, Head: int32(len("\n")), Joined: true}
	}
	return Part{Name: p.Name, Text: text, Head: int32(len(head)), Joined: p.Joined}
}

// checkPairs returns an error for the edit that drops one half of a pair, inserts
// the same id between the halves, or inserts one half without the other.
func (p *plan) checkPairs(next *Conversation) error {
	for _, m := range p.c.Messages {
		for _, b := range m.Blocks {
			half := Ref{m.ID, b.ID, Whole}
			other, paired := p.c.Partner(half)
			if !paired || next.Block(other) == nil {
				continue
			}
			if next.Block(half) == nil {
				if by, again := next.Partner(other); again && p.c.Message(by.Msg) == nil {
					continue // an inserted half replaces it
				}
				return &EditError{p.dropOf(half), "its other half at " + other.String() + " would stay alone"}
			}
			if now, _ := next.Partner(half); now != other {
				return &EditError{p.between(next, half, other), "it would part the call at " + half.String() + " from its result"}
			}
		}
	}
	for i, e := range p.inserts {
		m := next.Message(len(p.c.at) + i)
		for _, b := range m.Blocks {
			if _, paired := next.Partner(Ref{m.ID, b.ID, Whole}); !paired && b.Call != "" {
				return &EditError{*e, "a call or result in it has no other half"}
			}
		}
	}
	return nil
}

// between returns the insertion that now pairs with the call or the result.
func (p *plan) between(next *Conversation, call, result Ref) Edit {
	from, to := next.Position(call.Msg), next.Position(result.Msg)
	sameID := func(b *Block) bool { return b.Call == next.Block(call).Call }
	i := slices.IndexFunc(next.Messages[from+1:to], func(m *Message) bool {
		return p.c.Message(m.ID) == nil && m.Hidden == next.Message(call.Msg).Hidden && slices.ContainsFunc(m.Blocks, sameID)
	})
	return *p.inserts[next.Messages[from+1+i].ID-len(p.c.at)]
}

// dropOf returns the edit that drops a block, or its message.
func (p *plan) dropOf(ref Ref) Edit {
	ch := p.known(ref.Msg)
	if ch.drop != nil {
		return *ch.drop
	}
	return *ch.blocks.of(ref.Block)[0]
}
