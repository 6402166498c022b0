package format

import (
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

var openai = Dialect{
	Name:  "openai",
	Doc:   "OpenAI chat completions: a bare array, a request body {messages, tools}, or an array of either",
	Where: "API logs, benchmarks, data sets",
	sniff: sniffOpenAI,
	decode: func(f *File, p *probe) error {
		return decodeChat(f, p, func(rawjson.Value, []*transcript.Message, []rawjson.Value) {})
	},
	render: renderMessage,
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
	return root.Len() == 0 && root.Kind() == rawjson.Array ||
		root.Get("messages").Kind() == rawjson.Array && root.Get("messages").Len() == 0
}

func hasPrefixAny(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
