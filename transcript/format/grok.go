package format

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var grok = Dialect{
	Name:   "grok",
	Doc:    "Grok data exports",
	Where:  "prod-grok-backend.json of the export that accounts.x.ai sends",
	Hidden: true, Mirrors: true,
	sniff:  sniffGrok,
	decode: decodeGrok,
	render: renderGrok,
	relink: splice.RelinkTree,
}

func sniffGrok(p *probe) bool {
	conversations := p.doc.Root().Get("conversations")
	if p.lines != nil || conversations.Kind() != rawjson.Array {
		return false
	}
	for c := range conversations.Elems() {
		return c.Get("responses").Kind() == rawjson.Array && c.Get("conversation").Kind() == rawjson.Object
	}
	return false
}

func decodeGrok(f *File, p *probe) error {
	if err := p.notDocument("conversations"); err != nil {
		return err
	}
	i := 0
	for c := range p.doc.Root().Get("conversations").Elems() {
		if responses := c.Get("responses"); responses.Kind() == rawjson.Array {
			head := c.Get("conversation")
			f.add(idOf(head, i, "conversation_id", "id", "title"), readGrok(p.src, c, responses))
		}
		i++
	}
	return nil
}

func readGrok(src []byte, c, responses rawjson.Value) *builder {
	g := &builder{l: splice.New(src)}
	var msgs []rawjson.Value
	hasTree := false
	readArray(g.l, responses, func(_ int, v rawjson.Value) {
		msgs = append(msgs, v.Get("response"))
		hasTree = hasTree || v.Get("response").Get("parent_response_id").Kind() == rawjson.String
	})
	t := splice.NewTree(g.l, len(msgs))
	for i, v := range msgs {
		t.Add(i, firstOf(v, "response_id", "_id").Str(), v.Get("parent_response_id"), rawjson.Value{})
	}
	if hasTree {
		t.Grow(c.Get("conversation").Get("leaf_response_id"))
	} else {
		t.GrowFlat()
	}
	for _, i := range t.Order {
		g.grokMessage(msgs[i], g.l.Slot(i), !t.Shown[i])
	}
	g.l.MirrorMembers(splice.None, c, false, nil, "responses")
	return g
}

func (c *builder) grokMessage(v rawjson.Value, slot int, hidden bool) {
	if v.Kind() != rawjson.Object {
		return
	}
	role, known := chatRole(strings.ToLower(v.Get("sender").Str()))
	msg := len(c.msgs)
	mb := c.message(role, slot)
	mb.m.Hidden = hidden || !known
	mb.m.SetTime(clock(v.Get("create_time")))
	if ms, err := strconv.ParseInt(v.Get("create_time").Get("$date").Get("$numberLong").Str(), 10, 64); err == nil {
		mb.m.SetTime(time.UnixMilli(ms).UTC())
	}
	mb.m.SetModel(firstOf(v.Get("metadata").Get("requestModelDetails"), "modelId").Str())
	if v.Get("thinking_trace").Str() != "" {
		mb.thought(v.Get("thinking_trace"), c.l.Emptied(slot, v, "thinking_trace"))
	}
	mb.plain(v.Get("message"), c.l.Emptied(slot, v, "message"))
	c.dropEmpty()
	c.l.MirrorMembers(slot, v, false, mb.refs(msg), "message", "thinking_trace")
}

// renderGrok returns a new message as a response.
func renderGrok(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	parent, _ := c.Neighbours(i)
	sender := "human"
	if m.Role == transcript.Assistant {
		sender = "ASSISTANT"
	}
	out := fmt.Appendf(nil, `{"response":{"response_id":%q,"message":%s,"sender":%q`,
		c.NewID(i), joinedText(c.Style(), m), sender)
	if at := isoTime(m.Time()); at != "" {
		out = fmt.Appendf(out, `,"create_time":%q`, at)
	}
	if !c.Tree.Flat {
		out = fmt.Appendf(out, `,"parent_response_id":%s`, splice.LinkValue(parent))
	}
	return append(out, `},"share_link":null}`...)
}
