//go:build unix

package main

import (
	"fmt"
	"strings"
)

// A writer writes a conversation in a format.
type writer struct {
	b    strings.Builder
	n    int // messages so far
	form *form
}

// A form has the records of a format, and what stands before, after and between them. In a record,
// {n}, {n8} and {n12} are its number, {parent} and {parent8} the id of the record before it, {id} is
// the id of a call, {text} a JSON value and {quoted} a string with that value.
type form struct {
	head, tail, sep         string
	user, say, call, result string
}

var forms = map[string]*form{
	"openai": {
		head: `{"model":"gpt-5","messages":[{"role":"system","content":"You help."}`, tail: "]}", sep: ",",
		user:   `{"role":"user","content":{text}}`,
		say:    `{"role":"assistant","content":{text}}`,
		call:   `{"role":"assistant","content":null,"tool_calls":[{"id":"{id}","type":"function","function":{"name":"bash","arguments":{quoted}}}]}`,
		result: `{"role":"tool","tool_call_id":"{id}","content":{text}}`,
	},
	"anthropic": {
		head: `{"model":"claude-sonnet-4-5","max_tokens":4096,"system":"You help.","messages":[`, tail: "]}", sep: ",",
		user:   `{"role":"user","content":{text}}`,
		say:    `{"role":"assistant","content":[{"type":"text","text":{text}}]}`,
		call:   `{"role":"assistant","content":[{"type":"tool_use","id":"toolu_{id}","name":"bash","input":{text}}]}`,
		result: `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_{id}","content":{text}}]}`,
	},
	"claude-code": {
		user:   claudeCode("user", `{"role":"user","content":{text}}`),
		say:    claudeCode("assistant", `{"id":"msg_{n}","type":"message","model":"claude-sonnet-4-5","role":"assistant","content":[{"type":"text","text":{text}}],"usage":{"input_tokens":1200,"output_tokens":33}}`),
		call:   claudeCode("assistant", `{"id":"msg_{n}","type":"message","model":"claude-sonnet-4-5","role":"assistant","content":[{"type":"tool_use","id":"toolu_{id}","name":"Bash","input":{text}}]}`),
		result: claudeCode("user", `{"role":"user","content":[{"tool_use_id":"toolu_{id}","type":"tool_result","content":{text}}]}`),
		tail:   "\n", sep: "\n",
	},
	"codex": {
		head:   `{"timestamp":"2026-03-02T09:05:43.691Z","type":"session_meta","payload":{"id":"019c0aaa-1111-7000-8000-00000000c0de","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/repo","originator":"codex-tui","cli_version":"0.142.0","source":"cli"}}`,
		user:   codex(`{"type":"message","role":"user","content":[{"type":"input_text","text":{text}}]}`),
		say:    codex(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":{text}}]}`),
		call:   codex(`{"type":"function_call","name":"shell","arguments":{quoted},"call_id":"call_{id}"}`),
		result: codex(`{"type":"function_call_output","call_id":"call_{id}","output":{text}}`),
		tail:   "\n", sep: "\n",
	},
	"responses": {
		head: `{"model":"gpt-5","input":[`, tail: "]}", sep: ",",
		user:   `{"type":"message","role":"user","content":[{"type":"input_text","text":{text}}]}`,
		say:    `{"type":"message","role":"assistant","content":[{"type":"output_text","text":{text}}]}`,
		call:   `{"type":"function_call","call_id":"call_{id}","name":"shell","arguments":{quoted}}`,
		result: `{"type":"function_call_output","call_id":"call_{id}","output":{text}}`,
	},
	"gemini": {
		head: `{"contents":[`, tail: "]}", sep: ",",
		user:   `{"role":"user","parts":[{"text":{text}}]}`,
		say:    `{"role":"model","parts":[{"text":{text}}]}`,
		call:   `{"role":"model","parts":[{"functionCall":{"name":"shell","args":{text}}}]}`,
		result: `{"role":"user","parts":[{"functionResponse":{"name":"shell","response":{"output":{text}}}}]}`,
	},
	"pi": {
		head:   `{"type":"session","version":3,"id":"s2d711642b726","timestamp":"2026-03-01T08:00:11.100Z","cwd":"/repo"}`,
		user:   pi(`{"role":"user","content":[{"type":"text","text":{text}}],"timestamp":1772000001000}`),
		say:    pi(`{"role":"assistant","content":[{"type":"text","text":{text}}],"api":"x","provider":"zai","model":"glm-5","usage":{"input":900,"output":30},"stopReason":"stop","timestamp":1772000001000}`),
		call:   pi(`{"role":"assistant","content":[{"type":"toolCall","id":"{id}","name":"bash","arguments":{text}}],"api":"x","provider":"zai","model":"glm-5","stopReason":"toolUse","timestamp":1772000001000}`),
		result: pi(`{"role":"toolResult","toolCallId":"{id}","toolName":"bash","content":[{"type":"text","text":{text}}],"isError":false,"timestamp":1772000001000}`),
		tail:   "\n", sep: "\n",
	},
}

func claudeCode(kind, message string) string {
	return `{"parentUuid":{parent},"isSidechain":false,"userType":"external","cwd":"/repo","sessionId":"00000000-0000-4000-8000-000000000001","version":"2.1.20","gitBranch":"main","type":"` +
		kind + `","message":` + message + `,"uuid":"00000000-0000-4000-8000-{n12}","timestamp":"2026-03-01T00:00:01.000Z"}`
}

func codex(payload string) string {
	return `{"timestamp":"2026-03-02T09:05:43.691Z","type":"response_item","payload":` + payload + `}`
}

func pi(message string) string {
	return `{"type":"message","id":"{n8}","parentId":{parent8},"timestamp":"2026-03-01T08:02:11.102Z","message":` + message + `}`
}

func newWriter(format string) *writer {
	w := &writer{form: forms[format]}
	w.b.WriteString(w.form.head)
	return w
}

func (w *writer) len() int { return w.b.Len() }

// put writes a record. text is JSON.
func (w *writer) put(pattern, id, text string) {
	if w.b.Len() > 0 && !strings.HasSuffix(w.form.head, "[") || w.n > 0 {
		w.b.WriteString(w.form.sep)
	}
	w.n++
	parent, parent8 := "null", "null"
	if w.n > 1 {
		parent = fmt.Sprintf(`"00000000-0000-4000-8000-%012d"`, w.n-1)
		parent8 = fmt.Sprintf(`"%08x"`, w.n-1)
	}
	quoted := ""
	if strings.Contains(pattern, "{quoted}") {
		quoted = quote(text)
	}
	strings.NewReplacer("{n}", fmt.Sprint(w.n), "{n8}", fmt.Sprintf("%08x", w.n), "{n12}", fmt.Sprintf("%012d", w.n), "{id}", id,
		"{text}", text, "{quoted}", quoted, "{parent}", parent, "{parent8}", parent8).WriteString(&w.b, pattern)
}

func (w *writer) user(text string) { w.put(w.form.user, "", quote(text)) }
func (w *writer) say(text string)  { w.put(w.form.say, "", quote(text)) }

// call writes a call with these arguments, which are a JSON object, and its result.
func (w *writer) call(args, result string) {
	id := fmt.Sprintf("%06d", w.n)
	w.put(w.form.call, id, args)
	w.put(w.form.result, id, quote(result))
}

// bytes ends the conversation.
func (w *writer) bytes() []byte {
	w.b.WriteString(w.form.tail)
	return []byte(w.b.String())
}
