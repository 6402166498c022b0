package format

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// renderEvent writes a new message as an event. Its number lies between those of
// its neighbours where one is free.
func renderEvent(c *change, i int) []byte {
	in := c.inserted[i]
	text := joinedText(c.docStyle(), in.msg)
	source := "user"
	if in.msg.Role == transcript.Assistant {
		source = "agent"
	}
	like := c.like(func(r rawjson.Value) bool { return true })
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
func eventNumber(c *change, i int) (id int64, free bool) {
	at := c.inserted[i].record
	after := int64(0) // new events that follow at the same place
	for _, in := range c.inserted[i+1:] {
		if in.record == at {
			after++
		}
	}
	before, next, hasNext := int64(-1), int64(0), false
	for k := range c.len() {
		if c.gone(k) || hasNext {
			continue
		}
		n, ok := c.scan(k).Get("id").Int()
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
		return before + int64(len(c.inserted)) - after, true
	}
	id = next - 1 - after
	return id, id > before+int64(i)
}
