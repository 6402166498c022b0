package format

import (
	"fmt"
	"strconv"

	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// renderCodex writes a new message as a line like its neighbours, or as an item
// of the history that a compaction left.
func renderCodex(c *splice.Change, i int) []byte {
	in := c.Inserted[i]
	item := renderItem(c.Style(), in.Message)
	if c.Nested(i) {
		return item
	}
	neighbour := c.Before(i, func(v rawjson.Value) bool { return v.Get("payload").Kind() == rawjson.Object })
	if !neighbour.Ok() { // bare items
		return item
	}
	out := []byte{'{'}
	if v := neighbour.Get("timestamp"); v.Ok() {
		out = fmt.Appendf(out, `"timestamp":%s,`, v.Raw())
	}
	out = append(out, `"type":"response_item","payload":`...)
	return append(append(out, item...), '}')
}

// relinkCodex lets a rollback take back as many turns as are left of those that
// it took back; one that has none left goes. Items whose reasoning goes lose their ids.
func relinkCodex(c *splice.Change) []rawjson.Edit {
	edits := unboundItems(c, func(v rawjson.Value) rawjson.Value {
		if body := v.Get("payload"); body.Ok() {
			if !v.Get("type").Is("response_item") {
				return rawjson.Value{}
			}
			return body
		}
		return v
	})
	for _, b := range c.State.([]rollback) {
		if c.Gone(b.record) {
			continue
		}
		lost := 0
		for _, record := range b.of {
			if record != splice.None && c.Gone(record) {
				lost++
			}
		}
		switch {
		case lost == 0:
		case lost == len(b.of):
			edits = append(edits, rawjson.Edit{Span: c.RecordSpan(b.record)})
		default:
			edits = append(edits, rawjson.Edit{Span: b.turns, New: strconv.AppendInt(nil, int64(len(b.of)-lost), 10)})
		}
	}
	return edits
}
