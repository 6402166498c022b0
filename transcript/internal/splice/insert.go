package splice

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// insertions returns the new messages, each with the record after it.
func (lo *lowering) insertions() []Insertion {
	known := lo.l.known()
	list, record := lo.l.records, lo.l.Len()
	if lo.l.Closed && known > 0 {
		if r := lo.l.RecordOf(lo.l.Records(known - 1)[0]); r != None {
			record = r
		}
	}
	var found []Insertion
	for _, m := range slices.Backward(lo.to.Messages) {
		if m.ID >= known {
			found = append(found, Insertion{list, record, m})
			continue
		}
		for _, s := range lo.l.Records(m.ID) {
			if lo.dead(s) {
				continue
			}
			if l, r := lo.l.spot(s); r != None {
				list, record = l, r
				break
			}
		}
	}
	slices.Reverse(found)
	return found
}

// spot returns the place of a new record in front of a slot: a list, and the index in it;
// None for an unknown index.
func (l *Layout) spot(slot int) (list, record int) {
	at := l.slots[slot]
	if l.lists[l.records].lines && at.up != None && l.lists[at.list].first != None {
		return int(at.list), int(at.index) // one of several in a line
	}
	return l.records, l.RecordOf(slot)
}

// markJoined marks the messages that share a record with the visible message before them.
func (l *Layout) markJoined(msgs []*transcript.Message) {
	lastList, lastRecord := None, None
	for i, m := range msgs {
		if m.Hidden {
			continue
		}
		records := l.Records(i)
		if len(records) == 0 {
			continue
		}
		list, record := l.spot(records[0])
		m.Joined = m.Joined || record != None && list == lastList && record == lastRecord
		lastList, lastRecord = list, record
	}
}

// markOwn marks the messages with generated text whose record has an id that UUID made.
func (l *Layout) markOwn(msgs []*transcript.Message) {
	for i, m := range msgs {
		written := slices.ContainsFunc(m.Blocks, func(b *transcript.Block) bool {
			return b.Kind == transcript.Text && b.Origin == transcript.Generated
		})
		if !written || len(l.Records(i)) == 0 {
			continue
		}
		list, index := l.spot(l.Records(i)[0])
		if index == None {
			continue
		}
		record := l.scanElem(list, index)
		m.Marked = isOwnID(record.Str()) || slices.ContainsFunc(idKeys, func(key string) bool { return isOwnID(record.Get(key).Str()) })
	}
}

// idKeys are the members of records that hold the ids of new messages. A record that is a member
// of an object has its id as key.
var idKeys = []string{"uuid", "id", "messageId", "condenseId"}

// insert adds the records of new messages.
func (lo *lowering) insert(c *Change) {
	for i, in := range c.Inserted {
		text := lo.Render(c, i)
		if text == nil { // Relink inserts it
			continue
		}
		if lo.l.lists[in.list].lines {
			lo.edits = append(lo.edits, c.insertLine(in, text))
		} else {
			lo.edits = append(lo.edits, c.InsertElem(i, text))
		}
	}
}

// insertLine returns the edit that inserts a line in front of a record, or after all
// records. It adds a line break to a last line that stays and has none.
func (c *Change) insertLine(in Insertion, text []byte) rawjson.Edit {
	last := c.Len() - 1
	at := c.RecordSpan(last).End
	switch {
	case in.Record <= last:
		at, text = c.RecordSpan(in.Record).Start, append(text, '\n')
	case c.Src[at-1] != '\n' && !c.Gone(last):
		text = append([]byte{'\n'}, text...)
	default:
		text = append(text, '\n')
	}
	return rawjson.Edit{Span: rawjson.Span{Start: at, End: at}, New: text}
}

// InsertElem returns the edit that inserts new message i into the array of records.
func (c *Change) InsertElem(i int, text []byte) rawjson.Edit {
	in := c.Inserted[i]
	return c.InsertInto(in.list, c.Array, in.Record, c.Gone, text, i+1 < len(c.Inserted))
}

// InsertInto returns the edit that inserts an element into a list, in front of the one
// at index, laid out like its neighbours. The list lies in array. more reports whether
// another insertion follows.
func (l *Layout) InsertInto(list int, array rawjson.Span, index int, gone func(int) bool, text []byte, more bool) rawjson.Edit {
	n := l.lenOf(list)
	sep := l.separator(list)
	text = indented(text, sep)
	anyStays := func() bool {
		for i := range n {
			if !gone(i) {
				return true
			}
		}
		return false
	}
	var at int
	switch {
	case index < n:
		at, text = l.spanOf(list, index).Start, append(text, sep...)
	case anyStays():
		at, text = l.spanOf(list, n-1).End, append(slices.Clone(sep), text...)
	default: // nothing else stays in the array
		at = array.Start + 1
		if n > 0 {
			at = l.spanOf(list, n-1).End
		}
		if more {
			text = append(text, sep...)
		}
	}
	return rawjson.Edit{Span: rawjson.Span{Start: at, End: at}, New: text}
}

// separator returns the bytes between two elements: a comma, and the white space that the source
// uses.
func (l *Layout) separator(list int) []byte {
	if l.lenOf(list) < 2 {
		return []byte{','}
	}
	return slices.Clone(l.Src[l.spanOf(list, 0).End:l.spanOf(list, 1).Start])
}

// indented returns compact JSON as several lines, where the separator shows that the
// source is written so.
func indented(text, sep []byte) []byte {
	nl := bytes.LastIndexByte(sep, '\n')
	if nl < 0 {
		return text
	}
	prefix := string(sep[nl+1:])
	unit := prefix
	if len(unit) > 4 {
		unit = unit[:2]
	}
	var out bytes.Buffer
	value := text
	if text[0] == '"' { // a member: its key, then its value
		colon := bytes.Index(text, []byte(`":`)) + 2
		out.Write(text[:colon])
		out.WriteByte(' ')
		value = text[colon:]
	}
	if unit == "" || json.Indent(&out, value, prefix, unit) != nil {
		return text
	}
	return out.Bytes()
}

// NewID returns the id of the record of new message i. It depends only on the new texts
// so far and on the last record, so that equal runs write equal bytes.
func (c *Change) NewID(i int) string {
	h := sha256.New()
	for _, in := range c.Inserted[:i+1] {
		fmt.Fprintf(h, "%d\x00%s\x00", in.Record, in.Message.Role)
		for _, b := range in.Message.Blocks {
			fmt.Fprintf(h, "%s\x00", b.Text())
		}
	}
	if len(c.Chain.Nodes) > 0 {
		h.Write([]byte(c.Chain.Nodes[len(c.Chain.Nodes)-1].ID))
	}
	return UUID(h.Sum(nil))
}

// UUID makes an id of a hash of at least 16 bytes, and changes two of them: version 8
// of RFC 9562, which is meant for custom ids.
func UUID(sum []byte) string {
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// isOwnID reports whether UUID made an id. The clients whose files condense reads make ids of
// the versions 4 and 7.
func isOwnID(id string) bool { return ownID.MatchString(id) }

var ownID = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// ShortID returns the first n letters of NewID, without hyphens.
func (c *Change) ShortID(i, n int) string {
	return strings.ReplaceAll(c.NewID(i), "-", "")[:n]
}

// Before returns the record that suits at the place of new message i, or the nearest
// one before it. The value is absent when none suits.
func (c *Change) Before(i int, suits func(v rawjson.Value) bool) rawjson.Value {
	in := c.Inserted[i]
	for k := min(in.Record, c.lenOf(in.list)-1); k >= 0; k-- {
		if v := c.scanElem(in.list, k); v.Ok() && suits(v) {
			return v
		}
	}
	return rawjson.Value{}
}

// Nearest is [Change.Before], or if that finds no record, it returns the nearest suitable record
// after the place.
func (c *Change) Nearest(i int, suits func(v rawjson.Value) bool) rawjson.Value {
	if v := c.Before(i, suits); v.Ok() {
		return v
	}
	in := c.Inserted[i]
	for k := in.Record + 1; k < c.lenOf(in.list); k++ {
		if v := c.scanElem(in.list, k); v.Ok() && suits(v) {
			return v
		}
	}
	return rawjson.Value{}
}

// Nested reports whether new message i is inserted into a list inside a record.
func (c *Change) Nested(i int) bool { return c.Inserted[i].list != c.records }
