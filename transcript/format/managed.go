package format

import (
	"fmt"
	"strings"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var managedAgents = Dialect{
	Name:    "managed-agents",
	Doc:     "event logs of Claude managed agents",
	Where:   "logs of the sessions API, one event a line: {role, kind, time, raw}",
	Mirrors: true,
	sniff:   sniffManaged,
	decode:  decodeManaged,
	render:  renderManaged,
}

// sniffManaged looks for an event that holds what the API sent in raw.
func sniffManaged(p *probe) bool {
	for _, r := range p.firstRecords() {
		if r.Get("kind").Kind() == rawjson.String && r.Get("role").Kind() == rawjson.String &&
			r.Get("raw").Get("type").Kind() == rawjson.String {
			return true
		}
	}
	return false
}

// managedLog is a log of events while it is decoded. The texts of an event are those in
// raw; the member content repeats them.
type managedLog struct {
	builder
	calls map[string]transcript.Ref
}

func decodeManaged(f *File, p *probe) error {
	s := &managedLog{builder: builder{l: splice.New(p.src)}, calls: map[string]transcript.Ref{}}
	f.readLines(s.l, p, s.record)
	f.add("1", &s.builder)
	return nil
}

// record reads one event. v is valid only during the call.
func (s *managedLog) record(i int, v rawjson.Value) {
	slot, raw := s.l.Slot(i), v.Get("raw")
	_, kind, _ := strings.Cut(raw.Get("type").Str(), ".")
	byUser := v.Get("role").Is("user")
	switch {
	case kind == "message" && raw.Get("content").Ok():
		s.readMessage(i, v, raw, byUser)
	case kind == "thinking":
		s.thought(i, v, raw)
	case strings.HasSuffix(kind, "tool_use") && raw.Get("id").Str() != "":
		s.call(i, v, raw)
	case strings.HasSuffix(kind, "tool_result"):
		s.result(i, v, raw)
	case kind == "define_outcome", kind == "outcome_evaluation_end":
		s.outcome(i, v, raw)
	default:
		if last := len(s.msgs) - 1; kind == "model_request_end" && last >= 0 && s.msgs[last].Role == transcript.Assistant {
			s.msgs[last].SetUsage(anthropicUsage(raw.Get("model_usage")))
		}
		s.l.Mirror(slot, v.Span(), false)
	}
}

// begin begins the message of an event. Each event is a separate message.
func (s *managedLog) begin(role transcript.Role, i int, v rawjson.Value) *messageBuilder {
	mb := s.message(role, s.l.Slot(i))
	at, _ := time.Parse(time.RFC3339, v.Get("time").Str())
	mb.m.SetTime(at)
	return mb
}

// readMessage reads a message of the user or of the model.
func (s *managedLog) readMessage(i int, v, raw rawjson.Value, byUser bool) {
	slot, role := s.l.Slot(i), transcript.Assistant
	if byUser {
		role = transcript.User
	}
	mb := s.begin(role, i, v)
	content := raw.Get("content")
	if content.Kind() == rawjson.String {
		mb.managedText(content, slot)
	} else {
		first, k := s.l.Elems(slot, content), 0
		for e := range content.Elems() {
			if text := e.Get("text"); e.Get("type").Is("text") && text.Kind() == rawjson.String {
				mb.managedText(text, first+k)
			} else {
				mb.element(e, first+k)
			}
			k++
		}
	}
	copied := s.copyOf(&mb.at.Blocks, mb.m.Blocks, v.Get("content"), slot)
	s.rest(i, v, raw, copied, nil, "content")
}

func (mb *messageBuilder) managedText(v rawjson.Value, slot int) {
	if mb.m.Role == transcript.User {
		mb.userText(v, slot)
	} else {
		mb.textBy(v, slot, transcript.ByModel)
	}
}

// copyOf makes content a copy of the only text of the blocks. It returns false when
// content is not that text.
func (s *managedLog) copyOf(at *splice.Places, blocks []*transcript.Block, content rawjson.Value, slot int) bool {
	if at.Len() != 1 || len(blocks[0].Parts) != 1 || content.Kind() != rawjson.String || content.Str() != blocks[0].Parts[0].Text {
		return false
	}
	at.Copy(0, splice.BlockPlace{Parts: []splice.Place{{Slot: slot, Lit: content.Span()}}})
	return true
}

// thought reads a thinking event. The log usually does not hold its text.
func (s *managedLog) thought(i int, v, raw rawjson.Value) {
	slot := s.l.Slot(i)
	mb := s.begin(transcript.Assistant, i, v)
	b := &transcript.Block{Kind: transcript.Thinking, Origin: transcript.ByModel}
	at := splice.BlockPlace{Slots: []int{slot}}
	if text := firstOf(raw, "thinking", "text"); text.Kind() == rawjson.String {
		b.Parts = []transcript.Part{{Text: text.Str()}}
		at.Parts = []splice.Place{{Slot: slot, Lit: text.Span()}}
	}
	b.Opaque = len(raw.Get("signature").Str())
	b.Fixed = b.Opaque > 0
	mb.add(b, at)
	copied := s.copyOf(&mb.at.Blocks, mb.m.Blocks, v.Get("content"), slot)
	s.rest(i, v, raw, copied, []transcript.Ref{s.ref()}, "thinking", "text", "signature")
}

// call reads a call. The member content repeats its arguments as JSON in a string.
func (s *managedLog) call(i int, v, raw rawjson.Value) {
	slot, id := s.l.Slot(i), raw.Get("id").Str()
	mb := s.begin(transcript.Assistant, i, v)
	mb.addCall(id, firstOf(raw, "name", "tool_name").Str(), raw.Get("input"), slot)
	s.calls[id] = s.ref()
	again, copied := sameArguments(mb.m.Blocks[0].Parts, v.Get("content"), slot)
	if copied {
		mb.at.Blocks.Copy(0, again)
	}
	s.rest(i, v, raw, copied, []transcript.Ref{s.ref()}, "input")
}

// sameArguments returns the places of the arguments of a call in a string that holds them
// as JSON, in any order. same is false when the string holds other arguments.
func sameArguments(parts []transcript.Part, v rawjson.Value, slot int) (at splice.BlockPlace, same bool) {
	if v.Kind() != rawjson.String {
		return at, false
	}
	found, places := nestedArguments(v, slot)
	byName := make(map[string]int, len(found))
	for i, p := range found {
		byName[p.Name] = i
	}
	for _, p := range parts {
		i, known := byName[p.Name]
		if !known || found[i] != p || len(byName) != len(parts) {
			return at, false
		}
		at.Parts = append(at.Parts, places[i])
	}
	return at, len(parts) > 0 && len(found) == len(parts)
}

// result reads the result of a tool.
func (s *managedLog) result(i int, v, raw rawjson.Value) {
	slot := s.l.Slot(i)
	mb := s.begin(transcript.Tool, i, v)
	id := firstOf(raw, "tool_use_id", "custom_tool_use_id", "mcp_tool_use_id").Str()
	blocks := []transcript.Ref{blockRef(len(s.msgs)-1, 0)}
	if call, ok := s.calls[id]; ok && id != "" {
		blocks = append(blocks, call)
	}
	mb.addResult(id, "", raw.Get("is_error").Bool(), raw.Get("content"), slot)
	copied := s.copyOf(&mb.at.Blocks, mb.m.Blocks, v.Get("content"), slot)
	s.rest(i, v, raw, copied, blocks, "content")
}

// outcome reads the description of an outcome, or the explanation of a grader. The model
// sees both.
func (s *managedLog) outcome(i int, v, raw rawjson.Value) {
	slot := s.l.Slot(i)
	mb := s.begin(transcript.User, i, v)
	add := func(v rawjson.Value, in rawjson.Value, key string, origin transcript.Origin) {
		if v.Kind() == rawjson.String && v.Str() != "" {
			at := s.l.Emptied(slot, in, key)
			mb.textBy(v, at, origin)
		}
	}
	add(raw.Get("description"), raw, "description", transcript.Typed)
	add(raw.Get("rubric").Get("content"), raw.Get("rubric"), "content", transcript.Typed)
	add(raw.Get("explanation"), raw, "explanation", transcript.Injected)
	blocks := append([]transcript.Ref{}, blocksOf(len(s.msgs)-1, mb.m)...)
	s.rest(i, v, raw, false, blocks, "description", "rubric", "explanation")
	s.l.MirrorMembers(slot, raw.Get("rubric"), true, blocks, "content")
}

// rest makes mirrors of the members of an event besides texts. content is a mirror, too,
// when it is no copy.
func (s *managedLog) rest(i int, v, raw rawjson.Value, copied bool, blocks []transcript.Ref, texts ...string) {
	slot := s.l.Slot(i)
	if !copied {
		s.l.Mirror(slot, v.Get("content").Span(), blocks != nil, blocks...)
	}
	s.l.MirrorMembers(slot, raw, false, nil, texts...)
	s.l.MirrorMembers(slot, v, false, nil, "content", "raw")
}

// renderManaged returns a new message as an event.
func renderManaged(c *splice.Change, i int) []byte {
	in := c.Inserted[i]
	near := c.Nearest(i, func(v rawjson.Value) bool { return v.Get("time").Ok() })
	role := "user"
	if in.Message.Role == transcript.Assistant {
		role = "agent"
	}
	out := fmt.Appendf(nil, `{"role":%q,"kind":"message"`, role)
	if len(in.Message.Blocks) == 1 {
		out = append(append(out, `,"content":`...), c.Style().Quote(in.Message.Blocks[0].Text())...)
	}
	out = appendMembers(out, near, "time")
	out = append(append(out, `,"raw":{"content":`...), renderContent(c.Style(), in.Message)...)
	out = fmt.Appendf(out, `,"id":"sevt_%s"`, c.ShortID(i, 24))
	out = appendMembers(out, near.Get("raw"), "processed_at")
	return fmt.Appendf(out, `,"type":"%s.message"}}`, role)
}
