package format

import (
	"bytes"
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// nested reports whether records lie in each other.
func nestedRecords(l *layout) bool {
	return l.len() > 0 && l.around(l.record(0)) != none
}

// renderLibreChat writes a new message into a flat list. Into a nested one
// relink puts it: it lies around those that answer it.
func renderLibreChat(c *change, i int) []byte {
	if nestedRecords(c.layout) {
		return nil
	}
	return append(libreHead(c, i), '}')
}

// libreHead is a new message without the brace that closes it.
func libreHead(c *change, i int) []byte {
	m := c.inserted[i].msg
	parent, _ := c.neighbours(i)
	sender, byUser := "User", m.Role != transcript.Assistant
	if !byUser {
		sender = "Assistant"
	}
	out := fmt.Appendf(nil, `{"messageId":%q`, c.insertedID(i))
	if !c.tree.flat {
		out = fmt.Appendf(out, `,"parentMessageId":%s`, linkValue(parent))
	}
	out = fmt.Appendf(out, `,"sender":%q,"isCreatedByUser":%t`, sender, byUser)
	if at := m.Time; !at.IsZero() {
		out = fmt.Appendf(out, `,"createdAt":%q`, at.Format("2006-01-02T15:04:05.000Z"))
	}
	return fmt.Appendf(out, `,"text":%s`, joinedText(c.docStyle(), m))
}

// relinkLibreChat mends the names of parents, and puts new messages around the
// one that they stand in front of, or into the last one.
func relinkLibreChat(c *change) []rawjson.Edit {
	edits := relinkTree(c)
	if !nestedRecords(c.layout) || len(c.inserted) == 0 {
		return edits
	}
	rows, order := map[int][]byte{}, []int{}
	count := map[int]int{}
	for i, in := range c.inserted {
		at := c.tree.position(in.record)
		if count[at]++; count[at] == 1 {
			order = append(order, at)
		}
		rows[at] = append(append(rows[at], libreHead(c, i)...), `,"children":[`...)
	}
	for _, at := range order {
		end := bytes.Repeat([]byte(`]}`), count[at])
		if at < len(c.tree.path) {
			span := c.recordSpans()[c.tree.path[at]]
			edits = append(edits, rawjson.Edit{Span: rawjson.Span{Start: span.Start, End: span.Start}, New: rows[at]},
				rawjson.Edit{Span: rawjson.Span{Start: span.End, End: span.End}, New: end})
			continue
		}
		edits = append(edits, appendNested(c, append(rows[at], end...)))
	}
	return edits
}

// appendNested puts a message behind everything that stays: into the children
// of the last message, or into the list when nothing does.
func appendNested(c *change, text []byte) rawjson.Edit {
	array, last := c.array, c.tree.last(c.gone)
	if last != none {
		if v := c.scan(last); v.Ok() {
			kids := v.Get("children")
			if kids.Kind() != rawjson.Array { // none yet: it gets some
				at := rawjson.Span{Start: v.Span().End - 1, End: v.Span().End - 1}
				return rawjson.Edit{Span: at, New: append(append([]byte(`,"children":[`), text...), ']')}
			}
			array = kids.Span()
		}
	}
	for i, span := range c.recordSpans() { // behind what else stays in the array
		if array.Start < span.Start && span.End < array.End && !c.gone(i) {
			text = append([]byte{','}, text...)
			break
		}
	}
	at := array.End - 1
	for at > array.Start+1 && bytes.IndexByte([]byte(" \t\r\n"), c.src[at-1]) >= 0 {
		at--
	}
	return rawjson.Edit{Span: rawjson.Span{Start: at, End: at}, New: text}
}
