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
