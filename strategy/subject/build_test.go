package subject

import (
	"strings"

	"condense/transcript"
)

func conv(msgs ...*transcript.Message) *transcript.Conversation { return transcript.New("c", msgs) }

func user(content ...any) *transcript.Message {
	return message(transcript.User, transcript.Typed, content)
}

func model(content ...any) *transcript.Message {
	return message(transcript.Assistant, transcript.ByModel, content)
}

// tool is a message with the result of one call.
func tool(id, text string) *transcript.Message {
	return message(transcript.Tool, transcript.ByTool, []any{result(id, text)})
}

// message makes a message of blocks, and of strings that become text.
func message(role transcript.Role, origin transcript.Origin, content []any) *transcript.Message {
	m := &transcript.Message{Role: role}
	for _, c := range content {
		b, ok := c.(*transcript.Block)
		if !ok {
			b = text(c.(string))
			b.Origin = origin
		}
		m.Blocks = append(m.Blocks, b)
	}
	return m
}

func text(s string) *transcript.Block {
	return &transcript.Block{Parts: []transcript.Part{{Text: s}}}
}

// call is a call of a tool with arguments "name=value"; ":=" makes it a number.
func call(id, tool string, args ...string) *transcript.Block {
	b := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Call: id, Tool: tool}
	for _, a := range args {
		name, value, _ := strings.Cut(a, "=")
		name, number := strings.CutSuffix(name, ":")
		b.Parts = append(b.Parts, transcript.Part{Name: name, Text: value, Number: number})
	}
	return b
}

// prose is a call written as XML in text.
func prose(id, tool, xml string) *transcript.Block {
	b := call(id, tool)
	b.Parts = []transcript.Part{{Text: xml}}
	return b
}

func result(id, text string) *transcript.Block { return withText(empty(id), text) }

// empty is a result without any content.
func empty(id string) *transcript.Block {
	return &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id}
}

// withText adds a text to a result.
func withText(b *transcript.Block, text string) *transcript.Block {
	b.Parts = append(b.Parts, transcript.Part{Text: text})
	return b
}
