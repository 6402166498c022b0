package format

import (
	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
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

// textBy adds a string as one text of the given origin, whatever it looks like.
func (mb *message) textBy(v rawjson.Value, slot int, origin transcript.Origin) {
	mb.add(&transcript.Block{Origin: origin, Parts: []transcript.Part{{Text: v.Str()}}},
		splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: v.Span()}}})
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
	c.l.Keep(slot)
	at := c.l.Emptied(slot, in, key)
	c.message(transcript.User, at).textBy(text, at, transcript.Generated)
}

// ref addresses the last block that was added to the last message.
func (c *builder) ref() transcript.Ref {
	last := len(c.msgs) - 1
	return blockRef(last, len(c.msgs[last].Blocks)-1)
}

// blockRef addresses a block.
func blockRef(msg, block int) transcript.Ref {
	return transcript.Ref{Msg: msg, Block: block, Part: transcript.Whole}
}

// blockRefs addresses the blocks of a message from one number to below another.
func blockRefs(msg, from, to int) (refs []transcript.Ref) {
	for k := from; k < to; k++ {
		refs = append(refs, blockRef(msg, k))
	}
	return refs
}

// blocksOf addresses the blocks that a message has so far.
func blocksOf(msg int, m *transcript.Message) []transcript.Ref {
	return blockRefs(msg, 0, len(m.Blocks))
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
