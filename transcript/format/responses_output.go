package format

import (
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

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
			b.Error, b.Parts[0].Head = true, head
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
