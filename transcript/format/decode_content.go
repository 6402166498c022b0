package format

import (
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// messageBuilder collects the blocks of one message and where they lie.
type messageBuilder struct {
	l    *splice.Layout
	m    *transcript.Message
	at   *splice.MessagePlace
	meta bool // the client wrote every text of the message
	// answering is 1 plus the index of the last block that answers a call in prose; 0 when
	// there is none yet. Later texts of the message continue that answer.
	answering int
	// ids holds the ids of the calls of a message of very many blocks, and those of results.
	ids map[string]bool
}

// manyBlocks is the number of blocks from which on a message remembers its ids.
const manyBlocks = 64

// mayRepeat reports whether a block may have the id of a call. It returns false only if none has.
func (mb *messageBuilder) mayRepeat(id string) bool {
	if len(mb.m.Blocks) < manyBlocks {
		return true
	}
	if mb.ids == nil {
		mb.ids = map[string]bool{}
		for _, b := range mb.m.Blocks {
			mb.ids[b.Call] = true
		}
	}
	return mb.ids[id]
}

// add appends a block.
func (mb *messageBuilder) add(b *transcript.Block, at splice.BlockPlace) {
	mb.addBlock(b)
	mb.at.Blocks.Add(at)
}

// addBlock is add without the place of the block.
func (mb *messageBuilder) addBlock(b *transcript.Block) {
	b.ID = len(mb.m.Blocks)
	mb.m.Blocks = append(mb.m.Blocks, b)
	if mb.ids != nil {
		mb.ids[b.Call] = true
	}
}

// content reads the content of a message of Anthropic or OpenAI, which lies in slot: a
// string, or a list of elements.
func (mb *messageBuilder) content(v rawjson.Value, slot int) {
	switch v.Kind() {
	case rawjson.String:
		mb.text(v, slot)
	case rawjson.Array:
		first := mb.l.Elems(slot, v)
		if n := v.Len(); n >= manyBlocks { // growth would hold them twice
			mb.m.Blocks = slices.Grow(mb.m.Blocks, n)
			mb.at.Blocks.Grow(n)
		}
		i := 0
		for e := range v.Elems() {
			mb.element(e, first+i)
			i++
		}
	case rawjson.Object:
		mb.element(v, slot)
	}
}

// element reads one element of a content list.
func (mb *messageBuilder) element(e rawjson.Value, slot int) {
	if e.Kind() == rawjson.String {
		mb.text(e, slot)
		return
	}
	kind := e.Get("type").Str()
	switch {
	case kind == "text" || kind == "input_text" || kind == "output_text" || kind == "tool_output" || kind == "refusal",
		kind == "" && e.Get("text").Kind() == rawjson.String:
		if text := firstOf(e, "text", "value"); text.Kind() == rawjson.String {
			mb.text(text, slot)
			return
		}
		mb.opaque(e, slot)
	case kind == "tool_call" && e.Get("value").Kind() == rawjson.String: // training sets
		mb.writtenCall(e.Get("value"), slot)
	case isCall(kind):
		mb.call(e, slot)
	case strings.HasSuffix(kind, "tool_result") || kind == "tool-result":
		mb.result(e, slot)
	case kind == "thinking" || kind == "redacted_thinking" || kind == "reasoning":
		mb.thinking(e, slot)
	case kind == "compaction" && e.Get("content").Kind() == rawjson.String:
		mb.compaction(e, slot)
	case isMedia(e):
		mb.media(e, slot)
	case kind == "file": // Cline SDK: a mentioned file
		text := e.Get("content")
		mb.add(&transcript.Block{
			Parts:  []transcript.Part{{Name: e.Get("path").Str(), Text: text.Str()}},
			Origin: transcript.Injected,
		}, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: text.Span()}}})
	default:
		mb.opaque(e, slot)
	}
}

func isCall(kind string) bool {
	switch kind {
	case "tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "toolCall", "tool-call":
		return true
	}
	return false
}

// isMedia reports whether an element holds bytes that are not text, or refers to some. A
// file of the Cline SDK is text: its content when it was mentioned.
func isMedia(e rawjson.Value) bool {
	switch e.Get("type").Str() {
	case "image", "image_url", "imageUrl", "input_image", "document", "audio", "input_audio", "video":
		return true
	case "file":
		return e.Get("content").Kind() != rawjson.String
	}
	return false
}

// text adds the blocks of a string: texts, calls and results.
func (mb *messageBuilder) text(v rawjson.Value, slot int) {
	text := v.Str()
	var whole segment
	switch mb.m.Role {
	case transcript.System:
		whole = segment{kind: transcript.Text, origin: transcript.Injected}
	case transcript.Tool:
		whole = segment{kind: transcript.ToolResult, origin: transcript.ByTool}
	case transcript.Assistant:
		mb.segments(v, text, slot, assistantSegments(text))
		return
	case transcript.User:
		if !mb.answer(text, splice.Place{Slot: slot, Lit: v.Span()}) {
			mb.segments(v, text, slot, userSegments(text, mb.meta))
		}
		return
	}
	whole.to = len(text)
	mb.segments(v, text, slot, []segment{whole})
}

// segments adds a block for each segment of a string.
func (mb *messageBuilder) segments(v rawjson.Value, text string, slot int, segments []segment) {
	for _, s := range segments {
		b := transcript.NewText(transcript.Block{Kind: s.kind, Origin: s.origin, Tool: s.tool}, text[s.from:s.to])
		if s.to-s.from == len(text) {
			mb.addBlock(b)
			mb.at.Blocks.AddText(slot, slot, v.Span())
			continue
		}
		mb.add(b, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: v.Span(), From: s.from, To: s.to}}})
	}
}

// answer adds a text of a user message if it is the answer to a call, or continues the
// answer before it. It reports whether it added the text.
func (mb *messageBuilder) answer(text string, at splice.Place) bool {
	if m := proseResult.FindStringSubmatchIndex(text); m != nil {
		mb.startAnswer(text[m[2]:m[3]], text, m[1], at)
		return true
	}
	if m := refusedCall.FindStringSubmatchIndex(text); m != nil {
		mb.startAnswer(text[m[2]:m[3]], text, m[1], at)
		return true
	}
	if mb.answering == 0 || isInjected(text) || transcript.IsMarker(text) {
		return false
	}
	last := mb.answering - 1
	b := mb.m.Blocks[last]
	p := transcript.Part{Text: text, Joined: true}
	if rest, ok := strings.CutPrefix(text, "\n"); ok && transcript.IsMarker(rest) {
		p.Head = int32(len("\n"))
	}
	b.Parts = append(b.Parts, p)
	if quotesUser(text) {
		b.Origin = transcript.Typed
	}
	own := mb.at.Blocks.At(last)
	own.Parts = append(own.Parts, at)
	return true
}

// startAnswer adds the answer to a call. The client recognises the answer by the first
// head bytes of the text.
func (mb *messageBuilder) startAnswer(tool, text string, head int, at splice.Place) {
	mb.answering = len(mb.m.Blocks) + 1
	b := &transcript.Block{
		Kind: transcript.ToolResult, Call: proseID, Tool: tool, Origin: transcript.ByTool,
		Parts: []transcript.Part{{Text: text, Head: int32(head)}},
	}
	if quotesUser(text) {
		b.Origin = transcript.Typed
	}
	// It has no slots besides those of its parts: later parts may stay without the first.
	mb.add(b, splice.BlockPlace{Parts: []splice.Place{at}})
}

// thinking reads reasoning. A block with a signature or ciphertext is fixed.
func (mb *messageBuilder) thinking(e rawjson.Value, slot int) {
	text := firstOf(e, "thinking", "text", "value")
	sealed := len(firstOf(e, "signature", "thinkingSignature").Str()) + len(e.Get("data").Str())
	mb.add(&transcript.Block{
		Kind: transcript.Thinking, Origin: transcript.ByModel, Fixed: sealed > 0, Opaque: sealed,
		Parts: []transcript.Part{{Text: text.Str()}},
	}, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: text.Span()}}})
}

// compaction reads a summary that Anthropic's API wrote. The API drops all content before
// it, and takes it back only as it is.
func (mb *messageBuilder) compaction(e rawjson.Value, slot int) {
	text := e.Get("content")
	mb.add(&transcript.Block{
		Origin: transcript.Generated, Tool: compactionBlock, Fixed: true, Opaque: len(e.Get("encrypted_content").Str()),
		Parts: []transcript.Part{{Text: text.Str()}},
	}, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: text.Span()}}})
}

// compactionBlock is the tool of a block that holds the summary of an API.
const compactionBlock = "compaction"

// isCompaction reports whether a block is a summary of the API, which hides all before it.
func isCompaction(b *transcript.Block) bool {
	return b.Tool == compactionBlock && b.Kind == transcript.Text && b.Fixed
}

// hideCompacted hides what the API drops: the blocks before the last compaction. A message
// of which only the end is sent is split in two. Instructions stay.
func (c *builder) hideCompacted() {
	for i, m := range slices.Backward(c.msgs) {
		k := slices.IndexFunc(m.Blocks, isCompaction)
		if k < 0 || m.Hidden || m.Role != transcript.Assistant {
			continue
		}
		for _, earlier := range c.msgs[:i] {
			earlier.Hidden = earlier.Hidden || earlier.Role != transcript.System
		}
		before := m.Blocks[:k]
		if k > 0 {
			c.l.Unseal()
			other, place := cutBlocks(m, c.l.Messages[i], func(b *transcript.Block) bool { return slices.Contains(before, b) })
			other.Hidden = true
			c.msgs, c.l.Messages = slices.Insert(c.msgs, i, other), slices.Insert(c.l.Messages, i, place)
		}
		return
	}
}

func (mb *messageBuilder) media(e rawjson.Value, slot int) {
	mb.add(&transcript.Block{
		Kind: transcript.Media, Origin: mb.mediaOrigin(), Parts: []transcript.Part{{Media: medium(e)}},
	}, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: e.Span(), Media: true, InputText: inputMedia(e)}}})
}

// inputMedia reports whether the text element that may replace a media element has the type
// "input_text".
func inputMedia(media rawjson.Value) bool {
	kind := media.Get("type").Str()
	return kind == "input_image" || kind == "input_file"
}

func (mb *messageBuilder) mediaOrigin() transcript.Origin {
	switch mb.m.Role {
	case transcript.Assistant:
		return transcript.ByModel
	case transcript.Tool:
		return transcript.ByTool
	}
	return transcript.Typed
}

// opaque adds an element of an unknown type as a block that is never changed.
func (mb *messageBuilder) opaque(e rawjson.Value, slot int) {
	mb.add(&transcript.Block{
		Kind: transcript.Opaque, Origin: mb.mediaOrigin(), Fixed: true, Opaque: len(e.Raw()),
	}, splice.BlockPlace{Slots: []int{slot}})
}

// medium reads the type, size and data of an image or document element.
func medium(e rawjson.Value) *transcript.Medium {
	m := &transcript.Medium{Type: e.Get("type").Str()}
	src := firstOf(e, "source", "image_url", "imageUrl", "file", "input_audio", "image", "audio", "video", "document")
	if t := firstOf(src, "media_type", "mime_type"); t.Ok() {
		m.Type = t.Str()
	}
	data := firstOf(src, "data", "url", "file_data")
	if src.Kind() == rawjson.String {
		data = src
	}
	if t := e.Get("mimeType"); t.Ok() { // pi: the bytes lie in the element itself
		m.Type, data = t.Str(), e.Get("data")
	}
	measure(m, data)
	return m
}

// firstOf returns the member of v under the first of the keys that exists; absent when
// none does.
func firstOf(v rawjson.Value, keys ...string) rawjson.Value {
	for _, k := range keys {
		if m := v.Get(k); m.Ok() {
			return m
		}
	}
	return rawjson.Value{}
}
