package rules

import (
	"fmt"
	"strings"
	"unicode"

	"condense/transcript"
)

// minSignature is the least length in bytes of a signature of thinking. The proxy
// Antigravity Manager drops thinking with a shorter one before it sends a request.
// Signatures of the API have hundreds of bytes.
const minSignature = 50

// The rules of the Anthropic Messages API. Like the API, they first merge adjacent messages of
// one role.
var (
	firstRoleUser = Rule{
		ID:       "anthropic/first-role-user",
		Doc:      "The first message is the user's.",
		Provider: "messages: first message must use the \"user\" role",
		Fix:      "put a user message in front",
		find: func(v *view, broken report) {
			v.findBeginning("the conversation begins with the assistant", broken)
		},
	}
	toolUseUnanswered = Rule{
		ID:       "anthropic/tool-use-unanswered",
		Doc:      "Every tool_use is answered in the very next user message.",
		Provider: "`tool_use` ids were found without `tool_result` blocks immediately after: toolu_… Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
		Fix:      "add the missing tool_result, or drop the call",
		find: func(v *view, broken report) {
			for _, call := range v.pairing().unanswered {
				broken(call.at, fmt.Sprintf("call %q of %s has no result in the next message", call.Call, call.Tool), v.answer(call.item, call.last)...)
			}
		},
	}
	toolResultOrphan = Rule{
		ID:       "anthropic/tool-result-orphan",
		Doc:      "Every tool_result answers a tool_use of the message before.",
		Provider: "unexpected `tool_use_id` found in `tool_result` blocks: … Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
		Fix:      "drop the result",
		find: func(v *view, broken report) {
			for _, r := range v.pairing().orphans {
				broken(r.at, fmt.Sprintf("result for %q has no call in the message before", r.Call), v.orphan(r, "a result without its call")...)
			}
		},
	}
	serverToolOrphan = Rule{
		ID:       "anthropic/server-tool-orphan",
		Doc:      "The result of a server tool has its server_tool_use before it in the same turn.",
		Provider: "unexpected `tool_use_id` found in `advisor_tool_result` blocks: srvtoolu_…",
		Fix:      "drop the result",
		find: func(v *view, broken report) {
			for _, r := range v.pairing().server {
				broken(r.at, fmt.Sprintf("server tool result for %q has no call before it in the same turn", r.Call),
					v.orphan(r, "a server tool result without its call")...)
			}
		},
	}
	toolResultFirst = Rule{
		ID:       "anthropic/tool-result-first",
		Doc:      "Results come first in the user message that follows their calls, text after them.",
		Provider: "Did not find 1 tool_result block(s) at the beginning of this message. Messages following tool_use blocks must begin with a matching number of tool_result blocks.",
		Fix:      "move the results to the front of the message",
		find: func(v *view, broken report) {
			for _, r := range v.pairing().behind {
				broken(r.at, fmt.Sprintf("result for %q stands behind other content", r.Call), v.move(r.item, r.last)...)
			}
		},
	}
	toolResultDup = Rule{
		ID:       "anthropic/tool-result-dup",
		Doc:      "A call has one result.",
		Provider: "each tool_use must have a single result. Found multiple `tool_result` blocks with id",
		Fix:      "keep the first",
		find: func(v *view, broken report) {
			for _, r := range v.pairing().repeated {
				broken(r.at, fmt.Sprintf("call %q is answered twice", r.Call), v.orphan(r, "a second result for one call")...)
			}
		},
	}
	toolIDDup = Rule{
		ID:       "anthropic/tool-id-dup",
		Doc:      "No two calls have the same id.",
		Provider: "`tool_use` ids must be unique",
		Fix:      "drop the repeated call, or rename it together with its result",
		find:     findRepeatedCalls,
	}
	textEmpty = Rule{
		ID:       "anthropic/text-empty",
		Doc:      "No text block is empty or white space, and every message except a final assistant message has content.",
		Provider: "text content blocks must be non-empty / text content blocks must contain non-whitespace text / all messages must have non-empty content except for the optional final assistant message",
		Fix:      "drop the block",
		find: func(v *view, broken report) {
			findEmptyTexts(v, broken)
			for i, m := range v.msgs {
				if len(m.Blocks) == 0 && (i+1 < len(v.msgs) || m.Role != transcript.Assistant) {
					broken(transcript.At(m.ID), "a message has no content", drop(transcript.At(m.ID), "an empty message"))
				}
			}
		},
	}
	finalAssistantWS = Rule{
		ID:       "anthropic/final-assistant-ws",
		Doc:      "The text of a final assistant message does not end in white space.",
		Provider: "messages: final assistant content cannot end with trailing whitespace",
		Fix:      "trim the last text",
		find: func(v *view, broken report) {
			t := v.sideRuns()
			if len(t) == 0 || t[len(t)-1].role != transcript.Assistant || len(t[len(t)-1].items) == 0 {
				return
			}
			last := t[len(t)-1].items[len(t[len(t)-1].items)-1]
			text := last.Text()
			if trimmed := strings.TrimRightFunc(text, unicode.IsSpace); last.Kind == transcript.Text && trimmed != "" && trimmed != text {
				broken(last.at, "the last message is the assistant's and ends in white space",
					transcript.Edit{At: last.at, Op: transcript.Rewrite, Text: trimmed, Why: "white space at the end"})
			}
		},
	}
	mustEndUser = Rule{
		ID: "anthropic/must-end-user", Severity: Warning,
		Doc:      "A request to a newer model ends with the user. A saved conversation may end with the assistant.",
		Provider: "This model does not support assistant message prefill. The conversation must end with a user message.",
		Fix:      "append a user message before sending it",
		find: func(v *view, broken report) {
			if t := v.sideRuns(); len(t) > 0 && t[len(t)-1].role == transcript.Assistant {
				broken(transcript.At(t[len(t)-1].msgs[len(t[len(t)-1].msgs)-1]), "the last message is the assistant's: newer models require a user message after it")
			}
		},
	}
)

// The rules for thinking and images.
var (
	thinkingLead = Rule{
		ID: "anthropic/thinking-lead", Severity: Warning,
		Doc:      "With thinking enabled, an answer to the last prompt that has calls begins with its thinking.",
		Provider: "Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).",
		Fix:      "send it with thinking disabled, or without the thinking of this turn",
		find:     findThinkingLead,
	}
	thinkingSignature = Rule{
		ID:       "anthropic/thinking-signature",
		Doc:      "Thinking has the signature of the model that wrote it.",
		Provider: "Invalid `signature` in `thinking` block",
		Fix:      "drop the thinking block whole",
		find: func(v *view, broken report) {
			v.each(func(b item) {
				switch {
				case b.Kind != transcript.Thinking:
				case b.Opaque == 0:
					broken(b.at, "thinking has no signature", drop(b.at, "thinking without a signature"))
				case b.Opaque < minSignature:
					broken(b.at, fmt.Sprintf("the signature of thinking is too short (%d bytes)", b.Opaque),
						drop(b.at, "thinking with an invalid signature"))
				}
			})
		},
	}
)

func findRepeatedCalls(v *view, broken report) {
	first := map[string]item{}
	v.each(func(b item) {
		if b.Kind != transcript.ToolCall || b.Call == "" {
			return
		}
		earlier, repeated := first[b.Call]
		if !repeated {
			first[b.Call] = b
			return
		}
		broken(b.at, fmt.Sprintf("call id %q is used twice", b.Call), v.repeatedCall(earlier, b)...)
	})
}

// repeatedCall proposes to drop the call without a result, of two equal calls.
func (v *view) repeatedCall(a, b item) []transcript.Edit {
	if a.Tool != b.Tool || a.Text() != b.Text() {
		return nil
	}
	for _, call := range []item{b, a} {
		if _, paired := v.c.Partner(call.at); !paired {
			return []transcript.Edit{drop(call.at, "a repeated call")}
		}
	}
	return nil
}

func findEmptyTexts(v *view, broken report) {
	v.each(func(b item) {
		if b.Kind == transcript.Text && strings.TrimSpace(b.Text()) == "" {
			broken(b.at, "a text block is empty", drop(b.at, "an empty text block"))
		}
	})
}

// findThinkingLead checks the output of the model since the last prompt. Thinking counts
// as enabled if that output has any.
func findThinkingLead(v *view, broken report) {
	var since []item // the model's items
	for _, t := range v.sideRuns() {
		prompt := false
		for _, b := range t.items {
			prompt = prompt || t.role == transcript.User && !b.isResult()
		}
		if prompt {
			since = nil
		}
		if t.role == transcript.Assistant {
			since = append(since, t.items...)
		}
	}
	calls, thinks := false, false
	for _, b := range since {
		calls = calls || b.isCall()
		thinks = thinks || b.Kind == transcript.Thinking
	}
	if calls && thinks && since[0].Kind != transcript.Thinking {
		broken(since[0].at, "the last turn has calls and thinking, but does not begin with thinking")
	}
}
