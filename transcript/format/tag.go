package format

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// Roo Code hides messages instead of deleting them: each gets the id of a truncation
// marker or of a summary, and is seen again when that is gone.

// tag hides messages that were dropped, each behind the next message that was put
// in behind it, and writes these.
func (lo *lowering) tag(dropped []*transcript.Message, inserted []insertion) {
	for i, in := range inserted {
		var behind []*transcript.Message
		for len(dropped) > 0 && lo.recordOf(dropped[0]) < in.record {
			behind, dropped = append(behind, dropped[0]), dropped[1:]
		}
		id := tagID(behind)
		for _, m := range behind {
			if r := lo.recordOf(m); r != none {
				lo.tagRecord(lo.l.lists[lo.l.records].spans[r], id, in.msg.Hides)
			}
		}
		record := lo.taggedRecord(in, id)
		if behind == nil { // it stands for nothing: what was typed, behind the summary
			record = lo.dialect.render(lo.l, inserted, i, lo.gone)
		}
		lo.insertElem(in, record, i+1 < len(inserted))
	}
}

// recordOf is the index of the record that a message lies in; none for a system
// prompt beside the messages, which has no tags.
func (lo *lowering) recordOf(m *transcript.Message) int {
	for _, s := range lo.l.msgs[m.ID].records {
		return lo.l.recordOf(s)
	}
	return none
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
	return uuid(h.Sum(nil))
}

// tagRecord sets the tag in the object that lies in span. The tag of an earlier
// summary stays, as Roo Code leaves it.
func (lo *lowering) tagRecord(span rawjson.Span, id string, truncation bool) {
	var doc rawjson.Doc
	if _, err := doc.Scan(lo.l.src, span.Start, span.End); err != nil {
		return // cannot be: it was scanned when it was decoded
	}
	key := "condenseParent"
	if truncation {
		key = "truncationParent"
	}
	if old := doc.Root().Get(key); old.Ok() {
		if truncation {
			lo.edits = append(lo.edits, rawjson.Edit{Span: old.Span(), New: []byte(strconv.Quote(id))})
		}
		return
	}
	members := doc.Root().Items()
	at := members[len(members)-1].End
	lo.edits = append(lo.edits, rawjson.Edit{
		Span: rawjson.Span{Start: at, End: at}, New: fmt.Appendf(nil, `,%q:%q`, key, id),
	})
}

// taggedRecord is the record of a marker or summary that hides others.
func (lo *lowering) taggedRecord(in insertion, id string) []byte {
	text := fmt.Appendf(nil, `{"role":%q,"content":%s,`, in.msg.Role, renderContent(lo.l, in.msg))
	if at := lo.timeAt(in.record); !at.IsZero() {
		text = fmt.Appendf(text, `"ts":%d,`, at.UnixMilli())
	}
	if in.msg.Hides {
		return fmt.Appendf(text, `"isTruncationMarker":true,"truncationId":%q}`, id)
	}
	return fmt.Appendf(text, `"isSummary":true,"condenseId":%q}`, id)
}

// timeAt is the time of a message in front of a record: a millisecond before that
// one's, or after the last one's when it goes to the end; zero when they have none.
func (lo *lowering) timeAt(record int) time.Time {
	var last time.Time
	for _, m := range lo.from.Messages {
		switch {
		case m.Time.IsZero():
		case lo.recordOf(m) == record:
			return m.Time.Add(-time.Millisecond)
		default:
			last = m.Time
		}
	}
	if record < len(lo.l.lists[lo.l.records].spans) || last.IsZero() {
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
