// Package reader reads the texts, calls and results of saved conversations in the simplest possible
// manner, for tests that compare it with the decoders.
//
// It knows what a reader of the documentation of a format would expect: who wrote which text, which tool
// was called under which id, and which result has that id. It knows neither authors other than the role,
// nor faults, nor display copies. Thinking and media are left out.
package reader

import (
	"bytes"
	"encoding/json"
	"strings"
)

// A Piece is a text, a call or a result. Only a text has a role, and only a call a name.
type Piece struct {
	Kind string // "text", "call" or "result"
	Role string // "user", "assistant" or "system"
	ID   string // of a call or result; "" if the file has none
	Name string
	Text string // Structured for a result that is not a text
}

// Structured is the text of a result that is an object or a list of other things than texts.
const Structured = "\x00"

// formats maps the name of a format to the function that reads its conversations. A source in lines is
// one list of the lines that are JSON.
var formats = map[string]func(source any) [][]Piece{
	"adk":            adk,
	"ai-sdk":         one(aiSDK),
	"anthropic":      one(request),
	"claude-code":    one(claudeCode),
	"codex":          one(codex),
	"cursor":         one(cursor),
	"gemini":         rows(gemini),
	"langchain":      one(langchain),
	"mini-swe-agent": one(miniSWE),
	"openai":         chats,
	"openai-ft":      rows(request),
	"opencode":       one(openCode),
	"pi":             one(pi),
	"qwen-code":      one(qwen),
	"responses":      rows(responses),
	"sharegpt":       rows(shareGPT),
}

// Formats reports whether the package reads a format.
func Formats(name string) bool { return formats[name] != nil }

// Read returns the pieces of each conversation of a source, oldest first, as far as the model sees them.
func Read(format string, src []byte) [][]Piece {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	var source any
	if json.Unmarshal(src, &source) != nil {
		var lines []any
		for line := range bytes.Lines(src) {
			var value any
			if json.Unmarshal(line, &value) == nil {
				lines = append(lines, value)
			}
		}
		source = lines
	}
	return formats[format](source)
}

// one returns the function for a format with one conversation in a file.
func one(read func(any) []Piece) func(any) [][]Piece {
	return func(source any) [][]Piece { return [][]Piece{read(source)} }
}

// rows returns the function for a format with one conversation, or with one in each element or line. A
// list of messages or items is one conversation.
func rows(read func(any) []Piece) func(any) [][]Piece {
	return func(source any) (all [][]Piece) {
		list := elements(source)
		if len(list) == 0 || text(list[0], "role")+text(list[0], "type") != "" {
			return [][]Piece{read(source)}
		}
		for _, row := range list {
			if _, ok := row.(map[string]any); ok {
				all = append(all, read(row))
			}
		}
		return all
	}
}

// chats reads what the API of OpenAI calls messages: a list, a list of lists, or objects with a list.
func chats(source any) (all [][]Piece) {
	list := elements(source)
	if len(list) == 0 || text(list[0], "role") != "" {
		return [][]Piece{request(source)}
	}
	for _, c := range list {
		all = append(all, request(c))
	}
	return all
}

// request reads a request, or a bare list of messages.
func request(v any) (pieces []Piece) {
	for _, name := range []string{"body", "request"} {
		if member(v, name) != nil {
			v = member(v, name)
		}
	}
	for _, name := range []string{"system", "system_prompt"} {
		pieces = append(pieces, content("system", member(v, name))...)
	}
	list := elements(v)
	if list == nil {
		list = elements(member(v, "messages"))
	}
	for _, m := range visible(list) {
		for i, e := range elements(member(m, "content")) {
			if text(e, "type") == "compaction" { // the API drops all before it
				pieces = []Piece{{Kind: "text", Role: "assistant", Text: text(e, "content")}}
				m = map[string]any{"role": "assistant", "content": elements(member(m, "content"))[i+1:]}
			}
		}
		pieces = append(pieces, message(m)...)
	}
	return functions(pieces)
}

// functions reads the calls that training sets write at the end of the assistant's text, and the answers behind them.
func functions(pieces []Piece) (all []Piece) {
	open := false
	for _, p := range pieces {
		said := strings.TrimSpace(p.Text)
		name, call, _ := strings.Cut(said[strings.LastIndex(said, "<function=")+1:], ">")
		switch {
		case p.Kind == "text" && p.Role == "assistant" && strings.HasPrefix(name, "function=") && strings.HasSuffix(call, "</function>"):
			all = append(all, Piece{Kind: "text", Role: "assistant", Text: said[:strings.LastIndex(said, "<function=")]},
				Piece{Kind: "call", Name: strings.TrimPrefix(name, "function=")})
			open = true
			continue
		case open && p.Role == "user" && (strings.HasPrefix(said, "OBSERVATION:") || strings.HasPrefix(said, "EXECUTION RESULT of [")):
			p = Piece{Kind: "result", Text: p.Text}
		}
		open = false
		all = append(all, p)
	}
	return all
}

// visible returns the messages that Roo Code does not hide: its summaries and truncations have an id, which
// the hidden messages name.
func visible(list []any) (seen []any) {
	ids := map[string]bool{}
	for _, m := range list {
		ids[text(m, "condenseId")] = ids[text(m, "condenseId")] || member(m, "isSummary") == true
		ids[text(m, "truncationId")] = ids[text(m, "truncationId")] || member(m, "isTruncationMarker") == true
	}
	for _, m := range list {
		if by, cut := text(m, "condenseParent"), text(m, "truncationParent"); (by == "" || !ids[by]) && (cut == "" || !ids[cut]) {
			seen = append(seen, m)
		}
	}
	return seen
}

// message reads a message with a role.
func message(m any) (pieces []Piece) {
	role := roles[text(m, "role")]
	if role == "tool" {
		return []Piece{{Kind: "result", ID: text(m, "tool_call_id", "toolCallId"), Text: joined(member(m, "content"))}}
	}
	if strings.Contains(text(m, "role"), "-subagent-") { // the model sees only the answer
		return nil
	}
	if role == "" && text(m, "role") != "" { // the name of a speaker
		role = "user"
	}
	pieces = content(role, member(m, "content"))
	known := map[string]bool{}
	for _, p := range pieces {
		known[p.ID] = p.Kind == "call"
	}
	for _, c := range elements(member(m, "tool_calls")) {
		if id := text(c, "id"); id == "" || !known[id] {
			pieces = append(pieces, Piece{Kind: "call", ID: id, Name: text(member(c, "function"), "name")})
		}
	}
	if f := member(m, "function_call"); f != nil {
		pieces = append(pieces, Piece{Kind: "call", Name: text(f, "name")})
	}
	return pieces
}

// roles maps the roles of files to those of a Piece, and that of a result to "tool".
var roles = map[string]string{
	"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "model": "assistant", "gpt": "assistant",
	"system": "system", "developer": "system",
	"tool": "tool", "function": "tool", "toolResult": "tool", "observation": "tool",
}

// content reads the content of a message: a text, or a list of elements.
func content(role string, v any) (pieces []Piece) {
	if s, ok := v.(string); ok {
		return []Piece{{Kind: "text", Role: role, Text: s}}
	}
	for _, e := range elements(v) {
		switch text(e, "type") {
		case "text", "input_text", "output_text", "tool_output", "refusal", "":
			pieces = append(pieces, Piece{Kind: "text", Role: role, Text: text(e, "text", "refusal", "value") + text(e, "query") + text(e, "result")})
		case "file": // that Cline adds to a prompt
			pieces = append(pieces, Piece{Kind: "text", Role: role, Text: text(e, "content")})
		case "tool_use", "toolCall", "tool_call", "server_tool_use", "mcp_tool_use":
			named := e
			if value := text(e, "value"); value != "" && json.Unmarshal([]byte(value), &named) != nil {
				named = nil
			}
			pieces = append(pieces, Piece{Kind: "call", ID: text(e, "id", "tool_call_id"), Name: text(named, "name")})
		case "tool_result":
			pieces = append(pieces, Piece{Kind: "result", ID: text(e, "tool_use_id"), Text: joined(member(e, "content"))})
		}
	}
	return pieces
}

// joined returns the texts of a content without anything between.
func joined(v any) string {
	var b strings.Builder
	for _, p := range content("", v) {
		b.WriteString(p.Text)
	}
	return b.String()
}

// member returns a member of an object, or nil.
func member(v any, name string) any {
	m, _ := v.(map[string]any)
	return m[name]
}

// text returns the first member that is a text and not empty, or "".
func text(v any, names ...string) string {
	for _, name := range names {
		if s, ok := member(v, name).(string); ok && s != "" {
			return s
		}
	}
	return ""
}

// elements returns the elements of a list, or nil.
func elements(v any) []any {
	list, _ := v.([]any)
	return list
}
