package format

import (
	"fmt"
	"strconv"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// piKept is a compaction in a pi session. It hides the entries before the first one that
// it keeps.
type piKept struct {
	record int          // of the compaction
	first  int          // of the first kept entry; of the compaction when there is none
	value  rawjson.Span // the id or index of that entry; empty when there is none
	byID   bool         // value is an id
	lines  []int        // the records that pi can read: the index counts these
}

// compaction notes which entries a compaction keeps.
func (s *piSession) compaction(i int, v rawjson.Value) {
	k := piKept{record: i, first: i, lines: s.lines}
	if id := v.Get("firstKeptEntryId"); id.Kind() == rawjson.String {
		k.byID, k.value = true, id.Span()
		if at, known := s.l.Chain.ByID[id.Str()]; known && at < i {
			k.first = at
		}
	} else if index := v.Get("firstKeptEntryIndex"); index.Kind() == rawjson.Number {
		// The index counts the lines that can be read, including the header.
		k.value = index.Span()
		if n, ok := index.Int(); ok && n >= 0 && int(n) < len(s.lines) {
			k.first = s.lines[n]
		}
	}
	s.kept = append(s.kept, k)
}

// hide finds the effective view: the last entry and its ancestors, without those that the
// last compaction among them summarises.
func (s *piSession) hide() {
	path := make([]bool, len(s.msgOf))
	for i := s.last; i != splice.None; i = s.before[i] {
		path[i] = true
	}
	for i, b := range s.before { // an entry without an id has no children; it is visible with its parent
		if s.l.Chain.Nodes[i].ID == "" {
			path[i] = b == splice.None || path[b]
		}
	}
	var last piKept // it summarises the entries before its first kept one, and earlier summaries
	for _, k := range s.kept {
		if path[k.record] {
			last = k
		}
	}
	for i, msg := range s.msgOf {
		if first := s.l.Chain.ByID[s.l.Chain.Nodes[i].ID]; s.repeats(i) && s.msgOf[first] != splice.None {
			s.msgs[s.msgOf[first]].Shadows = true
		}
		s.l.Chain.Nodes[i].Aside = !path[i]
		if msg != splice.None && (!path[i] || i < last.first) {
			s.msgs[msg].Hidden = true
		}
	}
	for _, k := range s.kept {
		if msg := s.msgOf[k.record]; k.record < last.record && msg != splice.None {
			s.msgs[msg].Hidden = true
		}
	}
}

// addMirrors adds the mirrors of calls and results, once all calls are known.
func (s *piSession) addMirrors() {
	for _, a := range s.pending {
		m := splice.Mirror{Slot: s.l.Slot(a.record), Value: a.value, Blocks: a.blocks, Strict: a.blocks != nil}
		if call, known := s.calls[a.call]; known && a.call != "" {
			m.Blocks = append(m.Blocks, call)
		}
		s.l.AddMirror(m)
	}
}

// relinkPi corrects the chain, and makes each compaction keep the same entries as before.
func relinkPi(c *splice.Change) []rawjson.Edit {
	edits := splice.RelinkChain(c)
	for _, k := range c.State.([]piKept) {
		if c.Gone(k.record) || k.value.Len() == 0 {
			continue
		}
		first, id := firstKept(c, k)
		var now []byte
		switch {
		case !k.byID:
			now = strconv.AppendInt(nil, int64(k.index(c, first)), 10)
			if first == k.record && first == k.first {
				continue // it kept nothing, or named no line
			}
		case id == "" || first == k.first && id == c.Chain.Nodes[first].ID:
			continue
		default:
			now = rawjson.Style{}.Quote(id)
		}
		if string(now) != string(c.Src[k.value.Start:k.value.End]) {
			edits = append(edits, rawjson.Edit{Span: k.value, New: now})
		}
	}
	return edits
}

// firstKept returns the first entry that a compaction keeps in the output, and its id.
// For a new message, record is the record after it.
func firstKept(c *splice.Change, k piKept) (record int, id string) {
	next := 0
	for i := k.first; i <= k.record; i++ {
		for next < len(c.Inserted) && c.Inserted[next].Record < i {
			next++
		}
		if next < len(c.Inserted) && c.Inserted[next].Record == i {
			return i, c.NewID(next)
		}
		if n := c.Chain.Nodes[i]; i == k.record || !c.Gone(i) && !n.Aside && (n.ID != "" || !k.byID) {
			return i, n.ID
		}
	}
	return k.record, ""
}

// index returns the number of lines before a record in the output.
func (k piKept) index(c *splice.Change, record int) (n int) {
	for _, i := range k.lines {
		if i < record && !c.Gone(i) {
			n++
		}
	}
	for _, in := range c.Inserted {
		if in.Record < record {
			n++
		}
	}
	return n
}

// renderPi returns a new message as an entry like its neighbours.
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

// piUsage reads the token counts of the provider for an answer.
func piUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	count := wholeNumbers(v)
	return &transcript.Usage{
		Input: count("input"), Output: count("output"), CacheRead: count("cacheRead"), CacheWrite: count("cacheWrite"),
	}
}
