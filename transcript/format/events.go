package format

import (
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// This file holds what dialects share whose records are more than messages: the
// events of a log, the parts of a message.

// firstRecords returns the first lines of a source for detection; a source of one
// value counts as one line.
func (p *probe) firstRecords() []rawjson.Value {
	if p.lines == nil {
		return []rawjson.Value{p.doc.Root()}
	}
	return p.first
}

// memberSlots returns the slots for members of one object, all in one list, so
// that neighbours can go together. A key that is not there gives up.
func (l *layout) memberSlots(up int, object rawjson.Value) func(key string) int {
	at, i := map[string]int{}, 0
	for k := range object.Members() {
		at[k.Str()] = i
		i++
	}
	list := none
	return func(key string) int {
		index, found := at[key]
		if !found {
			return up
		}
		if list == none {
			list = l.addList(object.Items())
		}
		return l.addSlot(up, list, index)
	}
}

// textBy adds a string as one text of the given origin, whatever it looks like.
func (mb *message) textBy(v rawjson.Value, slot int, origin transcript.Origin) {
	mb.add(&transcript.Block{Origin: origin, Parts: []transcript.Part{{Text: v.Str()}}},
		blockPlace{slots: []int{slot}, parts: []place{{slot: slot, lit: v.Span()}}})
}

// userText adds a string of a user message, cut into what was typed and what the
// client put in. Unlike text it does not look for the answers of tools.
func (mb *message) userText(v rawjson.Value, slot int) {
	text := v.Str()
	mb.segments(v, text, slot, userSegments(text, mb.meta))
}

// summary begins the message of a summary that lies in a member of a record which
// hides what is before it: the record stays when the summary goes. An empty one
// is no message.
func (c *builder) summary(slot int, in rawjson.Value, key string) {
	text := in.Get(key)
	if text.Kind() != rawjson.String || text.Str() == "" {
		return
	}
	c.l.stay = append(c.l.stay, slot)
	at := c.l.member(slot, in, key)
	c.l.slots[at].blank = text.Span()
	c.message(transcript.User, at).textBy(text, at, transcript.Generated)
}

// ref addresses the last block that was added to the last message.
func (c *builder) ref() transcript.Ref {
	last := len(c.msgs) - 1
	return transcript.Ref{Msg: last, Block: len(c.msgs[last].Blocks) - 1, Part: transcript.Whole}
}

// mirror notes a value that may repeat blocks; nothing when it is too short to.
func (l *layout) mirror(slot int, v rawjson.Value, strict bool, blocks ...transcript.Ref) {
	if v.Ok() && v.Span().Len() >= longLine {
		l.mirrors = append(l.mirrors, mirror{slot: slot, value: v.Span(), blocks: blocks, strict: strict})
	}
}

// mirrorRest notes every member of an object but those that are blocks.
func (l *layout) mirrorRest(slot int, object rawjson.Value, strict bool, blocks []transcript.Ref, but ...string) {
members:
	for k, v := range object.Members() {
		for _, key := range but {
			if k.Is(key) {
				continue members
			}
		}
		l.mirror(slot, v, strict, blocks...)
	}
}

// note files a record that names itself, and the record that it follows, in the
// chain. others are further members that name records.
func (c *chain) note(i int, v rawjson.Value, id, parent string, others ...string) {
	c.reach(i + 1)
	n := &c.nodes[i]
	n.id, n.parent = v.Get(id).Str(), v.Get(parent).Str()
	if _, repeated := c.byID[n.id]; n.id != "" && !repeated {
		c.byID[n.id] = i
	}
	if to := v.Get(parent); to.Kind() == rawjson.String || to.Kind() == rawjson.Null {
		c.links = append(c.links, link{record: i, value: to.Span(), to: n.parent})
	}
	for _, key := range others {
		if to := v.Get(key); to.Kind() == rawjson.String {
			c.links = append(c.links, link{record: i, value: to.Span(), to: to.Str()})
		}
	}
}

// insertedParent is what inserted record i hangs on: the one inserted before it
// at the same place, or what the record behind it hung on.
func (c *change) insertedParent(i int) string {
	if i > 0 && c.inserted[i-1].record == c.inserted[i].record {
		return c.insertedID(i - 1)
	}
	return c.insertionParent(c.inserted[i].record)
}

// nearest is the record at or nearest before the given one, or else the nearest
// after it, that suits.
func (l *layout) nearest(record int, suits func(v rawjson.Value) bool) rawjson.Value {
	if v := l.before(l.records, record, suits); v.Ok() {
		return v
	}
	for i := record + 1; i < len(l.lists[l.records].spans); i++ {
		if v := l.scan(l.records, i); v.Ok() && suits(v) {
			return v
		}
	}
	return rawjson.Value{}
}

// before is the element of a list at or nearest before the given one that suits.
func (l *layout) before(list, index int, suits func(v rawjson.Value) bool) rawjson.Value {
	for i := min(index, len(l.lists[list].spans)-1); i >= 0; i-- {
		if v := l.scan(list, i); v.Ok() && suits(v) {
			return v
		}
	}
	return rawjson.Value{}
}

// scan reads an element of a list again. It is absent when it is not JSON.
func (l *layout) scan(list, index int) rawjson.Value {
	span := l.lists[list].spans[index]
	doc := new(rawjson.Doc)
	if _, err := doc.Scan(l.src, span.Start, span.End); err != nil {
		return rawjson.Value{}
	}
	return doc.Root()
}

// appendMembers adds the members of v that are there under the keys, as they are.
func appendMembers(out []byte, v rawjson.Value, keys ...string) []byte {
	for _, key := range keys {
		if m := v.Get(key); m.Ok() {
			out = append(out, ',', '"')
			out = append(out, key...)
			out = append(out, '"', ':')
			out = append(out, m.Raw()...)
		}
	}
	return out
}

// shortID is the beginning of insertedID in n letters.
func (c *change) shortID(i, n int) string {
	return strings.ReplaceAll(c.insertedID(i), "-", "")[:n]
}
