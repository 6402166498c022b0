package format

import (
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var chatGPT = Dialect{
	Name:   "chatgpt",
	Doc:    "ChatGPT data exports",
	Where:  "conversations.json of the export that Settings, Data controls sends",
	Hidden: true, Mirrors: true,
	sniff:  sniffChatGPT,
	decode: decodeChatGPT,
	fails:  saysFailed,
	render: renderChatGPT,
	relink: relinkClaudeChat, // it calls RelinkTree for a mapping
}

// sniffChatGPT looks for a mapping of nodes, or for a bare list of messages without the
// members that claude.ai always writes.
func sniffChatGPT(p *probe) bool {
	for _, c := range p.firstConversations() {
		if m := c.Get("mapping"); m.Kind() == rawjson.Object {
			for _, node := range m.Members() {
				return node.Get("children").Ok() || node.Get("message").Ok() || node.Get("parent").Ok()
			}
			return c.Get("current_node").Ok()
		}
		if c.Get("chat_messages").Kind() == rawjson.Array && bareChat(c) {
			return true
		}
	}
	return false
}

func decodeChatGPT(f *File, p *probe) error {
	if err := p.notDocument("conversations"); err != nil {
		return err
	}
	for i, c := range conversationsOf(p.doc.Root()) {
		id := idOf(c, i, "conversation_id", "id", "title")
		switch {
		case c.Get("mapping").Kind() == rawjson.Object:
			g := &gptChat{builder: builder{l: splice.New(p.src)}, answered: map[gptAnswer]bool{}}
			g.read(c)
			f.add(id, &g.builder)
		case c.Get("chat_messages").Kind() == rawjson.Array:
			f.add(id, readClaudeChat(p.src, c))
		}
	}
	return nil
}

// gptChat is one conversation of a ChatGPT export while it is decoded.
type gptChat struct {
	builder
	msgOf    []int              // by record, its message or None
	answered map[gptAnswer]bool // calls that have a result
}

// gptAnswer identifies a call by its record, and by whether the model sees it.
type gptAnswer struct {
	call   int
	hidden bool
}

func (g *gptChat) read(c rawjson.Value) {
	mapping := c.Get("mapping")
	g.l.SetRecords(mapping)
	nodes := make([]rawjson.Value, 0, g.l.Len())
	t := splice.NewTree(g.l, cap(nodes))
	for k, v := range mapping.Members() {
		t.Add(len(nodes), k.Str(), v.Get("parent"), v.Get("children"))
		nodes = append(nodes, v)
	}
	t.Grow(c.Get("current_node"))
	g.msgOf = make([]int, len(nodes))
	for i := range g.msgOf {
		g.msgOf[i] = splice.None
	}
	for _, i := range t.Order {
		if m := nodes[i].Get("message"); m.Kind() == rawjson.Object {
			g.message(i, m)
		}
		g.l.MirrorMembers(g.l.Slot(i), nodes[i], false, nil, "message", "children")
	}
	g.l.MirrorMembers(splice.None, c, false, nil, "mapping")
}

// message reads the message of record i.
func (g *gptChat) message(i int, v rawjson.Value) {
	slot := g.l.Slot(i)
	content := v.Get("content")
	role, known := chatRole(v.Get("author").Get("role").Str())
	if v.Get("metadata").Get("is_user_system_message").Bool() || gptContext(content) {
		role = transcript.System // written once by the user, for all conversations
	}
	var mb *messageBuilder
	msg := g.continued(i, role, v)
	if msg == splice.None {
		msg = len(g.msgs)
		mb = g.builder.message(role, slot)
		mb.m.Hidden = !known || !g.l.Tree.Shown[i]
		mb.m.SetTime(clock(v.Get("create_time")))
	} else {
		mb = &messageBuilder{l: g.l, m: g.msgs[msg], at: g.l.Messages[msg]}
		mb.at.Records = append(mb.at.Records, slot)
	}
	if model := v.Get("metadata").Get("model_slug").Str(); role == transcript.Assistant && model != "" {
		mb.m.SetModel(model)
	}
	to := v.Get("recipient").Str()
	switch {
	case role == transcript.Tool:
		g.answer(mb, i, v, slot)
	case role == transcript.Assistant && to != "" && to != "all":
		g.call(mb, i, to, content, slot)
	default:
		mb.gptContent(content, slot)
	}
	if g.dropEmpty(); len(mb.m.Blocks) > 0 {
		g.msgOf[i] = msg
	}
	refs := mb.refs(msg)
	g.l.MirrorMembers(slot, v, false, refs, "content", "metadata")
	g.l.MirrorMembers(slot, content, false, refs, "parts", "text", "result", "summary", "thoughts", "content", "user_profile", "user_instructions")
	g.metadata(v.Get("metadata"), slot, i, refs)
}

// metadata makes mirrors of the metadata of a message. The result of a Python run repeats
// only the code and the output.
func (g *gptChat) metadata(v rawjson.Value, slot, i int, refs []transcript.Ref) {
	g.l.MirrorMembers(slot, v, false, refs, "aggregate_result")
	r := v.Get("aggregate_result")
	if r.Kind() != rawjson.Object {
		return
	}
	if call := g.callAbove(i); call != splice.None {
		refs = append(refs, blockRef(g.msgOf[call], 0))
	}
	g.l.Mirror(slot, r.Span(), true, refs...)
}

// continued returns the message that a record continues, or None. Consecutive results of
// one tool are one message, because they are removed together.
func (g *gptChat) continued(i int, role transcript.Role, v rawjson.Value) int {
	up := g.l.Tree.Nodes[i].Up
	if role != transcript.Tool || up == splice.None || g.msgOf[up] == splice.None || g.l.Tree.Shown[up] != g.l.Tree.Shown[i] {
		return splice.None
	}
	m := g.msgs[g.msgOf[up]]
	if m.Role != transcript.Tool || m.Blocks[0].Tool != v.Get("author").Get("name").Str() {
		return splice.None
	}
	return g.msgOf[up]
}

// call adds a message from the assistant to a tool.
func (g *gptChat) call(mb *messageBuilder, i int, tool string, content rawjson.Value, slot int) {
	b := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Tool: tool, Call: madeID(g.l.Tree.Nodes[i].ID)}
	at := splice.BlockPlace{Slots: []int{slot}}
	add := func(v rawjson.Value, slot int) {
		if v.Kind() == rawjson.String && v.Str() != "" {
			parts, places := nestedArguments(v, slot)
			b.Parts, at.Parts = append(b.Parts, parts...), append(at.Parts, places...)
		}
	}
	add(content.Get("text"), slot)
	if parts := content.Get("parts"); parts.Kind() == rawjson.Array {
		for e := range parts.Elems() {
			add(e, slot)
		}
	}
	mb.add(b, at)
}

// callAbove returns the record of the call that the tool message of record i answers, or
// None. It is the nearest call at most 8 records above, with no user message or text of
// the model between them.
func (g *gptChat) callAbove(i int) int {
	for range 8 {
		i = g.l.Tree.Nodes[i].Up
		if i == splice.None {
			return splice.None
		}
		if g.msgOf[i] == splice.None {
			continue
		}
		switch m := g.msgs[g.msgOf[i]]; {
		case m.Blocks[0].Kind == transcript.ToolCall:
			return i
		case m.Role == transcript.User, m.Role == transcript.Assistant && m.Blocks[0].Kind == transcript.Text:
			return splice.None
		}
	}
	return splice.None
}

// answer adds the result of a tool.
func (g *gptChat) answer(mb *messageBuilder, i int, v rawjson.Value, slot int) {
	content := v.Get("content")
	if len(mb.m.Blocks) == 0 {
		b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Tool: v.Get("author").Get("name").Str()}
		if call := g.callAbove(i); call != splice.None && !g.answered[gptAnswer{call, mb.m.Hidden}] {
			g.answered[gptAnswer{call, mb.m.Hidden}] = true
			b.Call = madeID(g.l.Tree.Nodes[call].ID)
		}
		mb.add(b, splice.BlockPlace{Slots: []int{slot}})
	}
	b, at := mb.m.Blocks[0], mb.at.Blocks.At(0)
	ran := v.Get("metadata").Get("aggregate_result").Get("status").Str() // how the model's code ended
	b.Error = b.Error || content.Get("content_type").Is("system_error") || strings.HasPrefix(ran, "failed_")
	at.Flagged = at.Flagged || ran == "success"
	text := func(v rawjson.Value, slot int) {
		if v.Kind() == rawjson.String && v.Str() != "" {
			b.Parts = append(b.Parts, transcript.Part{Text: v.Str()})
			at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: v.Span()})
		}
	}
	for _, key := range []string{"text", "result", "summary", "content"} {
		text(content.Get(key), slot)
	}
	for e := range content.Get("parts").Elems() {
		if e.Kind() == rawjson.Object {
			b.Parts = append(b.Parts, transcript.Part{Media: gptMedium(e)})
			at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: e.Span(), Media: true, Bare: true})
		}
		text(e, slot)
	}
}

// gptContext reports whether a content is custom instructions or memory, which ChatGPT
// puts in front of every conversation.
func gptContext(content rawjson.Value) bool {
	kind := content.Get("content_type")
	return kind.Is("user_editable_context") || kind.Is("model_editable_context")
}

// gptContent reads the content of a message that is neither call nor result.
func (mb *messageBuilder) gptContent(content rawjson.Value, slot int) {
	switch content.Get("content_type").Str() {
	case "text", "multimodal_text", "":
		mb.gptParts(content.Get("parts"), slot)
	case "code":
		mb.plain(content.Get("text"), slot)
	case "user_editable_context":
		for _, key := range []string{"user_profile", "user_instructions"} {
			mb.plain(content.Get(key), mb.l.Emptied(slot, content, key))
		}
	case "model_editable_context":
		mb.plain(content.Get("model_set_context"), slot)
	case "thoughts":
		thoughts := content.Get("thoughts")
		if thoughts.Kind() != rawjson.Array {
			return
		}
		first, i := mb.l.Elems(slot, thoughts), 0
		for e := range thoughts.Elems() {
			mb.thought(e.Get("content"), first+i)
			i++
		}
	case "reasoning_recap":
		mb.thought(content.Get("content"), slot)
	default:
		if content.Kind() == rawjson.Object {
			mb.opaque(content, slot)
		}
	}
}

// gptParts reads a list of texts, and of objects that refer to images or hold transcribed
// speech.
func (mb *messageBuilder) gptParts(parts rawjson.Value, slot int) {
	if parts.Kind() != rawjson.Array {
		return
	}
	first, i := mb.l.Elems(slot, parts), 0
	for e := range parts.Elems() {
		at := first + i
		i++
		switch {
		case e.Kind() == rawjson.String:
			mb.plain(e, at)
		case e.Get("text").Kind() == rawjson.String: // audio_transcription
			mb.plain(e.Get("text"), at)
		case e.Kind() == rawjson.Object:
			mb.add(&transcript.Block{
				Kind: transcript.Media, Origin: mb.mediaOrigin(), Parts: []transcript.Part{{Media: gptMedium(e)}},
			}, splice.BlockPlace{Slots: []int{at}, Parts: []splice.Place{{Slot: at, Lit: e.Span(), Media: true, Bare: true}}})
		}
	}
}

// gptMedium reads the attributes of a reference to an image or recording.
func gptMedium(e rawjson.Value) *transcript.Medium {
	size, _ := e.Get("size_bytes").Int()
	width, _ := e.Get("width").Int()
	height, _ := e.Get("height").Int()
	return &transcript.Medium{
		Type: e.Get("content_type").Str(), Bytes: int(size), Width: int(width), Height: int(height),
	}
}

// renderChatGPT returns a new message as a node of the mapping.
func renderChatGPT(c *splice.Change, i int) []byte {
	if c.Tree == nil {
		return renderClaudeChat(c, i)
	}
	id, m := c.NewID(i), c.Inserted[i].Message
	parent, child := c.Neighbours(i)
	out := fmt.Appendf(nil, `%q:{"id":%q,"message":{"id":%q,"author":{"role":%q,"name":null,"metadata":{}},"create_time":`,
		id, id, id, m.Role.String())
	if m.Time().IsZero() {
		out = append(out, "null"...)
	} else {
		out = fmt.Appendf(out, "%d.%06d", m.Time().Unix(), m.Time().Nanosecond()/1000)
	}
	out = append(out, `,"update_time":null,"content":{"content_type":"text","parts":[`...)
	for k, b := range m.Blocks {
		if k > 0 {
			out = append(out, ',')
		}
		out = append(out, c.Style().Quote(b.Text())...)
	}
	out = append(out, `]},"status":"finished_successfully","end_turn":`...)
	if m.Role == transcript.Assistant {
		out = append(out, `true`...)
	} else {
		out = append(out, `null`...)
	}
	out = append(out, `,"weight":1.0,"metadata":{},"recipient":"all"},"parent":`...)
	out = append(append(out, splice.LinkValue(parent)...), `,"children":[`...)
	if child != "" {
		out = append(out, rawjson.Style{}.Quote(child)...)
	}
	return append(out, `]}`...)
}
