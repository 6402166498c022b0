package format

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// renderClaudeCode writes a new message as a line like its neighbours: who, where
// and when are theirs.
func renderClaudeCode(c *change, i int) []byte {
	in := c.inserted[i]
	neighbour := c.before(i, func(v rawjson.Value) bool { return v.Get("sessionId").Ok() })
	out := append([]byte(`{"parentUuid":`), linkValue(c.insertedParent(i))...)
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
