package format

import (
	"bytes"
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// nested reports whether records lie in each other.
func nestedRecords(l *splice.Layout) bool {
	return l.Len() > 0 && l.Around(l.Slot(0)) != splice.None
}

// renderLibreChat writes a new message into a flat list. Into a nested one
// relink puts it: it lies around those that answer it.
func renderLibreChat(c *splice.Change, i int) []byte {
	if nestedRecords(c.Layout) {
		return nil
	}
	return append(libreHead(c, i), '}')
}

// libreHead is a new message without the brace that closes it.
func libreHead(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	parent, _ := c.Neighbours(i)
	sender, byUser := "User", m.Role != transcript.Assistant
	if !byUser {
		sender = "Assistant"
	}
	out := fmt.Appendf(nil, `{"messageId":%q`, c.NewID(i))
	if !c.Tree.Flat {
		out = fmt.Appendf(out, `,"parentMessageId":%s`, splice.LinkValue(parent))
	}
	out = fmt.Appendf(out, `,"sender":%q,"isCreatedByUser":%t`, sender, byUser)
	if at := m.Time; !at.IsZero() {
		out = fmt.Appendf(out, `,"createdAt":%q`, at.Format("2006-01-02T15:04:05.000Z"))
	}
	return fmt.Appendf(out, `,"text":%s`, joinedText(c.Style(), m))
}

// relinkLibreChat mends the names of parents, and puts new messages around the
// one that they stand in front of, or into the last one.
func relinkLibreChat(c *splice.Change) []rawjson.Edit {
	edits := splice.RelinkTree(c)
	if !nestedRecords(c.Layout) || len(c.Inserted) == 0 {
		return edits
	}
	rows, order := map[int][]byte{}, []int{}
	count := map[int]int{}
	for i, in := range c.Inserted {
		at := c.Tree.Position(in.Record)
		if count[at]++; count[at] == 1 {
			order = append(order, at)
		}
		rows[at] = append(append(rows[at], libreHead(c, i)...), `,"children":[`...)
	}
	for _, at := range order {
		end := bytes.Repeat([]byte(`]}`), count[at])
		if at < len(c.Tree.Path) {
			span := c.RecordSpans()[c.Tree.Path[at]]
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
func appendNested(c *splice.Change, text []byte) rawjson.Edit {
	array, last := c.Array, c.Tree.Last(c.Gone)
	if last != splice.None {
		if v := c.Scan(last); v.Ok() {
			kids := v.Get("children")
			if kids.Kind() != rawjson.Array { // none yet: it gets some
				at := rawjson.Span{Start: v.Span().End - 1, End: v.Span().End - 1}
				return rawjson.Edit{Span: at, New: append(append([]byte(`,"children":[`), text...), ']')}
			}
			array = kids.Span()
		}
	}
	for i, span := range c.RecordSpans() { // behind what else stays in the array
		if array.Start < span.Start && span.End < array.End && !c.Gone(i) {
			text = append([]byte{','}, text...)
			break
		}
	}
	at := array.End - 1
	for at > array.Start+1 && bytes.IndexByte([]byte(" \t\r\n"), c.Src[at-1]) >= 0 {
		at--
	}
	return rawjson.Edit{Span: rawjson.Span{Start: at, End: at}, New: text}
}
