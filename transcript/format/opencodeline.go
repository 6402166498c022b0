package format

import (
	"fmt"
	"strconv"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// hide finds the effective view: from the last compaction on, up to where the
// user took the session back to.
func (s *openCodeExport) hide() {
	start := 0
	if s.summary != none {
		start = s.summary // old versions: from the summary on
	}
	for k := range s.msgs {
		if id := s.ids[k]; s.pivot != "" && id != "" && (id == s.pivot || id == s.tail[s.pivot]) {
			start = k // the request for it, or the first of the messages that it kept
			break
		}
	}
	reverted := false
	for k, m := range s.msgs {
		if s.reverted != "" && s.ids[k] == s.reverted {
			reverted = true
			m.Hidden = k < start || s.part == ""
			continue
		}
		m.Hidden = k < start || reverted
	}
}

// sealedBytes counts what the metadata of reasoning holds of signatures and ciphertext.
func sealedBytes(metadata rawjson.Value) (n int) {
	for k, v := range metadata.Members() {
		switch name := strings.ToLower(k.Str()); v.Kind() {
		case rawjson.Object:
			n += sealedBytes(v)
		case rawjson.String:
			if strings.Contains(name, "signature") || strings.Contains(name, "encrypted") || strings.Contains(name, "redacted") {
				n += len(v.Str())
			}
		}
	}
	return n
}

// openCodeMedium reads what a file part says of itself.
func openCodeMedium(e rawjson.Value) *transcript.Medium {
	m := &transcript.Medium{Type: e.Get("mime").Str()}
	if url := e.Get("url"); strings.HasPrefix(string(url.Raw()), `"data:`) {
		measure(m, url)
	}
	return m
}

// openCodeText is a text part in place of a file: the part keeps its names.
func openCodeText(src []byte, file rawjson.Span, quoted []byte) []byte {
	out := append([]byte(`{"type":"text","text":`), quoted...)
	var doc rawjson.Doc
	if _, err := doc.Scan(src, file.Start, file.End); err == nil {
		out = appendMembers(out, doc.Root(), "id", "sessionID", "messageID")
	}
	return append(out, '}')
}

// openCodeUsage reads what the provider counted for an answer.
func openCodeUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	count := func(v rawjson.Value) int {
		n, _ := v.Int()
		return int(n)
	}
	cache := v.Get("cache")
	return &transcript.Usage{
		Input: count(v.Get("input")), Output: count(v.Get("output")) + count(v.Get("reasoning")),
		CacheRead: count(cache.Get("read")), CacheWrite: count(cache.Get("write")),
	}
}

// relinkOpenCode lets answers whose question is gone answer the user message
// before it.
func relinkOpenCode(c *change) (edits []rawjson.Edit) {
	there := map[string]bool{}
	for i, n := range c.chain.nodes {
		there[n.id] = there[n.id] || !c.gone(i)
	}
	question := map[int]string{} // record → the user message put in in front of it
	for i, in := range c.inserted {
		if in.msg.Role == transcript.User {
			question[in.record] = openCodeID(c, i)
		}
	}
	last, links := "", c.chain.links
	for i, n := range c.chain.nodes {
		if id, ok := question[i]; ok {
			last = id
		}
		if !c.gone(i) && n.typed {
			last = n.id
		}
		for ; len(links) > 0 && links[0].record <= i; links = links[1:] {
			k := links[0]
			known, inFile := there[k.to]
			if k.record == i && !c.gone(i) && inFile && !known && last != "" && k.to != "" {
				edits = append(edits, rawjson.Edit{Span: k.value, New: rawjson.Style{}.Quote(last)})
			}
		}
	}
	return edits
}

// openCodeID is the id of an inserted message. OpenCode sorts messages by id: six
// bytes of time and a counter, then letters. So it is one less than that of the
// message behind it, or one more than the last.
func openCodeID(c *change, i int) string {
	record, step := c.inserted[i].record, int64(-1)
	if record >= len(c.chain.nodes) {
		record, step = len(c.chain.nodes)-1, 1
	}
	if record >= 0 {
		if id, ok := strings.CutPrefix(c.chain.nodes[record].id, "msg_"); ok && len(id) > 12 {
			if n, err := strconv.ParseInt(id[:12], 16, 64); err == nil && n > 0 {
				return fmt.Sprintf("msg_%012x%02d%s", n+step, i%100, c.shortID(i, 12))
			}
		}
	}
	return "msg_" + c.shortID(i, 26)
}

// renderOpenCode writes a new message with the info of its neighbour.
func renderOpenCode(c *change, i int) []byte {
	in := c.inserted[i]
	role := "user"
	if in.msg.Role == transcript.Assistant {
		role = "assistant"
	}
	near := c.nearest(i, func(v rawjson.Value) bool { return v.Get("info").Get("role").Is(role) }).Get("info")
	id, quote := openCodeID(c, i), c.docStyle().Quote
	out := append([]byte(`{"info":{"id":`), quote(id)...)
	out = fmt.Appendf(out, `,"role":%q`, role)
	out = appendMembers(out, near, "sessionID", "time", "agent", "model", "variant", "tools")
	if role == "assistant" {
		out = appendMembers(out, near, "parentID", "modelID", "providerID", "mode", "path")
		out = append(out, `,"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"finish":"stop"`...)
	}
	out = append(out, `},"parts":[`...)
	for k, b := range in.msg.Blocks {
		if k > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, `{"id":"prt_%s%02d"`, c.shortID(i, 24), k)
		out = appendMembers(out, near, "sessionID")
		out = append(append(out, `,"messageID":`...), quote(id)...)
		out = append(append(out, `,"type":"text","text":`...), quote(b.Text())...)
		out = append(out, '}')
	}
	return append(out, "]}"...)
}
