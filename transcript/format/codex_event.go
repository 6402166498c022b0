package format

import (
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// codexEvent is a record that repeats a part of the conversation for the user interface.
type codexEvent struct {
	record int
	value  rawjson.Span       // the whole event
	text   string             // the text that it repeats, or ""
	whole  bool               // it repeats only that text, and is removed with it
	call   string             // the id of the call that it names, or ""
	parts  []codexEventMember // of an event that names a call
}

// codexEventMember is a member of an event that repeats a call or its result.
type codexEventMember struct {
	value  rawjson.Span
	isCall bool
}

// aside notes a value beside the messages that may repeat lines of them.
func (r *codexRollout) aside(i int, v rawjson.Value) {
	r.l.Mirror(r.l.Slot(i), v.Span(), false)
}

// codexKinds has the types of lines. Items and events have a second word. Lines of old
// rollouts are items without an envelope. The types are those of RolloutItem, ResponseItem and
// EventMsg in openai/codex (codex-rs/history/src/lib.rs, codex-rs/protocol/src/models.rs and
// protocol.rs), as the program of version 0.169.0 names them, and those of older versions. Not in
// the list, so that they are reported, are types with text for the model that is not read here:
// retained_context, realtime_item, and the item configuration_update.
var codexKinds = vocabulary{
	from: "Codex 0.169.0",
	name: func(v rawjson.Value) string {
		return kindOf(v, func(kind string) rawjson.Value {
			if kind == "response_item" || kind == "event_msg" {
				return v.Get("payload").Get("type")
			}
			return rawjson.Value{}
		})
	},
	known: "session_meta, compacted, turn_context, world_state, token_usage_record, message, reasoning, " +
		"ghost_snapshot, local_shell_call, local_shell_call_output, function_call, function_call_output, " +
		"dynamic_tools_updated, inter_agent_communication, inter_agent_communication_metadata, " +
		"security_risk_score, response_item additional_tools, response_item agent_message, response_item compaction, response_item compaction_summary, response_item " +
		"compaction_trigger, response_item context_compaction, response_item custom_tool_call, " +
		"response_item custom_tool_call_output, response_item function_call, response_item " +
		"function_call_output, response_item ghost_snapshot, response_item image_generation_call, " +
		"response_item local_shell_call, response_item message, response_item other, response_item " +
		"reasoning, response_item tool_search_call, response_item tool_search_output, response_item " +
		"web_search_call, event_msg agent_message, event_msg agent_message_content_delta, event_msg " +
		"agent_message_delta, event_msg agent_reasoning, event_msg agent_reasoning_delta, event_msg " +
		"agent_reasoning_raw_content, event_msg agent_reasoning_section_break, event_msg " +
		"apply_patch_approval_request, event_msg auth_recovery_completed, event_msg " +
		"auth_recovery_started, event_msg background_event, event_msg collab_agent_interaction_begin, " +
		"event_msg collab_agent_interaction_end, event_msg collab_agent_spawn_begin, event_msg " +
		"collab_agent_spawn_end, event_msg collab_close_begin, event_msg collab_close_end, event_msg " +
		"collab_resume_begin, event_msg collab_resume_end, event_msg collab_waiting_begin, event_msg " +
		"collab_waiting_end, event_msg context_compacted, event_msg deprecation_notice, event_msg " +
		"dynamic_tool_call_request, event_msg dynamic_tool_call_response, event_msg " +
		"elicitation_abandoned, event_msg elicitation_request, event_msg entered_review_mode, event_msg " +
		"environment_connected, event_msg environment_disconnected, event_msg error, event_msg " +
		"exec_approval_request, event_msg exec_command_begin, event_msg exec_command_end, event_msg " +
		"exec_command_output_delta, event_msg exited_review_mode, event_msg guardian_assessment, " +
		"event_msg guardian_warning, event_msg hook_completed, event_msg hook_started, event_msg " +
		"image_generation_begin, event_msg image_generation_end, event_msg item_completed, event_msg " +
		"item_started, event_msg mcp_startup_complete, event_msg mcp_startup_update, event_msg " +
		"mcp_tool_call_begin, event_msg mcp_tool_call_end, event_msg model_reroute, event_msg " +
		"model_verification, event_msg patch_apply_begin, event_msg patch_apply_end, event_msg " +
		"patch_apply_updated, event_msg plan_delta, event_msg plan_update, event_msg " +
		"raw_response_completed, event_msg raw_response_item, event_msg realtime_conversation_closed, " +
		"event_msg realtime_conversation_list_voices_response, event_msg realtime_conversation_realtime, " +
		"event_msg realtime_conversation_sdp, event_msg realtime_conversation_started, event_msg " +
		"reasoning_content_delta, event_msg reasoning_raw_content_delta, event_msg request_permissions, " +
		"event_msg request_user_input, event_msg safety_buffering, event_msg session_configured, " +
		"event_msg shutdown_complete, event_msg stream_error, event_msg sub_agent_activity, event_msg " +
		"task_complete, event_msg task_started, event_msg terminal_interaction, event_msg " +
		"thread_goal_updated, event_msg thread_name_updated, event_msg thread_queue_changed, event_msg " +
		"thread_rolled_back, event_msg thread_settings_applied, event_msg token_count, event_msg " +
		"turn_aborted, event_msg turn_complete, event_msg turn_diff, event_msg turn_moderation_metadata, " +
		"event_msg turn_started, event_msg undo_completed, event_msg undo_started, event_msg " +
		"user_message, event_msg view_image_tool_call, event_msg warning, event_msg web_search_begin, " +
		"event_msg web_search_end",
}

// event reads an event.
func (r *codexRollout) event(i int, v rawjson.Value) {
	kind := v.Get("type").Str()
	e := codexEvent{record: i, value: v.Span(), call: v.Get("call_id").Str()}
	switch kind {
	case "thread_rolled_back":
		r.rollBack(i, v.Get("num_turns"))
		return
	case "token_count":
		r.setUsage(v.Get("info").Get("last_token_usage"))
		return
	case "user_message", "agent_message":
		e.text, e.whole = v.Get("message").Str(), true
	case "agent_reasoning", "agent_reasoning_raw_content":
		e.text, e.whole = v.Get("text").Str(), true
	case "task_complete", "turn_complete":
		e.text = v.Get("last_agent_message").Str()
	case "item_completed", "item_started", "item_updated":
		e.item(v.Get("item"))
	}
	if e.call != "" && e.parts == nil {
		e.members(v)
	}
	r.events = append(r.events, e)
}

// item reads the item of the user interface that an event holds, in the versions that
// write one kind of event for all items. Its id is that of a call, unless it is a text.
func (e *codexEvent) item(v rawjson.Value) {
	switch v.Get("type").Str() {
	case "UserMessage", "AgentMessage":
		e.text, e.whole = firstString(v.Get("content")), true
	case "Reasoning":
		e.text, e.whole = firstString(v.Get("summary_text")), true
		if e.text == "" {
			e.text = firstString(v.Get("raw_content"))
		}
	default:
		e.call = v.Get("id").Str()
		e.members(v)
	}
}

// firstString returns the first string of a list, or the first text of a content list.
func firstString(list rawjson.Value) string {
	for e := range list.Elems() {
		if e.Kind() == rawjson.String {
			return e.Str()
		}
		if text := e.Get("text"); text.Kind() == rawjson.String {
			return text.Str()
		}
	}
	return ""
}

// members notes the members of an object that repeat a call or its result.
func (e *codexEvent) members(v rawjson.Value) {
	for k, m := range v.Members() {
		if m.Kind() == rawjson.String || m.Kind() == rawjson.Array || m.Kind() == rawjson.Object {
			e.parts = append(e.parts, codexEventMember{m.Span(), isCallMember(k.Str())})
		}
	}
}

// isCallMember reports whether a member of an event repeats the call. The other members
// repeat the result.
func isCallMember(key string) bool {
	switch key {
	case "command", "parsed_cmd", "changes", "invocation", "arguments", "action", "query", "input", "prompt":
		return true
	}
	return false
}

// setUsage sets the usage of the last answer without one.
func (r *codexRollout) setUsage(v rawjson.Value) {
	if r.awaitsUsage == splice.None || v.Kind() != rawjson.Object {
		return
	}
	count := func(key string) int {
		n, _ := v.Get(key).Int()
		return int(n)
	}
	cached := count("cached_input_tokens")
	r.msgs[r.awaitsUsage].SetUsage(&transcript.Usage{Input: uncached(count("input_tokens"), cached), CacheRead: cached, Output: count("output_tokens")})
	r.awaitsUsage = splice.None
}

// resolve finds the blocks that each event repeats, once all messages are known.
func (r *codexRollout) resolve() {
	calls, results, texts := map[string]transcript.Ref{}, map[string]transcript.Ref{}, map[string][]transcript.Ref{}
	for msg, m := range r.msgs {
		_, inLine := r.l.IsRecord(r.l.Messages[msg].Records[0])
		for k, b := range m.Blocks {
			ref := blockRef(msg, k)
			switch {
			case b.Kind == transcript.ToolCall && b.Call != "":
				calls[b.Call] = ref
			case b.Kind == transcript.ToolResult && b.Call != "":
				results[b.Call] = ref
			case inLine && (b.Kind == transcript.Text || b.Kind == transcript.Thinking):
				for _, p := range b.Parts {
					key := strings.TrimSpace(p.Text)
					texts[key] = append(texts[key], ref)
				}
			}
		}
	}
	last := map[string]transcript.Ref{} // by text, its last occurrence
	for _, e := range r.events {
		if call, known := calls[e.call]; known && e.call != "" {
			r.aboutCall(e, call, results)
			continue
		}
		m := splice.Mirror{Slot: r.l.Slot(e.record), Value: e.value}
		key := strings.TrimSpace(e.text)
		if said := texts[key]; e.whole && len(said) > 0 {
			last[key], texts[key] = said[0], said[1:]
			r.satellite(e.record, said[0])
		}
		if ref, ok := last[key]; ok && key != "" {
			m.Blocks, m.Strict = []transcript.Ref{ref}, true
		}
		r.l.AddMirror(m)
	}
}

// aboutCall adds the mirrors of an event that names a call.
func (r *codexRollout) aboutCall(e codexEvent, call transcript.Ref, results map[string]transcript.Ref) {
	r.satellite(e.record, call)
	result, answered := results[e.call]
	for _, p := range e.parts {
		m := splice.Mirror{Slot: r.l.Slot(e.record), Value: p.value, Strict: true}
		switch {
		case p.isCall:
			m.Blocks = []transcript.Ref{call}
		case answered:
			m.Blocks = []transcript.Ref{result}
		}
		r.l.AddMirror(m)
	}
}

// satellite marks a record as one that is removed with a block.
func (r *codexRollout) satellite(record int, of transcript.Ref) {
	r.l.Chain.AddSatellite(record, of)
}
