package format

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// renderPi writes a new message as an entry like its neighbours.
func renderPi(c *splice.Change, i int) []byte {
	in := c.Inserted[i]
	near := c.Nearest(i, func(v rawjson.Value) bool {
		role := v.Get("message").Get("role").Str()
		return role == "assistant" || in.Message.Role != transcript.Assistant && role != ""
	})
	out := []byte(`{"type":"message"`)
	if near.Get("id").Ok() || !near.Ok() {
		out = fmt.Appendf(out, `,"id":%q,"parentId":`, c.NewID(i))
		out = append(out, splice.LinkValue(c.NewParent(i))...)
	}
	out = appendMembers(out, near, "timestamp")
	if in.Message.Role == transcript.Assistant {
		out = append(out, `,"message":{"role":"assistant","content":`...)
		out = append(out, renderContent(c.Style(), in.Message)...)
		out = appendMembers(out, near.Get("message"), "api", "provider", "model")
		out = append(out, `,"usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,`...)
		out = append(out, `"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"stop"`...)
	} else {
		out = append(out, `,"message":{"role":"user","content":`...)
		out = append(out, renderContent(c.Style(), in.Message)...)
	}
	out = appendMembers(out, near.Get("message"), "timestamp")
	return append(out, '}', '}')
}

// piUsage reads what the provider counted for an answer.
func piUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	count := counts(v)
	return &transcript.Usage{
		Input: count("input"), Output: count("output"), CacheRead: count("cacheRead"), CacheWrite: count("cacheWrite"),
	}
}
