package reader

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// claudeCode reads the records of the main conversation from its last compaction on, in the order of the
// file, without the prompts that the user took back.
func claudeCode(source any) (pieces []Piece) {
	gone, ends := rewound(elements(source)), map[string]int{}
	for _, r := range elements(source) {
		if text(r, "subtype") == "compact_boundary" {
			pieces = nil
		}
		switch kind := text(r, "type"); {
		case member(r, "isSidechain") == true || gone[text(r, "uuid")]:
		case kind == "user" || kind == "assistant":
			found := message(member(r, "message"))
			id := text(member(r, "message"), "id")
			at, begun := ends[id]
			if !begun || at > len(pieces) {
				at = len(pieces)
			}
			pieces = slices.Insert(pieces, at, found...) // the lines of a message belong together
			if id != "" {
				ends[id] = at + len(found)
			}
		case kind == "attachment" && text(member(r, "attachment"), "type") == "prompt_snapshot":
			// The client writes its system prompt again.
		case kind == "attachment":
			prompt := text(member(r, "attachment"), "prompt")
			for _, sent := range elements(member(r, "rendered")) {
				if said := text(sent, "content"); prompt != "" && strings.Contains(said, prompt) {
					pieces = append(pieces, content("user", prompt)...) // without the words around it
					continue
				}
				pieces = append(pieces, content("user", member(sent, "content"))...)
			}
		}
	}
	return pieces
}

// rewound returns the ids of the records that the user took back: those from a prompt on, if a later prompt
// follows the same record.
func rewound(list []any) map[string]bool {
	latest, gone := map[string]string{}, map[string]bool{}
	prompt := func(r any) bool {
		return text(r, "type") == "user" && text(member(r, "message"), "content") != "" && text(r, "parentUuid") != ""
	}
	for _, r := range list {
		if prompt(r) {
			latest[text(r, "parentUuid")] = text(r, "uuid")
		}
	}
	for _, r := range list {
		id, parent := text(r, "uuid"), text(r, "parentUuid")
		gone[id] = gone[parent] || prompt(r) && latest[parent] != id
	}
	delete(gone, "")
	return gone
}

// branch returns the record and those before it, the oldest first.
func branch(r any, byID map[string]any, parent string) (list []any) {
	for ; r != nil; r = byID[text(r, parent)] {
		list = append([]any{r}, list...)
	}
	return list
}

// pi reads the branch of the last entry, without what a compaction removed. The summary of a compaction
// stands where its record does.
func pi(source any) (pieces []Piece) {
	byID := map[string]any{}
	list := elements(source)
	for _, r := range list {
		byID[text(r, "id")] = r
	}
	for i, r := range list {
		if parent := text(r, "parentId"); i > 0 && parent != "" && byID[parent] == nil { // its line is broken
			byID[parent] = list[i-1]
		}
	}
	delete(byID, "")
	if last := list[len(list)-1]; text(last, "id") != "" && byID[text(last, "parentId")] != nil {
		list = branch(last, byID, "parentId")
	}
	from := 0
	for _, r := range list {
		if index, ok := member(r, "firstKeptEntryIndex").(float64); ok { // of old versions
			from = int(index)
		}
		for j, e := range list {
			if first := text(r, "firstKeptEntryId"); first != "" && text(e, "id") == first {
				from = j
			}
		}
	}
	for _, r := range list[from:] {
		switch text(r, "type") {
		case "message":
			m := member(r, "message")
			if command := text(m, "command"); command != "" { // that the user ran
				pieces = append(pieces, Piece{Kind: "text", Role: "user", Text: command + text(m, "output")})
			}
			pieces = append(pieces, message(m)...)
		case "custom_message":
			pieces = append(pieces, content("user", member(r, "content"))...)
		case "compaction", "branch_summary":
			pieces = append(pieces, Piece{Kind: "text", Role: "user", Text: text(r, "summary")})
		}
	}
	return pieces
}

// qwen reads the branch of the last record, from its last compaction on.
func qwen(source any) (pieces []Piece) {
	byID := map[string]any{}
	list := elements(source)
	for _, r := range list {
		byID[text(r, "uuid")] = r
	}
	for _, r := range branch(list[len(list)-1], byID, "parentUuid") {
		if text(r, "subtype") == "chat_compression" {
			pieces = nil
			for _, c := range elements(member(member(r, "systemPayload"), "compressedHistory")) {
				pieces = append(pieces, parts(roles[text(c, "role")], c)...)
			}
		}
		if command := text(member(r, "systemPayload"), "rawCommand"); text(r, "subtype") == "slash_command" && len(pieces) > 0 {
			if last := len(pieces) - 1; pieces[last].Text == command { // the client answered it itself
				pieces = pieces[:last]
			}
		}
		if kind := text(r, "type"); kind != "system" {
			m := member(r, "message")
			pieces = append(pieces, parts(roles[text(m, "role")], m)...)
		}
	}
	return pieces
}

// cursor reads lines with a role and a message. What the client removed is no text.
func cursor(source any) (pieces []Piece) {
	for _, r := range elements(source) {
		for _, p := range content(roles[text(r, "role")], member(member(r, "message"), "content")) {
			for said := ""; said != p.Text; {
				said = p.Text
				p.Text = strings.TrimSuffix(strings.TrimSpace(p.Text), "[REDACTED]")
			}
			pieces = append(pieces, p)
		}
	}
	return pieces
}

// codex reads the items of a rollout. A compaction takes the place of all items before it.
func codex(source any) (pieces []Piece) {
	for _, r := range elements(source) {
		switch payload := member(r, "payload"); text(r, "type") {
		case "response_item":
			pieces = append(pieces, item(payload)...)
		case "compacted":
			history := elements(member(payload, "replacement_history"))
			if history == nil { // of old versions, which keep what the user wrote
				pieces = slices.DeleteFunc(pieces, func(p Piece) bool { return p.Role != "user" })
				pieces = append(pieces, content("user", member(payload, "message"))...)
				continue
			}
			pieces = nil
			for _, i := range history {
				pieces = append(pieces, item(i)...)
			}
		default:
			pieces = append(pieces, item(r)...)
		}
	}
	return pieces
}

// responses reads a request or a response of the Responses API, or a bare list of items.
func responses(v any) (pieces []Piece) {
	if body := member(v, "body"); body != nil {
		v = body
	}
	pieces = content("system", member(v, "instructions"))
	if input := text(v, "input"); input != "" {
		return append(pieces, Piece{Kind: "text", Role: "user", Text: input})
	}
	for _, list := range []any{v, member(v, "input"), member(v, "output")} {
		for _, i := range elements(list) {
			pieces = append(pieces, item(i)...)
		}
	}
	return pieces
}

// item reads an item of the Responses API.
func item(i any) []Piece {
	switch kind := text(i, "type"); {
	case kind == "message" || kind == "" && text(i, "role") != "":
		return content(roles[text(i, "role")], member(i, "content"))
	case kind == "function_call" || kind == "custom_tool_call":
		return []Piece{{Kind: "call", ID: text(i, "call_id"), Name: text(i, "name")}}
	case kind == "function_call_output" || kind == "custom_tool_call_output" || kind == "local_shell_call_output":
		output := joined(member(i, "output")) + text(member(i, "output"), "content")
		var wrapped any
		if json.Unmarshal([]byte(output), &wrapped) == nil && text(wrapped, "output") != "" {
			output = text(wrapped, "output")
		}
		return []Piece{{Kind: "result", ID: text(i, "call_id"), Text: output}}
	case kind == "computer_call" || kind == "local_shell_call":
		return []Piece{{Kind: "call", ID: text(i, "call_id"), Name: strings.TrimSuffix(kind, "_call")}}
	case kind == "computer_call_output" || kind == "tool_search_output":
		return []Piece{{Kind: "result", ID: text(i, "call_id"), Text: Structured}}
	case kind == "image_generation_call": // a medium
	case strings.HasSuffix(kind, "_call"): // the provider or the client ran it, and added the result
		result := text(i, "output", "error")
		for _, list := range []string{"results", "outputs"} {
			for _, e := range elements(member(i, list)) {
				result += text(e, "text", "logs")
			}
		}
		id := text(i, "call_id")
		if result != "" {
			id = text(i, "call_id", "id")
		}
		return callAndResult(id, cmp.Or(text(i, "name"), strings.TrimSuffix(kind, "_call")), result != "", result)
	}
	return nil
}

// gemini reads a request of the Gemini API, or a bare list of contents.
func gemini(v any) (pieces []Piece) {
	if r := member(v, "request"); r != nil {
		v = r
	}
	list := elements(v)
	for _, name := range []string{"systemInstruction", "system_instruction"} {
		pieces = append(pieces, parts("system", member(v, name))...)
	}
	if list == nil {
		list = elements(member(v, "contents"))
	}
	for _, c := range list {
		pieces = append(pieces, parts(cmp.Or(roles[text(c, "role")], "user"), c)...)
	}
	return pieces
}

// adk reads the events of a session of the Agent Development Kit.
func adk(source any) [][]Piece {
	var kept []any
	for _, e := range elements(member(source, "events")) {
		if from := text(member(e, "actions"), "rewindBeforeInvocationId"); from != "" { // the user took the rest back
			if i := slices.IndexFunc(kept, func(e any) bool { return text(e, "invocationId") == from }); i >= 0 {
				kept = kept[:i]
			}
		}
		if c := member(member(e, "actions"), "compaction"); c != nil { // the text of the model takes their place
			from, _ := member(c, "startTimestamp").(float64)
			to, _ := member(c, "endTimestamp").(float64)
			kept = slices.DeleteFunc(kept, func(e any) bool {
				at, _ := member(e, "timestamp").(float64)
				return from <= at && at <= to
			})
			e = map[string]any{"content": member(c, "compactedContent")}
		}
		kept = append(kept, e)
	}
	var pieces []Piece
	for _, e := range kept {
		c := member(e, "content")
		pieces = append(pieces, parts(roles[text(c, "role")], c)...)
	}
	return [][]Piece{pieces}
}

// parts reads the parts of a content of the Gemini API.
func parts(role string, c any) (pieces []Piece) {
	for _, p := range elements(member(c, "parts")) {
		for _, name := range []string{"functionCall", "function_call"} {
			if f := member(p, name); f != nil {
				pieces = append(pieces, Piece{Kind: "call", ID: text(f, "id"), Name: text(f, "name")})
			}
		}
		for _, name := range []string{"functionResponse", "function_response"} {
			if f := member(p, name); f != nil {
				pieces = append(pieces, Piece{Kind: "result", ID: text(f, "id"), Text: leaves(member(f, "response"))})
			}
		}
		if member(p, "executable_code") != nil || member(p, "executableCode") != nil {
			pieces = append(pieces, Piece{Kind: "call", Name: "code_execution"})
		}
		for _, name := range []string{"code_execution_result", "codeExecutionResult"} {
			if r := member(p, name); r != nil {
				pieces = append(pieces, Piece{Kind: "result", Text: text(r, "output")})
			}
		}
		if s := text(p, "text"); s != "" && member(p, "thought") != true {
			pieces = append(pieces, Piece{Kind: "text", Role: role, Text: s})
		}
	}
	return pieces
}

// leaves returns the text of an object that has one member, a text.
func leaves(v any) string {
	m, _ := v.(map[string]any)
	for _, v := range m {
		if s, ok := v.(string); ok && len(m) == 1 {
			return s
		}
	}
	return Structured
}

// aiSDK reads messages with parts, in which a call and its result are one part.
func aiSDK(source any) (pieces []Piece) {
	list := elements(source)
	if list == nil {
		list = elements(member(source, "messages"))
	}
	for _, m := range list {
		parts := elements(member(m, "parts"))
		if parts == nil { // of version 4, which also has calls beside the text
			pieces = append(pieces, Piece{Kind: "text", Role: roles[text(m, "role")], Text: text(m, "content")})
			for _, c := range elements(member(m, "toolInvocations")) {
				parts = append(parts, map[string]any{"type": "tool-invocation", "toolInvocation": c})
			}
		}
		for _, p := range parts {
			if c := member(p, "toolInvocation"); c != nil {
				pieces = append(pieces, callAndResult(text(c, "toolCallId"), text(c, "toolName"), member(c, "result") != nil, cmp.Or(text(c, "result"), Structured))...)
			}
			kind := text(p, "type")
			denied := text(member(p, "approval"), "reason")
			name, isTool := strings.CutPrefix(kind, "tool-")
			switch {
			case kind == "text":
				pieces = append(pieces, Piece{Kind: "text", Role: roles[text(m, "role")], Text: text(p, "text")})
			case kind == "dynamic-tool" || isTool && name != "invocation":
				pieces = append(pieces, callAndResult(text(p, "toolCallId"), strings.TrimPrefix(name, kind)+text(p, "toolName"),
					member(p, "output") != nil || text(p, "errorText")+denied != "", cmp.Or(text(p, "output", "errorText"), denied, Structured))...)
			}
		}
	}
	return pieces
}

// openCode reads messages with parts, in which a call and its result are one part.
func openCode(source any) (pieces []Piece) {
	revert := text(member(member(source, "info"), "revert"), "messageID") // the user took the rest back
	for _, m := range elements(member(source, "messages")) {
		if id := text(member(m, "info"), "id"); revert != "" && id >= revert {
			break
		}
		for _, p := range elements(member(m, "parts")) {
			if member(p, "ignored") == true { // only the user sees it
				continue
			}
			switch text(p, "type") {
			case "compaction":
				pieces = nil
			case "subtask":
				pieces = append(pieces, Piece{Kind: "text", Role: "user", Text: text(p, "prompt")})
			case "text":
				pieces = append(pieces, Piece{Kind: "text", Role: roles[text(member(m, "info"), "role")], Text: text(p, "text")})
			case "tool":
				state := member(p, "state")
				output := text(state, "output", "error")
				if member(member(state, "time"), "compacted") != nil { // the client leaves it out
					output = ""
				}
				pieces = append(pieces, callAndResult(text(p, "callID"), text(p, "tool"),
					text(state, "status") == "completed" || text(state, "status") == "error", output)...)
			}
		}
	}
	return pieces
}

// callAndResult returns a call, and its result if there is one.
func callAndResult(id, name string, done bool, result string) []Piece {
	pieces := []Piece{{Kind: "call", ID: id, Name: name}}
	if done {
		pieces = append(pieces, Piece{Kind: "result", ID: id, Text: result})
	}
	return pieces
}

// langchain reads messages with a type and their data.
func langchain(source any) (pieces []Piece) {
	list := elements(source)
	if list == nil {
		list = elements(member(source, "messages"))
	}
	for _, m := range list {
		data, kind := member(m, "data"), text(m, "type")
		if id := elements(member(m, "id")); kind == "constructor" && len(id) > 0 { // such as AIMessageChunk
			name, _ := id[len(id)-1].(string)
			name, _, _ = strings.Cut(name, "Message")
			data, kind = member(m, "kwargs"), strings.ToLower(name)
		}
		if kind == "" { // a row of a question and its answer
			pieces = append(pieces, Piece{Kind: "text", Role: "user", Text: text(m, "user")}, Piece{Kind: "text", Role: "assistant", Text: text(m, "ai")})
		}
		if roles[kind] == "tool" {
			pieces = append(pieces, Piece{Kind: "result", ID: text(data, "tool_call_id"), Text: joined(member(data, "content"))})
			continue
		}
		for _, p := range content(roles[kind], member(data, "content")) {
			if p.Kind == "text" {
				pieces = append(pieces, p)
			}
		}
		for _, c := range elements(member(data, "tool_calls")) {
			pieces = append(pieces, Piece{Kind: "call", ID: text(c, "id"), Name: text(c, "name")})
		}
	}
	return pieces
}

// shareGPT reads a row with the texts of speakers. The call of a tool is JSON in a text.
func shareGPT(row any) (pieces []Piece) {
	if s := text(row, "system"); s != "" {
		pieces = append(pieces, Piece{Kind: "text", Role: "system", Text: s})
	}
	for _, name := range []string{"conversations", "messages"} {
		for _, m := range elements(member(row, name)) {
			value, speaker := text(m, "value", "content"), text(m, "from", "role")
			switch {
			case speaker == "function_call":
				call := map[string]any{} // stays empty for what is no object
				_ = json.Unmarshal([]byte(value), &call)
				pieces = append(pieces, Piece{Kind: "call", Name: text(call, "name")})
			case roles[speaker] == "tool":
				pieces = append(pieces, Piece{Kind: "result", Text: value})
			default:
				pieces = append(pieces, Piece{Kind: "text", Role: cmp.Or(roles[speaker], "user"), Text: value})
			}
		}
	}
	return pieces
}

// miniSWE reads the messages of mini-SWE-agent. The last block of code of an answer is its command, and the
// next message of the user the output.
func miniSWE(source any) (pieces []Piece) {
	waits := false
	for _, p := range request(source) {
		at := strings.LastIndex(p.Text, "```bash\n")
		_, rest, fenced := strings.Cut(p.Text[max(at, 0):], "\n```")
		switch {
		case at >= 0 && fenced && p.Role == "assistant":
			pieces = append(pieces, Piece{Kind: "text", Role: p.Role, Text: p.Text[:at]}, Piece{Kind: "call", Name: "shell"},
				Piece{Kind: "text", Role: p.Role, Text: rest})
			waits = true
		case waits && p.Role == "user":
			pieces, waits = append(pieces, Piece{Kind: "result", Text: p.Text}), false
		default:
			pieces = append(pieces, p)
		}
	}
	return pieces
}
