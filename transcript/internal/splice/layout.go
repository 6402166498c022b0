package splice

import (
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// A layout remembers where in the source a conversation lies, so that its final
// state can be lowered to byte edits. It knows two things:
//
// Slots are the removable pieces: an element of an array, a member of an
// object, a line. Slots nest. A slot stays in the output as long as something
// that lies in it stays, and is removed otherwise, with its comma or newline.
//
// Places are the string literals that texts were decoded from, whole or in
// segments: one string of a Cline file can hold prose, a call and an answer.
type Layout struct {
	Src      []byte
	lists    []list
	slots    []slot
	Messages []*MessagePlace // by Message.ID, for the messages that were decoded
	// mirrors are JSON values that repeat what blocks say, in part, for a user interface.
	mirrors []Mirror
	// records is the list whose elements hold the messages, and first the slot
	// of its first element; array is where it lies when it is one (the place to
	// insert into when it is empty).
	records, first int
	Array          rawjson.Span
	Scope          rawjson.Span    // what of src is this conversation's own, where that is known: a line
	sample         *rawjson.Sample // how the source, or the scope, writes strings
	Chain          *Chain          // how records refer to each other, in dialects where they do
	Tree           *tree           // the same in dialects where records list their children
	stay           []int           // slots that are never removed, only what lies in them
	// textElement writes what stands in place of media, where that is not
	// {"type":"text","text":…} alone.
	TextElement func(src []byte, media rawjson.Span, quoted []byte) []byte
	// closed: behind the last message a new one would not be read as part of the
	// conversation. It goes in front of that one's record.
	Closed bool
	State  any // what else the dialect has to know when the conversation is written
}

// list is a row of siblings: elements, members or lines.
type list struct {
	spans []rawjson.Span
	lines bool // spans are lines with their newline, and nothing separates them
	first int  // slot of the first element when every one has a slot, or none
}

// slot is one removable piece of the source.
type slot struct {
	up    int          // the slot it lies in, or none
	list  int          // its siblings
	index int          // its position among them
	blank rawjson.Span // when not empty: a value that is emptied ("") where others would be removed
	// shell is what goes instead of the whole when other messages lie in this one
	// and stay: the bytes before and behind them. They take its place.
	shell *[2]rawjson.Span
	// instead is what stands in place of blank, when not "": an action of another
	// kind, where what is left of an event is no call any more.
	instead string
}

// none is the index of no slot.
const None = -1

// msgPlace is where a message lies.
type MessagePlace struct {
	Records []int // slots of its records, in source order
	Blocks  []BlockPlace
}

// blockPlace is where a block lies: its parts, and the slots that go with it.
type BlockPlace struct {
	Slots []int // besides those of the parts
	// parts are in the order of Block.Parts. Places beyond are further pieces of
	// the last text: they are emptied, or removed with their slot, when it changes.
	Parts []Place
	// copies are further places that hold the very same parts, such as a call
	// that is stored in the content and in tool_calls.
	Copies []BlockPlace
	// flagged: the file says beside the answer of a tool whether the tool failed.
	Flagged bool
}

// place is where the text of a part lies.
type Place struct {
	Slot int          // the innermost slot around it
	Lit  rawjson.Span // the string literal with its quotes; for media and numbers the value
	// from and to are byte offsets into the decoded text of lit, for a segment
	// of it; to is 0 for the whole literal.
	From, To int
	// wideFrom and wideTo are what goes with the segment when it is removed: the
	// fence around a call. Both 0 for the segment alone.
	WideFrom, WideTo int
	// nested: the segment is itself a JSON string literal, as the leaves of
	// arguments that are JSON inside a JSON string are.
	Nested bool
	Media  bool // the value is a content element that is not text
	// element is the type of the text element that a rewrite puts in place of media; "" is "text".
	Element string
	Bare    bool // a text in place of the medium is a string alone, not a text element
}

func (p Place) Segment() bool { return p.To > 0 }

// wide is what goes when the segment goes.
func (p Place) wide() (from, to int) {
	if p.WideTo > 0 {
		return p.WideFrom, p.WideTo
	}
	return p.From, p.To
}

// mirror is a JSON value beside the blocks that may repeat them. Its strings lose
// the long lines that the conversation lost.
type Mirror struct {
	Slot   int
	Value  rawjson.Span
	Blocks []transcript.Ref
	// strict mirrors repeat nothing but their blocks: when one changes, every
	// long string goes that the blocks do not hold any more.
	Strict bool
}

func (l *Layout) AddList(spans []rawjson.Span) int {
	l.lists = append(l.lists, list{spans: spans, first: None})
	return len(l.lists) - 1
}

func (l *Layout) AddSlot(up, list, index int) int {
	l.slots = append(l.slots, slot{up: up, list: list, index: index})
	return len(l.slots) - 1
}

// elems makes a list of the elements of an array and gives a slot for each.
func (l *Layout) Elems(up int, array rawjson.Value) (first int) {
	return l.AddSlots(up, array.Items())
}

// member returns a slot for one member of an object.
func (l *Layout) Member(up int, object rawjson.Value, key string) int {
	i, found := 0, None
	for k := range object.Members() {
		if k.Is(key) {
			found = i
		}
		i++
	}
	if found == None {
		return up
	}
	return l.AddSlot(up, l.AddList(object.Items()), found)
}

// siblings reports whether two slots are of one list.
func (l *Layout) Siblings(a, b int) bool {
	return a != None && b != None && l.slots[a].list == l.slots[b].list
}

// setRecords makes the elements of an array, or the members of an object, the
// records of the conversation, with a slot for each.
func (l *Layout) SetRecords(list rawjson.Value) {
	l.SetRecordSpans(list.Span(), list.Items())
}

// setRecordSpans is setRecords for spans that do not all lie side by side in the
// array.
func (l *Layout) SetRecordSpans(array rawjson.Span, spans []rawjson.Span) {
	l.Array, l.records = array, len(l.lists)
	l.first = l.AddSlots(None, spans)
}

// setLines makes lines, with their newlines, the records of the conversation.
func (l *Layout) SetLines(spans []rawjson.Span) {
	l.SetRecordSpans(rawjson.Span{}, spans)
	l.lists[l.records].lines = true
}

// newLayout returns the layout of a conversation in src that has no records yet.
func New(src []byte) *Layout { return &Layout{Src: src, Chain: NewChain()} }

// finish notes how the source writes strings, once every message is known, and marks
// the messages that share a record with the one before.
func (l *Layout) Finish(sample *rawjson.Sample, msgs []*transcript.Message) {
	l.sample = sample
	if l.Scope.Len() > 0 {
		l.sample = rawjson.NewSample(l.Src[l.Scope.Start:l.Scope.End])
	}
	l.markJoined(msgs)
}

// len returns the number of records.
func (l *Layout) Len() int { return len(l.RecordSpans()) }

// record returns the slot of a record.
func (l *Layout) Slot(i int) int { return l.first + i }

// isRecord returns the index of the record that a slot is; false when it is none.
func (l *Layout) IsRecord(slot int) (record int, ok bool) {
	s := l.slots[slot]
	return s.index, s.list == l.records
}

// recordSpans returns where the records lie.
func (l *Layout) RecordSpans() []rawjson.Span {
	if len(l.lists) == 0 {
		return nil
	}
	return l.lists[l.records].spans
}

// recordSpan returns where a record lies.
func (l *Layout) RecordSpan(i int) rawjson.Span { return l.RecordSpans()[i] }

// isLines reports whether the records are lines.
func (l *Layout) IsLines() bool { return l.lists[l.records].lines }

// keep makes a slot one that is never removed, only what lies in it.
func (l *Layout) Keep(slot int) { l.stay = append(l.stay, slot) }

// emptyAs makes what a slot holds, at value, something else when it would be removed:
// instead, or an empty string where that is "".
func (l *Layout) EmptyAs(slot int, value rawjson.Span, instead string) {
	l.slots[slot].blank, l.slots[slot].instead = value, instead
}

// isEmptied reports whether a slot is emptied where others are removed.
func (l *Layout) IsEmptied(slot int) bool { return l.slots[slot].blank != rawjson.Span{} }

func (l *Layout) AddSlots(up int, spans []rawjson.Span) (first int) {
	list := l.AddList(spans)
	first = len(l.slots)
	l.lists[list].first = first
	l.slots = slices.Grow(l.slots, len(spans))
	for i := range spans {
		l.AddSlot(up, list, i)
	}
	return first
}

// docStyle is how the source, or the scope, writes strings, as far as it shows.
func (l *Layout) Style() rawjson.Style { return l.sample.Style() }

// quoteStyle is how to write text in place of a literal: as that was written
// itself, or as the rest of the source where it shows nothing.
func (l *Layout) quoteStyle(lit rawjson.Span, text string) rawjson.Style {
	return rawjson.StyleFor(text, rawjson.NewSample(l.Src[lit.Start:lit.End]), l.sample)
}

// memberSlots returns the slots for members of one object, all in one list, so
// that neighbours can go together. A key that is not there gives up.
func (l *Layout) MemberSlots(up int, object rawjson.Value) func(key string) int {
	at, i := map[string]int{}, 0
	for k := range object.Members() {
		at[k.Str()] = i
		i++
	}
	list := None
	return func(key string) int {
		index, found := at[key]
		if !found {
			return up
		}
		if list == None {
			list = l.AddList(object.Items())
		}
		return l.AddSlot(up, list, index)
	}
}

// around returns the slot that a slot lies in, or none.
func (l *Layout) Around(slot int) int { return l.slots[slot].up }

// nest makes a record lie in another slot. Where spans of it are to go and not the
// whole, they are its shell.
func (l *Layout) Nest(record, up int, shell *[2]rawjson.Span) {
	s := &l.slots[l.Slot(record)]
	s.up, s.shell = up, shell
}

// scan reads a record again. It is absent when it is not JSON.
func (l *Layout) Scan(record int) rawjson.Value { return l.scanElem(l.records, record) }

func (l *Layout) scanElem(list, index int) rawjson.Value {
	span := l.lists[list].spans[index]
	doc := new(rawjson.Doc)
	if _, err := doc.Scan(l.Src, span.Start, span.End); err != nil {
		return rawjson.Value{}
	}
	return doc.Root()
}

// like finds a record of the conversation that fits among the first ones, for
// the words that a new record is to use.
func (l *Layout) Like(fits func(record rawjson.Value) bool) rawjson.Value {
	const first = 64 // records that are looked at
	for i := range min(l.Len(), first) {
		if v := l.Scan(i); v.Ok() && fits(v) {
			return v
		}
	}
	return rawjson.Value{}
}

// emptied gives a slot for a member that stays, empty, when what is in it goes
// and its object does not.
func (l *Layout) Emptied(up int, object rawjson.Value, key string) int {
	v := object.Get(key)
	if !v.Ok() {
		return up
	}
	slot := l.Member(up, object, key)
	l.slots[slot].blank = v.Span()
	return slot
}

// firstRecord is the first record, for the form that others are written in.
func (l *Layout) FirstRecord() rawjson.Value {
	if l.Len() == 0 {
		return rawjson.Value{}
	}
	return l.Scan(0)
}

// span is where a slot lies.
func (l *Layout) Span(slot int) rawjson.Span {
	return l.lists[l.slots[slot].list].spans[l.slots[slot].index]
}
