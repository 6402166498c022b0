package splice

import (
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// A Layout locates one conversation in a source.
type Layout struct {
	Src      []byte
	Messages []*MessagePlace // by Message.ID, for the messages that are decoded; see Place for a finished layout
	Chain    *Chain          // how records refer to each other
	Tree     *Tree           // the same for records that form a tree; otherwise nil

	// Scope is the part of the source that belongs to this conversation alone, such
	// as a line; empty when that is the whole source.
	Scope rawjson.Span
	// Array is the array or object that the records are elements or members of; empty
	// when they are lines.
	Array rawjson.Span
	// Closed reports whether the reader of the file would take a record after the last
	// message for the beginning of another conversation. A message that is inserted at
	// the end then stands in front of the record of the last message.
	Closed bool
	// TextElement returns the content element that replaces media, from the text as a
	// string literal; nil when {"type":"text","text":…} does.
	TextElement func(src []byte, media rawjson.Span, quoted []byte) []byte
	// State belongs to the dialect. It holds other data that its hooks need when they write
	// the conversation.
	State any

	packed         *packed // the places of many messages; then there are no Messages
	lists          []list
	spans          []span // those of all lists
	slots          []slot
	specials       []*special      // of the slots that have one
	records, first int             // the list of the records, and the slot of the first one
	mirrors        []Mirror        // values that repeat blocks, at least in part
	stay           []int           // slots that are never removed; slots in them may be
	sample         *rawjson.Sample // how the source, or the scope, writes strings
}

// None is the index of nothing: no slot, no record, no message.
const None = -1

// A list is a row of siblings: elements, members or lines.
type list struct {
	from, count int32 // its spans in Layout.spans
	first       int32 // slot of the first element when every one has a slot, or None
	lines       bool  // the spans are lines with their newline; nothing separates them
}

// A span is a rawjson.Span. The index of JSON has no larger offsets.
type span struct{ start, end uint32 }

// A slot is a removable span of the source. A source has up to one for every few bytes, so
// it is small.
type slot struct {
	up      int32 // the slot that it lies in, or None
	list    int32 // its siblings
	index   int32 // its position among them
	special int32 // one more than its index in Layout.specials; 0 for most slots
}

// special is what only few slots have.
type special struct {
	blank rawjson.Span // when not empty, this value is replaced instead of removing the slot
	// instead replaces blank; "" stands for an empty string.
	instead string
	// shell is removed instead of the whole slot when it holds other messages, which stay:
	// the bytes before these messages and after them.
	shell *[2]rawjson.Span
	// earlier has the members in the list of the slot with the same key, of which readers take the last.
	// They are removed together with it, because they would take its place.
	earlier []int32
}

// ownSpecial returns the special data of a slot, to be set.
func (l *Layout) ownSpecial(slot int) *special {
	s := &l.slots[slot]
	if s.special == 0 {
		l.specials = append(l.specials, &special{})
		s.special = int32(len(l.specials))
	}
	return l.specials[s.special-1]
}

// special returns the special data of a slot, or nil.
func (l *Layout) special(slot int) *special {
	if at := l.slots[slot].special; at > 0 {
		return l.specials[at-1]
	}
	return nil
}

// New returns the layout of a conversation in src that has no records yet.
func New(src []byte) *Layout { return &Layout{Src: src, Chain: NewChain()} }

// SetRecords makes the elements of an array, or the members of an object, the
// records of the conversation. Each gets a slot.
func (l *Layout) SetRecords(list rawjson.Value) {
	l.Array, l.records = list.Span(), len(l.lists)
	l.first = l.Elems(None, list)
}

// SetRecordSpans is SetRecords for spans that need not be adjacent elements of the array.
func (l *Layout) SetRecordSpans(array rawjson.Span, spans []rawjson.Span) {
	l.Array, l.records = array, len(l.lists)
	l.first = l.AddSlots(None, spans)
}

// SetLines makes lines, with their newlines, the records of the conversation.
func (l *Layout) SetLines(spans []rawjson.Span) {
	l.SetRecordSpans(rawjson.Span{}, spans)
	l.lists[l.records].lines = true
}

// Finish ends the layout once every message is known. Where a message shares its
// record with the message before it, Finish sets Message.Joined. Where the id of a record
// shows that this program wrote it, Finish sets Message.Marked. sample shows how the source
// writes strings.
func (l *Layout) Finish(sample *rawjson.Sample, msgs []*transcript.Message) {
	l.sample = sample
	if l.Scope.Len() > 0 {
		l.sample = rawjson.NewSample(l.Src[l.Scope.Start:l.Scope.End])
	}
	l.markJoined(msgs)
	l.markOwn(msgs)
	l.pack()
}

// Len returns the number of records.
func (l *Layout) Len() int {
	if len(l.lists) == 0 {
		return 0
	}
	return l.lenOf(l.records)
}

// Slot returns the slot of record i.
func (l *Layout) Slot(i int) int { return l.first + i }

// IsRecord returns the index of the record in a slot, and whether the slot is a record.
func (l *Layout) IsRecord(slot int) (record int, ok bool) {
	s := l.slots[slot]
	return int(s.index), int(s.list) == l.records
}

// RecordOf returns the index of the record that holds a slot, or None.
func (l *Layout) RecordOf(slot int) int {
	n := l.Len()
	for ; slot != None; slot = int(l.slots[slot].up) {
		if i := slot - l.first; 0 <= i && i < n {
			return i
		}
	}
	return None
}

// RecordSpans returns the spans of the records, in a new list.
func (l *Layout) RecordSpans() []rawjson.Span {
	if len(l.lists) == 0 {
		return nil
	}
	return l.spansOf(l.records)
}

// RecordSpan returns the span of record i.
func (l *Layout) RecordSpan(i int) rawjson.Span { return l.spanOf(l.records, i) }

// lenOf returns the number of elements of a list.
func (l *Layout) lenOf(list int) int { return int(l.lists[list].count) }

// spanOf returns the span of an element of a list.
func (l *Layout) spanOf(list, index int) rawjson.Span {
	at := &l.lists[list]
	s := l.spans[at.from : at.from+at.count][index]
	return rawjson.Span{Start: int(s.start), End: int(s.end)}
}

// spansOf returns the spans of the elements of a list, in a new list.
func (l *Layout) spansOf(list int) []rawjson.Span {
	all := make([]rawjson.Span, l.lenOf(list))
	for i := range all {
		all[i] = l.spanOf(list, i)
	}
	return all
}

// IsLines reports whether the records are lines.
func (l *Layout) IsLines() bool { return l.lists[l.records].lines }

// Scan reads record i again. The value is absent when there is no such record, or when it
// is not JSON.
func (l *Layout) Scan(record int) rawjson.Value {
	if record >= l.Len() {
		return rawjson.Value{}
	}
	return l.scanElem(l.records, record)
}

func (l *Layout) scanElem(list, index int) rawjson.Value {
	span := l.spanOf(list, index)
	doc := new(rawjson.Doc)
	if _, err := doc.Scan(l.Src, span.Start, span.End); err != nil {
		return rawjson.Value{}
	}
	return doc.Root()
}

// Like returns one of the first records for which fits returns true, as a model for a new
// record. The value is absent when there is none.
func (l *Layout) Like(fits func(record rawjson.Value) bool) rawjson.Value {
	const first = 64 // records that are looked at
	for i := range min(l.Len(), first) {
		if v := l.Scan(i); v.Ok() && fits(v) {
			return v
		}
	}
	return rawjson.Value{}
}

// AddList adds a list of siblings and returns its index.
func (l *Layout) AddList(spans []rawjson.Span) int {
	l.spans = slices.Grow(l.spans, len(spans))
	for _, s := range spans {
		l.spans = append(l.spans, span{uint32(s.Start), uint32(s.End)})
	}
	return l.addList(len(spans))
}

// addItems adds a list of the elements of an array or the members of an object.
func (l *Layout) addItems(v rawjson.Value) int {
	n := v.Len()
	l.spans = slices.Grow(l.spans, n)
	for s := range v.AllItems() {
		l.spans = append(l.spans, span{uint32(s.Start), uint32(s.End)})
	}
	return l.addList(n)
}

// addList adds a list of the last n spans.
func (l *Layout) addList(n int) int {
	l.lists = append(l.lists, list{from: int32(len(l.spans) - n), count: int32(n), first: None})
	return len(l.lists) - 1
}

// AddSlot adds a slot for one element of a list, and returns it. The slot lies in the
// slot up, or in no other when up is None.
func (l *Layout) AddSlot(up, list, index int) int {
	l.slots = append(l.slots, slot{up: int32(up), list: int32(list), index: int32(index)})
	return len(l.slots) - 1
}

// AddSlots adds a list of spans that lie in the slot up, with a slot for each. It
// returns the first slot; the others follow.
func (l *Layout) AddSlots(up int, spans []rawjson.Span) (first int) {
	return l.fill(up, l.AddList(spans))
}

// Elems is AddSlots for the elements of an array or the members of an object.
func (l *Layout) Elems(up int, array rawjson.Value) (first int) {
	return l.fill(up, l.addItems(array))
}

// fill adds a slot for each element of a list, and returns the first slot.
func (l *Layout) fill(up, list int) (first int) {
	n := l.lenOf(list)
	first = len(l.slots)
	l.lists[list].first = int32(first)
	l.slots = slices.Grow(l.slots, n)
	for i := range n {
		l.AddSlot(up, list, i)
	}
	return first
}

// Member returns a new slot for the member of an object under a key, or up if there is no such
// member.
func (l *Layout) Member(up int, object rawjson.Value, key string) int {
	index, earlier := lastMember(object, key)
	if index == None {
		return up
	}
	return l.memberSlot(up, l.addItems(object), index, earlier)
}

// lastMember returns the index of the last member of an object with a key, or None, and those of
// the members before it with the same key.
func lastMember(object rawjson.Value, key string) (last int, earlier []int32) {
	i := 0
	last = None
	for k := range object.Members() {
		if k.Is(key) {
			if last != None {
				earlier = append(earlier, int32(last))
			}
			last = i
		}
		i++
	}
	return last, earlier
}

// memberSlot adds a slot for a member of an object.
func (l *Layout) memberSlot(up, list, index int, earlier []int32) int {
	slot := l.AddSlot(up, list, index)
	if earlier != nil {
		l.ownSpecial(slot).earlier = earlier
	}
	return slot
}

// MemberSlots is Member for several members of one object. Their slots are in one list,
// so that adjacent members can be removed together.
func (l *Layout) MemberSlots(up int, object rawjson.Value) func(key string) int {
	list := None
	return func(key string) int {
		index, earlier := lastMember(object, key)
		if index == None {
			return up
		}
		if list == None {
			list = l.addItems(object)
		}
		return l.memberSlot(up, list, index, earlier)
	}
}

// Emptied is [Layout.Member] for a member that becomes an empty string instead of being removed.
func (l *Layout) Emptied(up int, object rawjson.Value, key string) int {
	v := object.Get(key)
	if !v.Ok() {
		return up
	}
	slot := l.Member(up, object, key)
	l.ownSpecial(slot).blank = v.Span()
	return slot
}

// EmptyAs makes the value of a slot be replaced instead of removed: by instead, or by an
// empty string when instead is "". An empty span makes the slot removable again.
func (l *Layout) EmptyAs(slot int, value rawjson.Span, instead string) {
	s := l.ownSpecial(slot)
	s.blank, s.instead = value, instead
}

// IsEmptied reports whether the value of a slot is replaced instead of removed.
func (l *Layout) IsEmptied(slot int) bool {
	s := l.special(slot)
	return s != nil && s.blank != rawjson.Span{}
}

// Keep marks a slot as never removed. Slots in it may be removed.
func (l *Layout) Keep(slot int) { l.stay = append(l.stay, slot) }

// Nest puts a record into the slot up. shell holds the two spans around the records in
// it; nil when there are none. They are removed instead of the whole record.
func (l *Layout) Nest(record, up int, shell *[2]rawjson.Span) {
	slot := l.Slot(record)
	l.slots[slot].up = int32(up)
	if shell != nil {
		l.ownSpecial(slot).shell = shell
	}
}

// Around returns the slot that holds a slot, or None.
func (l *Layout) Around(slot int) int { return int(l.slots[slot].up) }

// Siblings reports whether two slots are in one list.
func (l *Layout) Siblings(a, b int) bool {
	return a != None && b != None && l.slots[a].list == l.slots[b].list
}

// Span returns the span of a slot.
func (l *Layout) Span(slot int) rawjson.Span {
	return l.spanOf(int(l.slots[slot].list), int(l.slots[slot].index))
}

// Style returns the style in which the source, or the scope, writes strings, as far as it
// is known.
func (l *Layout) Style() rawjson.Style { return l.sample.Style() }
