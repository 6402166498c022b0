package format

import (
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// The dialects of Gemini share this file, which reads contents. A content is a role and a
// list of parts. Every member has two spellings: that of the JSON API and that of the Python
// client.

// codeTool is the tool of the calls that executableCode parts stand for.
const codeTool = "code_execution"

// parts reads the parts of a content that lies in slot: a list of parts or strings, one
// part, or one string.
func (mb *messageBuilder) parts(v rawjson.Value, slot int, calls *geminiCalls) {
	switch v.Kind() {
	case rawjson.String:
		mb.textPart(v, slot)
	case rawjson.Object:
		mb.part(v, slot, calls)
	case rawjson.Array:
		first := mb.l.Elems(slot, v)
		i := 0
		for e := range v.Elems() {
			mb.part(e, first+i, calls)
			i++
		}
	}
}

// part reads one part. A valid part has one member with content; where it has several,
// all are read.
func (mb *messageBuilder) part(e rawjson.Value, slot int, calls *geminiCalls) {
	if e.Kind() == rawjson.String {
		mb.textPart(e, slot)
		return
	}
	from := len(mb.m.Blocks)
	at := mb.contentSlots(e, slot)
	call, callAt := member(e, at, "functionCall", "function_call")
	answer, answerAt := member(e, at, "functionResponse", "function_response")
	media, mediaAt := member(e, at, "inlineData", "inline_data", "fileData", "file_data")
	code, codeAt := member(e, at, "executableCode", "executable_code")
	output, outputAt := member(e, at, "codeExecutionResult", "code_execution_result")
	alone := !call.Ok() && !answer.Ok() && !media.Ok() && !code.Ok() && !output.Ok()
	signature := len(firstOf(e, "thoughtSignature", "thought_signature").Str())
	if text, textAt := member(e, at, "text"); text.Kind() == rawjson.String && (alone || len(text.Raw()) > 2) {
		mb.partText(text, textAt, e.Get("thought").Bool(), signature)
	}
	if call.Kind() == rawjson.Object {
		mb.functionCall(call.Get("id").Str(), call.Get("name").Str(), call.Get("args"), callAt, calls)
	}
	if answer.Kind() == rawjson.Object {
		mb.functionResponse(answer, answerAt, calls)
	}
	if code.Kind() == rawjson.Object {
		mb.functionCall(code.Get("id").Str(), codeTool, code, codeAt, calls)
	}
	if output.Kind() == rawjson.Object {
		mb.codeOutput(output, outputAt, calls)
	}
	if media.Kind() == rawjson.Object {
		mb.partMedia(e, media, mediaAt, from)
	}
	if signature > 0 {
		if len(mb.m.Blocks) == from {
			mb.add(&transcript.Block{Kind: transcript.Thinking, Origin: transcript.ByModel}, splice.BlockPlace{Slots: []int{slot}})
		}
		for _, b := range mb.m.Blocks[from:] {
			b.Fixed = true
		}
		mb.m.Blocks[from].Opaque = signature
	}
	if len(mb.m.Blocks) == from {
		mb.opaque(e, slot)
	}
}

// contentKeys are the members of a part that have content.
var contentKeys = []string{
	"text", "functionCall", "function_call", "functionResponse", "function_response", "inlineData", "inline_data",
	"fileData", "file_data", "executableCode", "executable_code", "codeExecutionResult", "code_execution_result",
}

// contentSlots returns a function from the key of a member of a part to its slot. That is the slot of the
// part, unless the part has several contents: then each can be removed alone.
func (mb *messageBuilder) contentSlots(part rawjson.Value, slot int) func(key string) int {
	contents := 0
	for k, v := range part.Members() {
		if isOneOf(k, contentKeys) && (v.Kind() == rawjson.Object || v.Kind() == rawjson.String && len(v.Raw()) > 2) {
			contents++
		}
	}
	if contents > 1 {
		return mb.l.MemberSlots(slot, part)
	}
	return func(string) int { return slot }
}

// member returns the member of an object with the first of the keys that it has, and its slot.
func member(object rawjson.Value, at func(key string) int, keys ...string) (v rawjson.Value, slot int) {
	for _, key := range keys {
		if v := object.Get(key); v.Ok() {
			return v, at(key)
		}
	}
	return v, splice.None
}

// partText reads the text of a part. A part with a signature and no text is thinking.
func (mb *messageBuilder) partText(text rawjson.Value, slot int, thought bool, signature int) {
	if !thought && (signature == 0 || len(text.Raw()) > 2) {
		mb.textPart(text, slot)
		return
	}
	mb.add(&transcript.Block{
		Kind: transcript.Thinking, Origin: transcript.ByModel, Parts: []transcript.Part{{Text: text.Str()}},
	}, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: text.Span()}}})
}

// Gemini CLI adds the files that a user mentions after the typed text, between these two
// parts.
const (
	filesBegin = "--- Content from referenced files ---"
	filesEnd   = "--- End of content ---"
)

// textPart reads a text of a person, of the client or of the model.
func (mb *messageBuilder) textPart(v rawjson.Value, slot int) {
	text := v.Str()
	switch mb.m.Role {
	case transcript.User:
		switch trimmed := strings.TrimSpace(text); {
		case trimmed == filesBegin:
			mb.meta = true
		case trimmed == filesEnd:
			mb.segments(v, text, slot, userSegments(text, true))
			mb.meta = false
			return
		}
		meta := mb.meta || strings.HasPrefix(text, "This is the Gemini CLI. We are setting up the context")
		mb.segments(v, text, slot, userSegments(text, meta))
	case transcript.Assistant:
		mb.segments(v, text, slot, []segment{{0, len(text), transcript.Text, transcript.ByModel, ""}})
	default:
		mb.text(v, slot)
	}
}

// functionCall adds a call. calls makes the id of a call that has none in the file.
func (mb *messageBuilder) functionCall(id, tool string, args rawjson.Value, slot int, calls *geminiCalls) {
	b := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Tool: tool}
	at := splice.BlockPlace{Slots: []int{slot}}
	b.Parts, at.Parts = arguments(args, slot)
	calls.call(b, id)
	mb.add(b, at)
}

// functionResponse adds the result of a call.
func (mb *messageBuilder) functionResponse(v rawjson.Value, slot int, calls *geminiCalls) {
	b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Tool: v.Get("name").Str()}
	at := splice.BlockPlace{Slots: []int{slot}}
	mb.response(v, slot, b, &at)
	if quotesUser(b.Text()) {
		b.Origin = transcript.Typed
	}
	calls.answer(b, v.Get("id").Str())
	mb.add(b, at)
}

// codeOutput adds the output of the model's code.
func (mb *messageBuilder) codeOutput(v rawjson.Value, slot int, calls *geminiCalls) {
	b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Tool: codeTool}
	at := splice.BlockPlace{Slots: []int{slot}}
	outcome := v.Get("outcome").Str()
	b.Error = outcome != "" && outcome != "OUTCOME_OK" && outcome != "OUTCOME_UNSPECIFIED"
	mb.responseLeaves(v.Get("output"), slot, b, &at, "")
	calls.answer(b, v.Get("id").Str())
	mb.add(b, at)
}

// response adds the texts and media of a functionResponse to b. The text of an error
// comes first, so that a shortened result still shows it.
func (mb *messageBuilder) response(v rawjson.Value, slot int, b *transcript.Block, at *splice.BlockPlace) {
	response := v.Get("response")
	fault := response.Get("error")
	failed := fault.Kind() == rawjson.Object || fault.Kind() == rawjson.String && len(fault.Raw()) > 2
	b.Error = failed || fault.Bool() || firstOf(response, "isError", "is_error").Bool()
	skip := ""
	if fault.Kind() == rawjson.Object || fault.Kind() == rawjson.String { // an empty string is no error and no text
		skip = "error"
		if failed {
			mb.responseLeaves(fault, slot, b, at, "")
		}
	}
	mb.responseLeaves(response, slot, b, at, skip)
	if media := v.Get("parts"); media.Kind() == rawjson.Array {
		first := mb.l.Elems(slot, media)
		i := 0
		for e := range media.Elems() {
			mb.responsePart(e, first+i, b, at)
			i++
		}
	}
}

// responsePart reads a part beside the response of a call, such as an image.
func (mb *messageBuilder) responsePart(e rawjson.Value, slot int, b *transcript.Block, at *splice.BlockPlace) {
	media := firstOf(e, "inlineData", "inline_data", "fileData", "file_data")
	switch {
	case media.Kind() == rawjson.Object:
		b.Parts = append(b.Parts, transcript.Part{Media: geminiMedium(media)})
		at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: e.Span(), Media: true})
	case e.Get("text").Kind() == rawjson.String:
		mb.responseLeaves(e.Get("text"), slot, b, at, "")
	}
}

// responseLeaves reads the strings below v, except those of the member skip. The result
// of an MCP server has typed elements: of a text element only the text is read, and an
// image is media.
func (mb *messageBuilder) responseLeaves(v rawjson.Value, slot int, b *transcript.Block, at *splice.BlockPlace, skip string) {
	switch v.Kind() {
	case rawjson.String:
		b.Parts = append(b.Parts, transcript.Part{Text: v.Str()})
		at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: v.Span()})
	case rawjson.Array:
		for e := range v.Elems() {
			mb.responseLeaves(e, slot, b, at, "")
		}
	case rawjson.Object:
		kind := v.Get("type")
		switch {
		case kind.Is("text") && v.Get("text").Kind() == rawjson.String:
			mb.responseLeaves(v.Get("text"), slot, b, at, "")
			return
		case (kind.Is("image") || kind.Is("audio")) && v.Get("data").Kind() == rawjson.String:
			b.Parts = append(b.Parts, transcript.Part{Media: geminiMedium(v)})
			at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: v.Span(), Media: true})
			return
		}
		for k, e := range v.Members() {
			if skip == "" || !k.Is(skip) {
				mb.responseLeaves(e, slot, b, at, "")
			}
		}
	}
}

// partMedia adds the media of part e. When the part also holds other content, a text
// cannot replace the media.
func (mb *messageBuilder) partMedia(e, media rawjson.Value, slot, from int) {
	lit, fixed := e.Span(), false
	if len(mb.m.Blocks) > from {
		lit, fixed = media.Span(), true
	}
	mb.add(&transcript.Block{
		Kind: transcript.Media, Origin: mb.mediaOrigin(), Fixed: fixed, Parts: []transcript.Part{{Media: geminiMedium(media)}},
	}, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: lit, Media: true}}})
}

// geminiMedium reads the type and data of inlineData and fileData.
func geminiMedium(v rawjson.Value) *transcript.Medium {
	m := &transcript.Medium{Type: firstOf(v, "mimeType", "mime_type").Str()}
	measure(m, v.Get("data"))
	return m
}

// geminiRole returns the role for a name, and whether it is known. An empty name stands
// for the user.
func geminiRole(name string) (role transcript.Role, known bool) {
	if name == "" {
		return transcript.User, true
	}
	return chatRole(name)
}
