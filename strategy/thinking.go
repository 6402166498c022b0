package strategy

import (
	"slices"

	"condense/transcript"
)

// A lead is a block of thinking and the texts and calls that it led to. APIs refuse some
// thinking without any of them: sealed thinking needs one behind it, before the next
// message of another side, and other thinking needs one in its message.
type lead struct {
	thinking transcript.Ref
	to       []transcript.Ref // not empty
}

// leadsWithout returns the leads of which no text or call stays, oldest first. The stays
// function must not depend on the blocks that the caller changes meanwhile.
func leadsWithout(c *transcript.Conversation, stays func(transcript.Ref) bool) (list []lead) {
	var o output
	for m := range c.Visible() {
		if m.Role != transcript.Assistant {
			list = append(list, o.without(stays)...)
			o = output{}
			continue
		}
		o.add(m)
	}
	return append(list, o.without(stays)...)
}

// An output holds the blocks of the model between two messages of others.
type output struct {
	content []transcript.Ref // texts and calls, and everything else but thinking and results
	leads   []span
	open    int // index of the first lead that waits for the content of its message
}

// A span is a lead as a range of indices in the content of its output.
type span struct {
	thinking transcript.Ref
	from, to int
	sealed   bool
}

// add adds the blocks of a message. Thinking in a message of its own belongs to the
// content of the next message.
func (o *output) add(m *transcript.Message) {
	begin := len(o.content)
	for _, b := range m.Blocks {
		ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
		switch {
		case b.Kind == transcript.Thinking && b.Fixed:
			o.leads = append(o.leads, span{thinking: ref, from: len(o.content), sealed: true})
		case b.Kind == transcript.Thinking:
			o.leads = append(o.leads, span{thinking: ref, from: begin})
		case b.Kind != transcript.ToolResult:
			o.content = append(o.content, ref)
		}
	}
	if len(o.content) == begin {
		return
	}
	for i := range o.leads[o.open:] {
		o.leads[o.open+i].to = len(o.content)
	}
	o.open = len(o.leads)
}

// without returns the leads of which nothing stays.
func (o *output) without(stays func(transcript.Ref) bool) (list []lead) {
	next := len(o.content) // index of the first block that stays, from i on
	first := make([]int, len(o.content)+1)
	first[next] = next
	for i := len(o.content) - 1; i >= 0; i-- {
		if stays(o.content[i]) {
			next = i
		}
		first[i] = next
	}
	for _, l := range o.leads {
		if l.sealed {
			l.to = len(o.content)
		}
		if l.from < l.to && first[l.from] >= l.to {
			list = append(list, lead{l.thinking, o.content[l.from:l.to]})
		}
	}
	return list
}

// hold pins the first text or call that pinned thinking led to, unless one of them is
// pinned.
func (p *pins) hold() {
	for _, l := range leadsWithout(p.c, func(ref transcript.Ref) bool { return p.of(ref) != transcript.Unpinned }) {
		if p.of(l.thinking) != transcript.Unpinned {
			p.raise(l.to[0], transcript.Present)
		}
	}
}

// holdFirst pins the first text or call that pinned thinking led to, unless the thinking is
// loose. A stage that inserts a message in its place would part the thinking from the others.
func holdFirst(c *transcript.Conversation, pins *pinMap, loose map[transcript.Ref]bool) {
	for _, l := range leadsWithout(c, func(transcript.Ref) bool { return false }) {
		if pins.of(l.thinking) != transcript.Unpinned && !loose[l.thinking] {
			pins.raise(l.to[0], transcript.Present)
		}
	}
}

// looseThinking returns the thinking that only Options.Only pins. It is removed together
// with the calls that it led to.
func looseThinking(c *transcript.Conversation, o *Options) map[transcript.Ref]bool {
	if len(o.Only) == 0 {
		return nil
	}
	all := *o
	all.Only = nil
	pins := pinsOf(c, &all, transcript.Verbatim)
	loose := map[transcript.Ref]bool{}
	for ref, b := range c.Blocks() {
		loose[ref] = b.Kind == transcript.Thinking && pins.of(ref) == transcript.Unpinned
	}
	return loose
}

// withDependents adds drops of what cannot stay without the dropped blocks, in their groups:
// further results of calls, and thinking without any text or call that it led to. It unpins
// such thinking if only Options.Only pins it.
func (r *runner) withDependents(edits []transcript.Edit) []transcript.Edit {
	drops := map[transcript.Ref]int{} // groups
	for _, e := range edits {
		if e.Op == transcript.Drop {
			drops[e.At] = e.Group
		}
	}
	dropped := func(ref transcript.Ref) bool {
		_, block := drops[ref]
		_, message := drops[transcript.At(ref.Msg)]
		return block || message
	}
	if len(drops) == 0 {
		return edits
	}
	edits = r.withResults(edits, drops, dropped)
	free := map[transcript.Ref]bool{}
	for _, l := range leadsWithout(r.conv, func(ref transcript.Ref) bool { return !dropped(ref) }) {
		pinned := r.conv.Block(l.thinking).Pin != transcript.Unpinned
		if dropped(l.thinking) || pinned && !r.loose[l.thinking] {
			continue
		}
		free[l.thinking] = pinned
		edits = append(edits, transcript.Edit{
			At: l.thinking, Op: transcript.Drop, Group: drops[l.to[len(l.to)-1]], Why: "thinking about what is removed",
		})
	}
	if len(free) > 0 {
		r.unpin(free)
	}
	return edits
}

// withResults adds drops of further results of dropped calls, instead of other edits of
// them. In a faulty source a call may have several results; without the call they would be
// orphans.
func (r *runner) withResults(edits []transcript.Edit, drops map[transcript.Ref]int, dropped func(transcript.Ref) bool) []transcript.Edit {
	groups := map[string]int{} // by the id of a call, if it is dropped
	gone := map[transcript.Ref]int{}
	for ref, b := range r.conv.Blocks() {
		if b.Kind == transcript.ToolCall && b.Call != "" {
			if delete(groups, b.Call); dropped(ref) {
				groups[b.Call] = drops[ref]
			}
			continue
		}
		_, paired := r.conv.Partner(ref)
		group, ok := groups[b.Call]
		if ok && !paired && b.Kind == transcript.ToolResult && b.Pin == transcript.Unpinned && !dropped(ref) {
			gone[ref] = group
		}
	}
	if len(gone) == 0 {
		return edits
	}
	edits = slices.DeleteFunc(slices.Clone(edits), func(e transcript.Edit) bool {
		_, drop := gone[transcript.Ref{Msg: e.At.Msg, Block: e.At.Block, Part: transcript.Whole}]
		return drop && e.Op != transcript.Insert
	})
	for ref := range r.conv.Blocks() {
		if group, drop := gone[ref]; drop {
			edits = append(edits, transcript.Edit{At: ref, Op: transcript.Drop, Group: group, Why: "another result of a removed call"})
		}
	}
	return edits
}

// unpin removes the pins of blocks.
func (r *runner) unpin(free map[transcript.Ref]bool) {
	pins := newPinMap(r.conv)
	for ref, b := range r.conv.Blocks() {
		if !free[ref] {
			pins.set(ref, b.Pin)
		}
	}
	r.conv = r.conv.WithPins(pins.of)
	r.counts.conversation(r.conv) // WithPins copied the blocks with another pin
}
