package format

import (
	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var pi = Dialect{
	Name:   "pi",
	Doc:    "pi and oh-my-pi sessions",
	Where:  "~/.pi/agent/sessions/*/TIME_ID.jsonl",
	Hidden: true, Mirrors: true,
	folder: []string{"cwd"},
	sniff:  sniffPi,
	decode: decodePi,
	render: renderPi,
	relink: relinkPi, rename: renamePi, kinds: &piKinds,
}

// piKinds has the types of FileEntry in dist/core/session-manager.d.ts of the package
// @mariozechner/pi-coding-agent 0.73.1.
var piKinds = vocabulary{
	from: "pi 0.73.1", name: typeOnly,
	known: "session, message, model_change, thinking_level_change, compaction, branch_summary, custom, " +
		"custom_message, label, session_info",
}

// sniffPi looks for an entry that wraps a message, or for the header.
func sniffPi(p *probe) bool {
	for _, r := range p.firstRecords() {
		switch r.Get("type").Str() {
		case "message":
			if r.Get("message").Get("role").Kind() == rawjson.String {
				return true
			}
		case "session":
			if r.Get("cwd").Kind() == rawjson.String && r.Get("timestamp").Ok() && !r.Get("payload").Ok() {
				return true
			}
		}
	}
	return false
}

// piSession is a pi file while it is decoded. The messages are in the order of the file:
// the summary of a compaction follows the entries that it keeps, although the model sees
// it before them.
type piSession struct {
	builder
	msgOf   []int // by record, its message or None
	before  []int // by record, its parent or None
	calls   map[string]transcript.Ref
	pending []pendingMirror
	id      string
	kept    []piKept // the compactions
	last    int      // the last entry with an id so far, or None
	lines   []int    // the lines so far that pi can read
}

func decodePi(f *File, p *probe) error {
	s := &piSession{
		builder: builder{l: splice.New(p.src)},
		calls:   map[string]transcript.Ref{}, last: splice.None,
	}
	f.readLines(s.l, p, s.record)
	n := s.l.Len()
	s.reach(n)
	s.l.Chain.Reach(n)
	s.hide()
	s.addMirrors()
	s.l.State = s.kept
	pairProse(s.msgs)
	f.add(s.id, &s.builder)
	return nil
}

// renamePi changes the id of the session. The ids of its entries can be equal to it, and stay.
func renamePi(f *File, old, id string) (edits []rawjson.Edit) {
	f.eachRecord(func(_, _ int, v rawjson.Value) {
		if v.Get("type").Is("session") {
			edits = append(edits, renamed(v.Get("id"), old, id)...)
		}
	})
	return edits
}

// reach makes room for n records.
func (s *piSession) reach(n int) {
	for len(s.msgOf) < n {
		s.msgOf, s.before = append(s.msgOf, splice.None), append(s.before, splice.None)
	}
}

// record reads one entry. v is valid only during the call.
func (s *piSession) record(i int, v rawjson.Value) {
	s.reach(i + 1)
	s.lines = append(s.lines, i)
	s.l.Chain.Note(i, v, "id", "parentId", "targetId", "fromId")
	kind := v.Get("type").Str()
	if kind == "session" {
		s.id = v.Get("id").Str()
		s.l.Chain.Nodes[i] = splice.Node{} // the header is not an entry and has no children
		delete(s.l.Chain.ByID, s.id)
		s.pending = append(s.pending, pendingMirror{record: i, value: v.Span()})
		return
	}
	s.before[i] = s.above(i, v.Get("parentId"))
	if !s.repeats(i) && s.l.Chain.Nodes[i].ID != "" {
		s.last = i
	}
	slot := s.l.Slot(i)
	had := len(s.msgs)
	switch m := v.Get("message"); {
	case kind == "message" && m.Kind() == rawjson.Object:
		s.entry(i, v, m)
	case kind == "custom_message":
		mb := s.message(transcript.User, slot)
		mb.meta = true
		mb.content(v.Get("content"), slot)
		s.rest(i, v, "content")
	case kind == "compaction" || kind == "branch_summary":
		s.summary(slot, v, "summary")
		s.rest(i, v, "summary")
		if kind == "compaction" {
			s.compaction(i, v)
		}
	default:
		s.pending = append(s.pending, pendingMirror{record: i, value: v.Span()})
	}
	if len(s.msgs) > had {
		s.msgOf[i] = had
		s.msgs[had].SetTime(timestamp(v))
	}
}

// repeats reports whether an entry has the id of an earlier one. pi ignores such an
// entry.
func (s *piSession) repeats(i int) bool {
	id := s.l.Chain.Nodes[i].ID
	return id != "" && s.l.Chain.ByID[id] != i
}

// above returns the parent of entry i, or None. When the named parent is not in the file,
// or the entry has no id, the parent is the last earlier entry that has one.
func (s *piSession) above(i int, parent rawjson.Value) int {
	if at, known := s.l.Chain.ByID[parent.Str()]; known && at < i && parent.Str() != "" {
		return at
	}
	if parent.Kind() == rawjson.Null && s.l.Chain.Nodes[i].ID != "" {
		return splice.None
	}
	if s.last != splice.None { // record it as the parent in the chain
		c := s.l.Chain
		c.Nodes[i].Parent = c.Nodes[s.last].ID
		for k := len(c.Links) - 1; k >= 0 && c.Links[k].Record == i; k-- {
			if c.Links[k].Value == parent.Span() {
				c.Links[k].To = c.Nodes[i].Parent
			}
		}
	}
	return s.last
}

// entry reads an entry that wraps a message.
func (s *piSession) entry(i int, v, m rawjson.Value) {
	slot := s.l.Slot(i)
	role := m.Get("role").Str()
	var mb *messageBuilder
	content := "content"
	switch role {
	case "assistant":
		mb = s.message(transcript.Assistant, slot)
		mb.m.SetUsage(piUsage(m.Get("usage")))
		mb.m.SetModel(m.Get("model").Str())
		mb.content(m.Get("content"), slot)
		s.noteCalls(m.Get("content"))
	case "toolResult":
		mb = s.message(transcript.Tool, slot)
		id := m.Get("toolCallId").Str()
		mb.addResult(id, m.Get("toolName").Str(), m.Get("isError").Bool(), m.Get("content"), slot)
		if d := m.Get("details"); d.Ok() {
			s.pending = append(s.pending, pendingMirror{record: i, value: d.Span(), call: id, blocks: []transcript.Ref{s.ref()}})
		}
		s.l.MirrorMembers(slot, m, false, nil, "content", "details")
		s.rest(i, v, "message")
		return
	case "bashExecution":
		mb = s.message(transcript.User, slot)
		mb.m.Hidden = m.Get("excludeFromContext").Bool()
		mb.bash(m, slot)
		s.l.MirrorMembers(slot, m, false, nil, "command", "output")
		s.rest(i, v, "message")
		return
	case "branchSummary", "compactionSummary":
		mb, content = s.message(transcript.User, slot), "summary"
		mb.content(m.Get("summary"), slot)
		generated(mb.m)
	case "custom", "hookMessage":
		mb = s.message(transcript.User, slot)
		mb.meta = true
		mb.content(m.Get("content"), slot)
	default:
		mb = s.message(transcript.User, slot)
		mb.m.Hidden = role != "user"
		mb.content(m.Get("content"), slot)
	}
	s.l.MirrorMembers(slot, m, false, nil, content)
	s.rest(i, v, "message")
}

// bash reads a command that the user ran, and its output. The model sees both as one
// text.
func (mb *messageBuilder) bash(m rawjson.Value, slot int) {
	b := &transcript.Block{Origin: transcript.Injected}
	at := splice.BlockPlace{Slots: []int{slot}}
	for _, key := range []string{"command", "output"} {
		if v := m.Get(key); v.Kind() == rawjson.String {
			b.Parts = append(b.Parts, transcript.Part{Text: v.Str()})
			at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: v.Span()})
		}
	}
	mb.add(b, at)
}

// noteCalls notes the calls of the last message, and makes mirrors of the members that
// repeat their arguments.
func (s *piSession) noteCalls(content rawjson.Value) {
	msg := len(s.msgs) - 1
	for k, b := range s.msgs[msg].Blocks {
		if b.Kind == transcript.ToolCall && b.Call != "" {
			s.calls[b.Call] = blockRef(msg, k)
		}
	}
	for e := range content.Elems() {
		if call, ok := s.calls[e.Get("id").Str()]; ok && call.Msg == msg && isCall(e.Get("type").Str()) {
			slot := s.l.Messages[msg].Blocks.Get(call.Block).Slots[0]
			s.l.MirrorMembers(slot, e, true, []transcript.Ref{call}, "type", "id", "name", "arguments", "thoughtSignature")
		}
	}
}

// rest makes mirrors of the members of an entry besides the one with its text.
func (s *piSession) rest(i int, v rawjson.Value, text string) {
	s.l.MirrorMembers(s.l.Slot(i), v, false, nil, text)
}
