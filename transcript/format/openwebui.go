package format

import (
	"fmt"
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var openWebUI = Dialect{
	Name:   "openwebui",
	Doc:    "Open WebUI chat exports",
	Where:  "chat-export-*.json, from a chat's Download menu or Settings, Data Controls",
	Hidden: true, Mirrors: true,
	sniff:  sniffOpenWebUI,
	decode: decodeOpenWebUI,
	render: renderOpenWebUI,
	relink: relinkOpenWebUI,
}

func sniffOpenWebUI(p *probe) bool {
	for _, c := range p.firstConversations() {
		if webChat(c).Get("history").Get("messages").Kind() == rawjson.Object {
			return true
		}
	}
	return false
}

// webChat returns the object with the history: an element of the export, or its member
// "chat".
func webChat(v rawjson.Value) rawjson.Value {
	if chat := v.Get("chat"); chat.Kind() == rawjson.Object {
		return chat
	}
	return v
}

func decodeOpenWebUI(f *File, p *probe) error {
	if err := p.notDocument("a history of messages"); err != nil {
		return err
	}
	for i, c := range conversationsOf(p.doc.Root()) {
		if chat := webChat(c); chat.Get("history").Get("messages").Kind() == rawjson.Object {
			b := readOpenWebUI(p.src, chat)
			if id := c.Get("chat"); id.Ok() {
				b.l.MirrorMembers(splice.None, c, false, nil, "chat")
			}
			f.add(idOf(c, i, "id", "title"), b)
		}
	}
	return nil
}

// readOpenWebUI reads one chat. Its messages are a map that forms a tree. A list repeats
// those of the visible branch.
func readOpenWebUI(src []byte, chat rawjson.Value) *builder {
	g := &builder{l: splice.New(src)}
	history := chat.Get("history")
	messages := history.Get("messages")
	g.l.SetRecords(messages)
	t := splice.NewTree(g.l, g.l.Len())
	var nodes []rawjson.Value
	for k, v := range messages.Members() {
		t.Add(len(nodes), k.Str(), v.Get("parentId"), v.Get("childrenIds"))
		nodes = append(nodes, v)
	}
	t.Grow(history.Get("currentId"))
	again := make([]webRepeat, len(nodes))
	shown := webList{}
	if list := chat.Get("messages"); list.Kind() == rawjson.Array {
		shown = webList{list: g.l.AddList(list.Items()), array: list.Span()}
		i := 0
		for v := range list.Elems() {
			slot := g.l.AddSlot(splice.None, shown.list, i)
			i++
			r, known := t.ByID[v.Get("id").Str()]
			if !known || again[r].value.Ok() {
				g.l.Mirror(slot, v.Span(), false)
				r = splice.None
			} else {
				again[r] = webRepeat{v, slot}
				t.AddCopy(r, v.Get("parentId"), v.Get("childrenIds"))
			}
			shown.records = append(shown.records, r)
		}
	}
	g.l.State = shown
	for _, i := range t.Order {
		g.webMessage(nodes[i], g.l.Slot(i), again[i], !t.Shown[i])
	}
	g.l.MirrorMembers(splice.None, chat, false, nil, "history", "messages")
	return g
}

// webList is the list that repeats the visible branch.
type webList struct {
	list    int          // of the layout
	array   rawjson.Span // where it lies; empty when there is none
	records []int        // by element, the record that it repeats, or None
}

// webRepeat is the element of the list that repeats a message of the map.
type webRepeat struct {
	value rawjson.Value
	slot  int
}

func (c *builder) webMessage(v rawjson.Value, slot int, again webRepeat, hidden bool) {
	if v.Kind() != rawjson.Object {
		return
	}
	msg := len(c.msgs)
	role, known := chatRole(v.Get("role").Str())
	mb := c.message(role, slot)
	mb.m.Hidden = hidden || !known
	mb.m.SetTime(clock(v.Get("timestamp")))
	mb.m.SetUsage(webUsage(v.Get("usage")))
	mb.m.SetModel(v.Get("model").Str())
	mb.webText(v.Get("content"), slot)
	if again.value.Ok() {
		mb.at.Records = append(mb.at.Records, again.slot)
		for i := range mb.at.Blocks.Len() { // its element in the list is removed with it, even when the text there differs
			at := mb.at.Blocks.At(i)
			at.Slots = append(at.Slots, again.slot)
		}
		mb.webCopy(v.Get("content"), again.value.Get("content"), again.slot, msg)
	}
	c.dropEmpty()
	refs := mb.refs(msg)
	c.l.MirrorMembers(slot, v, false, refs, "content", "childrenIds")
	c.l.MirrorMembers(again.slot, again.value, false, refs, "content", "childrenIds")
}

// webText reads a content. The reasoning of a model is an element of the text.
func (mb *messageBuilder) webText(v rawjson.Value, slot int) {
	text := v.Str()
	if mb.m.Role != transcript.Assistant || !strings.Contains(text, reasoningOpen) {
		mb.plain(v, slot)
		return
	}
	at := 0
	add := func(kind transcript.Kind, from, to int) {
		if strings.TrimSpace(text[from:to]) == "" {
			return
		}
		p := splice.Place{Slot: slot, Lit: v.Span(), From: from, To: to}
		if to-from == len(text) {
			p.From, p.To = 0, 0
		}
		b := &transcript.Block{Kind: kind, Origin: transcript.ByModel, Parts: []transcript.Part{{Text: text[from:to]}}}
		mb.add(b, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{p}})
	}
	for {
		from := strings.Index(text[at:], reasoningOpen)
		if from < 0 {
			break
		}
		from += at
		end := strings.Index(text[from:], reasoningEnd)
		if end < 0 {
			break
		}
		end += from + len(reasoningEnd)
		add(transcript.Text, at, from)
		add(transcript.Thinking, from, end)
		at = end
	}
	add(transcript.Text, at, len(text))
}

const (
	reasoningOpen = `<details type="reasoning"`
	reasoningEnd  = "</details>"
)

// webCopy adds copies of the blocks of a message: their places in the list. A different
// text in the list becomes a mirror.
func (mb *messageBuilder) webCopy(content, again rawjson.Value, slot, msg int) {
	if again.Kind() != rawjson.String || again.Str() != content.Str() {
		mb.l.Mirror(slot, again.Span(), true, mb.refs(msg)...)
		return
	}
	for i := range mb.at.Blocks.Len() {
		at := mb.at.Blocks.At(i)
		p := at.Parts[0]
		p.Slot, p.Lit = slot, again.Span()
		at.Copies = []splice.BlockPlace{{Parts: []splice.Place{p}}}
	}
}

func webUsage(v rawjson.Value) *transcript.Usage {
	in, _ := firstOf(v, "prompt_tokens", "prompt_eval_count").Int()
	out, _ := firstOf(v, "completion_tokens", "eval_count").Int()
	if in == 0 && out == 0 {
		return nil
	}
	return &transcript.Usage{Input: int(in), Output: int(out)}
}

// renderOpenWebUI returns a new message as a member of the map.
func renderOpenWebUI(c *splice.Change, i int) []byte {
	out := fmt.Appendf(nil, "%q:", c.NewID(i))
	return append(out, renderWebMessage(c, i)...)
}

func renderWebMessage(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	parent, child := c.Neighbours(i)
	out := fmt.Appendf(nil, `{"id":%q,"parentId":%s,"childrenIds":[`, c.NewID(i), splice.LinkValue(parent))
	if child != "" {
		out = append(out, splice.LinkValue(child)...)
	}
	out = fmt.Appendf(out, `],"role":%q,"content":%s`, m.Role.String(), joinedText(c.Style(), m))
	if !m.Time().IsZero() {
		out = fmt.Appendf(out, `,"timestamp":%d`, m.Time().Unix())
	}
	if m.Role == transcript.Assistant {
		out = append(out, `,"done":true`...)
	}
	return append(out, '}')
}

// relinkOpenWebUI corrects the tree, and also inserts new messages into the list.
func relinkOpenWebUI(c *splice.Change) []rawjson.Edit {
	edits := splice.RelinkTree(c)
	shown := c.State.(webList)
	if shown.array.Len() == 0 {
		return edits
	}
	dead := func(i int) bool { return shown.records[i] != splice.None && c.Gone(shown.records[i]) }
	for i, in := range c.Inserted {
		text := renderWebMessage(c, i)
		index := slices.Index(shown.records, in.Record)
		if index < 0 {
			index = len(shown.records)
		}
		edits = append(edits, c.InsertInto(shown.list, shown.array, index, dead, text, i+1 < len(c.Inserted)))
	}
	return edits
}
