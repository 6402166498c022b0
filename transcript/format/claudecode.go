package format

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

var claudeCode = Dialect{
	Name:   "claude-code",
	Doc:    "Claude Code sessions, and their web export {loglines: […]}",
	Where:  "~/.claude/projects/*/SESSION.jsonl",
	Hidden: true, Mirrors: true,
	folder: []string{"cwd"},
	sniff:  sniffClaudeCode,
	decode: decodeClaudeCode,
	render: renderClaudeCode,
	relink: splice.RelinkChain,
	rename: renameAt("sessionId"), ignores: claudeCodeIgnored,
	target: &rules.ClaudeCode, lint: lintClaudeCode, answers: transcript.User, attaches: true, kinds: &claudeCodeKinds,
}

// sniffClaudeCode looks for a line of the conversation, or for one of two other kinds of
// lines that only such sessions have.
func sniffClaudeCode(p *probe) bool {
	records := p.first
	if p.lines == nil {
		root := p.doc.Root()
		records = []rawjson.Value{root}
		if lines := root.Get("loglines"); lines.Kind() == rawjson.Array {
			return true
		}
	}
	for _, r := range records {
		switch r.Get("type").Str() {
		case "user", "assistant":
			if r.Get("message").Get("content").Ok() {
				return true
			}
		case "summary":
			if r.Get("leafUuid").Ok() {
				return true
			}
		case "file-history-snapshot":
			return true
		}
	}
	return false
}

// claudeCodeSession is a Claude Code file while it is decoded.
type claudeCodeSession struct {
	builder
	msgOf    []int          // by record, its message or None
	byID     map[string]int // by id of the API message, the assistant message
	calls    map[string]transcript.Ref
	results  map[string]transcript.Ref
	pending  []pendingMirror // values that repeat calls
	copies   []claudeCodeCopy
	lastUser int // the last message, if it is one of the user on the main chain; else None
	boundary int // record of the last compaction boundary; earlier records are hidden
	id       string
}

// pendingMirror is a value beside the messages that may repeat a call or its result.
type pendingMirror struct {
	record int
	value  rawjson.Span
	call   string           // the id of the call that it names, or ""
	blocks []transcript.Ref // the results in the same record
}

func decodeClaudeCode(f *File, p *probe) error {
	s := &claudeCodeSession{
		builder: builder{l: splice.New(p.src)}, lastUser: splice.None,
		byID: map[string]int{}, calls: map[string]transcript.Ref{}, results: map[string]transcript.Ref{},
	}
	if lines := p.doc.Root().Get("loglines"); p.lines == nil && lines.Kind() == rawjson.Array {
		readArray(s.l, lines, s.record)
	} else {
		f.readLines(s.l, p, s.record)
	}
	s.reach(s.l.Len())
	if order := s.modelOrder(); order != nil {
		s.reorder(order)
	}
	s.hide()
	s.addMirrors()
	s.addCopies()
	f.add(s.id, &s.builder)
	return nil
}

// reach makes room for n records. A record without a message stays None.
func (s *claudeCodeSession) reach(n int) {
	for len(s.msgOf) < n {
		s.msgOf = append(s.msgOf, splice.None)
	}
	s.l.Chain.Reach(n)
}

// record reads one record. v is valid only during the call.
func (s *claudeCodeSession) record(i int, v rawjson.Value) {
	s.reach(i + 1)
	s.links(i, v)
	n := &s.l.Chain.Nodes[i]
	n.Aside = v.Get("isSidechain").Bool()
	if s.id == "" {
		s.id = v.Get("sessionId").Str()
	}
	kind := v.Get("type").Str()
	if m := v.Get("message"); (kind == "user" || kind == "assistant") && m.Kind() == rawjson.Object {
		s.spoken(i, kind, v, m)
		return
	}
	if kind == "attachment" && v.Get("attachment").Kind() == rawjson.Object {
		s.attachment(i, v)
		return
	}
	if kind == "system" && !n.Aside && v.Get("subtype").Is("compact_boundary") {
		s.boundary = i
	}
	if c, ok := copyIn(i, kind, v); ok {
		s.copies = append(s.copies, c)
	}
	a := pendingMirror{record: i, value: v.Span()}
	if kind == "progress" {
		a.call = firstOf(v, "parentToolUseID", "toolUseID").Str()
	}
	s.pending = append(s.pending, a)
}

// links notes the ids by which the record names itself and others.
func (s *claudeCodeSession) links(i int, v rawjson.Value) {
	c := s.l.Chain
	c.Nodes[i].ID, c.Nodes[i].Parent = v.Get("uuid").Str(), v.Get("parentUuid").Str()
	if id := c.Nodes[i].ID; id != "" {
		if _, repeated := c.ByID[id]; !repeated {
			c.ByID[id] = i
		}
	}
	for _, key := range []string{"parentUuid", "logicalParentUuid", "leafUuid"} {
		if to := v.Get(key); to.Kind() == rawjson.String {
			c.AddLink(i, key, to)
		}
	}
}

// spoken reads a record of the conversation. The records of one API message become one
// message, even when other records lie between them.
func (s *claudeCodeSession) spoken(i int, kind string, v, body rawjson.Value) {
	slot := s.l.Slot(i)
	m := &transcript.Message{Role: transcript.User}
	m.SetTime(timestamp(v))
	m.SetUsage(anthropicUsage(body.Get("usage")))
	if kind == "assistant" {
		m.Role = transcript.Assistant
	}
	at := &splice.MessagePlace{Records: []int{slot}}
	mb := messageBuilder{l: s.l, m: m, at: at, meta: v.Get("isMeta").Bool()}
	mb.content(body.Get("content"), slot)
	if v.Get("isCompactSummary").Bool() {
		generated(m)
	}
	if model := body.Get("model").Str(); model != "" && model != "<synthetic>" {
		m.SetModel(model)
	}
	n := &s.l.Chain.Nodes[i]
	n.Typed = holdsTyped(m)
	if first := s.l.Chain.ByID[n.ID]; n.ID != "" && s.msgOf[first] == splice.None {
		s.l.Chain.ByID[n.ID] = i // a record without a message does not make this one a repetition
	}
	id := body.Get("id").Str()
	known, again := s.byID[id]
	if m.Role == transcript.Assistant && id != "" && again {
		s.msgOf[i] = known
		s.merge(known, m, at)
	} else {
		s.msgOf[i] = len(s.msgs)
		if m.Role == transcript.Assistant && id != "" {
			s.byID[id] = len(s.msgs)
		}
		s.msgs = append(s.msgs, m)
		s.l.Messages = append(s.l.Messages, at)
		s.noteCalls(len(s.msgs)-1, 0)
	}
	s.lastUser = splice.None
	if m.Role == transcript.User {
		s.lastUser = s.msgOf[i]
	}
	if plan := v.Get("planContent"); plan.Kind() == rawjson.String {
		s.l.Mirror(s.l.Slot(i), plan.Span(), false, blocksOf(s.msgOf[i], m)...)
	}
	if r := v.Get("toolUseResult"); r.Kind() == rawjson.Object || r.Kind() == rawjson.Array || r.Kind() == rawjson.String {
		a := pendingMirror{record: i, value: r.Span()}
		for k, b := range m.Blocks {
			if b.Kind == transcript.ToolResult {
				a.blocks = append(a.blocks, blockRef(s.msgOf[i], k))
				a.call = b.Call
			}
		}
		s.pending = append(s.pending, a)
	}
}

// merge adds the blocks of another record to a message. A block that the message already
// has becomes a copy.
func (s *claudeCodeSession) merge(msg int, more *transcript.Message, at *splice.MessagePlace) {
	m, place := s.msgs[msg], s.l.Messages[msg]
	before := len(m.Blocks)
	place.Records = append(place.Records, at.Records...)
	for k, b := range more.Blocks {
		if i := sameBlock(m.Blocks[:before], b); i >= 0 {
			place.Blocks.Copy(i, at.Blocks.Get(k))
			continue
		}
		b.ID = len(m.Blocks)
		m.Blocks = append(m.Blocks, b)
		place.Blocks.Add(at.Blocks.Get(k))
	}
	if more.Usage() != nil {
		m.SetUsage(more.Usage()) // each record has the usage up to it
	}
	s.noteCalls(msg, before)
}

// sameBlock returns the index of the block that equals b, or -1.
func sameBlock(blocks []*transcript.Block, b *transcript.Block) int {
	for i, o := range blocks {
		if o.Kind == b.Kind && o.Call == b.Call && len(o.Parts) == len(b.Parts) && o.Text() == b.Text() && (b.Call != "" || b.Text() != "") {
			return i
		}
	}
	return -1
}

// noteCalls notes the addresses of the calls and results of a message, from block from on.
func (s *claudeCodeSession) noteCalls(msg, from int) {
	for k, b := range s.msgs[msg].Blocks[from:] {
		if b.Call == "" {
			continue
		}
		ref := blockRef(msg, from+k)
		switch b.Kind {
		case transcript.ToolCall:
			s.calls[b.Call] = ref
		case transcript.ToolResult:
			s.results[b.Call] = ref
		}
	}
}

// holdsTyped reports whether a person typed something in a user message.
func holdsTyped(m *transcript.Message) bool {
	for _, b := range m.Blocks {
		if m.Role == transcript.User && b.Kind == transcript.Text && b.Origin == transcript.Typed {
			return true
		}
	}
	return false
}

// addMirrors adds the mirrors of calls and results, once all calls are known. A progress
// record is removed with its call.
func (s *claudeCodeSession) addMirrors() {
	for _, a := range s.pending {
		m := splice.Mirror{Slot: s.l.Slot(a.record), Value: a.value, Blocks: a.blocks, Strict: a.blocks != nil}
		call, known := s.calls[a.call]
		if known {
			m.Blocks = append(m.Blocks, call)
		}
		if a.blocks == nil {
			if result, ok := s.results[a.call]; ok {
				m.Blocks = append(m.Blocks, result)
			}
			if known {
				s.l.Chain.AddSatellite(a.record, call)
			}
		}
		s.l.AddMirror(m)
	}
}

// renderClaudeCode returns a new message as a line with the session, directory and time
// of its neighbours.
func renderClaudeCode(c *splice.Change, i int) []byte {
	in := c.Inserted[i]
	neighbour := c.Before(i, func(v rawjson.Value) bool { return v.Get("sessionId").Ok() })
	out := append([]byte(`{"parentUuid":`), splice.LinkValue(c.NewParent(i))...)
	out = append(out, `,"isSidechain":false`...)
	out = appendMembers(out, neighbour, "userType", "cwd", "sessionId", "version", "gitBranch")
	out = fmt.Appendf(out, `,"type":%q,"message":`, in.Message.Role.String())
	out = append(out, renderClaudeMessage(c.Style(), in.Message)...)
	out = fmt.Appendf(out, `,"uuid":%q`, c.NewID(i))
	return append(appendMembers(out, neighbour, "timestamp"), '}')
}

func renderClaudeMessage(style rawjson.Style, m *transcript.Message) []byte {
	if m.Role != transcript.Assistant {
		return renderRole(style, m)
	}
	// The client uses the model name "<synthetic>" in messages that it writes itself.
	out := append([]byte(`{"type":"message","role":"assistant","model":"<synthetic>","content":`), renderContent(style, m)...)
	return append(out, `,"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}`...)
}
