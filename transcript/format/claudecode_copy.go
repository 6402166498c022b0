package format

import (
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// Claude Code logs the messages of its requests word for word, in records of the type
// "api-request-blob", and prompts that wait in records "queue-operation". Nothing reads
// them at resume. A copy of a message that changes is removed: it has a hash of its text.

// claudeCodeKinds has the types of records. Those of the types "system" and "attachment" have a
// second word.
var claudeCodeKinds = vocabulary{
	from: "Claude Code 2.1.330",
	name: func(v rawjson.Value) string {
		return kindOf(v, func(kind string) rawjson.Value {
			switch kind {
			case "system":
				return v.Get("subtype")
			case "attachment":
				return v.Get("attachment").Get("type")
			}
			return rawjson.Value{}
		})
	},
	known: "user, assistant, progress, summary, custom-title, ai-title, last-prompt, mode, permission-mode, " +
		"agent-name, agent-color, agent-setting, pr-link, worktree-state, file-history-snapshot, " +
		"file-history-delta, queue-operation, content-replacement, api-request, api-request-blob, " +
		"api-request-shape, api-request-resumed, atis-latch, tools-used, cost-state, continued-in, " +
		"bridge-session, session-owner, memory-mode, isolation-latch, system, system agents_killed, " +
		"system api_error, system api_retry, system away_summary, system bridge_status, system compact_boundary, " +
		"system microcompact_boundary, system file_snapshot, system informational, system init, " +
		"system instruction_size_warning, system local_command, system memory_saved, system model_fallback, " +
		"system model_refusal_fallback, system notification, system permission_retry, system scheduled_task_fire, " +
		"system stop_hook_summary, system task_notification, system thinking_tokens, system turn_duration, " +
		"attachment file, attachment compact_file_reference, attachment pdf_reference, " +
		"attachment already_read_file, attachment edited_text_file, attachment edited_image_file, " +
		"attachment directory, attachment selected_lines_in_ide, attachment opened_file_in_ide, attachment todo, " +
		"attachment todo_reminder, attachment task_reminder, attachment nested_memory, " +
		"attachment relevant_memories, attachment dynamic_skill, attachment skill_listing, " +
		"attachment queued_command, attachment output_style, attachment diagnostics, attachment plan_mode, " +
		"attachment plan_mode_reentry, attachment plan_mode_exit, attachment auto_mode, " +
		"attachment auto_mode_exit, attachment critical_system_reminder, attachment plan_file_reference, " +
		"attachment mcp_resource, attachment command_permissions, attachment agent_mention, " +
		"attachment task_status, attachment async_hook_response, attachment hook_success, " +
		"attachment hook_non_blocking_error, attachment hook_blocking_error, attachment hook_cancelled, " +
		"attachment hook_error_during_execution, attachment hook_stopped_continuation, " +
		"attachment hook_additional_context, attachment hook_permission_decision, attachment hook_system_message, " +
		"attachment hook_deferred_tool, attachment structured_output, attachment invoked_skills, " +
		"attachment max_turns_reached, attachment teammate_mailbox, attachment teammate_shutdown_batch, " +
		"attachment team_context, attachment context_efficiency, attachment date_change, " +
		"attachment ultrathink_effort, attachment ultra_effort_enter, attachment ultra_effort_exit, " +
		"attachment deferred_tools_delta, attachment agent_listing_delta, attachment mcp_instructions_delta, " +
		"attachment token_usage, attachment budget_usd, attachment output_token_usage, attachment environment, " +
		"attachment model, attachment total_tokens_reminder, attachment session_context, attachment date, " +
		"attachment remote_session_change, attachment prompt_snapshot, attachment goal_status",
}

// claudeCodeCopy is a record that repeats blocks. It names those with an id by the id, and
// texts by their words.
type claudeCodeCopy struct {
	record         int
	calls, results []string // ids
	texts          []string
}

// copyIn returns the copy that a record is, if it is one.
func copyIn(i int, kind string, v rawjson.Value) (c claudeCodeCopy, ok bool) {
	c.record = i
	switch kind {
	case "queue-operation":
		c.text(v.Get("content"))
	case "api-request-blob":
		c.message(v.Get("message").Get("content"))
	default:
		return c, false
	}
	return c, true
}

// text notes a text.
func (c *claudeCodeCopy) text(v rawjson.Value) {
	if text := strings.TrimSpace(v.Str()); text != "" {
		c.texts = append(c.texts, text)
	}
}

// message notes the content of a message of a request.
func (c *claudeCodeCopy) message(content rawjson.Value) {
	if content.Kind() == rawjson.String {
		c.text(content)
		return
	}
	for e := range content.Elems() {
		switch e.Get("type").Str() {
		case "tool_use":
			c.calls = append(c.calls, e.Get("id").Str())
		case "tool_result":
			c.results = append(c.results, e.Get("tool_use_id").Str())
		case "thinking":
			c.text(e.Get("thinking"))
		default:
			c.text(e.Get("text"))
		}
	}
}

// addCopies finds the blocks that each copy repeats, once all messages are known.
func (s *claudeCodeSession) addCopies() {
	if len(s.copies) == 0 {
		return
	}
	texts := map[string][]transcript.Ref{}
	for msg, m := range s.msgs {
		for k, b := range m.Blocks {
			if b.Kind != transcript.Text && b.Kind != transcript.Thinking {
				continue
			}
			for _, p := range b.Parts {
				if text := strings.TrimSpace(p.Text); text != "" {
					texts[text] = append(texts[text], blockRef(msg, k))
				}
			}
		}
	}
	for _, c := range s.copies {
		mark := func(of transcript.Ref, known bool) {
			if known {
				s.l.Chain.AddCopy(c.record, of)
			}
		}
		for _, id := range c.calls {
			of, known := s.calls[id]
			mark(of, known)
		}
		for _, id := range c.results {
			of, known := s.results[id]
			mark(of, known)
		}
		for _, text := range c.texts {
			for _, of := range texts[text] {
				mark(of, true)
			}
		}
	}
}
