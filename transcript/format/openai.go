package format

import (
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

var openai = Dialect{
	Name:  "openai",
	Doc:   "OpenAI chat completions: a bare array, a request body {messages, tools}, or an array of either",
	Where: "API logs, benchmarks, data sets",
	sniff: sniffOpenAI,
	decode: func(f *File, p *probe) error {
		return decodeChat(f, p, func(*builder, []rawjson.Value) {})
	},
	fails:  saysFailed,
	render: renderChat,
	target: &rules.OpenAI, lint: lintOpenAI, answers: transcript.Tool,
}

// sniffOpenAI claims every document with messages that no dialect before it did,
// and the empty ones.
func sniffOpenAI(p *probe) bool {
	if p.lines != nil {
		return false
	}
	for _, m := range p.sample() {
		if _, known := chatRole(m.Get("role").Str()); known && (m.Get("content").Ok() || m.Get("tool_calls").Ok()) {
			return true
		}
	}
	root := p.doc.Root()
	return isEmptyArray(root) || isEmptyArray(root.Get("messages"))
}

// renderChat is a new message as OpenAI has it: a result is a message of its own.
func renderChat(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	if m.Role != transcript.Tool || len(m.Blocks) != 1 {
		return renderMessage(c, i)
	}
	style := c.Style()
	out := append([]byte(`{"role":"tool","tool_call_id":`), style.Quote(m.Blocks[0].Call)...)
	out = append(out, `,"content":`...)
	return append(append(out, style.Quote(m.Blocks[0].Text())...), '}')
}

func hasPrefixAny(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func isEmptyArray(v rawjson.Value) bool {
	for range v.Elems() {
		return false
	}
	return v.Kind() == rawjson.Array
}
