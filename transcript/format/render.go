package format

import (
	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// renderContent is the content of a new message: a list of texts and results.
func renderContent(style rawjson.Style, m *transcript.Message) []byte {
	out := []byte{'['}
	for i, b := range m.Blocks {
		if i > 0 {
			out = append(out, ',')
		}
		if b.Kind == transcript.ToolResult {
			out = append(out, renderResult(style, b)...)
			continue
		}
		out = append(out, `{"type":"text","text":`...)
		out = append(out, style.Quote(b.Text())...)
		out = append(out, '}')
	}
	return append(out, ']')
}

// renderResult is a new result as Anthropic has it: an element of a user message.
func renderResult(style rawjson.Style, b *transcript.Block) []byte {
	out := append([]byte(`{"type":"tool_result","tool_use_id":`), style.Quote(b.Call)...)
	out = append(out, `,"content":`...)
	out = append(out, style.Quote(b.Text())...)
	if b.Error {
		out = append(out, `,"is_error":true`...)
	}
	return append(out, '}')
}

// renderMessage is a new message as Anthropic and OpenAI have it: role and content.
func renderMessage(c *splice.Change, i int) []byte {
	return renderRole(c.Style(), c.Inserted[i].Message)
}

func renderRole(style rawjson.Style, m *transcript.Message) []byte {
	out := append([]byte(`{"role":"`), m.Role.String()...)
	out = append(out, `","content":`...)
	if len(m.Blocks) == 1 && m.Blocks[0].Kind == transcript.Text {
		out = append(out, style.Quote(m.Blocks[0].Text())...)
	} else {
		out = append(out, renderContent(style, m)...)
	}
	return append(out, '}')
}
