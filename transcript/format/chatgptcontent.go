package format

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// gptContext reports whether a content is what ChatGPT puts in front of every
// conversation: custom instructions and memory.
func gptContext(content rawjson.Value) bool {
	kind := content.Get("content_type")
	return kind.Is("user_editable_context") || kind.Is("model_editable_context")
}

// gptContent reads the content of a message that is no call and no answer.
func (mb *message) gptContent(content rawjson.Value, slot int) {
	switch content.Get("content_type").Str() {
	case "text", "multimodal_text", "":
		mb.gptParts(content.Get("parts"), slot)
	case "code":
		mb.plain(content.Get("text"), slot)
	case "user_editable_context":
		for _, key := range []string{"user_profile", "user_instructions"} {
			mb.plain(content.Get(key), mb.l.Emptied(slot, content, key))
		}
	case "model_editable_context":
		mb.plain(content.Get("model_set_context"), slot)
	case "thoughts":
		thoughts := content.Get("thoughts")
		if thoughts.Kind() != rawjson.Array {
			return
		}
		first, i := mb.l.Elems(slot, thoughts), 0
		for e := range thoughts.Elems() {
			mb.thought(e.Get("content"), first+i)
			i++
		}
	case "reasoning_recap":
		mb.thought(content.Get("content"), slot)
	default:
		if content.Kind() == rawjson.Object {
			mb.opaque(content, slot)
		}
	}
}

// gptParts reads a list of texts, and of objects that point to images or hold
// what was said aloud.
func (mb *message) gptParts(parts rawjson.Value, slot int) {
	if parts.Kind() != rawjson.Array {
		return
	}
	first, i := mb.l.Elems(slot, parts), 0
	for e := range parts.Elems() {
		at := first + i
		i++
		switch {
		case e.Kind() == rawjson.String:
			mb.plain(e, at)
		case e.Get("text").Kind() == rawjson.String: // audio_transcription
			mb.plain(e.Get("text"), at)
		case e.Kind() == rawjson.Object:
			mb.add(&transcript.Block{
				Kind: transcript.Media, Origin: mb.mediaOrigin(), Parts: []transcript.Part{{Media: gptMedium(e)}},
			}, splice.BlockPlace{Slots: []int{at}, Parts: []splice.Place{{Slot: at, Lit: e.Span(), Media: true, Bare: true}}})
		}
	}
}

// gptMedium reads what a pointer to an image or recording says of it.
func gptMedium(e rawjson.Value) *transcript.Medium {
	size, _ := e.Get("size_bytes").Int()
	width, _ := e.Get("width").Int()
	height, _ := e.Get("height").Int()
	return &transcript.Medium{
		Type: e.Get("content_type").Str(), Bytes: int(size), Width: int(width), Height: int(height),
	}
}

// renderChatGPT writes a new message as a node of the mapping.
func renderChatGPT(c *splice.Change, i int) []byte {
	if c.Tree == nil {
		return renderClaudeChat(c, i)
	}
	id, m := c.NewID(i), c.Inserted[i].Message
	parent, child := c.Neighbours(i)
	out := fmt.Appendf(nil, `%q:{"id":%q,"message":{"id":%q,"author":{"role":%q,"name":null,"metadata":{}},"create_time":`,
		id, id, id, m.Role.String())
	if m.Time.IsZero() {
		out = append(out, "null"...)
	} else {
		out = fmt.Appendf(out, "%d.%06d", m.Time.Unix(), m.Time.Nanosecond()/1000)
	}
	out = append(out, `,"update_time":null,"content":{"content_type":"text","parts":[`...)
	for k, b := range m.Blocks {
		if k > 0 {
			out = append(out, ',')
		}
		out = append(out, c.Style().Quote(b.Text())...)
	}
	out = append(out, `]},"status":"finished_successfully","end_turn":`...)
	if m.Role == transcript.Assistant {
		out = append(out, `true`...)
	} else {
		out = append(out, `null`...)
	}
	out = append(out, `,"weight":1.0,"metadata":{},"recipient":"all"},"parent":`...)
	out = append(append(out, splice.LinkValue(parent)...), `,"children":[`...)
	if child != "" {
		out = append(out, rawjson.Style{}.Quote(child)...)
	}
	return append(out, `]}`...)
}
