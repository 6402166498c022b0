package format

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// Roo Code hides messages instead of deleting them: each gets the id of a truncation
// marker or of a summary, and is seen again when that is gone.

// tag hides messages that were dropped, each behind the next message that was put
// in behind it, and writes these.
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
		if behind == nil { // it stands for nothing: what was typed, behind the summary
			record = renderMessage(c, i)
		}
		edits = append(edits, c.InsertElem(i, record))
	}
	return edits
}

// recordOf is the index of the record that a message lies in; none for a system
// prompt beside the messages, which has no tags.
func recordOf(l *splice.Layout, m *transcript.Message) int {
	for _, s := range l.Messages[m.ID].Records {
		return l.RecordOf(s)
	}
	return splice.None
}

// tagID depends on nothing but which messages are hidden.
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

// tagRecord sets the tag in a record. The tag of an earlier summary stays, as Roo
// Code leaves it.
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

// taggedRecord is the record of a marker or summary that hides others.
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

// timeAt is the time of a message in front of a record: a millisecond before that
// one's, or after the last one's when it goes to the end; zero when they have none.
func timeAt(c *splice.Change, record int) time.Time {
	var last time.Time
	for _, m := range c.From.Messages {
		switch {
		case m.Time.IsZero():
		case recordOf(c.Layout, m) == record:
			return m.Time.Add(-time.Millisecond)
		default:
			last = m.Time
		}
	}
	if record < c.Len() || last.IsZero() {
		return time.Time{}
	}
	return last.Add(time.Millisecond)
}

// tagged returns what a tagged output decodes to: final, and the messages that it
// lacks hidden where they were.
func tagged(from, final *transcript.Conversation) *transcript.Conversation {
	var messages []*transcript.Message
	rest := final.Messages
	inserted := func() {
		for len(rest) > 0 && from.Message(rest[0].ID) == nil {
			messages, rest = append(messages, rest[0]), rest[1:]
		}
	}
	for _, m := range from.Messages {
		if final.Message(m.ID) == nil {
			hidden := *m
			hidden.Hidden = true
			messages = append(messages, &hidden)
			continue
		}
		inserted()
		messages, rest = append(messages, rest[0]), rest[1:]
	}
	inserted()
	return &transcript.Conversation{ID: final.ID, Messages: messages}
}
