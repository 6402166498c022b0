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
	content := v.Get("content")
	if content.Kind() == rawjson.String {
		mb.itemText(content, slot)
		return
	}
	if content.Kind() != rawjson.Array {
		return
	}
	at := r.l.Elems(slot, content)
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
	i := 0
	for k, v := range item.Members() {
		if k.Is("id") && v.Kind() == rawjson.String {
			return removeMember(item, i)
		}
		i++
	}
	return nil
}
