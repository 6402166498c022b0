package format

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// renderClaudeCode writes a new message as a line like its neighbours: who, where
// and when are theirs.
func renderClaudeCode(c *splice.Change, i int) []byte {
	in := c.Inserted[i]
	neighbour := c.Before(i, func(v rawjson.Value) bool { return v.Get("sessionId").Ok() })
	out := append([]byte(`{"parentUuid":`), splice.LinkValue(c.NewParent(i))...)
	out = append(out, `,"isSidechain":false`...)
	for _, key := range []string{"userType", "cwd", "sessionId", "version", "gitBranch"} {
		if v := neighbour.Get(key); v.Ok() {
			out = fmt.Appendf(out, `,%q:%s`, key, v.Raw())
		}
	}
	out = fmt.Appendf(out, `,"type":%q,"message":`, in.Message.Role.String())
	out = append(out, renderClaudeMessage(c.Style(), in.Message)...)
	out = fmt.Appendf(out, `,"uuid":%q`, c.NewID(i))
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
