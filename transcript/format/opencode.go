package format

import (
	"strings"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var openCode = Dialect{
	Name:   "opencode",
	Doc:    "OpenCode session exports",
	Where:  "opencode export SESSION > FILE",
	Hidden: true, Mirrors: true,
	sniff:  sniffOpenCode,
	decode: decodeOpenCode,
	render: renderOpenCode,
	relink: relinkOpenCode,
}

// sniffOpenCode looks for messages that are an info and parts, or for the info
// of a session without any.
func sniffOpenCode(p *probe) bool {
	if p.lines != nil {
		return false
	}
	root := p.doc.Root()
	info, messages := root.Get("info"), root.Get("messages")
	if info.Kind() != rawjson.Object || messages.Kind() != rawjson.Array {
		return false
	}
	for m := range messages.Elems() {
		return m.Get("info").Kind() == rawjson.Object && m.Get("parts").Kind() == rawjson.Array
	}
	return strings.HasPrefix(info.Get("id").Str(), "ses") && info.Get("time").Ok()
}

// openCodeExport is an OpenCode document while it is decoded. Every element of
// messages that has an info is a message, be it without blocks.
type openCodeExport struct {
	builder
	ids      []string // of the messages
	records  []int    // of the messages
	pivot    string   // the last user message that asked for a compaction and got a summary
	tail     map[string]string
	summary  int // the last message that is a summary, or none
	reverted string
	part     string // the first part that was reverted with it, or ""
	hiding   bool   // behind the reverted part
}

func decodeOpenCode(f *File, p *probe) error {
	root := p.doc.Root()
	messages := root.Get("messages")
	if p.lines != nil || messages.Kind() != rawjson.Array {
		return &Error{Offset: -1, Reason: "not an OpenCode export, expected {info, messages: […]}"}
	}
	info := root.Get("info")
	s := &openCodeExport{
		builder: builder{l: splice.New(p.src)},
		tail:    map[string]string{}, summary: splice.None,
		reverted: info.Get("revert").Get("messageID").Str(), part: info.Get("revert").Get("partID").Str(),
	}
	s.l.TextElement = openCodeText
	readArray(s.l, messages, s.record)
	s.l.Chain.Reach(messages.Len())
	s.hide()
	s.l.Mirror(splice.None, info.Span(), false)
	f.add(info.Get("id").Str(), &s.builder)
	return nil
}

// record reads one message.
func (s *openCodeExport) record(i int, v rawjson.Value) {
	info := v.Get("info")
	if info.Kind() != rawjson.Object {
		s.l.Mirror(s.l.Slot(i), v.Span(), false)
		return
	}
	slot, role := s.l.Slot(i), transcript.User
	summary := false
	id, parent := info.Get("id").Str(), info.Get("parentID")
	if info.Get("role").Is("assistant") {
		role, summary = transcript.Assistant, info.Get("summary").Bool()
	}
	mb := s.message(role, slot)
	s.ids, s.records = append(s.ids, id), append(s.records, i)
	mb.m.Usage = openCodeUsage(info.Get("tokens"))
	if ms, ok := info.Get("time").Get("created").Int(); ok {
		mb.m.Time = time.UnixMilli(ms).UTC()
	}
	s.l.Chain.Note(i, info, "id", "parentID")
	s.l.Chain.Nodes[i].Typed = role == transcript.User
	if _, asked := s.tail[parent.Str()]; summary && !asked {
		s.summary, s.pivot = len(s.msgs)-1, ""
	} else if summary && info.Get("finish").Ok() { // else it was not finished, and counts for nothing
		s.pivot = parent.Str()
	}
	parts := v.Get("parts")
	first, k := s.l.Elems(slot, parts), 0
	s.hiding = false
	for e := range parts.Elems() {
		if s.part != "" && id == s.reverted && e.Get("id").Is(s.part) {
			s.hiding = true
		}
		if s.hiding {
			s.l.Mirror(first+k, e.Span(), false)
		} else {
			s.partOf(mb, e, first+k, id)
		}
		k++
	}
	if _, asks := s.tail[id]; asks || summary { // hides what is before it: stays when its texts go
		mb.at.Records = nil
		for _, b := range mb.at.Blocks {
			mb.at.Records = append(mb.at.Records, b.Slots...)
		}
	}
	if summary {
		for _, b := range mb.m.Blocks {
			if b.Kind == transcript.Text {
				b.Origin = transcript.Generated
			}
		}
	}
	s.l.MirrorMembers(slot, info, false, nil)
	s.l.MirrorMembers(slot, v, false, nil, "info", "parts")
}

// partOf reads one part of a message.
func (s *openCodeExport) partOf(mb *message, e rawjson.Value, slot int, id string) {
	text := e.Get("text")
	switch kind := e.Get("type").Str(); {
	case kind == "text" && text.Kind() == rawjson.String && !e.Get("ignored").Bool():
		switch {
		case mb.m.Role == transcript.Assistant:
			mb.textBy(text, slot, transcript.ByModel)
		case e.Get("synthetic").Bool():
			mb.textBy(text, slot, transcript.Injected)
		default:
			mb.userText(text, slot)
		}
		s.l.MirrorMembers(slot, e, false, nil, "text")
	case kind == "reasoning":
		b := &transcript.Block{Kind: transcript.Thinking, Origin: transcript.ByModel, Opaque: sealedBytes(e.Get("metadata"))}
		b.Fixed = b.Opaque > 0
		at := splice.BlockPlace{Slots: []int{slot}}
		if text.Kind() == rawjson.String {
			b.Parts, at.Parts = []transcript.Part{{Text: text.Str()}}, []splice.Place{{Slot: slot, Lit: text.Span()}}
		}
		mb.add(b, at)
	case kind == "tool" && e.Get("state").Kind() == rawjson.Object:
		s.tool(mb, e, slot)
	case kind == "file" && !strings.HasPrefix(e.Get("mime").Str(), "text/") && !e.Get("mime").Is("application/x-directory"):
		mb.add(&transcript.Block{Kind: transcript.Media, Origin: mb.mediaOrigin(), Parts: []transcript.Part{{Media: openCodeMedium(e)}}},
			splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: e.Span(), Media: true}}})
	case kind == "subtask" && e.Get("prompt").Kind() == rawjson.String: // what the user asked a sub-agent for
		mb.textBy(e.Get("prompt"), slot, transcript.Typed)
		s.l.MirrorMembers(slot, e, false, nil, "prompt")
	default:
		if kind == "compaction" {
			s.tail[id] = e.Get("tail_start_id").Str()
		}
		s.l.Mirror(slot, e.Span(), false)
	}
}

// tool reads a call and its result, which share one part. Of a result that
// OpenCode has pruned the model sees a fixed phrase: its text is a mirror only.
func (s *openCodeExport) tool(mb *message, e rawjson.Value, slot int) {
	state, tool := e.Get("state"), e.Get("tool").Str()
	id := e.Get("callID").Str()
	call := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Call: id, Tool: tool}
	where := splice.BlockPlace{Slots: []int{slot}}
	call.Parts, where.Parts = arguments(state.Get("input"), slot)
	mb.add(call, where) // not addCall: ids that a redactor made equal are different calls
	blocks := []transcript.Ref{s.ref()}
	status, body := state.Get("status").Str(), state.Get("output")
	if status == "error" {
		body = state.Get("error")
	}
	pruned := state.Get("time").Get("compacted").Ok()
	if status == "completed" || status == "error" {
		b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id, Tool: tool, Error: status == "error" || exitedBadly(state)}
		at := splice.BlockPlace{Slots: []int{slot}}
		if !pruned {
			mb.leaves(body, slot, b, &at)
			s.attached(state.Get("attachments"), slot, b, &at)
		}
		if quotesUser(b.Text()) {
			b.Origin = transcript.Typed
		}
		mb.add(b, at)
		blocks = append(blocks, s.ref())
	}
	texts := []string{"input", "output", "error"}
	if pruned || len(blocks) == 1 {
		texts = texts[:1]
	} else {
		texts = append(texts, "attachments")
	}
	s.l.MirrorMembers(slot, state, !pruned, blocks, texts...)
	s.l.MirrorMembers(slot, e, false, nil, "state")
}

// exitedBadly reports whether a command was run and gave an exit code other than 0;
// the status of such a call is completed.
func exitedBadly(state rawjson.Value) bool {
	code, ok := state.Get("metadata").Get("exit").Int()
	return ok && code != 0
}

// attached reads the files that a tool returned beside its text.
func (s *openCodeExport) attached(files rawjson.Value, slot int, b *transcript.Block, at *splice.BlockPlace) {
	if files.Kind() != rawjson.Array {
		return
	}
	first, k := s.l.Elems(slot, files), 0
	for e := range files.Elems() {
		if text := e.Get("text"); e.Get("type").Is("text") && text.Kind() == rawjson.String { // put in place of one
			b.Parts = append(b.Parts, transcript.Part{Text: text.Str()})
			at.Parts = append(at.Parts, splice.Place{Slot: first + k, Lit: text.Span()})
		} else if e.Kind() == rawjson.Object {
			b.Parts = append(b.Parts, transcript.Part{Media: openCodeMedium(e)})
			at.Parts = append(at.Parts, splice.Place{Slot: first + k, Lit: e.Span(), Media: true})
		}
		k++
	}
}
