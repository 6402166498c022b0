package format

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// renderEvent writes a new message as an event. Its number lies between those of
// its neighbours where one is free.
func renderEvent(c *splice.Change, i int) []byte {
	in := c.Inserted[i]
	text := joinedText(c.Style(), in.Message)
	source := "user"
	if in.Message.Role == transcript.Assistant {
		source = "agent"
	}
	like := c.Like(func(r rawjson.Value) bool { return true })
	if like.Kind() == rawjson.Object && !like.Get("args").Ok() && !like.Get("extras").Ok() { // flat
		return fmt.Appendf(nil, `{"content":%s,"wait_for_response":false,"action":"message","source":%q}`, text, source)
	}
	out := []byte{'{'}
	if id, free := eventNumber(c, i); free {
		out = fmt.Appendf(out, `"id":%d,`, id)
	}
	out = fmt.Appendf(out, `"source":%q,"message":%s,"action":"message","args":{"content":%s,"image_urls":null,"wait_for_response":false}}`,
		source, text, text)
	if like.Kind() == rawjson.Array {
		out = append(append([]byte{'['}, out...), ","+nothingSeen+"]"...)
	}
	return out
}

// eventNumber finds a number for a new event: right below that of the next one
// that stays, if the one before it has a lower one still.
func eventNumber(c *splice.Change, i int) (id int64, free bool) {
	at := c.Inserted[i].Record
	after := int64(0) // new events that follow at the same place
	for _, in := range c.Inserted[i+1:] {
		if in.Record == at {
			after++
		}
	}
	before, next, hasNext := int64(-1), int64(0), false
	for k := range c.Len() {
		if c.Gone(k) || hasNext {
			continue
		}
		n, ok := c.Scan(k).Get("id").Int()
		switch {
		case ok && k < at:
			before = n
		case ok:
			next, hasNext = n, true
		}
	}
	if before < 0 && !hasNext {
		return 0, false
	}
	if !hasNext {
		return before + int64(len(c.Inserted)) - after, true
	}
	id = next - 1 - after
	return id, id > before+int64(i)
}
