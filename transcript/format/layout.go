package format

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
type layout struct {
	src   []byte
	lists []list
	slots []slot
	msgs  []*msgPlace // by Message.ID, for the messages that were decoded
	// mirrors are JSON values that repeat what blocks say, in part, for a user interface.
	mirrors []mirror
	// records is the list whose elements hold the messages, and first the slot
	// of its first element; array is where it lies when it is one (the place to
	// insert into when it is empty).
	records, first int
	array          rawjson.Span
	scope          rawjson.Span    // what of src is this conversation's own, where that is known: a line
	sample         *rawjson.Sample // how the source, or the scope, writes strings
	chain          *chain          // how records refer to each other, in dialects where they do
	tree           *tree           // the same in dialects where records list their children
	stay           []int           // slots that are never removed, only what lies in them
	// textElement writes what stands in place of media, where that is not
	// {"type":"text","text":…} alone.
	textElement func(src []byte, media rawjson.Span, quoted []byte) []byte
	// closed: behind the last message a new one would not be read as part of the
	// conversation. It goes in front of that one's record.
	closed bool
	state  any // what else the dialect has to know when the conversation is written
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
const none = -1

// msgPlace is where a message lies.
type msgPlace struct {
	records []int // slots of its records, in source order
	blocks  []blockPlace
}

// blockPlace is where a block lies: its parts, and the slots that go with it.
type blockPlace struct {
	slots []int // besides those of the parts
	// parts are in the order of Block.Parts. Places beyond are further pieces of
	// the last text: they are emptied, or removed with their slot, when it changes.
	parts []place
	// copies are further places that hold the very same parts, such as a call
	// that is stored in the content and in tool_calls.
	copies []blockPlace
	// flagged: the file says beside the answer of a tool whether the tool failed.
	flagged bool
}

// place is where the text of a part lies.
type place struct {
	slot int          // the innermost slot around it
	lit  rawjson.Span // the string literal with its quotes; for media and numbers the value
	// from and to are byte offsets into the decoded text of lit, for a segment
	// of it; to is 0 for the whole literal.
	from, to int
	// wideFrom and wideTo are what goes with the segment when it is removed: the
	// fence around a call. Both 0 for the segment alone.
	wideFrom, wideTo int
	// nested: the segment is itself a JSON string literal, as the leaves of
	// arguments that are JSON inside a JSON string are.
	nested bool
	media  bool // the value is a content element that is not text
	// element is the type of the text element that a rewrite puts in place of media; "" is "text".
	element string
	bare    bool // a text in place of the medium is a string alone, not a text element
}

func (p place) segment() bool { return p.to > 0 }

// wide is what goes when the segment goes.
func (p place) wide() (from, to int) {
	if p.wideTo > 0 {
		return p.wideFrom, p.wideTo
	}
	return p.from, p.to
}

// mirror is a JSON value beside the blocks that may repeat them. Its strings lose
// the long lines that the conversation lost.
type mirror struct {
	slot   int
	value  rawjson.Span
	blocks []transcript.Ref
	// strict mirrors repeat nothing but their blocks: when one changes, every
	// long string goes that the blocks do not hold any more.
	strict bool
}

func (l *layout) addList(spans []rawjson.Span) int {
	l.lists = append(l.lists, list{spans: spans, first: none})
	return len(l.lists) - 1
}

func (l *layout) addSlot(up, list, index int) int {
	l.slots = append(l.slots, slot{up: up, list: list, index: index})
	return len(l.slots) - 1
}

// elems makes a list of the elements of an array and gives a slot for each.
func (l *layout) elems(up int, array rawjson.Value) (first int) {
	return l.addSlots(up, array.Items())
}

// member returns a slot for one member of an object.
func (l *layout) member(up int, object rawjson.Value, key string) int {
	i, found := 0, none
	for k := range object.Members() {
		if k.Is(key) {
			found = i
		}
		i++
	}
	if found == none {
		return up
	}
	return l.addSlot(up, l.addList(object.Items()), found)
}

// siblings reports whether two slots are of one list.
func (l *layout) siblings(a, b int) bool {
	return a != none && b != none && l.slots[a].list == l.slots[b].list
}

// setRecords makes the elements of an array, or the members of an object, the
// records of the conversation, with a slot for each.
func (l *layout) setRecords(list rawjson.Value) {
	l.setRecordSpans(list.Span(), list.Items())
}

// setRecordSpans is setRecords for spans that do not all lie side by side in the
// array.
func (l *layout) setRecordSpans(array rawjson.Span, spans []rawjson.Span) {
	l.array, l.records = array, len(l.lists)
	l.first = l.addSlots(none, spans)
}

// setLines makes lines, with their newlines, the records of the conversation.
func (l *layout) setLines(spans []rawjson.Span) {
	l.setRecordSpans(rawjson.Span{}, spans)
	l.lists[l.records].lines = true
}

// newLayout returns the layout of a conversation in src that has no records yet.
func newLayout(src []byte) *layout { return &layout{src: src, chain: newChain()} }

// finish notes how the source writes strings, once every message is known, and marks
// the messages that share a record with the one before.
func (l *layout) finish(sample *rawjson.Sample, msgs []*transcript.Message) {
	l.sample = sample
	if l.scope.Len() > 0 {
		l.sample = rawjson.NewSample(l.src[l.scope.Start:l.scope.End])
	}
	l.markJoined(msgs)
}

// len returns the number of records.
func (l *layout) len() int { return len(l.recordSpans()) }

// record returns the slot of a record.
func (l *layout) record(i int) int { return l.first + i }

// isRecord returns the index of the record that a slot is; false when it is none.
func (l *layout) isRecord(slot int) (record int, ok bool) {
	s := l.slots[slot]
	return s.index, s.list == l.records
}

// recordSpans returns where the records lie.
func (l *layout) recordSpans() []rawjson.Span {
	if len(l.lists) == 0 {
		return nil
	}
	return l.lists[l.records].spans
}

// recordSpan returns where a record lies.
func (l *layout) recordSpan(i int) rawjson.Span { return l.recordSpans()[i] }

// isLines reports whether the records are lines.
func (l *layout) isLines() bool { return l.lists[l.records].lines }

// keep makes a slot one that is never removed, only what lies in it.
func (l *layout) keep(slot int) { l.stay = append(l.stay, slot) }

// emptyAs makes what a slot holds, at value, something else when it would be removed:
// instead, or an empty string where that is "".
func (l *layout) emptyAs(slot int, value rawjson.Span, instead string) {
	l.slots[slot].blank, l.slots[slot].instead = value, instead
}

// isEmptied reports whether a slot is emptied where others are removed.
func (l *layout) isEmptied(slot int) bool { return l.slots[slot].blank != rawjson.Span{} }

func (l *layout) addSlots(up int, spans []rawjson.Span) (first int) {
	list := l.addList(spans)
	first = len(l.slots)
	l.lists[list].first = first
	l.slots = slices.Grow(l.slots, len(spans))
	for i := range spans {
		l.addSlot(up, list, i)
	}
	return first
}

// docStyle is how the source, or the scope, writes strings, as far as it shows.
func (l *layout) docStyle() rawjson.Style { return l.sample.Style() }

// quoteStyle is how to write text in place of a literal: as that was written
// itself, or as the rest of the source where it shows nothing.
func (l *layout) quoteStyle(lit rawjson.Span, text string) rawjson.Style {
	return rawjson.StyleFor(text, rawjson.NewSample(l.src[lit.Start:lit.End]), l.sample)
}

// memberSlots returns the slots for members of one object, all in one list, so
// that neighbours can go together. A key that is not there gives up.
func (l *layout) memberSlots(up int, object rawjson.Value) func(key string) int {
	at, i := map[string]int{}, 0
	for k := range object.Members() {
		at[k.Str()] = i
		i++
	}
	list := none
	return func(key string) int {
		index, found := at[key]
		if !found {
			return up
		}
		if list == none {
			list = l.addList(object.Items())
		}
		return l.addSlot(up, list, index)
	}
}

// around returns the slot that a slot lies in, or none.
func (l *layout) around(slot int) int { return l.slots[slot].up }

// nest makes a record lie in another slot. Where spans of it are to go and not the
// whole, they are its shell.
func (l *layout) nest(record, up int, shell *[2]rawjson.Span) {
	s := &l.slots[l.record(record)]
	s.up, s.shell = up, shell
}

// scan reads a record again. It is absent when it is not JSON.
func (l *layout) scan(record int) rawjson.Value { return l.scanElem(l.records, record) }

func (l *layout) scanElem(list, index int) rawjson.Value {
	span := l.lists[list].spans[index]
	doc := new(rawjson.Doc)
	if _, err := doc.Scan(l.src, span.Start, span.End); err != nil {
		return rawjson.Value{}
	}
	return doc.Root()
}

// like finds a record of the conversation that fits among the first ones, for
// the words that a new record is to use.
func (l *layout) like(fits func(record rawjson.Value) bool) rawjson.Value {
	const first = 64 // records that are looked at
	for i := range min(l.len(), first) {
		if v := l.scan(i); v.Ok() && fits(v) {
			return v
		}
	}
	return rawjson.Value{}
}

// emptied gives a slot for a member that stays, empty, when what is in it goes
// and its object does not.
func (l *layout) emptied(up int, object rawjson.Value, key string) int {
	v := object.Get(key)
	if !v.Ok() {
		return up
	}
	slot := l.member(up, object, key)
	l.slots[slot].blank = v.Span()
	return slot
}

// firstRecord is the first record, for the form that others are written in.
func (l *layout) firstRecord() rawjson.Value {
	if l.len() == 0 {
		return rawjson.Value{}
	}
	return l.scan(0)
}

// span is where a slot lies.
func (l *layout) span(slot int) rawjson.Span {
	return l.lists[l.slots[slot].list].spans[l.slots[slot].index]
}
