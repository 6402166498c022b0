package format

import (
	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// builder collects the messages of one conversation while it is decoded.
type builder struct {
	l     *splice.Layout
	msgs  []*transcript.Message
	model string // the last one that a record names
	// speakers: a role of unknown name is someone who speaks, as in training sets.
	speakers bool
}

// message begins a message that lies in the given records (slots). Its blocks
// are added through what is returned.
func (c *builder) message(role transcript.Role, records ...int) *message {
	m := &transcript.Message{Role: role}
	at := &splice.MessagePlace{Records: records}
	c.msgs = append(c.msgs, m)
	c.l.Messages = append(c.l.Messages, at)
	return &message{l: c.l, m: m, at: at}
}

// dropEmpty takes the last message back when nothing was added to it.
func (c *builder) dropEmpty() {
	last := len(c.msgs) - 1
	if last >= 0 && len(c.msgs[last].Blocks) == 0 {
		c.msgs, c.l.Messages = c.msgs[:last], c.l.Messages[:last]
	}
}

// add makes the collected messages a conversation of the file.
func (f *File) add(id string, c *builder) {
	if f.Dialect.fails != nil {
		c.readFailures(f.Dialect.fails)
	}
	c.l.Finish(f.sample, c.msgs)
	conv := transcript.New(id, c.msgs)
	conv.Model = c.model
	f.Convs = append(f.Convs, conv)
	f.layouts = append(f.layouts, c.l)
}

// readLines makes the lines of a JSONL source the records of l and calls each
// for those that hold a JSON value, with their number from 0. v is valid only
// during the call. Other lines are copied: broken ones are a fault, blank ones
// are not. A source of one line counts as JSONL.
func (f *File) readLines(l *splice.Layout, p *probe, each func(record int, v rawjson.Value)) {
	if p.lines == nil {
		p.splitLines()
	}
	f.readRange(l, p, 0, len(p.lines), each)
}

// readRange is readLines for the lines from one number to below another.
// Records are numbered from 0 there, too.
func (f *File) readRange(l *splice.Layout, p *probe, from, to int, each func(record int, v rawjson.Value)) {
	lines := p.lines[from:to]
	spans := make([]rawjson.Span, len(lines))
	for i, line := range lines {
		spans[i] = rawjson.Span{Start: line.Start, End: line.Next}
	}
	l.SetLines(spans)
	f.scanLines(p, from, to, each)
}

// eachLine calls each for the lines that hold a JSON value, with their number
// from 0. v is valid only during the call. Broken lines are a fault.
func (f *File) eachLine(p *probe, each func(line int, v rawjson.Value)) {
	f.scanLines(p, 0, len(p.lines), each)
}

// scanLines is eachLine for the lines from one number to below another.
func (f *File) scanLines(p *probe, from, to int, each func(line int, v rawjson.Value)) {
	lines := p.lines[from:to]
	p.scanAhead(lines, func(i int, doc *rawjson.Doc, err error) {
		line := lines[i]
		switch {
		case isBlank(p.src, line.Span):
			return
		case err != nil:
			f.Faults = append(f.Faults, Fault{Line: from + i + 1, Offset: line.Start, Text: "not a JSON line, copied as it is: " + err.Error()})
			return
		case doc.Root().Kind() != rawjson.Object:
			f.Faults = append(f.Faults, Fault{Line: from + i + 1, Offset: line.Start, Text: "a line that is no object, copied as it is"})
		}
		each(i, doc.Root())
	})
}

// isBlank reports whether a stretch of src is white space, or nothing.
func isBlank(src []byte, s rawjson.Span) bool {
	return rawjson.SkipSpace(src[:s.End], s.Start) == s.End
}

// eachBody calls each for every request of a source: for the document, or for
// every line of JSONL that holds an object.
func (f *File) eachBody(p *probe, each func(i int, v rawjson.Value)) {
	if p.lines == nil {
		each(0, p.doc.Root())
		return
	}
	f.eachLine(p, func(i int, v rawjson.Value) {
		if v.Kind() == rawjson.Object {
			each(i, v)
		}
	})
}

// readArray makes the elements of an array the records of l and calls each for
// every one.
func readArray(l *splice.Layout, array rawjson.Value, each func(record int, v rawjson.Value)) {
	l.SetRecords(array)
	i := 0
	for e := range array.Elems() {
		each(i, e)
		i++
	}
}

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
