package format

import (
	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/rules"
)

var anthropic = Dialect{
	Name:   "anthropic",
	Doc:    "Anthropic messages: a bare array, or a request body {system, messages, tools}",
	Where:  "API logs, SDK programs",
	sniff:  sniffAnthropic,
	decode: func(f *File, p *probe) error { return decodeChat(f, p, hideCondensed) },
	fails:  saysFailed,
	render: renderMessage,
	target: &rules.Anthropic, lint: lintAnthropic, answers: transcript.User,
}

var cline = Dialect{
	Name:   "cline",
	Doc:    "Cline and Roo Code tasks, and Cline SDK sessions",
	Where:  "tasks/*/api_conversation_history.json in the extension's storage, *.messages.json",
	Hidden: true,
	tags:   &tagging{hide: hideByTags, lacks: lacksTags}, prepare: lintTags,
	sniff:  sniffCline,
	decode: func(f *File, p *probe) error { return decodeChat(f, p, hideCondensed) },
	fails:  saysFailed,
	render: renderMessage,
	target: &rules.Roo, lint: lintCline, answers: transcript.User,
}

// sniffAnthropic looks for content elements that only this API has.
func sniffAnthropic(p *probe) bool {
	if p.lines == nil && p.doc.Root().Get("system").Ok() && p.doc.Root().Get("messages").Kind() == rawjson.Array {
		return true
	}
	return anyContent(p.sample(), func(e rawjson.Value) bool {
		switch e.Get("type").Str() {
		case "tool_use", "tool_result", "thinking", "redacted_thinking":
			return true
		case "image", "document":
			return e.Get("source").Ok()
		}
		return false
	})
}

// sniffCline looks for what Cline and Roo add to messages, and for the texts
// that they open a task with.
func sniffCline(p *probe) bool {
	sample := p.sample()
	if len(sample) == 0 {
		return false
	}
	if root := p.doc.Root(); root.Get("agent").Ok() && root.Get("sessionId").Ok() {
		return true
	}
	for _, m := range sample {
		if m.Get("modelInfo").Ok() || m.Get("isSummary").Ok() || m.Get("condenseParent").Ok() ||
			m.Get("truncationParent").Ok() || m.Get("isTruncationMarker").Ok() {
			return true
		}
	}
	if sample[0].Get("ts").Kind() == rawjson.Number && !sample[0].Get("tool_calls").Ok() {
		return true
	}
	return anyContent(sample, func(e rawjson.Value) bool {
		text := e.Get("text").Str()
		return proseResult.MatchString(text) || hasPrefixAny(text, "<task>\n", "<environment_details>")
	})
}

// anyContent reports whether a content element of the sampled messages fits.
func anyContent(sample []rawjson.Value, fits func(element rawjson.Value) bool) bool {
	for _, m := range sample {
		for e := range m.Get("content").Elems() {
			if fits(e) {
				return true
			}
		}
	}
	return false
}

// clineUsage reads what Cline saves of the usage of a request, in one of two
// forms. The input of the second includes what was read from a cache.
func clineUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	count := func(v rawjson.Value, key string) int {
		n, _ := v.Get(key).Int()
		return int(n)
	}
	if tokens := v.Get("tokens"); tokens.Kind() == rawjson.Object {
		return &transcript.Usage{
			Input: count(tokens, "prompt"), CacheRead: count(tokens, "cached"), Output: count(tokens, "completion"),
		}
	}
	if !v.Get("inputTokens").Ok() {
		return nil
	}
	cached := count(v, "cacheReadTokens")
	return &transcript.Usage{
		Input: uncached(count(v, "inputTokens"), cached), CacheRead: cached,
		CacheWrite: count(v, "cacheWriteTokens"), Output: count(v, "outputTokens"),
	}
}
