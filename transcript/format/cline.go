package format

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/rules"
)

var cline = Dialect{
	Name:   "cline",
	Doc:    "Cline and Roo Code tasks, and Cline SDK sessions",
	Where:  "tasks/*/api_conversation_history.json in the extension's storage, *.messages.json",
	Hidden: true,
	tags:   &tagging{hide: hideByTags, lacks: lacksTags}, relink: untag, prepare: lintTags,
	sniff:  sniffCline,
	decode: func(f *File, p *probe) error { return decodeChat(f, p, hideCondensed) },
	usage:  clineUsage,
	fails:  saysFailed,
	render: renderMessage,
	target: &rules.Roo, lint: lintCline, answers: transcript.User,
}

// sniffCline looks for members that Cline and Roo Code add to messages, and for the texts
// with which they begin a task.
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

// clineUsage reads the usage of the request that a message answers, in one of two forms.
// In the second form, the input includes the tokens read from a cache.
func clineUsage(message rawjson.Value) *transcript.Usage {
	v := message.Get("metrics")
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

func lintCline(f *File) []flaw {
	return append(lintAnthropic(f), lintTags(f)...)
}

// lintTags finds tags of Roo Code that name a summary or marker that is not in the file.
func lintTags(f *File) []flaw {
	there := map[string]bool{}
	f.eachRecord(func(_, _ int, v rawjson.Value) {
		for _, name := range hidesBy(v) {
			there[name] = true
		}
	})
	var found []flaw
	f.eachRecord(func(_, _ int, v rawjson.Value) {
		for _, tag := range tagNames {
			if to := v.Get(tag); to.Kind() == rawjson.String && !there[tag+" "+to.Str()] {
				x := f.flaw(&rules.TagOrphan, to.Span().Start, fmt.Sprintf("%s %q names nothing in the file", tag, to.Str()))
				found = append(found, x.mended("an orphan tag", removeMember(v, tag)...))
			}
		}
	})
	return found
}
