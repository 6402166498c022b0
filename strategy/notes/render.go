package notes

import (
	"strings"

	"condense/transcript"
)

// messageLine begins the line above each message.
const messageLine = "=== message"

// render returns a message as plain text for a model. It writes calls and results of tools as text and
// images as a word, and omits thinking. Each argument is a line with its leaf path, "path: value". The
// result is "" for a message without such content.
func render(m *transcript.Message) string {
	var blocks []string
	for _, b := range m.Blocks {
		if text := renderBlock(m, b); text != "" {
			blocks = append(blocks, text)
		}
	}
	return strings.Join(blocks, "\n")
}

func renderBlock(m *transcript.Message, b *transcript.Block) string {
	switch b.Kind {
	case transcript.Text:
		if m.Role == transcript.User && b.Origin == transcript.Injected && b.Text() != "" {
			return "[inserted by the program, not typed]\n" + b.Text()
		}
		return b.Text()
	case transcript.ToolCall:
		return renderCall(b)
	case transcript.ToolResult:
		return renderResult(b)
	case transcript.Media:
		return placeholder(b, "[Referenced image in conversation]")
	}
	return "" // thinking and opaque blocks
}

func renderCall(b *transcript.Block) string {
	var lines []string
	for _, p := range b.Parts {
		switch {
		case p.Media != nil:
		case p.Name == "":
			lines = append(lines, p.Text)
		default:
			lines = append(lines, p.Name+": "+p.Text)
		}
	}
	return "[Tool Use: " + b.Tool + "]\n" + strings.Join(lines, "\n")
}

func renderResult(b *transcript.Block) string {
	head := "[Tool Result]"
	if b.Error {
		head = "[Tool Result (Error)]"
	}
	lines := []string{head}
	for _, p := range b.Parts {
		if p.Media != nil {
			lines = append(lines, medium(p.Media, "[Image]"))
		} else if p.Text != "" {
			lines = append(lines, p.Text)
		}
	}
	return strings.Join(lines, "\n")
}

func placeholder(b *transcript.Block, image string) string {
	for _, p := range b.Parts {
		if p.Media != nil {
			return medium(p.Media, image)
		}
	}
	return ""
}

// medium returns the word for media: that for an image, or its type.
func medium(m *transcript.Medium, image string) string {
	if m.Type == "" || strings.HasPrefix(m.Type, "image") {
		return image
	}
	return "[" + strings.NewReplacer("[", "(", "]", ")", "\n", " ").Replace(m.Type) + "]"
}
