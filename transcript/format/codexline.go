package format

import (
	"fmt"
	"strconv"

	"condense/transcript/internal/rawjson"
)

// renderCodex writes a new message as a line like its neighbours, or as an item
// of the history that a compaction left.
func renderCodex(l *layout, inserted []insertion, i int, _ func(int) bool) []byte {
	in := inserted[i]
	item := renderItem(l, in.msg)
	if in.list != l.records {
		return item
	}
	neighbour := l.envelope(in.record)
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

// envelope is the record at or nearest before the given one that wraps a payload.
func (l *layout) envelope(record int) rawjson.Value {
	spans := l.lists[l.records].spans
	for i := min(record, len(spans)-1); i >= 0; i-- {
		doc := new(rawjson.Doc)
		if _, err := doc.Scan(l.src, spans[i].Start, spans[i].End); err == nil && doc.Root().Get("payload").Kind() == rawjson.Object {
			return doc.Root()
		}
	}
	return rawjson.Value{}
}

// relinkCodex lets a rollback take back as many turns as are left of those that
// it took back; one that has none left goes. Items whose reasoning goes lose their ids.
func relinkCodex(l *layout, gone func(int) bool, _ []insertion) []rawjson.Edit {
	edits := unboundItems(l, gone, func(v rawjson.Value) rawjson.Value {
		if body := v.Get("payload"); body.Ok() {
			if !v.Get("type").Is("response_item") {
				return rawjson.Value{}
			}
			return body
		}
		return v
	})
	for _, b := range l.rollbacks {
		if gone(b.record) {
			continue
		}
		lost := 0
		for _, record := range b.of {
			if record != none && gone(record) {
				lost++
			}
		}
		switch {
		case lost == 0:
		case lost == len(b.of):
			edits = append(edits, rawjson.Edit{Span: l.lists[l.records].spans[b.record]})
		default:
			edits = append(edits, rawjson.Edit{Span: b.turns, New: strconv.AppendInt(nil, int64(len(b.of)-lost), 10)})
		}
	}
	return edits
}
