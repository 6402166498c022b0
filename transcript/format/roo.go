package format

import (
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// What Roo Code's model sees of a task. Roo Code deletes nothing: messages stay in
// the file, hidden by what stands for them.

// hideCondensed hides what the model does not see: what is in front of the last
// summary, what a truncation marker behind it hides, and results of calls in front
// of the summary. Tags whose summary or marker is not there any more hide nothing.
func hideCondensed(b *builder, at []rawjson.Value) {
	slice := -1 // where the last summary is
	markers := map[string]bool{}
	for i, v := range at {
		marker, summary := v.Get("isTruncationMarker").Bool(), v.Get("isSummary").Bool()
		if summary {
			slice = i
			clear(markers) // those in front of it hide nothing behind it
		}
		if marker {
			markers[v.Get("truncationId").Str()] = true
			b.msgs[i].Hides = true
		}
		if marker || summary {
			generated(b.msgs[i])
		}
	}
	for i, v := range at {
		if b.msgs[i].Role == transcript.System {
			continue
		}
		if parent := v.Get("truncationParent"); i < slice || parent.Ok() && markers[parent.Str()] {
			b.msgs[i].Hidden = true
		}
	}
	b.hideLateResults(at)
}

// hideLateResults hides results whose calls are in front of the last summary that
// is in front of the results: alone, when there is something else in their
// message. It becomes two then, so that messages are hidden whole everywhere else.
func (c *builder) hideLateResults(at []rawjson.Value) {
	late := c.lateResults(at)
	if late == nil {
		return
	}
	msgs, places := c.msgs, c.l.Messages
	c.msgs, c.l.Messages = nil, nil
	for i, m := range msgs {
		c.msgs, c.l.Messages = append(c.msgs, m), append(c.l.Messages, places[i])
		if m.Role != transcript.User || at[i].Get("content").Kind() != rawjson.Array {
			continue
		}
		hidden := func(b *transcript.Block) bool { return late[b] }
		switch {
		case !slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool { return !late[b] }):
			m.Hidden = true
		case slices.ContainsFunc(m.Blocks, hidden):
			other, place := cutBlocks(m, places[i], hidden)
			other.Hidden = true
			c.msgs, c.l.Messages = append(c.msgs, other), append(c.l.Messages, place)
		}
	}
}

// lateResults finds the results that hideLateResults hides; nil when there is no
// summary. It looks behind every summary, not only the last one, so that a task
// decodes to the same messages when it gets another.
func (c *builder) lateResults(at []rawjson.Value) map[*transcript.Block]bool {
	summary := 0                   // number of summaries so far
	called := map[string]int{}     // by id of a call, how many were in front of it
	behind := make([]int, len(at)) // by message, the same
	for i, v := range at {
		if v.Get("isSummary").Bool() {
			summary++
		}
		behind[i] = summary
		for _, b := range c.msgs[i].Blocks {
			if b.Kind == transcript.ToolCall && b.Call != "" {
				called[b.Call] = summary
			}
		}
	}
	if summary == 0 {
		return nil
	}
	late := map[*transcript.Block]bool{}
	for i := range at {
		for _, b := range c.msgs[i].Blocks {
			of, known := called[b.Call]
			if b.Kind == transcript.ToolResult && b.Call != proseID && behind[i] > 0 && (!known || of < behind[i]) {
				late[b] = true
			}
		}
	}
	return late
}

// cutBlocks takes blocks out of a message and gives a message of them, which lies
// in the same record.
func cutBlocks(m *transcript.Message, at *splice.MessagePlace, out func(*transcript.Block) bool) (*transcript.Message, *splice.MessagePlace) {
	other := &transcript.Message{Role: m.Role, Time: m.Time}
	place := &splice.MessagePlace{Records: at.Records}
	blocks, places := m.Blocks, at.Blocks
	m.Blocks, at.Blocks = nil, nil
	for i, b := range blocks {
		if out(b) {
			other.Blocks, place.Blocks = append(other.Blocks, b), append(place.Blocks, places[i])
		} else {
			m.Blocks, at.Blocks = append(m.Blocks, b), append(at.Blocks, places[i])
		}
	}
	return other, place
}

// generated marks the texts of a message as written by a condenser.
func generated(m *transcript.Message) {
	for _, b := range m.Blocks {
		if b.Kind == transcript.Text {
			b.Origin = transcript.Generated
		}
	}
}

// lacksTags says why a file cannot be written with tags; "" when it can.
func lacksTags(f *File) string {
	if f.savedByCline() {
		return "such tags when Cline itself saved the file, which would go on seeing every message"
	}
	return ""
}

// savedByCline tells files that Cline or its SDK wrote for sure from those that Roo
// Code may have written: Roo Code knows no modelInfo, and keeps a bare array.
func (f *File) savedByCline() bool {
	if start := rawjson.SkipSpace(f.src, rawjson.SkipBOM(f.src)); start < len(f.src) && f.src[start] == '{' {
		return true
	}
	cline, tagged := false, false
	f.eachRecord(func(_, _ int, v rawjson.Value) {
		cline = cline || v.Get("modelInfo").Ok()
		tagged = tagged || firstOf(v, "condenseParent", "truncationParent", "isSummary", "isTruncationMarker").Ok()
	})
	return cline && !tagged
}
