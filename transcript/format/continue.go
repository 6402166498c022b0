package format

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var continueDev = Dialect{
	Name:   "continue",
	Doc:    "Continue sessions",
	Where:  "~/.continue/sessions/SESSION.json",
	Hidden: true, Mirrors: true,
	folder: []string{"workspaceDirectory"},
	sniff:  sniffContinue,
	decode: decodeContinue,
	fails:  saysFailed,
	render: renderContinue,
}

func sniffContinue(p *probe) bool {
	history := p.doc.Root().Get("history")
	if p.lines != nil || history.Kind() != rawjson.Array {
		return false
	}
	for item := range history.Elems() {
		return item.Get("message").Get("role").Kind() == rawjson.String
	}
	return p.doc.Root().Get("sessionId").Ok() && p.doc.Root().Get("workspaceDirectory").Ok()
}

// continueChat is a Continue session while it is decoded.
type continueChat struct {
	builder
	answered map[string]bool // calls whose result is a separate message
	summary  int             // the last item with a summary, which covers all items up to it; or None
}

func decodeContinue(f *File, p *probe) error {
	root := p.doc.Root()
	history := root.Get("history")
	if p.lines != nil || history.Kind() != rawjson.Array {
		return &Error{Offset: -1, Reason: "no history of a Continue session found"}
	}
	g := &continueChat{
		builder:  builder{l: splice.New(p.src)},
		answered: map[string]bool{}, summary: splice.None,
	}
	i := 0
	for item := range history.Elems() {
		if m := item.Get("message"); m.Get("role").Is("tool") {
			g.answered[m.Get("toolCallId").Str()] = true
		}
		if item.Get("conversationSummary").Str() != "" {
			g.summary = i
		}
		i++
	}
	readArray(g.l, history, g.item)
	g.l.MirrorMembers(splice.None, root, false, nil, "history")
	f.add(idOf(root, 0, "sessionId", "title"), &g.builder)
	return nil
}

// item reads one element of the history: a message with its context, calls and summary.
func (g *continueChat) item(i int, item rawjson.Value) {
	slot, msg := g.l.Slot(i), len(g.msgs)
	v := item.Get("message")
	name := v.Get("role").Str()
	if v.Kind() != rawjson.Object || name == "" {
		return
	}
	role, known := chatRole(name)
	known = known || name == "thinking"
	own, summed := slot, item.Get("conversationSummary").Str() != ""
	if summed { // the record holds a second message
		own = g.l.Emptied(slot, v, "content")
	}
	mb := g.message(role, own)
	mb.m.Hidden = !known || i <= g.summary
	mb.m.SetUsage(continueUsage(v.Get("usage")))
	for log := range item.Get("promptLogs").Elems() {
		mb.m.SetModel(log.Get("completionOptions").Get("model").Str())
	}
	if r := item.Get("reasoning"); r.Kind() == rawjson.Object {
		mb.thought(r.Get("text"), g.l.Emptied(slot, r, "text"))
	}
	mb.contextItems(item.Get("contextItems"), slot)
	switch {
	case summed && lacksText(v.Get("content")) && (role == transcript.Tool || name == "thinking"): // a summary stays without them
	case role == transcript.Tool:
		mb.addResult(v.Get("toolCallId").Str(), "", false, v.Get("content"), own)
	case name == "thinking":
		mb.sealed(v, own)
	default:
		mb.continueContent(v.Get("content"), own, v)
	}
	g.toolCalls(mb, v, slot)
	g.states(mb, item, slot, msg)
	g.dropEmpty()
	g.l.MirrorMembers(slot, item, false, mb.refs(msg), "message", "contextItems", "toolCallStates", "toolCallState", "conversationSummary", "reasoning")
	if text := item.Get("conversationSummary"); summed {
		sum := g.message(transcript.User, g.l.Emptied(slot, item, "conversationSummary"))
		sum.m.Hidden = i < g.summary
		sum.plain(text, sum.at.Records[0])
		generated(sum.m)
	}
}

// lacksText reports whether a content has no text.
func lacksText(content rawjson.Value) bool {
	return content.Str() == "" && content.Kind() != rawjson.Array
}

// contextItems reads the files, code and search results that the client put in front of a
// text.
func (mb *messageBuilder) contextItems(list rawjson.Value, slot int) {
	if list.Kind() != rawjson.Array || list.Len() == 0 {
		return
	}
	first, i := mb.l.Elems(slot, list), 0
	for e := range list.Elems() {
		at := first + i
		i++
		if text := e.Get("content"); text.Str() != "" {
			name := firstOf(e, "description", "name").Str()
			mb.addText(transcript.Part{Name: name, Text: text.Str()}, transcript.Injected, splice.Place{Slot: at, Lit: text.Span()})
		}
	}
}

// continueContent reads a string, or a list of texts and images.
func (mb *messageBuilder) continueContent(content rawjson.Value, slot int, v rawjson.Value) {
	switch content.Kind() {
	case rawjson.String:
		mb.plain(content, mb.l.Emptied(slot, v, "content"))
	case rawjson.Array:
		first, i := mb.l.Elems(mb.l.Emptied(slot, v, "content"), content), 0
		for e := range content.Elems() {
			switch text := e.Get("text"); {
			case text.Kind() == rawjson.String:
				mb.plain(text, first+i)
			case e.Kind() == rawjson.Object && isMedia(e):
				mb.media(e, first+i)
			case e.Kind() == rawjson.Object:
				mb.opaque(e, first+i)
			}
			i++
		}
	}
}

// sealed reads a message that consists of reasoning alone.
func (mb *messageBuilder) sealed(v rawjson.Value, slot int) {
	text := v.Get("content")
	seal := len(v.Get("signature").Str()) + len(v.Get("redactedThinking").Str())
	if text.Kind() != rawjson.String || text.Str() == "" && seal == 0 {
		return
	}
	mb.add(&transcript.Block{
		Kind: transcript.Thinking, Origin: transcript.ByModel, Fixed: seal > 0, Opaque: seal,
		Parts: []transcript.Part{{Text: text.Str()}},
	}, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: text.Span()}}})
}

// toolCalls reads the calls of a message.
func (g *continueChat) toolCalls(mb *messageBuilder, v rawjson.Value, slot int) {
	calls := v.Get("toolCalls")
	if calls.Kind() != rawjson.Array || calls.Len() == 0 {
		return
	}
	first, i := g.l.Elems(g.l.Member(slot, v, "toolCalls"), calls), 0
	for e := range calls.Elems() {
		if e.Kind() == rawjson.Object {
			mb.call(e, first+i)
		}
		i++
	}
}

// states reads the states of the calls. Newer versions keep the results only there.
func (g *continueChat) states(mb *messageBuilder, item rawjson.Value, slot, msg int) {
	if s := item.Get("toolCallState"); s.Kind() == rawjson.Object {
		g.state(mb, s, g.l.Member(slot, item, "toolCallState"), msg)
	}
	list := item.Get("toolCallStates")
	if list.Kind() != rawjson.Array || list.Len() == 0 {
		return
	}
	first, i := g.l.Elems(g.l.Member(slot, item, "toolCallStates"), list), 0
	for s := range list.Elems() {
		if s.Kind() == rawjson.Object {
			g.state(mb, s, first+i, msg)
		}
		i++
	}
}

// state reads the state of one call, which is removed with the call.
func (g *continueChat) state(mb *messageBuilder, s rawjson.Value, slot, msg int) {
	id := s.Get("toolCallId").Str()
	call := splice.None
	for k, b := range mb.m.Blocks {
		if b.Kind == transcript.ToolCall && b.Call == id && id != "" {
			call = k
		}
	}
	refs := mb.refs(msg)
	if call == splice.None {
		g.l.Mirror(slot, s.Span(), false, refs...)
		return
	}
	refs = refs[call : call+1]
	at := mb.at.Blocks.At(call)
	at.Slots = append(at.Slots, slot)
	read := "output"
	if output := s.Get("output"); output.Kind() != rawjson.Array || g.answered[id] {
		read = ""
	} else {
		failed := s.Get("status").Is("errored") || s.Get("status").Is("canceled")
		b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id, Tool: mb.m.Blocks[call].Tool, Error: failed}
		place := splice.BlockPlace{Slots: []int{slot}}
		mb.leaves(output, slot, b, &place)
		mb.add(b, place)
		refs = append(refs, blockRef(msg, len(mb.m.Blocks)-1))
	}
	for k, v := range s.Members() {
		if !k.Is(read) {
			strict := k.Is("toolCall") || k.Is("parsedArgs") || k.Is("processedArgs")
			g.l.Mirror(slot, v.Span(), strict, refs...)
		}
	}
}

func continueUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	in, _ := v.Get("promptTokens").Int()
	out, _ := v.Get("completionTokens").Int()
	return &transcript.Usage{Input: int(in), Output: int(out)}
}

// renderContinue returns a new message as an item of the history.
func renderContinue(c *splice.Change, i int) []byte {
	return fmt.Appendf(nil, `{"message":%s,"contextItems":[]}`, renderMessage(c, i))
}
