package format

import (
	"cmp"
	"fmt"
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// Gemini CLI appends to a log a line for each message, and another line whenever the message
// has changed. {"$rewindTo": id} takes back that message and all later ones.
// {"$set": {"messages": […]}} replaces all messages after a compaction.

// cliItem is one message of a log.
type cliItem struct {
	id     string
	at     cliPlace   // where its current state is
	older  []cliPlace // where its earlier states are
	hidden bool
}

// cliPlace is a line, and the index of an element of its $set.messages; None when the
// line itself is the message.
type cliPlace struct{ record, elem int }

// staleCopy is an earlier state of a message.
type staleCopy struct {
	m   splice.Mirror
	msg int // the message
}

// cliRewind is a line that takes messages back.
type cliRewind struct {
	record int
	value  rawjson.Span // the id of the first message that is taken back
	items  []*cliItem   // the messages that are taken back
}

// cliLog is the result of the first pass over a log.
type cliLog struct {
	id      string
	items   []*cliItem          // all messages
	live    []*cliItem          // the current messages
	byID    map[string]*cliItem // the current messages by id
	rewinds []cliRewind
	other   []int // lines without a message
}

// cliUse is a message that a line holds.
type cliUse struct {
	msg, elem int
	stale     bool // it is an earlier state of the message
}

// log reads a log in two passes. The first pass finds the lines that hold messages; the
// second reads those lines. log returns the id of the session.
func (s *cliSession) log(f *File, p *probe) (id string) {
	log := &cliLog{byID: map[string]*cliItem{}}
	f.readLines(s.l, p, log.line)
	uses := make([][]cliUse, len(p.lines))
	for k, item := range log.items {
		s.grow()
		s.msgs[k].Hidden = item.hidden
		for _, at := range item.older {
			uses[at.record] = append(uses[at.record], cliUse{k, at.elem, true})
		}
		uses[item.at.record] = append(uses[item.at.record], cliUse{k, item.at.elem, false})
	}
	var doc rawjson.Doc
	for record, in := range uses {
		if len(in) > 0 && doc.ScanAll(p.src, p.lines[record].Start, p.lines[record].End) == nil {
			s.line(record, in, doc.Root())
		}
	}
	for _, record := range log.other {
		if v := p.lines[record]; doc.ScanAll(p.src, v.Start, v.End) == nil {
			s.l.Mirror(s.l.Slot(record), doc.Root().Span(), false)
		}
	}
	s.l.State = log.rewinds
	return log.id
}

// line reads the messages of one line.
func (s *cliSession) line(record int, in []cliUse, v rawjson.Value) {
	slot := s.l.Slot(record)
	if in[0].elem == splice.None {
		s.use(in[0], slot, v)
		return
	}
	s.l.Keep(slot) // even with an empty list it replaces the earlier messages
	list := setMessages(v)
	slices.SortStableFunc(in, func(a, b cliUse) int { return cmp.Compare(a.elem, b.elem) })
	first := s.l.Elems(slot, list)
	i := 0
	for e := range list.Elems() {
		for len(in) > 0 && in[0].elem == i {
			s.use(in[0], first+i, e)
			in = in[1:]
		}
		i++
	}
}

// use reads a message, or makes an earlier state of it a mirror.
func (s *cliSession) use(u cliUse, slot int, v rawjson.Value) {
	if !u.stale {
		s.read(u.msg, slot, v)
		return
	}
	s.l.Messages[u.msg].Records = append(s.l.Messages[u.msg].Records, slot)
	s.stale = append(s.stale, staleCopy{splice.Mirror{Slot: slot, Value: v.Span(), Strict: true}, u.msg})
}

// setMessages returns the list of a line that replaces all earlier messages; absent when
// the line has none.
func setMessages(v rawjson.Value) rawjson.Value {
	for _, holder := range []rawjson.Value{v.Get("$set"), v} {
		if m := holder.Get("messages"); m.Kind() == rawjson.Array {
			return m
		}
	}
	return rawjson.Value{}
}

// line notes the effect of a line of the log.
func (l *cliLog) line(record int, v rawjson.Value) {
	to, list := v.Get("$rewindTo"), setMessages(v)
	switch {
	case to.Kind() == rawjson.String:
		l.rewind(record, to)
	case v.Get("id").Kind() == rawjson.String:
		if isMessage(v) {
			l.message(v.Get("id").Str(), record, splice.None)
		} else {
			l.other = append(l.other, record)
		}
	case list.Ok():
		l.hideFrom(0)
		i := 0
		for e := range list.Elems() {
			if e.Kind() == rawjson.Object && isMessage(e) {
				l.message(e.Get("id").Str(), record, i)
			}
			i++
		}
	default:
		l.other = append(l.other, record)
	}
	if id := v.Get("sessionId").Str(); id != "" && l.id == "" {
		l.id = id
	}
}

// message notes a message, or a new state of one.
func (l *cliLog) message(id string, record, elem int) {
	at := cliPlace{record, elem}
	if known := l.byID[id]; known != nil && known.at.record != record {
		known.older, known.at = append(known.older, known.at), at
		return
	}
	item := &cliItem{id: id, at: at}
	l.items, l.live = append(l.items, item), append(l.live, item)
	l.byID[id] = item
}

// rewind takes back the message with an id and all later ones; all messages when there is
// no such id.
func (l *cliLog) rewind(record int, to rawjson.Value) {
	from := 0
	if item := l.byID[to.Str()]; item != nil {
		for from = len(l.live) - 1; l.live[from] != item; from-- { // the messages after it are taken back
		}
		l.rewinds = append(l.rewinds, cliRewind{record, to.Span(), slices.Clone(l.live[from:])})
	}
	l.hideFrom(from)
}

// hideFrom hides the current messages from index from on.
func (l *cliLog) hideFrom(from int) {
	for _, item := range l.live[from:] {
		item.hidden = true
		delete(l.byID, item.id)
	}
	l.live = l.live[:from]
}

// relinkRewinds makes each line that takes messages back name the first of them that
// stays, because the program takes back all messages for an unknown id. A line that has
// no message left to take back is removed.
func relinkRewinds(c *splice.Change) []rawjson.Edit {
	var edits []rawjson.Edit
	rewinds, _ := c.State.([]cliRewind) // none when the session is one document
	for _, r := range rewinds {
		stays := slices.IndexFunc(r.items, func(item *cliItem) bool { return item.at.elem != splice.None || !c.Gone(item.at.record) })
		switch {
		case stays > 0:
			edits = append(edits, rawjson.Edit{Span: r.value, New: splice.LinkValue(r.items[stays].id)})
		case stays < 0:
			edits = append(edits, rawjson.Edit{Span: c.RecordSpan(r.record)})
		}
	}
	return edits
}

// renderGeminiCLI returns a new message as an element or line of the session.
func renderGeminiCLI(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	kind := "user"
	if m.Role == transcript.Assistant {
		kind = "gemini"
	}
	out := fmt.Appendf(nil, `{"id":%q`, splice.UUID(newRecordID(c, i)))
	out = appendMembers(out, recordNear(c, i), "timestamp")
	return fmt.Appendf(out, `,"type":%q,"content":%s}`, kind, paragraphs(c.Style(), m))
}
