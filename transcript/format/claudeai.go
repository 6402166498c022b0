package format

import (
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var claudeAI = Dialect{
	Name:   "claude-ai",
	Doc:    "claude.ai data exports, or one conversation of one",
	Where:  "conversations.json of the export that Settings, Privacy sends",
	Hidden: true, Mirrors: true,
	sniff:  sniffClaudeAI,
	decode: decodeClaudeAI,
	render: renderClaudeChat,
	relink: relinkClaudeChat,
}

func sniffClaudeAI(p *probe) bool {
	for _, c := range p.firstConversations() {
		if c.Get("chat_messages").Kind() == rawjson.Array && !bareChat(c) {
			return true
		}
	}
	return false
}

// bareChat reports whether a conversation is from a ChatGPT export with a bare list of
// messages: claude.ai always writes a uuid.
func bareChat(c rawjson.Value) bool { return c.Get("title").Ok() && !c.Get("uuid").Ok() }

func decodeClaudeAI(f *File, p *probe) error {
	if err := p.notDocument("chat_messages"); err != nil {
		return err
	}
	for i, c := range conversationsOf(p.doc.Root()) {
		if c.Get("chat_messages").Kind() == rawjson.Array {
			f.add(idOf(c, i, "uuid", "conversation_id", "name", "title"), readClaudeChat(p.src, c))
		}
	}
	return nil
}

// claudeChat is one conversation of a claude.ai export while it is decoded.
type claudeChat struct {
	builder
	uuid  string           // of the current message
	calls int              // number of its calls without an id so far
	open  []transcript.Ref // calls without a result so far
}

func readClaudeChat(src []byte, c rawjson.Value) *builder {
	g := &claudeChat{builder: builder{l: splice.New(src)}}
	var msgs []rawjson.Value
	hasTree := false
	readArray(g.l, c.Get("chat_messages"), func(_ int, v rawjson.Value) {
		msgs = append(msgs, v)
		hasTree = hasTree || v.Get("parent_message_uuid").Ok()
	})
	if hasTree {
		t := splice.NewTree(g.l, len(msgs))
		for i, v := range msgs {
			t.Add(i, v.Get("uuid").Str(), v.Get("parent_message_uuid"), rawjson.Value{})
		}
		t.Grow(c.Get("current_leaf_message_uuid"))
		for _, i := range t.Order {
			g.message(i, msgs[i], !t.Shown[i])
		}
	} else {
		g.l.Chain = splice.NewChain() // for NewID
		for i, v := range msgs {
			g.message(i, v, false)
		}
	}
	g.l.MirrorMembers(splice.None, c, false, nil, "chat_messages")
	return &g.builder
}

func (g *claudeChat) message(i int, v rawjson.Value, hidden bool) {
	if v.Kind() != rawjson.Object {
		return
	}
	slot, msg := g.l.Slot(i), len(g.msgs)
	sender := impliedSender(i)
	if v.Get("sender").Ok() {
		sender = v.Get("sender").Str()
	}
	role, known := chatRole(sender)
	mb := g.builder.message(role, slot)
	g.uuid, g.calls = v.Get("uuid").Str(), 0
	if g.uuid == "" {
		g.uuid = fmt.Sprint(i)
	}
	mb.m.Hidden = hidden || !known
	mb.m.SetTime(clock(v.Get("created_at")))
	mb.attachments(v, slot)
	content := v.Get("content")
	if content.Kind() == rawjson.Array {
		first, k := g.l.Elems(slot, content), 0
		for e := range content.Elems() {
			g.element(mb, e, first+k, msg)
			k++
		}
	}
	if mb.hasText() {
		mb.copiedText(v, "text", slot, msg)
	} else {
		mb.plain(v.Get("text"), g.l.Emptied(slot, v, "text"))
	}
	g.dropEmpty()
	g.l.MirrorMembers(slot, v, false, mb.refs(msg), "text", "content", "attachments")
}

// attachments reads the texts of attached files. claude.ai turns a long pasted text into
// a file without a name; it counts as typed.
func (mb *messageBuilder) attachments(v rawjson.Value, slot int) {
	list := v.Get("attachments")
	if list.Kind() != rawjson.Array || list.Len() == 0 {
		return
	}
	first, i := mb.l.Elems(slot, list), 0
	for e := range list.Elems() {
		at := first + i
		i++
		text := e.Get("extracted_content")
		if text.Str() == "" {
			continue
		}
		name, origin := e.Get("file_name").Str(), transcript.Injected
		if name == "" || strings.HasPrefix(name, "paste") {
			name, origin = "attachment", transcript.Typed
		}
		mb.addText(transcript.Part{Name: name, Text: text.Str()}, origin, splice.Place{Slot: at, Lit: text.Span()})
	}
}

// element reads one element of a content list.
func (g *claudeChat) element(mb *messageBuilder, e rawjson.Value, slot, msg int) {
	before := len(mb.m.Blocks)
	switch e.Get("type").Str() {
	case "text":
		mb.plain(e.Get("text"), slot)
	case "thinking":
		if e.Get("thinking").Str() != "" || e.Get("signature").Str() != "" {
			mb.thinking(e, slot)
		}
	case "tool_use":
		id := e.Get("id").Str()
		if id == "" {
			g.calls++
			id = madeID(fmt.Sprintf("%s.%d", g.uuid, g.calls))
		}
		mb.addCall(id, e.Get("name").Str(), e.Get("input"), slot)
		if len(mb.m.Blocks) > before {
			g.open = append(g.open, transcript.Ref{Msg: msg, Block: before})
		}
	case "tool_result":
		id, tool := e.Get("tool_use_id").Str(), e.Get("name").Str()
		call := g.answers(id, tool, mb.m.Hidden)
		if id == "" && call != nil {
			id = call.Call
		}
		mb.addResult(id, tool, e.Get("is_error").Bool(), e.Get("content"), slot)
		mb.m.Blocks[before].Origin = transcript.ByTool
	case "image", "document":
		mb.media(e, slot)
	default:
		if e.Kind() == rawjson.Object {
			mb.opaque(e, slot)
		}
		return
	}
	if len(mb.m.Blocks) > before {
		refs := mb.refs(msg)[before:]
		g.l.MirrorMembers(slot, e, false, refs, "text", "thinking", "input", "content", "signature")
	}
}

// answers returns the call that a result answers, or nil, and removes it from the open
// calls. A result without an id answers the first open call of the same tool.
func (g *claudeChat) answers(id, tool string, hidden bool) *transcript.Block {
	for k, ref := range g.open {
		m := g.msgs[ref.Msg]
		if b := m.Blocks[ref.Block]; m.Hidden == hidden && (id != "" && b.Call == id || id == "" && b.Tool == tool) {
			g.open = append(g.open[:k:k], g.open[k+1:]...)
			return b
		}
	}
	return nil
}

// impliedSender returns the sender of message i in an export that does not name senders.
func impliedSender(i int) string { return [...]string{"human", "assistant"}[i%2] }

// relinkClaudeChat corrects the tree, if there is one. Without a tree, it adds the sender
// to messages that do not name theirs and whose position no longer implies it.
func relinkClaudeChat(c *splice.Change) (edits []rawjson.Edit) {
	if c.Tree != nil {
		return splice.RelinkTree(c)
	}
	now, in := 0, c.Inserted
	for i, span := range c.RecordSpans() {
		for ; len(in) > 0 && in[0].Record <= i; in = in[1:] {
			now++
		}
		if c.Gone(i) {
			continue
		}
		if impliedSender(i) != impliedSender(now) {
			if v := c.Scan(i); v.Get("text").Ok() && !v.Get("sender").Ok() {
				at := rawjson.Span{Start: span.Start + 1, End: span.Start + 1}
				edits = append(edits, rawjson.Edit{Span: at, New: fmt.Appendf(nil, `"sender":%q,`, impliedSender(i))})
			}
		}
		now++
	}
	return edits
}

// renderClaudeChat returns a new message as claude.ai exports it.
func renderClaudeChat(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	sender := "human"
	if m.Role == transcript.Assistant {
		sender = "assistant"
	}
	out := fmt.Appendf(nil, `{"uuid":%q,"text":`, c.NewID(i))
	out = append(out, joinedText(c.Style(), m)...)
	out = append(append(out, `,"content":`...), renderContent(c.Style(), m)...)
	out = fmt.Appendf(out, `,"sender":%q`, sender)
	if at := isoTime(m.Time()); at != "" {
		out = fmt.Appendf(out, `,"created_at":%q,"updated_at":%q`, at, at)
	}
	out = append(out, `,"attachments":[],"files":[]`...)
	if c.Tree != nil {
		parent, _ := c.Neighbours(i)
		out = append(append(out, `,"parent_message_uuid":`...), splice.LinkValue(parent)...)
	}
	return append(out, '}')
}
