package format

import (
	"fmt"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var copilotCLI = Dialect{
	Name:   "copilot-cli",
	Doc:    "GitHub Copilot CLI session events",
	Where:  "~/.copilot/session-state/SESSION/events.jsonl",
	Hidden: true, Mirrors: true,
	folder: []string{"data.context.cwd"},
	sniff:  sniffCopilot,
	decode: decodeCopilot,
	fails:  saysExit,
	render: renderCopilot,
	relink: splice.RelinkChain, rename: renameAt("data.sessionId", "data.usage.accounting.sourceSessionId"),
	kinds: &copilotKinds,
}

// copilotKinds has the types of events that are not ephemeral in session-events.schema.json of Copilot
// CLI 1.0.102, and those of older versions. Not in the list, so that they are reported, are types with
// content or a boundary that is not read here: session.context_cleared, session.binary_asset,
// session.fusion_handoff, skill.context_delivered_ref and assistant.fusion_phase_completed.
var copilotKinds = vocabulary{
	from: "Copilot CLI 1.0.102", name: typeOnly,
	known: "session.start, session.resume, session.error, session.idle, session.title_changed, session.info, " +
		"session.warning, session.model_change, session.mode_changed, session.plan_changed, " +
		"session.workspace_file_changed, session.import_legacy, session.handoff, session.truncation, " +
		"session.snapshot_rewind, session.shutdown, session.context_changed, session.usage_info, " +
		"session.usage_record, session.compaction_start, session.compaction_complete, " +
		"session.task_complete, session.permissions_changed, session.background_tasks_changed, " +
		"session.skills_loaded, session.custom_agents_updated, session.mcp_servers_loaded, " +
		"session.tools_updated, user.message, pending_messages.modified, assistant.turn_start, " +
		"assistant.intent, assistant.reasoning, assistant.message, assistant.turn_end, assistant.usage, " +
		"abort, tool.user_requested, tool.execution_start, tool.execution_partial_result, " +
		"tool.execution_progress, tool.execution_complete, skill.invoked, subagent.started, " +
		"subagent.completed, subagent.failed, subagent.selected, subagent.deselected, hook.start, " +
		"hook.end, system.message, system.notification, permission.requested, permission.completed, " +
		"user_input.requested, user_input.completed, elicitation.requested, elicitation.completed, " +
		"external_tool.requested, external_tool.completed, command.queued, command.execute, " +
		"command.completed, exit_plan_mode.requested, exit_plan_mode.completed, " +
		"session.remote_steerable_changed, session.schedule_created, session.schedule_cancelled, " +
		"session.schedule_rearmed, session.autopilot_objective_changed, session.session_limits_changed, " +
		"session.usage_checkpoint, session.completion_receipt, session.fusion_route_failed, " +
		"session.fusion_resolved, session.fusion_completed, assistant.fusion_phase_failed, " +
		"tool_search.activated, subagent.configured, permission.carriedForward, " +
		"permission.messageAuthorization, permission.messageAuthorizationRead, " +
		"permission.messageAuthorizationDegraded, permission.assentDetected, " +
		"permission.contextualAuthorization, session.auto_mode_resolved, session.canvas.recorded, " +
		"session.canvas.removed, human_response.recorded, mcp.oauth_recovery_completed, " +
		"session.fusion_change_checkpoint, session.fusion_commit_started, session.model_deselected, " +
		"session.permission_recovery, session.request_body_compression_disabled, " +
		"session.mode_notice_delivered, skill.context_delivered, skill.invoked_ref",
}

// sniffCopilot looks for events in a chain whose kinds have a dot.
func sniffCopilot(p *probe) bool {
	for _, r := range p.firstRecords() {
		area, _, dotted := strings.Cut(r.Get("type").Str(), ".")
		if dotted && r.Get("data").Kind() == rawjson.Object && r.Get("parentId").Ok() &&
			slices.Contains([]string{"session", "user", "assistant", "system", "tool", "hook"}, area) {
			return true
		}
	}
	return false
}

// copilotLog is a log of events while it is decoded.
type copilotLog struct {
	builder
	calls   map[string]transcript.Ref
	results map[string]transcript.Ref
	byText  map[string]transcript.Ref // the results by their text
	hooks   []copilotHook
	pending []pendingMirror
	starts  map[int]bool // records of the start of a call
	start   int          // first record that the last compaction did not summarise
	begun   int          // record at which the current compaction began, or None
	id      string
}

// copilotHook is the input of a hook that runs after a call. It does not hold the id of
// the call.
type copilotHook struct {
	record       int
	args, result rawjson.Span
	text         string // of the result
}

func decodeCopilot(f *File, p *probe) error {
	s := &copilotLog{
		builder: builder{l: splice.New(p.src)}, begun: splice.None, starts: map[int]bool{},
		calls: map[string]transcript.Ref{}, results: map[string]transcript.Ref{}, byText: map[string]transcript.Ref{},
	}
	f.readLines(s.l, p, s.record)
	s.l.Chain.Reach(s.l.Len())
	s.hide()
	s.addMirrors()
	f.add(s.id, &s.builder)
	return nil
}

// record reads one event. v is valid only during the call.
func (s *copilotLog) record(i int, v rawjson.Value) {
	s.l.Chain.Note(i, v, "id", "parentId")
	slot, data := s.l.Slot(i), v.Get("data")
	switch v.Get("type").Str() {
	case "tool.execution_start":
		s.starts[i] = true
	case "session.start", "session.resume":
		if s.id == "" {
			s.id = data.Get("sessionId").Str()
		}
	case "system.message":
		s.frame(data.Get("content"))
		return
	case "system.notification", "session.mode_notice_delivered", "skill.context_delivered":
		if c := data.Get("content"); c.Kind() == rawjson.String {
			s.begin(transcript.User, i, v).textBy(c, slot, transcript.Injected)
			s.l.MirrorMembers(slot, data, false, nil, "content")
			return
		}
	case "user.message":
		if data.Get("content").Kind() == rawjson.String || data.Get("transformedContent").Kind() == rawjson.String {
			s.begin(transcript.User, i, v).copilotPrompt(data, slot)
			return
		}
	case "assistant.message":
		s.answer(i, v, data)
		return
	case "tool.execution_complete":
		s.result(i, v, data)
		return
	case "hook.start":
		s.hook(i, data)
		return
	case "session.compaction_start":
		s.begun = i
	case "session.compaction_complete":
		done := data.Get("success")
		if sum := data.Get("summaryContent"); sum.Kind() == rawjson.String && (!done.Ok() || done.Bool()) {
			s.compaction(i, v)
			return
		}
	case "session.snapshot_rewind":
		s.rewind(i, data.Get("upToEventId").Str())
	}
	call := firstOf(data, "toolCallId").Str()
	if call == "" {
		call = data.Get("permissionRequest").Get("toolCallId").Str()
	}
	s.pending = append(s.pending, pendingMirror{record: i, value: data.Span(), call: call})
}

// begin begins the message of an event. The model does not see messages of sub-agents.
func (s *copilotLog) begin(role transcript.Role, i int, v rawjson.Value) *messageBuilder {
	mb := s.message(role, s.l.Slot(i))
	mb.m.SetTime(timestamp(v))
	mb.m.Hidden = v.Get("data").Get("parentToolCallId").Str() != ""
	return mb
}

// copilotPrompt reads a typed prompt. The model saw it with reminders around it. Where
// that text holds the typed text word for word, both are the same blocks.
func (mb *messageBuilder) copilotPrompt(data rawjson.Value, slot int) {
	typed, seen := data.Get("content"), data.Get("transformedContent")
	mb.l.MirrorMembers(slot, data, false, nil, "content", "transformedContent")
	if seen.Kind() != rawjson.String || seen.Str() == "" {
		mb.userText(typed, slot)
		return
	}
	full, text := seen.Str(), strings.TrimSpace(typed.Str())
	at := strings.Index(full, text)
	if text == "" {
		mb.textBy(seen, slot, transcript.Injected)
		return
	}
	if at < 0 { // the client rewrote it; the text that the model saw counts
		mb.userText(seen, slot)
		mb.l.Mirror(slot, typed.Span(), false)
		return
	}
	lead := strings.Index(typed.Str(), text)
	around := func(from, to int) {
		if strings.TrimSpace(full[from:to]) != "" {
			mb.segments(seen, full, slot, []segment{{from, to, transcript.Text, transcript.Injected, ""}})
		}
	}
	around(0, at)
	for _, s := range userSegments(text, false) {
		again := splice.Place{Slot: slot, Lit: typed.Span()}
		if s.to-s.from < len(typed.Str()) {
			again.From, again.To = lead+s.from, lead+s.to
		}
		s.from, s.to = at+s.from, at+s.to
		mb.segments(seen, full, slot, []segment{s})
		last := mb.at.Blocks.At(mb.at.Blocks.Len() - 1)
		last.Copies = append(last.Copies, splice.BlockPlace{Parts: []splice.Place{again}})
	}
	around(at+len(text), len(full))
}

// answer reads an answer of the model: thinking, text and calls.
func (s *copilotLog) answer(i int, v, data rawjson.Value) {
	slot := s.l.Slot(i)
	mb := s.begin(transcript.Assistant, i, v)
	if n, ok := data.Get("outputTokens").Int(); ok {
		mb.m.SetUsage(&transcript.Usage{Output: int(n)})
	}
	mb.m.SetModel(data.Get("model").Str())
	member := s.l.MemberSlots(slot, data)
	thought, sealed := data.Get("reasoningText"), firstOf(data, "reasoningOpaque", "encryptedContent")
	if thought.Str() != "" || sealed.Str() != "" {
		b := &transcript.Block{Kind: transcript.Thinking, Origin: transcript.ByModel, Opaque: len(sealed.Str())}
		b.Fixed = b.Opaque > 0
		var at splice.BlockPlace
		for _, key := range []string{"reasoningText", "reasoningOpaque", "encryptedContent"} {
			if data.Get(key).Ok() {
				at.Slots = append(at.Slots, member(key))
			}
		}
		if thought.Kind() == rawjson.String {
			b.Parts = []transcript.Part{{Text: thought.Str()}}
			at.Parts = []splice.Place{{Slot: at.Slots[0], Lit: thought.Span()}}
		}
		mb.add(b, at)
	}
	if c := data.Get("content"); c.Kind() == rawjson.String && c.Str() != "" {
		at := member("content")
		s.l.EmptyAs(at, c.Span(), "")
		mb.textBy(c, at, transcript.ByModel)
	}
	if calls := data.Get("toolRequests"); calls.Kind() == rawjson.Array {
		first, k := s.l.Elems(slot, calls), 0
		for c := range calls.Elems() {
			if id := c.Get("toolCallId").Str(); c.Kind() == rawjson.Object {
				mb.addCall(id, c.Get("name").Str(), c.Get("arguments"), first+k)
				if id != "" {
					s.calls[id] = s.ref()
				}
				s.l.MirrorMembers(first+k, c, false, []transcript.Ref{s.ref()}, "toolCallId", "name", "arguments")
			}
			k++
		}
	}
	s.l.MirrorMembers(slot, data, false, nil, "reasoningText", "reasoningOpaque", "encryptedContent", "content", "toolRequests")
}

// result reads the result of a tool as the model saw it, or its error.
func (s *copilotLog) result(i int, v, data rawjson.Value) {
	slot := s.l.Slot(i)
	mb := s.begin(transcript.Tool, i, v)
	id, success := data.Get("toolCallId").Str(), data.Get("success")
	blocks := []transcript.Ref{}
	if call, ok := s.calls[id]; ok && id != "" {
		blocks = append(blocks, call)
	}
	result, failure := data.Get("result"), data.Get("error")
	body := result.Get("content")
	if !body.Ok() {
		body = failure.Get("message")
	}
	mb.addResult(id, "", success.Ok() && !success.Bool(), body, slot)
	if id != "" {
		s.results[id] = s.ref()
	}
	s.byText[mb.m.Blocks[0].Text()] = s.ref()
	blocks = append(blocks, s.ref())
	s.l.MirrorMembers(slot, result, true, blocks, "content")
	if result.Get("content").Ok() {
		s.l.Mirror(slot, failure.Span(), true, blocks...)
	}
	s.l.MirrorMembers(slot, data, true, blocks, "result", "error")
}

// compaction makes a summary the beginning of the effective view. Messages written during
// the compaction stay visible.
func (s *copilotLog) compaction(i int, v rawjson.Value) {
	slot := s.l.Slot(i)
	s.summary(slot, v.Get("data"), "summaryContent")
	s.l.MirrorMembers(slot, v.Get("data"), false, nil, "summaryContent")
	if s.start = i; s.begun != splice.None {
		s.start = s.begun
	}
	s.begun = splice.None
	for k, m := range s.msgs {
		if s.recordOf(k) < s.start && m.Role != transcript.System {
			m.Hidden = true
		}
	}
}

// rewind hides the events from the event to on, which the user took back.
func (s *copilotLog) rewind(i int, to string) {
	from, known := s.l.Chain.ByID[to]
	if !known || to == "" {
		return
	}
	for k, m := range s.msgs {
		if r := s.recordOf(k); from <= r && r < i {
			m.Hidden = true
		}
	}
}

// recordOf returns the record of a message.
func (s *copilotLog) recordOf(msg int) int { return s.l.RecordOf(s.l.Messages[msg].Records[0]) }

// hide keeps only the last system prompt visible. The log repeats it before every prompt
// of the user, but the model sees one.
func (s *copilotLog) hide() {
	later := false
	for i := len(s.msgs) - 1; i >= 0; i-- {
		if m := s.msgs[i]; m.Role == transcript.System && !m.Hidden {
			m.Hidden, later = later, true
		}
	}
}

// hook reads the input of a hook: the prompt, calls, a result.
func (s *copilotLog) hook(i int, data rawjson.Value) {
	slot, input := s.l.Slot(i), data.Get("input")
	for c := range input.Get("toolCalls").Elems() {
		s.pending = append(s.pending, pendingMirror{record: i, value: c.Span(), call: c.Get("id").Str()})
	}
	h := copilotHook{record: i, text: input.Get("toolResult").Get("textResultForLlm").Str()}
	if v := input.Get("toolArgs"); v.Ok() {
		h.args = v.Span()
	}
	if v := input.Get("toolResult"); v.Ok() {
		h.result = v.Span()
	}
	s.hooks = append(s.hooks, h)
	s.l.MirrorMembers(slot, input, false, nil, "toolCalls", "toolArgs", "toolResult")
	s.l.MirrorMembers(slot, data, false, nil, "input")
}

// addMirrors adds the mirrors of calls and results, once all are known. A result in the
// input of a hook names no call, so it is found by its text.
func (s *copilotLog) addMirrors() {
	for _, a := range s.pending {
		m := splice.Mirror{Slot: s.l.Slot(a.record), Value: a.value}
		if call, known := s.calls[a.call]; known && a.call != "" {
			m.Blocks, m.Strict = []transcript.Ref{call}, true
			if s.starts[a.record] {
				s.l.Chain.AddSatellite(a.record, call)
			}
		}
		s.l.AddMirror(m)
	}
	for _, h := range s.hooks {
		args := splice.Mirror{Slot: s.l.Slot(h.record), Value: h.args}
		result := splice.Mirror{Slot: s.l.Slot(h.record), Value: h.result}
		if ref, known := s.byText[h.text]; known && h.text != "" {
			result.Blocks, result.Strict = []transcript.Ref{ref}, true
			if call, ok := s.calls[s.msgs[ref.Msg].Blocks[ref.Block].Call]; ok {
				args.Blocks, args.Strict = []transcript.Ref{call}, true
			}
		}
		s.l.AddMirror(args)
		s.l.AddMirror(result)
	}
}

// renderCopilot returns a new message as an event like its neighbours.
func renderCopilot(c *splice.Change, i int) []byte {
	in := c.Inserted[i]
	id := c.NewID(i)
	text := ""
	for k, b := range in.Message.Blocks {
		if k > 0 {
			text += "\n\n"
		}
		text += b.Text()
	}
	quoted := c.Style().Quote(text)
	var out []byte
	switch in.Message.Role {
	case transcript.Assistant:
		out = fmt.Appendf(nil, `{"type":"assistant.message","data":{"messageId":%q,"content":%s,"toolRequests":[]}`, id, quoted)
	case transcript.System:
		out = fmt.Appendf(nil, `{"type":"system.message","data":{"role":"system","content":%s}`, quoted)
	default:
		out = fmt.Appendf(nil, `{"type":"user.message","data":{"content":%s,"transformedContent":%s,"attachments":[]}`, quoted, quoted)
	}
	out = fmt.Appendf(out, `,"id":%q`, id)
	near := c.Nearest(i, func(v rawjson.Value) bool { return v.Get("timestamp").Ok() })
	out = appendMembers(out, near, "timestamp")
	out = append(append(out, `,"parentId":`...), splice.LinkValue(c.NewParent(i))...)
	return append(out, '}')
}
