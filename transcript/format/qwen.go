package format

import (
	"fmt"
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

var qwenCode = Dialect{
	Name:   "qwen-code",
	Doc:    "Qwen Code sessions: lines {uuid, parentUuid, type, message: {role, parts}}",
	Where:  "~/.qwen/projects/*/chats/SESSION.jsonl",
	Hidden: true, Mirrors: true,
	folder: []string{"cwd"},
	sniff:  sniffQwen,
	decode: decodeQwen,
	fails:  saysExit,
	render: renderQwen,
	relink: splice.RelinkChain,
	rename: renameAt("sessionId"),
	kinds:  &qwenKinds,
	target: &rules.QwenCode, lint: lintQwen, answers: transcript.User,
}

// qwenKinds has the subtypes of records, whatever their type, and the types of those without one.
var qwenKinds = vocabulary{
	from: "Qwen Code 0.24.4",
	name: func(v rawjson.Value) string {
		if subtype := v.Get("subtype").Str(); subtype != "" {
			return "subtype " + subtype
		}
		return v.Get("type").Str()
	},
	known: "user, assistant, tool_result, system, subtype session_notes, subtype chat_compression, " +
		"subtype slash_command, subtype ui_telemetry, subtype at_command, subtype attribution_snapshot, " +
		"subtype notification, subtype background_task_completed, subtype cron, " +
		"subtype mid_turn_user_message, subtype custom_title, subtype parent_session, " +
		"subtype session_source, subtype session_execution_engine, subtype omni_recall, " +
		"subtype session_model, subtype session_approval_mode, subtype rewind, subtype agent_bootstrap, " +
		"subtype agent_launch_prompt, subtype agent_retry, subtype agent_session_ready, " +
		"subtype file_history_snapshot, subtype user_text_elements, subtype session_artifact_event, " +
		"subtype session_artifact_snapshot, subtype session_sources_snapshot, subtype branch_checkpoint, " +
		"subtype goal_state, subtype goal_runtime, subtype goal_turn_end, subtype realtime_message, " +
		"subtype turn_result, subtype turn_attempt, subtype agent_mention, subtype agent_message, " +
		"subtype code_mode_tool_result, subtype managed_session_header_v1, subtype managed_session_event_v1, " +
		"subtype managed_session_commit_v1",
}

// sniffQwen looks for a record in the envelope of Claude Code whose message has the parts of
// Gemini, or for an event of the system.
func sniffQwen(p *probe) bool {
	for _, r := range p.firstRecords() {
		if r.Get("sessionId").Kind() != rawjson.String || !r.Get("parentUuid").Ok() {
			continue
		}
		switch r.Get("type").Str() {
		case "user", "assistant", "tool_result":
			if r.Get("message").Get("parts").Kind() == rawjson.Array {
				return true
			}
		case "system":
			if r.Get("subtype").Kind() == rawjson.String && r.Get("systemPayload").Ok() {
				return true
			}
		}
	}
	return false
}

// qwenSession is a Qwen Code file while it is decoded. Every record names the one before it.
// The client resumes the branch of the last record.
type qwenSession struct {
	builder
	id      string
	calls   *geminiCalls
	msgOf   []int // by record, its message or None
	cuts    []qwenCut
	local   map[int]int // by record of a slash command, the message that it takes back
	pending []pendingMirror
}

// qwenCut is a compaction. Its history takes the place of all earlier messages of its branch.
type qwenCut struct {
	record     int
	from, upTo int // its messages
}

func decodeQwen(f *File, p *probe) error {
	s := &qwenSession{builder: builder{l: splice.New(p.src)}, calls: newGeminiCalls(), local: map[int]int{}}
	s.l.TextElement = geminiText
	f.readLines(s.l, p, s.record)
	s.reach(s.l.Len())
	s.l.Chain.Reach(s.l.Len())
	s.hide()
	s.addMirrors()
	f.add(s.id, &s.builder)
	return nil
}

// reach makes room for n records. A record without a message stays None.
func (s *qwenSession) reach(n int) {
	for len(s.msgOf) < n {
		s.msgOf = append(s.msgOf, splice.None)
	}
}

// record reads one record. v is valid only during the call.
func (s *qwenSession) record(i int, v rawjson.Value) {
	s.reach(i + 1)
	s.l.Chain.Note(i, v, "uuid", "parentUuid")
	s.l.Chain.Nodes[i].Aside = v.Get("isSidechain").Bool()
	if s.id == "" {
		s.id = v.Get("sessionId").Str()
	}
	content := v.Get("message")
	switch v.Get("type").Str() {
	case "user", "assistant", "tool_result":
		if content.Kind() == rawjson.Object {
			s.spoken(i, v, content)
			return
		}
	case "system":
		s.event(i, v)
		return
	}
	s.pending = append(s.pending, pendingMirror{record: i, value: v.Span()})
}

// spoken reads a record with a content.
func (s *qwenSession) spoken(i int, v, content rawjson.Value) {
	slot, had := s.l.Slot(i), len(s.msgs)
	subtype := v.Get("subtype").Str()
	mb := s.content(content, slot, injectedByQwen(v.Get("provenance").Str(), subtype))
	mb.m.SetTime(timestamp(v))
	mb.m.SetModel(v.Get("model").Str())
	mb.m.SetUsage(geminiUsage(v.Get("usageMetadata")))
	// The client sends neither spoken messages again, nor results that only a program read.
	mb.m.Hidden = subtype == "realtime_message" || subtype == "code_mode_tool_result"
	if s.dropEmpty(); len(s.msgs) == had {
		return
	}
	s.msgOf[i] = had
	s.l.MirrorMembers(slot, content, false, nil, "role", "parts")
	for k, e := range v.Members() {
		if k.Is("message") || k.Is("toolCallResult") || e.Kind() != rawjson.Object {
			continue
		}
		s.pending = append(s.pending, pendingMirror{record: i, value: e.Span()})
	}
	if r := v.Get("toolCallResult"); r.Kind() == rawjson.Object {
		s.pending = append(s.pending, pendingMirror{
			record: i, value: r.Span(), call: r.Get("callId").Str(), blocks: blocksOf(had, mb.m),
		})
	}
}

// injectedByQwen reports whether the client wrote the texts of a record. Without a provenance,
// as in older versions, the texts are typed. A prompt that runs at a set time was typed, too.
func injectedByQwen(provenance, subtype string) bool {
	switch provenance {
	case "system", "goal_control", "goal_runtime":
		return subtype != "cron"
	}
	return subtype == "notification" || subtype == "background_task_completed"
}

// content reads a content as a message that lies in slot.
func (s *qwenSession) content(v rawjson.Value, slot int, injected bool) *messageBuilder {
	role, _ := geminiRole(v.Get("role").Str())
	s.calls.startContent(role)
	mb := s.message(role, slot)
	mb.meta = injected
	mb.parts(v.Get("parts"), slot, s.calls)
	return mb
}

// event reads a record of the system.
func (s *qwenSession) event(i int, v rawjson.Value) {
	payload := v.Get("systemPayload")
	switch v.Get("subtype").Str() {
	case "chat_compression":
		s.compression(i, payload)
		return
	case "slash_command":
		if msg, ok := s.takenBack(payload); ok {
			s.local[i] = msg
		}
	}
	event := pendingMirror{record: i, value: v.Span()}
	if ui := payload.Get("uiEvent"); ui.Get("event.name").Is("qwen-code.tool_call") {
		event.call = ui.Get("call_id").Str()
	}
	s.pending = append(s.pending, event)
}

// compression reads the history that a compaction leaves.
func (s *qwenSession) compression(i int, payload rawjson.Value) {
	slot, cut := s.l.Slot(i), qwenCut{record: i, from: len(s.msgs)}
	s.l.Keep(slot) // even an empty history replaces the earlier messages
	if history := payload.Get("compressedHistory"); history.Kind() == rawjson.Array {
		at := s.l.Elems(slot, history)
		for e := range history.Elems() {
			if e.Kind() == rawjson.Object {
				mb := s.content(e, at, false)
				if len(s.msgs)-1 == cut.from && mb.m.Role == transcript.User {
					generated(mb.m) // the summary
				}
				s.dropEmpty()
			}
			at++
		}
	}
	s.l.MirrorMembers(slot, payload, false, nil, "compressedHistory")
	cut.upTo = len(s.msgs)
	s.cuts = append(s.cuts, cut)
}

// takenBack returns the last message if it is a command that the client answered itself. Neither
// the command nor the answer is sent to the model.
func (s *qwenSession) takenBack(payload rawjson.Value) (msg int, ok bool) {
	msg = len(s.msgs) - 1
	if msg < 0 || !payload.Get("phase").Is("result") || payload.Get("sentToModel").Bool() {
		return 0, false
	}
	items := payload.Get("outputHistoryItems")
	for item := range items.Elems() {
		if !item.Get("type").Is("assistant") {
			return 0, false
		}
	}
	m := s.msgs[msg]
	return msg, items.Len() > 0 && m.Role == transcript.User && len(m.Blocks) == 1 && m.Blocks[0].Text() == payload.Get("rawCommand").Str()
}

// hide finds the effective view: the branch of the last record, from its last compaction on.
func (s *qwenSession) hide() {
	branch := s.branch()
	start := qwenCut{record: splice.None}
	for _, cut := range s.cuts {
		if branch[cut.record] {
			start = cut
		}
	}
	for i, msg := range s.msgOf {
		s.l.Chain.Nodes[i].Aside = !branch[i]
		if msg != splice.None && (!branch[i] || i < start.record) {
			s.msgs[msg].Hidden = true
		}
		if back, ok := s.local[i]; ok && branch[i] {
			s.msgs[back].Hidden = true
		}
	}
	for _, cut := range s.cuts {
		for msg := cut.from; msg < cut.upTo && cut.record != start.record; msg++ {
			s.msgs[msg].Hidden = true
		}
	}
}

// branch reports for each record whether it is the last one or above it. Where a parent is not
// in the file, the client goes on with the nearest record in front of it that has no part in
// the branch so far. It does not do so in front of a record that took messages back.
func (s *qwenSession) branch() []bool {
	c := s.l.Chain
	on := make([]bool, len(c.Nodes))
	at := len(c.Nodes) - 1
	for at >= 0 && c.Nodes[at].ID == "" {
		at--
	}
	if at < 0 {
		return on
	}
	top := tops(c)
	side, met := c.Nodes[at].Aside, map[int]bool{top[at]: true}
	for at = c.ByID[c.Nodes[at].ID]; at != splice.None && !on[at]; {
		on[at] = true
		n := c.Nodes[at]
		up, known := c.ByID[n.Parent]
		switch {
		case n.Parent == "":
			up = splice.None
		case known:
		case s.l.Scan(at).Get("subtype").Is("rewind"):
			up = splice.None
		default:
			for up = at - 1; up >= 0; up-- {
				if c.Nodes[up].ID != "" && c.Nodes[up].Aside == side && !met[top[up]] {
					break
				}
			}
			if up >= 0 {
				met[top[up]] = true
			}
		}
		at = up
	}
	for i, n := range c.Nodes { // a record that repeats an id continues the first
		on[i] = n.ID != "" && on[c.ByID[n.ID]]
	}
	return on
}

// tops returns for each record the one at the beginning of its chain of parents.
func tops(c *splice.Chain) []int {
	top := make([]int, len(c.Nodes))
	for i, n := range c.Nodes {
		top[i] = i
		if up, known := c.ByID[n.Parent]; known && up < i {
			top[i] = top[up]
		}
	}
	return top
}

// addMirrors adds the mirrors of calls and results, once all calls are known. The event that
// reports a call is removed with it.
func (s *qwenSession) addMirrors() {
	calls := map[string]transcript.Ref{}
	for msg, m := range s.msgs {
		for k, b := range m.Blocks {
			if b.Kind == transcript.ToolCall {
				calls[b.Call] = blockRef(msg, k)
			}
		}
	}
	for _, a := range s.pending {
		m := splice.Mirror{Slot: s.l.Slot(a.record), Value: a.value, Blocks: a.blocks, Strict: a.blocks != nil}
		if call, known := calls[a.call]; known && a.blocks == nil {
			m.Blocks = append(m.Blocks, call)
			s.l.Chain.AddSatellite(a.record, call)
		}
		s.l.AddMirror(m)
	}
}

// renderQwen returns a new message as a line with the session, folder and time of its
// neighbours, or as a content of the history of a compaction.
func renderQwen(c *splice.Change, i int) []byte {
	in := c.Inserted[i]
	content := renderContents(c.Style(), in.Message)
	if c.Nested(i) {
		return content
	}
	kind, provenance := "user", "real_user"
	switch {
	case in.Message.Role == transcript.Assistant:
		kind, provenance = "assistant", "assistant_output"
	case slices.ContainsFunc(in.Message.Blocks, isResult):
		kind, provenance = "tool_result", "tool_result"
	}
	neighbour := c.Nearest(i, func(v rawjson.Value) bool { return v.Get("sessionId").Ok() })
	out := fmt.Appendf(nil, `{"uuid":%q,"parentUuid":%s`, c.NewID(i), splice.LinkValue(c.NewParent(i)))
	out = appendMembers(out, neighbour, "sessionId", "timestamp")
	out = fmt.Appendf(out, `,"type":%q`, kind)
	if neighbour.Get("provenance").Ok() {
		out = fmt.Appendf(out, `,"provenance":%q`, provenance)
	}
	out = appendMembers(out, neighbour, "cwd", "version", "gitBranch")
	return fmt.Appendf(out, `,"message":%s}`, content)
}

// lintQwen finds lines that are not JSON, and parents that are not in the file.
func lintQwen(f *File) []flaw {
	l := f.layouts[0]
	found := lintLines(f, &rules.BrokenLine)
	chain := newMendedChain(l.Chain)
	for _, k := range l.Chain.Links {
		if _, there := l.Chain.ByID[k.To]; there || k.To == "" || l.Chain.Nodes[k.Record].Aside {
			continue
		}
		parent, why := chain.before(k.Record), "attached to the line before it"
		if parent == "" {
			why = "made a root"
		}
		chain.attach(k.Record, parent)
		x := f.flaw(&rules.QwenChain, k.Value.Start, fmt.Sprintf("parentUuid %s is not in the file", k.To))
		found = append(found, x.mended(why, rawjson.Edit{Span: k.Value, New: splice.LinkValue(parent)}))
	}
	return found
}
