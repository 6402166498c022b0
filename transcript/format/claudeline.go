package format

import (
	"crypto/sha256"
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// insertedID gives a new record an id that depends on nothing but its text and
// the session, so that the same run gives the same bytes.
func insertedID(l *layout, inserted []insertion, i int) string {
	h := sha256.New()
	for _, in := range inserted[:i+1] {
		fmt.Fprintf(h, "%d\x00%s\x00", in.record, in.msg.Role)
		for _, b := range in.msg.Blocks {
			fmt.Fprintf(h, "%s\x00", b.Text())
		}
	}
	if len(l.chain.nodes) > 0 {
		h.Write([]byte(l.chain.nodes[len(l.chain.nodes)-1].id))
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
func renderClaudeCode(l *layout, inserted []insertion, i int, gone func(int) bool) []byte {
	in := inserted[i]
	parent := ""
	if i > 0 && inserted[i-1].record == in.record {
		parent = insertedID(l, inserted, i-1)
	} else {
		parent = insertionParent(l, in.record, gone)
	}
	neighbour := l.neighbour(in.record)
	out := append([]byte(`{"parentUuid":`), linkValue(parent)...)
	out = append(out, `,"isSidechain":false`...)
	for _, key := range []string{"userType", "cwd", "sessionId", "version", "gitBranch"} {
		if v := neighbour.Get(key); v.Ok() {
			out = fmt.Appendf(out, `,%q:%s`, key, v.Raw())
		}
	}
	out = fmt.Appendf(out, `,"type":%q,"message":`, in.msg.Role.String())
	out = append(out, renderClaudeMessage(l, in.msg)...)
	out = fmt.Appendf(out, `,"uuid":%q`, insertedID(l, inserted, i))
	if v := neighbour.Get("timestamp"); v.Ok() {
		out = fmt.Appendf(out, `,"timestamp":%s`, v.Raw())
	}
	return append(out, '}')
}

func renderClaudeMessage(l *layout, m *transcript.Message) []byte {
	if m.Role != transcript.Assistant {
		return renderMessage(l, []insertion{{msg: m}}, 0, nil)
	}
	// "<synthetic>" is what the client itself writes as the model of messages it made.
	out := append([]byte(`{"type":"message","role":"assistant","model":"<synthetic>","content":`), renderContent(l, m)...)
	return append(out, `,"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}`...)
}

// insertionParent is what a record inserted in front of record hangs on: what
// that one hung on, or at the end the last record of the chain.
func insertionParent(l *layout, record int, gone func(int) bool) string {
	if record < len(l.chain.nodes) {
		return l.chain.ancestor(l.chain.nodes[record].parent, gone)
	}
	for i := len(l.chain.nodes) - 1; i >= 0; i-- {
		if n := l.chain.nodes[i]; n.id != "" && !n.aside && !gone(i) {
			return n.id
		}
	}
	return ""
}

// neighbour is the record at or nearest before the given one that has a session.
func (l *layout) neighbour(record int) rawjson.Value {
	spans := l.lists[l.records].spans
	for i := min(record, len(spans)-1); i >= 0; i-- {
		doc := new(rawjson.Doc)
		if _, err := doc.Scan(l.src, spans[i].Start, spans[i].End); err == nil && doc.Root().Get("sessionId").Ok() {
			return doc.Root()
		}
	}
	return rawjson.Value{}
}
