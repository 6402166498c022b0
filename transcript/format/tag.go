package format

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// Roo Code hides messages instead of deleting them (SYSTEMS §1.3): each gets the
// id of a marker message, and is seen again when that marker is gone.

// tag writes messages that were dropped as hidden, and the marker that hides them.
func (lo *lowering) tag(dropped []*transcript.Message) {
	if len(dropped) == 0 {
		return
	}
	id := markerID(dropped)
	for _, m := range dropped {
		for _, s := range lo.l.msgs[m.ID].records {
			lo.tagRecord(lo.l.lists[lo.l.slots[s].list].spans[lo.l.slots[s].index], id)
		}
	}
	record, ts := lo.afterDropped(dropped)
	text := fmt.Appendf(nil, `{"role":"user","content":[{"type":"text","text":%s}],`, lo.l.docStyle().Quote(markerText(len(dropped))))
	if ts > 0 {
		text = fmt.Appendf(text, `"ts":%d,`, ts)
	}
	text = fmt.Appendf(text, `"isTruncationMarker":true,"truncationId":%q}`, id)
	lo.insertElem(insertion{list: lo.l.records, record: record}, text, false)
}

func markerText(n int) string {
	return fmt.Sprintf("[Sliding window truncation: %d messages hidden to save context]", n)
}

// markerID depends on nothing but which messages are hidden.
func markerID(dropped []*transcript.Message) string {
	h := sha256.New()
	for _, m := range dropped {
		fmt.Fprintf(h, "%d\x00", m.ID)
		for _, b := range m.Blocks {
			fmt.Fprintf(h, "%s\x00", b.Text())
		}
	}
	return uuid(h.Sum(nil))
}

// tagRecord sets truncationParent in the object that lies in span.
func (lo *lowering) tagRecord(span rawjson.Span, id string) {
	var doc rawjson.Doc
	if _, err := doc.Scan(lo.l.src, span.Start, span.End); err != nil {
		return // cannot be: it was scanned when it was decoded
	}
	if old := doc.Root().Get("truncationParent"); old.Ok() {
		lo.edits = append(lo.edits, rawjson.Edit{Span: old.Span(), New: []byte(strconv.Quote(id))})
		return
	}
	members := doc.Root().Items()
	at := members[len(members)-1].End
	lo.edits = append(lo.edits, rawjson.Edit{
		Span: rawjson.Span{Start: at, End: at}, New: fmt.Appendf(nil, `,"truncationParent":%q`, id),
	})
}

// afterDropped gives the record behind the last dropped message, where the marker
// goes, and the time stamp that it gets: just before that record's, 0 for none.
func (lo *lowering) afterDropped(dropped []*transcript.Message) (record int, ts int64) {
	last := lo.from.Position(dropped[len(dropped)-1].ID)
	for _, m := range lo.from.Messages[last+1:] {
		records := lo.l.msgs[m.ID].records
		if len(records) == 0 {
			continue
		}
		if !m.Time.IsZero() {
			ts = m.Time.UnixMilli() - 1
		}
		return records[0] - lo.l.first, ts
	}
	return len(lo.l.lists[lo.l.records].spans), 0
}

// tagged gives what a tagged output decodes to: final, with the messages it lacks
// hidden and the marker behind them.
func tagged(from, final *transcript.Conversation) *transcript.Conversation {
	var messages []*transcript.Message
	dropped, behind := 0, 0
	for _, m := range from.Messages {
		if kept := final.Message(m.ID); kept != nil {
			messages = append(messages, kept)
			continue
		}
		hidden := *m
		hidden.Hidden = true
		messages = append(messages, &hidden)
		dropped, behind = dropped+1, len(messages)
	}
	if dropped > 0 {
		marker := &transcript.Message{Role: transcript.User, Blocks: []*transcript.Block{{
			Origin: transcript.Generated, Parts: []transcript.Part{{Text: markerText(dropped)}},
		}}}
		messages = slices.Insert(messages, behind, marker)
	}
	return &transcript.Conversation{ID: final.ID, Messages: messages}
}
