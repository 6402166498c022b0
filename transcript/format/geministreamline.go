package format

import (
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// relinkPieces keeps texts apart that were two messages, where the lines between
// them went or a new message came in front.
func relinkPieces(c *splice.Change) []rawjson.Edit {
	var edits []rawjson.Edit
	text := false // the line before is a text of the model
	inserted := c.Inserted
	for _, p := range c.State.([]piece) {
		for len(inserted) > 0 && inserted[0].Record <= p.record {
			text, inserted = inserted[0].Message.Role == transcript.Assistant, inserted[1:]
		}
		if c.Gone(p.record) {
			continue
		}
		if text && p.begins && p.delta.Len() > 0 {
			edits = append(edits, rawjson.Edit{Span: p.delta, New: []byte("false")})
		}
		text = p.text
	}
	return edits
}

// renderGeminiStream is a new message as a line, its blocks in one text.
func renderGeminiStream(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	role := "user"
	if m.Role == transcript.Assistant {
		role = "assistant"
	}
	var texts []string
	for _, b := range m.Blocks {
		texts = append(texts, b.Text())
	}
	out := []byte(`{"type":"message"`)
	if v := recordNear(c, i).Get("timestamp"); v.Ok() {
		out = fmt.Appendf(out, `,"timestamp":%s`, v.Raw())
	}
	return fmt.Appendf(out, `,"role":%q,"content":%s}`, role, c.Style().Quote(strings.Join(texts, "\n\n")))
}
