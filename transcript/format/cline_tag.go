package format

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// Roo Code hides messages instead of removing them. It tags each hidden message with the id
// of a truncation marker or of a summary. When that is removed, the message is visible
// again.

// hideByTags inserts the new messages, and tags each dropped message with the id of the
// next new message after it.
func hideByTags(c *splice.Change, dropped []*transcript.Message) (edits []rawjson.Edit) {
	for i, in := range c.Inserted {
		var behind []*transcript.Message
		for len(dropped) > 0 && recordOf(c.Layout, dropped[0]) < in.Record {
			behind, dropped = append(behind, dropped[0]), dropped[1:]
		}
		id := tagID(behind)
		for _, m := range behind {
			if r := recordOf(c.Layout, m); r != splice.None {
				edits = append(edits, tagRecord(c.Scan(r), id, in.Message.Hides)...)
			}
		}
		record := taggedRecord(c, in, id)
		if behind == nil { // it hides nothing: typed text that follows the summary
			record = renderMessage(c, i)
		}
		edits = append(edits, c.InsertElem(i, record))
	}
	return edits
}

// recordOf returns the index of the record of a message, or None for a system prompt
// beside the messages, which has no tags.
func recordOf(l *splice.Layout, m *transcript.Message) int {
	for _, s := range l.Records(m.ID) {
		return l.RecordOf(s)
	}
	return splice.None
}

// tagID returns an id that depends only on the hidden messages.
func tagID(hidden []*transcript.Message) string {
	h := sha256.New()
	for _, m := range hidden {
		fmt.Fprintf(h, "%d\x00", m.ID)
		for _, b := range m.Blocks {
			fmt.Fprintf(h, "%s\x00", b.Text())
		}
	}
	return splice.UUID(h.Sum(nil))
}

// tagRecord returns the edits that set the tag of a record. It keeps the tag of an
// earlier summary, as Roo Code does.
func tagRecord(record rawjson.Value, id string, truncation bool) []rawjson.Edit {
	key := "condenseParent"
	if truncation {
		key = "truncationParent"
	}
	if old := record.Get(key); old.Ok() {
		if truncation {
			return []rawjson.Edit{{Span: old.Span(), New: []byte(strconv.Quote(id))}}
		}
		return nil
	}
	members := record.Items()
	at := members[len(members)-1].End
	return []rawjson.Edit{{Span: rawjson.Span{Start: at, End: at}, New: fmt.Appendf(nil, `,%q:%q`, key, id)}}
}

// taggedRecord returns the record of a marker or summary that hides others.
func taggedRecord(c *splice.Change, in splice.Insertion, id string) []byte {
	text := fmt.Appendf(nil, `{"role":%q,"content":%s,`, in.Message.Role, renderContent(c.Style(), in.Message))
	if at := timeAt(c, in.Record); !at.IsZero() {
		text = fmt.Appendf(text, `"ts":%d,`, at.UnixMilli())
	}
	if in.Message.Hides {
		return fmt.Appendf(text, `"isTruncationMarker":true,"truncationId":%q}`, id)
	}
	return fmt.Appendf(text, `"isSummary":true,"condenseId":%q}`, id)
}

// timeAt returns a time for a new message in front of a record: a millisecond before the
// time of the record. At the end it is a millisecond after the last time. It is zero when
// the messages have no times.
func timeAt(c *splice.Change, record int) time.Time {
	var last time.Time
	for _, m := range c.From.Messages {
		switch {
		case m.Time().IsZero():
		case recordOf(c.Layout, m) == record:
			return m.Time().Add(-time.Millisecond)
		default:
			last = m.Time()
		}
	}
	if record < c.Len() || last.IsZero() {
		return time.Time{}
	}
	return last.Add(time.Millisecond)
}

// tagNames are the members by which a record names the summary or the marker that hides it.
var tagNames = []string{"condenseParent", "truncationParent"}

// hidesBy returns the names, as tag and id, under which other records can name a summary or marker.
func hidesBy(v rawjson.Value) (names []string) {
	if v.Get("isSummary").Bool() {
		names = append(names, "condenseParent "+v.Get("condenseId").Str())
	}
	if v.Get("isTruncationMarker").Bool() {
		names = append(names, "truncationParent "+v.Get("truncationId").Str())
	}
	return names
}

// untag removes the tags that name a removed summary or marker.
func untag(c *splice.Change) (edits []rawjson.Edit) {
	gone := map[string]bool{}
	for _, removed := range []bool{true, false} { // the id of a removed one can be that of another, which stays
		for i := range c.Len() {
			if c.Gone(i) == removed {
				for _, name := range hidesBy(c.Scan(i)) {
					gone[name] = removed
				}
			}
		}
	}
	for i := range c.Len() {
		if len(gone) == 0 || c.Gone(i) {
			continue
		}
		v := c.Scan(i)
		orphan := func(tag string) bool { return gone[tag+" "+v.Get(tag).Str()] }
		edits = append(edits, removeMember(v, slices.DeleteFunc(slices.Clone(tagNames), func(tag string) bool { return !orphan(tag) })...)...)
	}
	return edits
}

// The functions below determine which messages of a task the model of Roo Code sees.

// hideCondensed hides the messages that the model does not see: those before the last
// summary, and those that a later truncation marker hides. It also hides late results. A
// tag hides nothing when its summary or marker is not in the file.
func hideCondensed(b *builder, at []rawjson.Value) {
	lastSummary := -1 // index of the last summary
	markers := map[string]bool{}
	for i, v := range at {
		marker, summary := v.Get("isTruncationMarker").Bool(), v.Get("isSummary").Bool()
		if summary {
			lastSummary = i
			clear(markers) // earlier markers hide no later messages
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
		if parent := v.Get("truncationParent"); i < lastSummary || parent.Ok() && markers[parent.Str()] {
			b.msgs[i].Hidden = true
		}
	}
	b.hideLateResults(at)
}

// hideLateResults hides results that stand after a summary while their calls stand before
// it, are missing, or have an unknown role. A message that has other blocks, too, is split in two, because only
// a whole message can be hidden.
func (c *builder) hideLateResults(at []rawjson.Value) {
	late := c.lateResults(at)
	if late == nil {
		return
	}
	c.l.Unseal()
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

// lateResults returns the results that hideLateResults hides; nil when there is no
// summary. It considers every summary, so that a task decodes to the same messages after
// it gets another one.
func (c *builder) lateResults(at []rawjson.Value) map[*transcript.Block]bool {
	summary := 0                   // number of summaries so far
	called := map[string]int{}     // by id of a call, the number of summaries before it
	behind := make([]int, len(at)) // by message, the number of summaries before it
	for i, v := range at {
		if v.Get("isSummary").Bool() {
			summary++
		}
		behind[i] = summary
		for _, b := range c.msgs[i].Blocks {
			if _, known := chatRole(v.Get("role").Str()); known && b.Kind == transcript.ToolCall && b.Call != "" {
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

// lacksTags is tagging.lacks.
func lacksTags(f *File) string {
	if f.savedByCline() {
		return "tags in files that Cline itself saved: Cline would still send every message to the model"
	}
	return ""
}

// savedByCline reports whether Cline or its SDK certainly wrote the file, and not Roo
// Code. Roo Code writes no modelInfo, and its files are bare arrays.
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
