package format

import (
	"strings"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var openHands = Dialect{
	Name:   "openhands",
	Doc:    "OpenHands event lists, and output rows {instance_id, history: […]} with one conversation each",
	Where:  "trajectories saved from the interface, output.jsonl of evaluations and of the resolver",
	Hidden: true, Mirrors: true,
	sniff:  sniffOpenHands,
	decode: decodeOpenHands,
	fails:  saysFailed,
	render: renderEvent,
}

// sniffOpenHands looks for a list of events, alone or as the history of a row.
func sniffOpenHands(p *probe) bool {
	if p.lines == nil && p.doc.Root().Kind() == rawjson.Array && isEvents(p.doc.Root()) {
		return true
	}
	for _, row := range p.firstRows() {
		history := row.Get("history")
		if isEvents(history) || history.Kind() == rawjson.Array && history.Len() == 0 && row.Get("instance_id").Ok() && row.Get("metrics").Ok() {
			return true
		}
	}
	return false
}

// isEvents reports whether a list begins with an event, or with a pair of an action and
// its observation.
func isEvents(list rawjson.Value) bool {
	if list.Kind() != rawjson.Array {
		return false
	}
	for e := range list.Elems() {
		if e.Kind() == rawjson.Array && e.Len() == 2 {
			for half := range e.Elems() {
				return isEvent(half)
			}
		}
		return isEvent(e)
	}
	return false
}

// isEvent reports whether v is either an action or an observation. A step of SWE-agent is
// both, and therefore no event.
func isEvent(v rawjson.Value) bool {
	action, seen := v.Get("action").Kind() == rawjson.String, v.Get("observation").Kind() == rawjson.String
	switch {
	case action && !seen:
		return v.Get("args").Kind() == rawjson.Object || v.Get("thought").Kind() == rawjson.String || v.Get("content").Kind() == rawjson.String
	case seen && !action:
		return v.Get("content").Kind() == rawjson.String
	}
	return false
}

func decodeOpenHands(f *File, p *probe) error {
	if p.lines == nil && p.doc.Root().Kind() == rawjson.Array && isEvents(p.doc.Root()) {
		s := newOpenHandsEvents(rowBuilder(p.src, p.doc.Root(), p.doc.Root()))
		s.read(p.doc.Root())
		f.add("1", s.builder)
		return nil
	}
	f.eachRow(p, func(i int, row rawjson.Value) {
		history := row.Get("history")
		if history.Kind() != rawjson.Array {
			return
		}
		s := newOpenHandsEvents(rowBuilder(p.src, row, history))
		s.read(history)
		s.l.MirrorMembers(splice.None, row, false, nil, "history")
		f.add(rowID(row, i), s.builder)
	})
	if f.Convs == nil {
		return &Error{Offset: -1, Reason: "no events found, " + p.looks()}
	}
	return nil
}

// openHandsEvents is a list of OpenHands events while it is decoded. Each event that the model sees
// is a message.
type openHandsEvents struct {
	*builder
	calls         map[string]int    // by id of an event, the message of its call
	answers       map[string][]int  // by id of an event, its messages; a condensation names these ids
	last          *transcript.Block // the call that an observation without a cause answers
	lastMsg       int               // its message
	open          []int             // by open delegation, the first message of the other agent
	half          string            // what stays of a delegation in the pair that is read
	condensations []rawjson.Value   // the events that hide others
}

func newOpenHandsEvents(b *builder) *openHandsEvents {
	return &openHandsEvents{builder: b, calls: map[string]int{}, answers: map[string][]int{}}
}

// read reads all events: the elements of the list, or of the pairs in it.
func (s *openHandsEvents) read(list rawjson.Value) {
	i := 0
	for e := range list.Elems() {
		slot := s.l.Slot(i)
		i++
		if e.Kind() != rawjson.Array {
			s.event(e, slot, slot)
			continue
		}
		first, k := s.l.Elems(slot, e), 0
		for half := range e.Elems() {
			// When one half of a pair is removed, an empty event takes its place.
			left := nothingSeen
			if half.Get("action").Ok() {
				left = nothingDone
			}
			s.l.EmptyAs(first+k, half.Span(), left)
			s.event(half, slot, first+k)
			k++
		}
	}
	for _, v := range s.condensations {
		s.forget(v)
	}
}

// event reads one event. It lies in slot; record is the slot of its record.
func (s *openHandsEvents) event(v rawjson.Value, record, slot int) {
	action, seen := v.Get("action").Str(), v.Get("observation").Str()
	before := len(s.msgs)
	records := []int{record}
	if slot != record {
		records = append(records, slot)
	}
	switch {
	case action == "system":
		s.readMessage(transcript.System, v, slot, records)
	case action == "message" || action == "" && seen == "" && v.Get("args").Get("content").Ok():
		s.readMessage(speakerOf(v), v, slot, records)
	case action == "condensation":
		s.condensations = append(s.condensations, v)
		if slot != record { // it hides events even when the other half of its pair is removed
			s.l.Keep(record)
			s.l.Keep(slot)
		}
		s.summary(v, slot)
	case action != "" && !isOneOf(v.Get("action"), silent):
		s.action(v, slot, records)
	case action == "" && seen != "" && !isOneOf(v.Get("observation"), silent):
		s.observation(v, slot, records)
	}
	s.delegated(action, seen, before)
	if len(s.msgs) == before {
		s.l.Mirror(slot, v.Span(), false)
		return
	}
	m := s.msgs[before]
	at := timestamp(v)
	if at.IsZero() { // usually without a time zone
		at, _ = time.Parse("2006-01-02T15:04:05", v.Get("timestamp").Str())
	}
	m.SetTime(at)
	if id := eventID(v.Get("id")); id != "" {
		if same := s.answers[id]; same != nil {
			s.msgs[same[len(same)-1]].Shadows = true // without it, this event would have the id that others name
		}
		s.answers[id] = append(s.answers[id], before)
	}
	if action == "delegate" || seen == "delegate" {
		s.keepDelegation(record, slot, v.Span(), action != "delegate")
	}
}

// keepDelegation makes the event of a delegation stay when its message is removed,
// because it marks where the events of the other agent begin or end.
func (s *openHandsEvents) keepDelegation(record, slot int, span rawjson.Span, ends bool) {
	left := delegationBegins
	if ends {
		left = delegationEnds
	}
	s.l.EmptyAs(slot, span, left)
	if slot == record {
		return
	}
	first := s.half
	s.half = left
	switch {
	case s.l.IsEmptied(record) && first == delegationBegins && ends: // no events lie between
		s.l.EmptyAs(record, rawjson.Span{}, "")
		return
	case s.l.IsEmptied(record): // both halves begin delegations, or end them
		s.l.EmptyAs(record, s.l.Span(record), "["+first+","+left+"]")
		return
	}
	both := "[" + left + "," + nothingSeen + "]"
	if ends {
		both = "[" + nothingDone + "," + left + "]"
	}
	s.l.EmptyAs(record, s.l.Span(record), both)
}

// The events that replace a removed half of a pair.
const (
	delegationBegins = `{"action":"delegate","args":{}}`
	delegationEnds   = `{"observation":"delegate","content":""}`

	nothingDone = `{"action":"null","args":{}}`
	nothingSeen = `{"observation":"null","content":"","extras":{}}`
)

// silent are the kinds of events that the model does not see.
var silent = []string{
	"change_agent_state", "agent_state_changed", "recall", "null", "condensation_request", "pause", "resume", "stop",
}

// eventID returns the id of an event, a number or a string.
func eventID(v rawjson.Value) string {
	switch v.Kind() {
	case rawjson.Number:
		return string(v.Raw())
	case rawjson.String:
		return v.Str()
	}
	return ""
}

// systemWords begin the instructions of the agent in files that do not mark them.
const systemWords = "You are OpenHands agent"

// speakerOf returns the role of the writer of a message. Old files do not name the
// source; there the first message is the task.
func speakerOf(v rawjson.Value) transcript.Role {
	switch v.Get("source").Str() {
	case "agent":
		if strings.HasPrefix(firstOf(v.Get("args"), "content").Str(), systemWords) {
			return transcript.System
		}
		return transcript.Assistant
	}
	return transcript.User
}

// delegated hides the events of another agent when its report follows. before is the
// number of messages before the event.
func (s *openHandsEvents) delegated(action, seen string, before int) {
	switch {
	case action == "delegate":
		s.open = append(s.open, len(s.msgs))
	case seen == "delegate" && len(s.open) > 0:
		from := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		for _, m := range s.msgs[from:before] {
			m.Hidden = true
		}
	}
}

// forget hides the events that a condensation removed from the view of the model: all that have one of
// the ids that it names.
func (s *openHandsEvents) forget(args rawjson.Value) {
	args = args.Get("args")
	for id := range args.Get("forgotten_event_ids").Elems() {
		s.hideAll(s.answers[eventID(id)])
	}
	from, ok := args.Get("forgotten_events_start_id").Int()
	to, also := args.Get("forgotten_events_end_id").Int()
	if !ok || !also {
		return
	}
	for id, msgs := range s.answers {
		if n, isNumber := atoi(id); isNumber && from <= n && n <= to {
			s.hideAll(msgs)
		}
	}
}

// hideAll hides messages.
func (s *openHandsEvents) hideAll(msgs []int) {
	for _, msg := range msgs {
		s.msgs[msg].Hidden = true
	}
}
