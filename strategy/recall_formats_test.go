package strategy_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/transcripttest"
)

// A writer writes the messages of an invented session as a file of a format.
type writer struct {
	dialect string // that condense recognises
	write   func([]*transcript.Message) any
}

// writers are the formats of the invented sessions: records of a client, and requests to two APIs.
var writers = []writer{{"claude-code", claudeCode}, {"openai", openAI}, {"gemini", gemini}}

// file returns the conversation of a session that stands in a file of the writer's format.
func (w writer) file(t *testing.T, session *transcript.Conversation) *transcript.Conversation {
	t.Helper()
	value := w.write(session.Messages)
	lines, ok := value.([]any)
	if !ok || w.dialect != "claude-code" {
		lines = []any{value}
	}
	var src []byte
	for _, line := range lines {
		text, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		src = append(append(src, text...), '\n')
	}
	f, err := format.Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	if f.Dialect.Name != w.dialect || len(f.Convs) != 1 {
		t.Fatalf("%d conversations of %s, want one of %s", len(f.Convs), f.Dialect.Name, w.dialect)
	}
	return f.Convs[0]
}

// object is a JSON object.
type object = map[string]any

// claudeCode returns the records of a session of Claude Code. A record has one message.
func claudeCode(msgs []*transcript.Message) any {
	var records []any
	var parent any
	for i, m := range msgs {
		var content []any
		for _, b := range m.Blocks {
			switch text := b.Text(); b.Kind {
			case transcript.ToolCall:
				content = append(content, object{"type": "tool_use", "id": b.Call, "name": b.Tool, "input": arguments(b)})
			case transcript.ToolResult:
				content = append(content, object{"type": "tool_result", "tool_use_id": b.Call, "content": text})
			default:
				if text != "" {
					content = append(content, object{"type": "text", "text": text})
				}
			}
		}
		kind, uuid := "user", fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
		message := object{"role": kind, "content": content}
		if m.Role == transcript.Assistant {
			kind = "assistant"
			message = object{"id": fmt.Sprint("msg_", i), "type": "message", "role": kind, "model": "claude-sonnet-4-5", "content": content}
		}
		records = append(records, object{"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "/ship", "sessionId": "5e551000-0000-4000-8000-000000000000",
			"version": "2.1.20", "type": kind, "message": message, "uuid": uuid, "timestamp": fmt.Sprintf("2026-02-18T%02d:%02d:%02d.000Z", i/3600, i/60%60, i%60)})
		parent = uuid
	}
	return records
}

// openAI returns a request to OpenAI's chat completions.
func openAI(msgs []*transcript.Message) any {
	var list []any
	for _, m := range msgs {
		switch m.Role {
		case transcript.User:
			list = append(list, object{"role": "user", "content": m.Blocks[0].Text()})
		case transcript.Tool:
			list = append(list, object{"role": "tool", "tool_call_id": m.Blocks[0].Call, "content": m.Blocks[0].Text()})
		default:
			message := object{"role": "assistant", "content": m.Blocks[0].Text()}
			if len(m.Blocks) > 1 {
				call := m.Blocks[1]
				message["tool_calls"] = []any{object{"id": call.Call, "type": "function", "function": object{"name": call.Tool, "arguments": string(arguments(call))}}}
			}
			list = append(list, message)
		}
	}
	return object{"model": "gpt-4.1", "messages": list}
}

// gemini returns a request to Google's generateContent.
func gemini(msgs []*transcript.Message) any {
	var contents []any
	tools := map[string]string{} // by the id of a call
	for _, m := range msgs {
		role, parts := "user", []any(nil)
		if m.Role == transcript.Assistant {
			role = "model"
		}
		for _, b := range m.Blocks {
			switch text := b.Text(); b.Kind {
			case transcript.ToolCall:
				tools[b.Call] = b.Tool
				parts = append(parts, object{"functionCall": object{"id": b.Call, "name": b.Tool, "args": arguments(b)}})
			case transcript.ToolResult:
				parts = append(parts, object{"functionResponse": object{"id": b.Call, "name": tools[b.Call], "response": object{"output": text}}})
			default:
				if text != "" {
					parts = append(parts, object{"text": text})
				}
			}
		}
		contents = append(contents, object{"role": role, "parts": parts})
	}
	return object{"contents": contents}
}

// arguments returns the arguments of a call, in their order.
func arguments(b *transcript.Block) json.RawMessage {
	var members []string
	for _, p := range b.Parts {
		name, _ := json.Marshal(p.Name) // a string has no fault
		text, _ := json.Marshal(p.Text)
		members = append(members, string(name)+":"+string(text))
	}
	return json.RawMessage("{" + strings.Join(members, ",") + "}")
}

// TestWriters checks that a session in a file has the texts of the session.
func TestWriters(t *testing.T) {
	session := transcripttest.Conversation(transcripttest.User("Mend the winch."), transcripttest.Model("I look.", transcripttest.Call("1", "Read", "path=/ship/winch.go")),
		transcripttest.Tool("1", "package winch"), transcripttest.Model("", transcripttest.Call("2", "Bash", "command=go test")), transcripttest.Tool("2", "ok"), transcripttest.Model("It is mended."))
	var want []string
	for _, b := range session.Blocks() {
		if text := b.Text(); text != "" {
			want = append(want, text)
		}
	}
	for _, w := range writers {
		var got []string
		for _, b := range w.file(t, session).Blocks() {
			if text := b.Text(); text != "" {
				got = append(got, text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has %s, want %s", w.dialect, strings.Join(got, " | "), strings.Join(want, " | "))
		}
	}
}
