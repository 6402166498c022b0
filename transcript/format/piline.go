package format

import (
	"fmt"
	"strconv"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// kept is a compaction in a pi session: it hides what lies before the first
// entry that it keeps.
type kept struct {
	record int          // of the compaction
	first  int          // of the first kept entry; the compaction itself when there is none
	value  rawjson.Span // what names that entry: its id or its index; empty when nothing does
	byID   bool
	lines  []int // the records that pi can read: an index counts these
}

// relinkPi mends the chain, and lets compactions keep what they kept.
func relinkPi(l *layout, gone func(record int) bool, inserted []insertion) []rawjson.Edit {
	edits := relink(l, gone, inserted)
	for _, k := range l.chain.kept {
		if gone(k.record) || k.value.Len() == 0 {
			continue
		}
		first, id := l.firstKept(k, gone, inserted)
		var now []byte
		switch {
		case !k.byID:
			now = strconv.AppendInt(nil, int64(k.index(first, gone, inserted)), 10)
			if first == k.record && first == k.first {
				continue // it kept nothing, or named no line
			}
		case id == "" || first == k.first && id == l.chain.nodes[first].id:
			continue
		default:
			now = rawjson.Style{}.Quote(id)
		}
		if string(now) != string(l.src[k.value.Start:k.value.End]) {
			edits = append(edits, rawjson.Edit{Span: k.value, New: now})
		}
	}
	return edits
}

// firstKept finds the first entry that a compaction keeps now, at which record it
// stands (or is inserted) and what it is called.
func (l *layout) firstKept(k kept, gone func(int) bool, inserted []insertion) (record int, id string) {
	next := 0
	for i := k.first; i <= k.record; i++ {
		for next < len(inserted) && inserted[next].record < i {
			next++
		}
		if next < len(inserted) && inserted[next].record == i {
			return i, insertedID(l, inserted, next)
		}
		if n := l.chain.nodes[i]; i == k.record || !gone(i) && !n.aside && (n.id != "" || !k.byID) {
			return i, n.id
		}
	}
	return k.record, ""
}

// index counts the lines in front of a record in the output.
func (k kept) index(record int, gone func(int) bool, inserted []insertion) (n int) {
	for _, i := range k.lines {
		if i < record && !gone(i) {
			n++
		}
	}
	for _, in := range inserted {
		if in.record < record {
			n++
		}
	}
	return n
}

// renderPi writes a new message as an entry like its neighbours.
func renderPi(l *layout, inserted []insertion, i int, gone func(int) bool) []byte {
	in := inserted[i]
	near := l.nearest(in.record, func(v rawjson.Value) bool {
		role := v.Get("message").Get("role").Str()
		return role == "assistant" || in.msg.Role != transcript.Assistant && role != ""
	})
	out := []byte(`{"type":"message"`)
	if near.Get("id").Ok() || !near.Ok() {
		out = fmt.Appendf(out, `,"id":%q,"parentId":`, insertedID(l, inserted, i))
		out = append(out, linkValue(insertedParent(l, inserted, i, gone))...)
	}
	out = appendMembers(out, near, "timestamp")
	if in.msg.Role == transcript.Assistant {
		out = append(out, `,"message":{"role":"assistant","content":`...)
		out = append(out, renderContent(l, in.msg)...)
		out = appendMembers(out, near.Get("message"), "api", "provider", "model")
		out = append(out, `,"usage":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":0,`...)
		out = append(out, `"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}},"stopReason":"stop"`...)
	} else {
		out = append(out, `,"message":{"role":"user","content":`...)
		out = append(out, renderContent(l, in.msg)...)
	}
	out = appendMembers(out, near.Get("message"), "timestamp")
	return append(out, '}', '}')
}

// piUsage reads what the provider counted for an answer.
func piUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	count := func(key string) int {
		n, _ := v.Get(key).Int()
		return int(n)
	}
	return &transcript.Usage{
		Input: count("input"), Output: count("output"), CacheRead: count("cacheRead"), CacheWrite: count("cacheWrite"),
	}
}
