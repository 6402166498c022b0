package format

import (
	"fmt"
	"strconv"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// hide finds the effective view: from the last compaction on, up to where the
// user took the session back to.
func (s *openCodeExport) hide() {
	start := 0
	if s.summary != splice.None {
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
func relinkOpenCode(c *splice.Change) (edits []rawjson.Edit) {
	there := map[string]bool{}
	for i, n := range c.Chain.Nodes {
		there[n.ID] = there[n.ID] || !c.Gone(i)
	}
	question := map[int]string{} // record → the user message put in in front of it
	for i, in := range c.Inserted {
		if in.Message.Role == transcript.User {
			question[in.Record] = openCodeID(c, i)
		}
	}
	last, links := "", c.Chain.Links
	for i, n := range c.Chain.Nodes {
		if id, ok := question[i]; ok {
			last = id
		}
		if !c.Gone(i) && n.Typed {
			last = n.ID
		}
		for ; len(links) > 0 && links[0].Record <= i; links = links[1:] {
			k := links[0]
			known, inFile := there[k.To]
			if k.Record == i && !c.Gone(i) && inFile && !known && last != "" && k.To != "" {
				edits = append(edits, rawjson.Edit{Span: k.Value, New: rawjson.Style{}.Quote(last)})
			}
		}
	}
	return edits
}

// openCodeID is the id of an inserted message. OpenCode sorts messages by id: six
// bytes of time and a counter, then letters. So it is one less than that of the
// message behind it, or one more than the last.
func openCodeID(c *splice.Change, i int) string {
	record, step := c.Inserted[i].Record, int64(-1)
	if record >= len(c.Chain.Nodes) {
		record, step = len(c.Chain.Nodes)-1, 1
	}
	if record >= 0 {
		if id, ok := strings.CutPrefix(c.Chain.Nodes[record].ID, "msg_"); ok && len(id) > 12 {
			if n, err := strconv.ParseInt(id[:12], 16, 64); err == nil && n > 0 {
				return fmt.Sprintf("msg_%012x%02d%s", n+step, i%100, c.ShortID(i, 12))
			}
		}
	}
	return "msg_" + c.ShortID(i, 26)
}

// renderOpenCode writes a new message with the info of its neighbour.
func renderOpenCode(c *splice.Change, i int) []byte {
	in := c.Inserted[i]
	role := "user"
	if in.Message.Role == transcript.Assistant {
		role = "assistant"
	}
	near := c.Nearest(i, func(v rawjson.Value) bool { return v.Get("info").Get("role").Is(role) }).Get("info")
	id, quote := openCodeID(c, i), c.Style().Quote
	out := append([]byte(`{"info":{"id":`), quote(id)...)
	out = fmt.Appendf(out, `,"role":%q`, role)
	out = appendMembers(out, near, "sessionID", "time", "agent", "model", "variant", "tools")
	if role == "assistant" {
		out = appendMembers(out, near, "parentID", "modelID", "providerID", "mode", "path")
		out = append(out, `,"cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"finish":"stop"`...)
	}
	out = append(out, `},"parts":[`...)
	for k, b := range in.Message.Blocks {
		if k > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, `{"id":"prt_%s%02d"`, c.ShortID(i, 24), k)
		out = appendMembers(out, near, "sessionID")
		out = append(append(out, `,"messageID":`...), quote(id)...)
		out = append(append(out, `,"type":"text","text":`...), quote(b.Text())...)
		out = append(out, '}')
	}
	return append(out, "]}"...)
}
