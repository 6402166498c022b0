package rules

import (
	"fmt"

	"condense/transcript"
)

// Limits of the OpenAI API.
const (
	maxCallID   = 40
	maxCalls    = 128
	maxToolName = 64
)

// isToolName reports whether a name has only characters that names of functions may have.
func isToolName(name string) bool {
	for _, c := range []byte(name) {
		if c != '_' && c != '-' && (c < '0' || '9' < c) && (c|0x20 < 'a' || 'z' < c|0x20) {
			return false
		}
	}
	return name != ""
}

// The rules of OpenAI chat completions.
var (
	toolOrphan = Rule{
		ID:       "openai/tool-orphan",
		Doc:      "A tool message answers a call of the assistant message that it follows.",
		Provider: "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
		Fix:      "drop the result",
		find: func(v *view, broken report) {
			_, orphans := v.adjacent()
			for _, r := range orphans {
				broken(r.at, fmt.Sprintf("result for %q does not follow the message with its call", r.Call), v.orphan(r, "a result without its call")...)
			}
		},
	}
	toolUnanswered = Rule{
		ID:       "openai/tool-unanswered",
		Doc:      "Every call is answered before the next message that is not a result.",
		Provider: "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_…",
		Fix:      "add the missing result, or drop the call",
		find: func(v *view, broken report) {
			unanswered, _ := v.adjacent()
			for _, call := range unanswered {
				broken(call.at, fmt.Sprintf("call %q of %s is not answered before the next message", call.Call, call.Tool), v.answer(call, call.at.Msg)...)
			}
		},
	}
	idLength = Rule{
		ID:       "openai/id-length",
		Doc:      "Call ids have at most 40 characters.",
		Provider: "Invalid 'messages[10].tool_calls[0].id': string too long. Expected a string with maximum length 40",
		Fix:      "shorten the id, in the call and in its result alike",
		find: func(v *view, broken report) {
			v.each(func(b item) {
				if n := len([]rune(b.Call)); b.isCall() && n > maxCallID {
					broken(b.at, fmt.Sprintf("call id %q has %d characters, more than %d", b.Call, n, maxCallID))
				}
			})
		},
	}
	callsMax = Rule{
		ID:       "openai/calls-max",
		Doc:      "A message has at most 128 calls.",
		Provider: "Invalid 'messages[1].tool_calls': array too long. Expected an array with maximum length 128",
		Fix:      "spread the calls over several messages",
		find: func(v *view, broken report) {
			for _, m := range v.msgs {
				n := 0
				for _, b := range m.Blocks {
					if v.item(m.ID, b).isCall() {
						n++
					}
				}
				if n > maxCalls {
					broken(transcript.At(m.ID), fmt.Sprintf("%d calls in one message, more than %d", n, maxCalls))
				}
			}
		},
	}
	nameRule = Rule{
		ID: "openai/name", Severity: Warning,
		Doc:      "Names of functions have letters, digits, _ and -, at most 64.",
		Provider: "Invalid 'messages[9].tool_calls[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
		Fix:      "rename the function, also in the list of tools",
		find: func(v *view, broken report) {
			v.each(func(b item) {
				if b.isCall() && b.Tool != "" && (len(b.Tool) > maxToolName || !isToolName(b.Tool)) {
					broken(b.at, fmt.Sprintf("%q is not a valid name of a function", b.Tool))
				}
			})
		},
	}
	// ContentNull requires content of messages without calls.
	ContentNull = Rule{
		ID:       "openai/content-null",
		Doc:      "content is null only beside tool_calls.",
		Provider: "Invalid value for 'content': expected a string, got null.",
		Fix:      `write "" in its place`,
	}
	// FunctionName requires the name of the function in messages of the role function.
	FunctionName = Rule{
		ID:       "openai/function-name",
		Doc:      "A message of the role function, which preceded tools, has the name of the function.",
		Provider: "Missing parameter 'name': messages with role 'function' must have a 'name'.",
		Fix:      "add the name",
	}
	// ArgsJSON requires arguments that are a string of JSON.
	ArgsJSON = Rule{
		ID: "openai/args-json", Severity: Warning,
		Doc:      "The arguments of a call are a string that holds JSON.",
		Provider: "Invalid type for 'messages[2].tool_calls[0].function.arguments': expected a string, but got an object instead. / Invalid JSON format in tool call arguments / The \"function.arguments\" parameter of the code model must be in JSON format.",
		Fix:      "write the arguments as JSON",
	}
)

// adjacent returns the calls that are not answered before the next message that is not a
// result, and the results that do not follow their call in this way. A result in a
// message that also holds text counts as standing before the text, because this API
// cannot express another order.
func (v *view) adjacent() (unanswered, orphans []item) {
	var calls []item
	answered := map[string]bool{} // by the id of a call
	closeGroup := func() {
		for _, call := range calls {
			if !answered[call.Call] && !v.open[call.at.Msg] {
				unanswered = append(unanswered, call)
			}
		}
		calls = nil
		clear(answered)
	}
	for _, m := range v.msgs {
		if m.Role == transcript.Assistant {
			closeGroup()
		}
		other := len(m.Blocks) == 0
		for _, block := range m.Blocks {
			b := v.item(m.ID, block)
			switch {
			case b.isCall():
				calls = append(calls, b)
				if _, repeated := answered[b.Call]; !repeated {
					answered[b.Call] = false
				}
			case !b.isResult():
				other = true
			default:
				if _, called := answered[b.Call]; !called {
					orphans = append(orphans, b)
					continue
				}
				answered[b.Call] = true
			}
		}
		if m.Role != transcript.Assistant && other {
			closeGroup()
		}
	}
	closeGroup()
	return unanswered, orphans
}
