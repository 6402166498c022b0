package format

import (
	"fmt"
	"slices"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var adk = Dialect{
	Name:   "adk",
	Doc:    "Google Agent Development Kit sessions: {events: [{author, content: {role, parts}, actions}]}",
	Where:  "*.session.json, the web UI's and the API server's sessions",
	Hidden: true, Mirrors: true,
	sniff:  sniffADK,
	decode: decodeADK,
	fails:  saysFailed,
	render: renderADK,
}

// sniffADK looks for events that have an author and belong to an invocation.
func sniffADK(p *probe) bool {
	root := p.doc.Root()
	events := root.Get("events")
	if p.lines != nil || events.Kind() != rawjson.Array {
		return false
	}
	n := 0
	for e := range events.Elems() {
		if n++; n > 16 {
			break
		}
		content := e.Get("content")
		if e.Get("author").Kind() == rawjson.String &&
			(firstOf(e, "invocation_id", "invocationId").Ok() || content.Get("parts").Kind() == rawjson.Array) {
			return true
		}
	}
	return n == 0 && firstOf(root, "app_name", "appName").Ok() && firstOf(root, "user_id", "userId").Ok()
}

// adkSession is a session while it is decoded.
type adkSession struct {
	builder
	calls  *geminiCalls
	events []adkEvent
}

// adkEvent holds the members of an event that decide whether the model sees it.
type adkEvent struct {
	msg        int // its message, or None
	at         float64
	invocation string
	compacts   bool    // it replaces the earlier events from the time since on
	since      float64 // seconds
	rewinds    string  // the first invocation that is taken back; all later ones are, too
}

func decodeADK(f *File, p *probe) error {
	root := p.doc.Root()
	events := root.Get("events")
	if p.lines != nil || events.Kind() != rawjson.Array {
		return &Error{Offset: -1, Reason: "no array of events found, " + p.looks()}
	}
	s := &adkSession{builder: builder{l: splice.New(p.src)}, calls: newGeminiCalls()}
	s.l.TextElement = geminiText
	readArray(s.l, events, s.event)
	s.hide()
	mirrorMembers(s.l, splice.None, root, "events")
	f.add(conversationID(root, 0), &s.builder)
	return nil
}

// event reads one event. Events without content only change the state.
func (s *adkSession) event(i int, v rawjson.Value) {
	slot := s.l.Slot(i)
	ev := adkEvent{msg: splice.None, invocation: firstOf(v, "invocation_id", "invocationId").Str()}
	ev.at, _ = v.Get("timestamp").Float()
	actions := v.Get("actions")
	ev.rewinds = firstOf(actions, "rewind_before_invocation_id", "rewindBeforeInvocationId").Str()
	if c := actions.Get("compaction"); c.Kind() == rawjson.Object {
		since := firstOf(c, "start_timestamp", "startTimestamp")
		ev.since, ev.compacts = since.Float()
		ev.msg = s.content(v, firstOf(c, "compacted_content", "compactedContent"), slot)
		if ev.msg != splice.None {
			generated(s.msgs[ev.msg])
			s.l.Keep(slot) // it hides events even when its text is removed
		}
	} else {
		ev.msg = s.content(v, v.Get("content"), slot)
		var about []transcript.Ref
		if ev.msg != splice.None {
			about = blocksOf(ev.msg, s.msgs[ev.msg])
		}
		mirrorMembers(s.l, slot, v, "content", about...)
	}
	s.events = append(s.events, ev)
}

// content reads the content of event v. It returns the index of the message, or None.
func (s *adkSession) content(v, content rawjson.Value, slot int) int {
	parts := content.Get("parts")
	if parts.Kind() != rawjson.Array {
		return splice.None
	}
	name := content.Get("role").Str()
	if name == "" && !v.Get("author").Is("user") {
		name = "model"
	}
	role, known := geminiRole(name)
	s.calls.startContent(role)
	mb := s.message(role, slot)
	mb.m.Hidden = !known || v.Get("partial").Bool()
	mb.m.SetUsage(geminiUsage(firstOf(v, "usage_metadata", "usageMetadata")))
	if seconds, ok := v.Get("timestamp").Float(); ok && seconds > 0 && seconds < 1e11 {
		mb.m.SetTime(time.UnixMicro(int64(seconds * 1e6)).UTC())
	}
	if model := firstOf(v, "model_version", "modelVersion").Str(); model != "" {
		mb.m.SetModel(model)
	}
	mb.parts(parts, slot, s.calls)
	return len(s.msgs) - 1
}

// hide hides the events that ADK no longer shows to the model: those that were compacted,
// and those of invocations that were taken back.
func (s *adkSession) hide() {
	first := map[string]int{} // by invocation, the first event
	for i, ev := range s.events {
		if _, known := first[ev.invocation]; !known {
			first[ev.invocation] = i
		}
	}
	var since float64
	compacted := false
	back := len(s.events) // the first event that the rewinds after event i take back
	for i := len(s.events) - 1; i >= 0; i-- {
		ev := &s.events[i]
		if ev.rewinds != "" && i < back {
			if from, known := first[ev.rewinds]; known && from < i {
				s.hideRange(from, i)
				back = from
				if slices.ContainsFunc(s.events[from:i], func(ev adkEvent) bool { return ev.compacts }) {
					s.l.Keep(s.l.Slot(from)) // without the two, the compaction between them would hide events
					s.l.Keep(s.l.Slot(i))
				}
			}
		}
		if i >= back {
			continue
		}
		if ev.compacts {
			if !compacted || ev.since < since {
				since, compacted = ev.since, true
			}
		} else if compacted && ev.at >= since && ev.msg != splice.None {
			s.msgs[ev.msg].Hidden = true
		}
	}
}

// hideRange hides the messages of the events [from, to].
func (s *adkSession) hideRange(from, to int) {
	for _, ev := range s.events[from : to+1] {
		if ev.msg != splice.None {
			s.msgs[ev.msg].Hidden = true
		}
	}
}

// renderADK returns a new message as an event like its neighbour.
func renderADK(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	near := recordNear(c, i)
	author := near.Get("author")
	name := []byte(`"model"`)
	switch {
	case m.Role != transcript.Assistant:
		name = []byte(`"user"`)
	case author.Kind() == rawjson.String && !author.Is("user"):
		name = author.Raw()
	}
	out := fmt.Appendf(nil, `{"author":%s,"content":%s`, name, renderContents(c.Style(), m))
	out = appendMembers(out, near, "invocation_id", "invocationId")
	out = fmt.Appendf(out, `,"id":"%x"`, newRecordID(c, i)[:4])
	return append(appendMembers(out, near, "timestamp"), '}')
}
