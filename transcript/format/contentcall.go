package format

import (
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// call reads a tool call: its arguments are an object, or JSON in a string.
func (mb *message) call(e rawjson.Value, slot int) {
	fn := e
	if f := e.Get("function"); f.Kind() == rawjson.Object {
		fn = f
	}
	id, tool := firstOf(e, "id", "tool_call_id", "toolCallId"), firstOf(fn, "name", "toolName")
	mb.addCall(id.Str(), tool.Str(), firstOf(fn, "input", "arguments", "args"), slot)
}

// addCall adds a call of a tool that lies in slot, with its arguments. A call
// that the message has already, by id, tool and arguments, is stored twice: it
// becomes a copy. With the id alone it is another call, which rules complain of.
func (mb *message) addCall(id, tool string, args rawjson.Value, slot int) {
	b := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Call: id, Tool: tool}
	at := splice.BlockPlace{Slots: []int{slot}}
	b.Parts, at.Parts = arguments(args, slot)
	for i, known := range mb.m.Blocks {
		if id == "" || known.Kind != transcript.ToolCall || known.Call != id || known.Tool != tool {
			continue
		}
		if len(known.Parts) == 0 && !mb.l.Siblings(mb.at.Blocks[i].Slots[0], slot) {
			known.Parts = b.Parts // LangChain: streamed into the content, the call has no arguments there
		}
		if slices.Equal(known.Parts, b.Parts) {
			mb.at.Blocks[i].Copies = append(mb.at.Blocks[i].Copies, at)
			return
		}
	}
	mb.add(b, at)
}

// result reads the answer to a call.
func (mb *message) result(e rawjson.Value, slot int) {
	id, tool := firstOf(e, "tool_use_id", "toolCallId", "tool_call_id"), firstOf(e, "name", "toolName")
	flag := e.Get("is_error")
	mb.addResult(id.Str(), tool.Str(), flag.Bool(), firstOf(e, "content", "output"), slot)
	mb.flagged(flag.Ok())
}

// addResult adds the answer to a call that lies in slot: a text, a list of texts
// and media, or an object that holds them.
func (mb *message) addResult(id, tool string, failed bool, content rawjson.Value, slot int) {
	b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id, Tool: tool, Error: failed}
	at := splice.BlockPlace{Slots: []int{slot}}
	mb.leaves(content, slot, b, &at)
	if quotesUser(b.Text()) {
		b.Origin = transcript.Typed
	}
	mb.add(b, at)
}

// flagged notes of the block added last whether the file says, one way or the
// other, that the tool failed.
func (mb *message) flagged(yes bool) { mb.at.Blocks[len(mb.at.Blocks)-1].Flagged = yes }

// leaves reads the texts and media of a result's content.
func (mb *message) leaves(v rawjson.Value, slot int, b *transcript.Block, at *splice.BlockPlace) {
	text := func(v rawjson.Value, slot int) {
		b.Parts = append(b.Parts, transcript.Part{Text: v.Str()})
		at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: v.Span()})
	}
	switch v.Kind() {
	case rawjson.String:
		text(v, slot)
	case rawjson.Array:
		first := mb.l.Elems(slot, v)
		i := 0
		for e := range v.Elems() {
			mb.leaves(e, first+i, b, at)
			i++
		}
	case rawjson.Object:
		kind := v.Get("type").Str()
		if isMedia(v) {
			b.Parts = append(b.Parts, transcript.Part{Media: medium(v)})
			at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: v.Span(), Media: true, Element: textElement(v)})
			return
		}
		if inner := firstOf(v, "text", "content", "output", "output_text", "logs"); inner.Ok() {
			mb.leaves(inner, slot, b, at)
			return
		}
		if value := v.Get("value"); kind == "text" && value.Ok() {
			mb.leaves(value, slot, b, at)
			return
		}
		if kind == "" {
			for s := range splice.Strings(v) {
				text(s, slot)
			}
		}
	}
}
