package format

import (
	"bytes"
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// This file reads the items of the OpenAI Responses API, which Codex also saves. An item is a
// message, a call, a result or reasoning. Each becomes a separate message. Reasoning is
// removed with the item after it: see [transcript.Conversation.Units].

// responseItems reads the items of a conversation.
type responseItems struct {
	*builder
	tools map[string]string // by id of a call, its tool
	// quiet reports whether only the results of tools that ask the user can quote the user.
	quiet bool
}

func newResponseItems(b *builder) responseItems {
	return responseItems{builder: b, tools: map[string]string{}}
}

// isItem reports whether an object is an item, by members that only items have.
func isItem(v rawjson.Value) bool {
	switch kind := v.Get("type").Str(); {
	case kind == "message" || kind == "" && v.Get("role").Kind() == rawjson.String:
		for e := range v.Get("content").Elems() {
			return hasPrefixAny(e.Get("type").Str(), "input_text", "input_image", "input_file", "output_text")
		}
		return false
	case kind == "reasoning":
		return v.Get("summary").Kind() == rawjson.Array || v.Get("encrypted_content").Kind() == rawjson.String
	case isCompactionItem(kind):
		return v.Get("encrypted_content").Kind() == rawjson.String
	case strings.HasSuffix(kind, "_call"), strings.HasSuffix(kind, "_call_output"):
		return v.Get("call_id").Kind() == rawjson.String || v.Get("action").Kind() == rawjson.Object
	}
	return false
}

func isCompactionItem(kind string) bool {
	return kind == "compaction" || kind == "compaction_summary" || kind == "context_compaction"
}

// item reads one item that lies in slot, as a message.
func (r *responseItems) item(v rawjson.Value, slot int) {
	switch kind := v.Get("type").Str(); {
	case kind == "message" || kind == "" && v.Get("role").Ok():
		r.readMessage(v, slot)
	case kind == "agent_message" || kind == "" && v.Get("author").Ok() && v.Get("recipient").Ok():
		r.agentMessage(v, slot)
	case kind == "reasoning":
		r.reasoning(v, slot)
	case isCompactionItem(kind):
		// It is the earlier history, in a form that only the provider can read.
		mb := r.message(transcript.Assistant, slot)
		mb.opaque(v, slot)
		mb.m.Blocks[0].Origin = transcript.Generated
	case strings.HasSuffix(kind, "_call") && kind != "image_generation_call":
		r.call(v, kind, slot)
	case strings.HasSuffix(kind, "_output"):
		r.output(v, slot)
	default:
		r.message(transcript.Assistant, slot).opaque(v, slot)
	}
}

// readMessage reads a message item.
func (r *responseItems) readMessage(v rawjson.Value, slot int) {
	role, known := chatRole(v.Get("role").Str())
	mb := r.message(role, slot)
	mb.m.Hidden = !known
	mb.itemContent(v.Get("content"), slot)
}

// agentMessage reads a message of another agent: an item, or the record that older versions of Codex
// have in its place. Codex begins a turn with it, so it counts as typed. The text is often sealed.
func (r *responseItems) agentMessage(v rawjson.Value, slot int) {
	mb := r.message(transcript.User, slot)
	mb.itemContent(nonEmpty(v, "content"), slot)
	if sealed := v.Get("encrypted_content"); sealed.Kind() == rawjson.String {
		mb.opaque(sealed, slot)
	}
}

// itemContent reads the content of a message: a text, or a list of texts and media.
func (mb *messageBuilder) itemContent(content rawjson.Value, slot int) {
	if content.Kind() == rawjson.String {
		mb.itemText(content, slot)
		return
	}
	if content.Kind() != rawjson.Array {
		return
	}
	at := mb.l.Elems(slot, content)
	for e := range content.Elems() {
		text := firstOf(e, "text", "refusal")
		switch {
		case e.Kind() == rawjson.String:
			mb.itemText(e, at)
		case text.Kind() == rawjson.String:
			mb.itemText(text, at)
		case isMedia(e) || e.Get("type").Is("input_file"):
			mb.media(e, at)
		default:
			mb.opaque(e, at)
		}
		at++
	}
}

// itemText reads a text without calls and results, which are separate items. A text of
// the user may hold typed and injected texts.
func (mb *messageBuilder) itemText(v rawjson.Value, slot int) {
	text := v.Str()
	origin := transcript.ByModel
	switch mb.m.Role {
	case transcript.User:
		mb.segments(v, text, slot, userSegments(text, mb.meta))
		return
	case transcript.System:
		origin = transcript.Injected
	case transcript.Tool:
		origin = transcript.ByTool
	}
	mb.segments(v, text, slot, []segment{{0, len(text), transcript.Text, origin, ""}})
}

// reasoning reads the model's thinking: a summary, rarely the text, and in most files
// ciphertext.
func (r *responseItems) reasoning(v rawjson.Value, slot int) {
	mb := r.message(transcript.Assistant, slot)
	sealed := len(v.Get("encrypted_content").Str())
	b := &transcript.Block{Kind: transcript.Thinking, Origin: transcript.ByModel, Fixed: sealed > 0, Opaque: sealed}
	at := splice.BlockPlace{Slots: []int{slot}}
	for _, key := range []string{"summary", "content"} {
		if list := v.Get(key); list.Kind() == rawjson.Array || list.Kind() == rawjson.String {
			mb.leaves(list, slot, b, &at)
		}
	}
	mb.add(b, at)
}

// call reads a call. A tool that the provider runs has no result, or has it in the same
// item.
func (r *responseItems) call(v rawjson.Value, kind string, slot int) {
	mb := r.message(transcript.Assistant, slot)
	id, tool := textOf(v, "call_id"), textOf(v, "name")
	if tool == "" {
		tool = strings.TrimSuffix(kind, "_call")
	}
	result := nonEmpty(v, "output", "outputs", "results", "error")
	switch kind {
	case "web_search_call", "file_search_call", "code_interpreter_call", "mcp_call":
		if id = ""; result.Ok() {
			if id = textOf(v, "id"); id == "" {
				id = fmt.Sprintf("%s%d", proseID, slot)
			}
		}
	default:
		if id == "" {
			id = textOf(v, "id")
		}
		result = rawjson.Value{}
	}
	if id != "" {
		r.tools[id] = tool
	}
	mb.addCall(id, tool, nonEmpty(v, "arguments", "input", "action", "operation", "code", "queries"), slot)
	if result.Ok() {
		r.answer(mb, id, result, v, slot)
	}
}

// nonEmpty returns the member of v under the first of the keys whose value is not empty.
func nonEmpty(v rawjson.Value, keys ...string) rawjson.Value {
	for _, k := range keys {
		switch m := v.Get(k); m.Kind() {
		case rawjson.String:
			if len(m.Raw()) > len(`""`) {
				return m
			}
		case rawjson.Array, rawjson.Object:
			if m.Len() > 0 {
				return m
			}
		}
	}
	return rawjson.Value{}
}

// textOf returns the first string under one of the keys that is not empty, or "".
func textOf(v rawjson.Value, keys ...string) string {
	for _, k := range keys {
		if m := v.Get(k); m.Kind() == rawjson.String && len(m.Raw()) > len(`""`) {
			return m.Str()
		}
	}
	return ""
}

// removeItemIDs returns the edits that remove the ids of items whose reasoning is
// removed. The id states that the item was made with reasoning. The API refuses such an
// item without its reasoning ("was provided without its required 'reasoning' item"), but
// accepts an item without an id. item returns the item in a record, if any.
func removeItemIDs(c *splice.Change, item func(record rawjson.Value) rawjson.Value) (edits []rawjson.Edit) {
	var doc rawjson.Doc
	read := func(span rawjson.Span) rawjson.Value {
		if doc.ScanAll(c.Src, span.Start, span.End) != nil {
			return rawjson.Value{}
		}
		return item(doc.Root())
	}
	bare := false // the reasoning of this step is removed
	for i, span := range c.RecordSpans() {
		lost := c.Gone(i) && bytes.Contains(c.Src[span.Start:span.End], []byte(`"reasoning"`))
		if !bare && !lost {
			continue
		}
		v := read(span)
		switch kind := v.Get("type").Str(); {
		case lost && kind == "reasoning":
			bare = true
		case c.Gone(i) || kind == "":
		case kind == "message" && v.Get("role").Is("assistant"), kind == "function_call", kind == "custom_tool_call":
			edits = append(edits, removeID(v)...)
		default:
			bare = false
		}
	}
	return edits
}

// removeID returns the edits that remove the id of an item. A call keeps an id to which
// its result refers.
func removeID(item rawjson.Value) []rawjson.Edit {
	if !item.Get("type").Is("message") && textOf(item, "call_id") == "" {
		return nil
	}
	if item.Get("id").Kind() != rawjson.String {
		return nil
	}
	return removeMember(item, "id")
}

// output reads the result of a call.
func (r *responseItems) output(v rawjson.Value, slot int) {
	mb := r.message(transcript.Tool, slot)
	id := textOf(v, "call_id", "id")
	if tools := v.Get("tools"); tools.Ok() && !v.Get("output").Ok() {
		// The definitions of tools that a search found. The model can call these tools as
		// long as the definitions are in the history.
		mb.add(&transcript.Block{
			Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id, Tool: r.tools[id], Fixed: true, Opaque: len(tools.Raw()),
		}, splice.BlockPlace{Slots: []int{slot}})
		return
	}
	r.answer(mb, id, v.Get("output"), v, slot)
}

// answer adds the result of a tool. content is its text, or an object or list with it,
// and lies in item.
func (r *responseItems) answer(mb *messageBuilder, id string, content, item rawjson.Value, slot int) {
	tool := r.tools[id]
	failed := item.Get("success").Kind() == rawjson.Bool && !item.Get("success").Bool() ||
		content.Get("success").Kind() == rawjson.Bool && !content.Get("success").Bool() ||
		item.Get("error").Kind() == rawjson.String || item.Get("error").Kind() == rawjson.Object
	if code, ok := content.Get("metadata").Get("exit_code").Int(); ok {
		failed = failed || code != 0
	}
	if content.Get("type").Is("computer_screenshot") {
		mb.add(&transcript.Block{
			Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id, Tool: tool, Error: failed, Fixed: true, Opaque: len(content.Raw()),
		}, splice.BlockPlace{Slots: []int{slot}})
		return
	}
	if wrapped, p, code := wrappedOutput(content, slot); wrapped {
		b := &transcript.Block{
			Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id, Tool: tool, Error: failed || code != 0,
			Parts: []transcript.Part{{Text: p.text}},
		}
		mb.add(b, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{p.place}})
	} else {
		mb.addResult(id, tool, failed, content, slot)
	}
	b := mb.m.Blocks[len(mb.m.Blocks)-1]
	if asks(tool) {
		b.Origin = transcript.Typed
	} else if r.quiet {
		b.Origin = transcript.ByTool
	}
	if len(b.Parts) > 0 && b.Parts[0].Media == nil {
		if code, head := exitStatus(b.Parts[0].Text); code != 0 { // keep the words that state it
			b.Error, b.Parts[0].Head = true, int32(head)
		}
	}
}

// asks reports whether a tool asks the user, so that its result is the user's answer.
func asks(tool string) bool {
	return tool == "request_user_input" || tool == "ask_user" || tool == "ask_user_question"
}

// wrappedText is the text of a string that lies in JSON in a string.
type wrappedText struct {
	text  string
	place splice.Place
}

// wrappedOutput reads a result in the form of older versions of Codex: JSON in a string,
// with the text in "output" and the exit code in "metadata". wrapped is false for another
// form.
func wrappedOutput(v rawjson.Value, slot int) (wrapped bool, found wrappedText, code int64) {
	if v.Kind() != rawjson.String || !holdsJSON(v) {
		return false, found, 0
	}
	text := rawjson.Decode(v.Raw())
	if !strings.HasPrefix(text, `{"output":`) {
		return false, found, 0
	}
	root := rawjson.ReadText(text)
	out := root.Get("output")
	if out.Kind() != rawjson.String {
		return false, found, 0
	}
	code, _ = root.Get("metadata").Get("exit_code").Int()
	span := out.Span()
	return true, wrappedText{out.Str(), splice.Place{Slot: slot, Lit: v.Span(), From: span.Start, To: span.End, Nested: true}}, code
}
