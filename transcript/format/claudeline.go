package format

import (
	"crypto/sha256"
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// insertedID gives a new record an id that depends on nothing but its text and
// the session, so that the same run gives the same bytes.
func (c *change) insertedID(i int) string {
	h := sha256.New()
	for _, in := range c.inserted[:i+1] {
		fmt.Fprintf(h, "%d\x00%s\x00", in.record, in.msg.Role)
		for _, b := range in.msg.Blocks {
			fmt.Fprintf(h, "%s\x00", b.Text())
		}
	}
	if len(c.chain.nodes) > 0 {
		h.Write([]byte(c.chain.nodes[len(c.chain.nodes)-1].id))
	}
	return uuid(h.Sum(nil))
}

// uuid makes an id of a hash: version 8 of RFC 9562, which is for such.
func uuid(sum []byte) string {
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// renderClaudeCode writes a new message as a line like its neighbours: who, where
// and when are theirs.
func renderClaudeCode(c *change, i int) []byte {
	in := c.inserted[i]
	parent := ""
	if i > 0 && c.inserted[i-1].record == in.record {
		parent = c.insertedID(i - 1)
	} else {
		parent = c.insertionParent(in.record)
	}
	neighbour := c.before(c.records, in.record, func(v rawjson.Value) bool { return v.Get("sessionId").Ok() })
	out := append([]byte(`{"parentUuid":`), linkValue(parent)...)
	out = append(out, `,"isSidechain":false`...)
	for _, key := range []string{"userType", "cwd", "sessionId", "version", "gitBranch"} {
		if v := neighbour.Get(key); v.Ok() {
			out = fmt.Appendf(out, `,%q:%s`, key, v.Raw())
		}
	}
	out = fmt.Appendf(out, `,"type":%q,"message":`, in.msg.Role.String())
	out = append(out, renderClaudeMessage(c.docStyle(), in.msg)...)
	out = fmt.Appendf(out, `,"uuid":%q`, c.insertedID(i))
	if v := neighbour.Get("timestamp"); v.Ok() {
		out = fmt.Appendf(out, `,"timestamp":%s`, v.Raw())
	}
	return append(out, '}')
}

func renderClaudeMessage(style rawjson.Style, m *transcript.Message) []byte {
	if m.Role != transcript.Assistant {
		return renderRole(style, m)
	}
	// "<synthetic>" is what the client itself writes as the model of messages it made.
	out := append([]byte(`{"type":"message","role":"assistant","model":"<synthetic>","content":`), renderContent(style, m)...)
	return append(out, `,"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}`...)
}

// insertionParent is what a record inserted in front of record hangs on: what
// that one hung on, or at the end the last record of the chain.
func (c *change) insertionParent(record int) string {
	if record < len(c.chain.nodes) {
		return c.chain.ancestor(c.chain.nodes[record].parent, c.gone)
	}
	for i := len(c.chain.nodes) - 1; i >= 0; i-- {
		if n := c.chain.nodes[i]; n.id != "" && !n.aside && !c.gone(i) {
			return n.id
		}
	}
	return ""
}
