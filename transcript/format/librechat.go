package format

import (
	"bytes"
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var libreChat = Dialect{
	Name:   "librechat",
	Doc:    "LibreChat conversation exports, flat or recursive",
	Where:  "the JSON that a conversation's Export menu saves",
	Hidden: true, Mirrors: true,
	sniff:  sniffLibreChat,
	decode: decodeLibreChat,
	fails:  saysFailed,
	render: renderLibreChat,
	relink: relinkLibreChat,
}

func sniffLibreChat(p *probe) bool {
	for _, c := range p.firstConversations() {
		messages := c.Get("messages")
		if messages.Kind() != rawjson.Array {
			continue
		}
		for m := range messages.Elems() {
			return m.Get("messageId").Ok() && (m.Get("isCreatedByUser").Ok() || m.Get("sender").Ok())
		}
		if c.Get("conversationId").Ok() && c.Get("exportAt").Ok() {
			return true
		}
	}
	return false
}

func decodeLibreChat(f *File, p *probe) error {
	if err := p.notDocument("messages"); err != nil {
		return err
	}
	for i, c := range conversationsOf(p.doc.Root()) {
		if c.Get("messages").Kind() == rawjson.Array {
			f.add(idOf(c, i, "conversationId", "title"), readLibreChat(p.src, c))
		}
	}
	return nil
}

func readLibreChat(src []byte, c rawjson.Value) *builder {
	g := &builder{l: splice.New(src)}
	list := c.Get("messages")
	nodes := flatten(list)
	spans := make([]rawjson.Span, len(nodes))
	for i, n := range nodes {
		spans[i] = n.value.Span()
	}
	g.l.SetRecordSpans(list.Span(), spans)
	nested := false
	for _, n := range nodes {
		nested = nested || n.up != splice.None
	}
	if nested {
		nest(g.l, list, nodes)
	}
	t := splice.NewTree(g.l, len(nodes))
	hasTree := false
	for i, n := range nodes {
		parent := n.value.Get("parentMessageId")
		hasTree = hasTree || nested || parent.Kind() == rawjson.String
		t.Add(i, n.value.Get("messageId").Str(), parent, rawjson.Value{})
		if n.up != splice.None { // LibreChat reads only the nesting
			t.Nest(i, n.up)
		}
	}
	if hasTree {
		t.Grow(rawjson.Value{})
	} else { // no message names a parent
		t.GrowFlat()
	}
	for _, i := range t.Order {
		g.libreMessage(nodes[i].value, i, !t.Shown[i])
	}
	g.l.MirrorMembers(splice.None, c, false, nil, "messages")
	return g
}

// nestedNode is a message that may hold its replies.
type nestedNode struct {
	value rawjson.Value
	up    int // the message that it lies in, or None
	index int // its position among its siblings
}

// flatten returns messages and their nested replies, in the order of the source.
func flatten(list rawjson.Value) (nodes []nestedNode) {
	var walk func(list rawjson.Value, up int)
	walk = func(list rawjson.Value, up int) { // the depth of JSON is bounded
		i := 0
		for v := range list.Elems() {
			nodes = append(nodes, nestedNode{v, up, i})
			i++
			walk(v.Get("children"), len(nodes)-1)
		}
	}
	walk(list, splice.None)
	return nodes
}

// nest puts the records of nested messages into slots of the lists that hold them. When a
// message is removed, its replies stay.
func nest(l *splice.Layout, list rawjson.Value, nodes []nestedNode) {
	lists, around := map[int]int{splice.None: l.AddList(list.Items())}, make([]int, len(nodes))
	for i, n := range nodes {
		up := splice.None
		if n.up != splice.None {
			up = around[n.up]
		}
		around[i] = l.AddSlot(up, lists[n.up], n.index)
		kids := n.value.Get("children")
		items := kids.Items()
		if kids.Kind() != rawjson.Array || len(items) == 0 {
			l.Nest(i, around[i], nil)
			continue
		}
		lists[i] = l.AddList(items)
		whole := n.value.Span()
		l.Nest(i, around[i], &[2]rawjson.Span{{Start: whole.Start, End: items[0].Start}, {Start: items[len(items)-1].End, End: whole.End}})
	}
}

func (c *builder) libreMessage(v rawjson.Value, i int, hidden bool) {
	slot, msg := c.l.Slot(i), len(c.msgs)
	if v.Kind() != rawjson.Object {
		return
	}
	role := transcript.Assistant
	if by := v.Get("isCreatedByUser"); by.Bool() || !by.Ok() && strings.EqualFold(v.Get("sender").Str(), "user") {
		role = transcript.User
	}
	mb := c.message(role, slot)
	mb.m.SetModel(v.Get("model").Str())
	if up := c.l.Around(slot); up != splice.None {
		mb.at.Records = append(mb.at.Records, up)
	}
	mb.m.Hidden = hidden
	mb.m.SetTime(clock(v.Get("createdAt")))
	content := v.Get("content")
	if content.Kind() == rawjson.Array && content.Len() > 0 {
		first, k := c.l.Elems(slot, content), 0
		for e := range content.Elems() {
			mb.libreElement(e, first+k)
			k++
		}
	}
	if mb.hasText() {
		mb.copiedText(v, "text", slot, msg)
	} else {
		mb.plain(v.Get("text"), c.l.Emptied(slot, v, "text"))
	}
	c.dropEmpty()
	c.l.MirrorMembers(slot, v, false, mb.refs(msg), "text", "content", "children")
}

// libreElement reads one element of a content list. A call and its result are one element.
func (mb *messageBuilder) libreElement(e rawjson.Value, slot int) {
	switch e.Get("type").Str() {
	case "text":
		text := e.Get("text")
		if v := text.Get("value"); v.Ok() {
			text = v
		}
		mb.plain(text, slot)
	case "think":
		text := e.Get("think")
		if v := text.Get("value"); v.Ok() {
			text = v
		}
		mb.thought(text, slot)
	case "tool_call":
		call := e.Get("tool_call")
		fn := call
		if f := call.Get("function"); f.Kind() == rawjson.Object {
			fn = f
		}
		id := call.Get("id").Str()
		before := len(mb.m.Blocks)
		mb.addCall(id, fn.Get("name").Str(), firstOf(fn, "args", "arguments"), slot)
		if output := fn.Get("output"); output.Ok() && len(mb.m.Blocks) > before {
			mb.addResult(id, fn.Get("name").Str(), false, output, slot)
			mb.m.Blocks[before+1].Origin = transcript.ByTool
		}
	case "image_url", "image_file":
		mb.media(e, slot)
	default:
		if e.Kind() == rawjson.Object {
			mb.opaque(e, slot)
		}
	}
}

// nestedRecords reports whether messages are nested.
func nestedRecords(l *splice.Layout) bool {
	return l.Len() > 0 && l.Around(l.Slot(0)) != splice.None
}

// renderLibreChat returns a new message for a flat list. Among nested messages,
// relinkLibreChat inserts it around its replies.
func renderLibreChat(c *splice.Change, i int) []byte {
	if nestedRecords(c.Layout) {
		return nil
	}
	return append(libreHead(c, i), '}')
}

// libreHead returns a new message without its closing brace.
func libreHead(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	parent, _ := c.Neighbours(i)
	sender, byUser := "User", m.Role != transcript.Assistant
	if !byUser {
		sender = "Assistant"
	}
	out := fmt.Appendf(nil, `{"messageId":%q`, c.NewID(i))
	if !c.Tree.Flat {
		out = fmt.Appendf(out, `,"parentMessageId":%s`, splice.LinkValue(parent))
	}
	out = fmt.Appendf(out, `,"sender":%q,"isCreatedByUser":%t`, sender, byUser)
	if at := m.Time(); !at.IsZero() {
		out = fmt.Appendf(out, `,"createdAt":%q`, at.Format("2006-01-02T15:04:05.000Z"))
	}
	return fmt.Appendf(out, `,"text":%s`, joinedText(c.Style(), m))
}

// relinkLibreChat corrects the ids of parents. It also inserts new messages around nested
// ones, or into the last one.
func relinkLibreChat(c *splice.Change) []rawjson.Edit {
	edits := splice.RelinkTree(c)
	if !nestedRecords(c.Layout) || len(c.Inserted) == 0 {
		return edits
	}
	rows, order := map[int][]byte{}, []int{}
	count := map[int]int{}
	for i, in := range c.Inserted {
		at := c.Tree.Position(in.Record)
		if count[at]++; count[at] == 1 {
			order = append(order, at)
		}
		rows[at] = append(append(rows[at], libreHead(c, i)...), `,"children":[`...)
	}
	for _, at := range order {
		end := bytes.Repeat([]byte(`]}`), count[at])
		if at < len(c.Tree.Path) {
			span := c.RecordSpan(c.Tree.Path[at])
			edits = append(edits, rawjson.Edit{Span: rawjson.Span{Start: span.Start, End: span.Start}, New: rows[at]},
				rawjson.Edit{Span: rawjson.Span{Start: span.End, End: span.End}, New: end})
			continue
		}
		edits = append(edits, appendNested(c, append(rows[at], end...)))
	}
	return edits
}

// appendNested returns the edit that adds a message after all that remain: to the replies
// of the last message, or to the list when none remains.
func appendNested(c *splice.Change, text []byte) rawjson.Edit {
	array, last := c.Array, c.Tree.Last(c.Gone)
	if last != splice.None {
		if v := c.Scan(last); v.Ok() {
			kids := v.Get("children")
			if kids.Kind() != rawjson.Array { // no replies yet
				at := rawjson.Span{Start: v.Span().End - 1, End: v.Span().End - 1}
				return rawjson.Edit{Span: at, New: append(append([]byte(`,"children":[`), text...), ']')}
			}
			array = kids.Span()
		}
	}
	for i, span := range c.RecordSpans() { // another message stays in the array
		if array.Start < span.Start && span.End < array.End && !c.Gone(i) {
			text = append([]byte{','}, text...)
			break
		}
	}
	at := array.End - 1
	for at > array.Start+1 && bytes.IndexByte([]byte(" \t\r\n"), c.Src[at-1]) >= 0 {
		at--
	}
	return rawjson.Edit{Span: rawjson.Span{Start: at, End: at}, New: text}
}
