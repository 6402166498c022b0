package format

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

var adk = Dialect{
	Name:   "adk",
	Doc:    "Google Agent Development Kit sessions: {events: [{author, content: {role, parts}, actions}]}",
	Where:  "*.session.json, the web UI's and the API server's sessions",
	Hidden: true, Mirrors: true,
	sniff:   sniffADK,
	decode:  decodeADK,
	render:  renderADK,
	element: `{"text":`,
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

// adkEvent is what tells which events the model is shown.
type adkEvent struct {
	msg        int // its message, or none
	at         float64
	invocation string
	compacts   bool    // it stands for events before it, from the time since on
	since      float64 // seconds
	rewinds    string  // the invocation that was taken back, with all after it
}

func decodeADK(f *File, p *probe) error {
	root := p.doc.Root()
	events := root.Get("events")
	if p.lines != nil || events.Kind() != rawjson.Array {
		return &Error{Offset: -1, Reason: "no array of events found, " + p.looks()}
	}
	s := &adkSession{builder: builder{l: &layout{src: p.src}}, calls: newGeminiCalls()}
	readArray(s.l, events, s.event)
	s.hide()
	s.l.mirrorMembers(none, root, "events")
	f.add(conversationID(root, 0), &s.builder)
	return nil
}

// event reads one event. Many have no content: they change the state.
func (s *adkSession) event(i int, v rawjson.Value) {
	slot := s.l.first + i
	ev := adkEvent{msg: none, invocation: firstOf(v, "invocation_id", "invocationId").Str()}
	ev.at, _ = v.Get("timestamp").Float()
	actions := v.Get("actions")
	ev.rewinds = firstOf(actions, "rewind_before_invocation_id", "rewindBeforeInvocationId").Str()
	if c := actions.Get("compaction"); c.Kind() == rawjson.Object {
		since := firstOf(c, "start_timestamp", "startTimestamp")
		ev.since, ev.compacts = since.Float()
		ev.msg = s.content(v, firstOf(c, "compacted_content", "compactedContent"), slot)
		if ev.msg != none {
			generated(s.msgs[ev.msg])
			s.l.stay = append(s.l.stay, slot) // it hides events without its text, too
		}
	} else {
		ev.msg = s.content(v, v.Get("content"), slot)
		var about []transcript.Ref
		if ev.msg != none {
			for k := range s.msgs[ev.msg].Blocks {
				about = append(about, transcript.Ref{Msg: ev.msg, Block: k, Part: transcript.Whole})
			}
		}
		s.l.mirrorMembers(slot, v, "content", about...)
	}
	s.events = append(s.events, ev)
}

// content reads the content of event v; none when there is none.
func (s *adkSession) content(v, content rawjson.Value, slot int) int {
	parts := content.Get("parts")
	if parts.Kind() != rawjson.Array {
		return none
	}
	name := content.Get("role").Str()
	if name == "" && !v.Get("author").Is("user") {
		name = "model"
	}
	role, known := geminiRole(name)
	s.calls.speaks(role)
	mb := s.message(role, slot)
	mb.m.Hidden = !known || v.Get("partial").Bool()
	mb.m.Usage = geminiUsage(firstOf(v, "usage_metadata", "usageMetadata"))
	if seconds, ok := v.Get("timestamp").Float(); ok && seconds > 0 && seconds < 1e11 {
		mb.m.Time = time.UnixMicro(int64(seconds * 1e6)).UTC()
	}
	if model := firstOf(v, "model_version", "modelVersion").Str(); model != "" {
		s.model = model
	}
	mb.parts(parts, slot, s.calls)
	return len(s.msgs) - 1
}

// hide finds what the kit does not show the model any more: events that were
// compacted, and those of invocations that were taken back.
func (s *adkSession) hide() {
	first := map[string]int{} // event by invocation
	for i, ev := range s.events {
		if _, known := first[ev.invocation]; !known {
			first[ev.invocation] = i
		}
	}
	var since float64
	compacted := false
	back := len(s.events) // events from here to the last rewind are taken back
	for i := len(s.events) - 1; i >= 0; i-- {
		ev := &s.events[i]
		if ev.rewinds != "" && i < back {
			if from, known := first[ev.rewinds]; known && from < i {
				s.hideFrom(from, i)
				back = from
			}
		}
		if i >= back {
			continue
		}
		if ev.compacts {
			if !compacted || ev.since < since {
				since, compacted = ev.since, true
			}
		} else if compacted && ev.at >= since && ev.msg != none {
			s.msgs[ev.msg].Hidden = true
		}
	}
}

func (s *adkSession) hideFrom(from, to int) {
	for _, ev := range s.events[from : to+1] {
		if ev.msg != none {
			s.msgs[ev.msg].Hidden = true
		}
	}
}

// geminiUsage reads what the provider counted for an answer. Its prompt tokens
// include those that were cached.
func geminiUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	count := func(keys ...string) int {
		n, _ := firstOf(v, keys...).Int()
		return int(n)
	}
	cached := count("cached_content_token_count", "cachedContentTokenCount")
	return &transcript.Usage{
		Input: count("prompt_token_count", "promptTokenCount") - cached, CacheRead: cached,
		Output: count("candidates_token_count", "candidatesTokenCount") + count("thoughts_token_count", "thoughtsTokenCount"),
	}
}

// mirrorMembers makes mirrors of the members of an object, but for the one that
// holds the blocks.
func (l *layout) mirrorMembers(slot int, object rawjson.Value, except string, blocks ...transcript.Ref) {
	for k, v := range object.Members() {
		if repeats(k, v, except) {
			l.mirrors = append(l.mirrors, mirror{slot: slot, value: v.Span(), blocks: blocks})
		}
	}
}

// repeats tells whether a member can repeat what blocks say: one that is long
// enough, and not among the excepted, nor what identifies its object.
func repeats(key, v rawjson.Value, except ...string) bool {
	if v.Span().Len() < longLine {
		return false
	}
	k := key.Str()
	switch k {
	case "id", "name", "type", "role", "status", "author", "invocation_id", "invocationId", "sessionId", "projectHash":
		return v.Kind() != rawjson.String
	}
	return !slices.Contains(except, k)
}

// recordNear is the last object among the records at and before the given one.
func (l *layout) recordNear(record int) rawjson.Value {
	spans := l.lists[l.records].spans
	for i := min(record, len(spans)-1); i >= 0; i-- {
		doc := new(rawjson.Doc)
		if _, err := doc.Scan(l.src, spans[i].Start, spans[i].End); err == nil && doc.Root().Kind() == rawjson.Object {
			return doc.Root()
		}
	}
	return rawjson.Value{}
}

// newRecordID is a hash of a new record, of those inserted before it, and of the
// records that it stands between.
func newRecordID(l *layout, inserted []insertion, i int) []byte {
	h := sha256.New()
	for _, in := range inserted[:i+1] {
		fmt.Fprintf(h, "%d\x00%s\x00", in.record, in.msg.Role)
		for _, b := range in.msg.Blocks {
			fmt.Fprintf(h, "%s\x00", b.Text())
		}
	}
	h.Write(l.recordNear(inserted[i].record).Raw())
	return h.Sum(nil)
}

// renderADK writes a new message as an event like its neighbour.
func renderADK(l *layout, inserted []insertion, i int, _ func(int) bool) []byte {
	m := inserted[i].msg
	near := l.recordNear(inserted[i].record)
	author := near.Get("author")
	var out bytes.Buffer
	out.WriteString(`{"author":`)
	switch {
	case m.Role != transcript.Assistant:
		out.WriteString(`"user"`)
	case author.Kind() == rawjson.String && !author.Is("user"):
		out.Write(author.Raw())
	default:
		out.WriteString(`"model"`)
	}
	fmt.Fprintf(&out, `,"content":%s`, renderContents(l, m))
	for _, key := range []string{"invocation_id", "invocationId"} {
		if v := near.Get(key); v.Ok() {
			fmt.Fprintf(&out, `,%q:%s`, key, v.Raw())
		}
	}
	fmt.Fprintf(&out, `,"id":"%x"`, newRecordID(l, inserted, i)[:4])
	if v := near.Get("timestamp"); v.Ok() {
		fmt.Fprintf(&out, `,"timestamp":%s`, v.Raw())
	}
	out.WriteByte('}')
	return out.Bytes()
}
