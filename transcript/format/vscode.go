package format

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var vscodeCopilot = Dialect{
	Name:    "vscode-copilot",
	Doc:     "VS Code chats with GitHub Copilot",
	Where:   "Chat: Export Chat…, or workspaceStorage/*/chatSessions/SESSION.json",
	Mirrors: true,
	sniff:   sniffVSCode,
	decode:  decodeVSCode,
	fails:   saysFailed,
	render:  renderVSCode,
}

func sniffVSCode(p *probe) bool {
	root := p.doc.Root()
	requests := root.Get("requests")
	if p.lines != nil || requests.Kind() != rawjson.Array {
		return false
	}
	for r := range requests.Elems() {
		return r.Get("message").Ok() && (r.Get("response").Ok() || r.Get("result").Ok()) || r.Get("prompt").Ok() && r.Get("completion").Ok()
	}
	return root.Get("responderUsername").Ok() || root.Get("requesterUsername").Ok()
}

func decodeVSCode(f *File, p *probe) error {
	root := p.doc.Root()
	if err := p.notDocument("requests"); err != nil {
		return err
	}
	g := &copilotChat{builder{l: splice.New(p.src)}}
	readArray(g.l, root.Get("requests"), g.request)
	g.l.MirrorMembers(splice.None, root, false, nil, "requests")
	f.add(idOf(root, 0, "sessionId"), &g.builder)
	return nil
}

// copilotChat is a VS Code chat while it is decoded. A request and all its answers are
// one record.
type copilotChat struct{ builder }

func (g *copilotChat) request(i int, r rawjson.Value) {
	slot, first := g.l.Slot(i), len(g.msgs)
	if r.Get("prompt").Kind() == rawjson.String || r.Get("completion").Kind() == rawjson.String {
		g.pair(r, slot, "prompt", "completion")
		return
	}
	at := clock(r.Get("timestamp"))
	message := r.Get("message")
	own := g.l.Emptied(slot, message, "text")
	mb := g.message(transcript.User, own)
	mb.plain(message.Get("text"), own)
	g.dropEmpty()
	meta := r.Get("result").Get("metadata")
	rounds := meta.Get("toolCallRounds")
	shown := splice.None
	if rounds.Kind() == rawjson.Array && rounds.Len() > 0 {
		from := len(g.msgs)
		g.rounds(rounds, meta.Get("toolCallResults"), slot)
		shown = g.l.Member(slot, r, "response") // it is removed with the last round
		for _, place := range g.l.Messages[from:] {
			place.Records = append(place.Records, shown)
		}
	} else {
		g.response(r.Get("response"), slot)
	}
	var refs []transcript.Ref
	for k, m := range g.msgs[first:] {
		m.SetTime(at)
		if m.Role == transcript.Assistant {
			m.SetModel(r.Get("modelId").Str())
		}
		for _, b := range m.Blocks {
			refs = append(refs, blockRef(first+k, b.ID))
		}
	}
	if shown != splice.None && r.Get("response").Ok() {
		g.l.Mirror(shown, r.Get("response").Span(), false, refs...)
	}
	g.l.MirrorMembers(slot, message, false, refs, "text")
	g.l.MirrorMembers(slot, r, false, refs, "message", "result", "response")
	g.l.MirrorMembers(slot, r.Get("result"), false, refs, "metadata")
	g.l.MirrorMembers(slot, meta, false, refs, "toolCallRounds", "toolCallResults")
}

// rounds reads the texts and calls of the model, and their results. The response beside
// them repeats the part that the user saw.
func (g *copilotChat) rounds(rounds, results rawjson.Value, slot int) {
	resultSlot := map[string]int{}
	if items := results.Items(); results.Kind() == rawjson.Object && len(items) > 0 {
		first, i := g.l.AddSlots(slot, items), 0
		for k := range results.Members() {
			resultSlot[k.Str()] = first + i
			i++
		}
	}
	first, i := g.l.Elems(slot, rounds), 0
	for round := range rounds.Elems() {
		at := first + i
		i++
		mb := g.message(transcript.Assistant, at)
		if t := round.Get("thinking"); t.Kind() == rawjson.Object {
			mb.copilotThinking(t, g.l.Member(at, round, "thinking"))
		}
		mb.plain(round.Get("response"), g.l.Emptied(at, round, "response"))
		var answers []rawjson.Value
		if calls := round.Get("toolCalls"); calls.Kind() == rawjson.Array && calls.Len() > 0 {
			call, k := g.l.Elems(at, calls), 0
			for e := range calls.Elems() {
				if e.Kind() == rawjson.Object {
					mb.call(e, call+k)
					answers = append(answers, e)
				}
				k++
			}
		}
		g.dropEmpty()
		g.answers(answers, results, resultSlot)
	}
}

// answers adds a message with the results of a round. Each result is read once.
func (g *copilotChat) answers(calls []rawjson.Value, results rawjson.Value, slots map[string]int) {
	mb := g.message(transcript.Tool)
	for _, call := range calls {
		id := call.Get("id").Str()
		slot, known := slots[id]
		if !known {
			continue
		}
		delete(slots, id)
		mb.at.Records = append(mb.at.Records, slot)
		b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id, Tool: call.Get("name").Str()}
		place := splice.BlockPlace{Slots: []int{slot}}
		for e := range results.Get(id).Get("content").Elems() {
			copilotText(e.Get("value"), slot, b, &place)
		}
		mb.add(b, place)
	}
	g.dropEmpty()
}

// copilotText adds a text, or the texts in a tree of prompt elements, to b and at.
func copilotText(v rawjson.Value, slot int, b *transcript.Block, at *splice.BlockPlace) {
	walkLeaves(v, "", func(name string, leaf rawjson.Value) {
		if leaf.Kind() == rawjson.String && (name == "" || name == "text" || len(name) > 5 && name[len(name)-5:] == ".text") {
			b.Parts = append(b.Parts, transcript.Part{Text: leaf.Str()})
			at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: leaf.Span()})
		}
	})
}

// copilotThinking reads reasoning. Reasoning with ciphertext is fixed.
func (mb *messageBuilder) copilotThinking(v rawjson.Value, slot int) {
	text := firstOf(v, "text", "value")
	seal := len(v.Get("encrypted").Str())
	if text.Str() == "" && seal == 0 {
		return
	}
	mb.add(&transcript.Block{
		Kind: transcript.Thinking, Origin: transcript.ByModel, Fixed: seal > 0, Opaque: seal,
		Parts: []transcript.Part{{Text: text.Str()}},
	}, splice.BlockPlace{Slots: []int{slot}, Parts: []splice.Place{{Slot: slot, Lit: text.Span()}}})
}

// response reads an answer without rounds of calls.
func (g *copilotChat) response(list rawjson.Value, slot int) {
	if list.Kind() != rawjson.Array || list.Len() == 0 {
		return
	}
	first, i := g.l.Elems(slot, list), 0
	mb := g.message(transcript.Assistant)
	for e := range list.Elems() {
		at := first + i
		i++
		mb.at.Records = append(mb.at.Records, at)
		value := e.Get("value")
		if v := value.Get("value"); v.Ok() {
			value = v
		}
		switch kind := e.Get("kind").Str(); {
		case kind == "thinking":
			mb.copilotThinking(e, at)
		case kind == "" || kind == "markdownContent":
			if c := e.Get("content").Get("value"); c.Ok() {
				value = c
			}
			mb.plain(value, at)
		default: // progress, references, edits: shown to the user only
			g.l.Mirror(at, e.Span(), false)
		}
	}
	g.dropEmpty()
}

// renderVSCode returns a new message as a request, with or without an answer.
func renderVSCode(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	text, empty := joinedText(c.Style(), m), []byte(`""`)
	asked, answered := text, empty
	if m.Role == transcript.Assistant {
		asked, answered = empty, text
	}
	if c.Scan(0).Get("prompt").Ok() {
		return fmt.Appendf(nil, `{"prompt":%s,"completion":%s}`, asked, answered)
	}
	out := fmt.Appendf(nil, `{"message":{"text":%s,"parts":[]},"response":[`, asked)
	if m.Role == transcript.Assistant {
		out = fmt.Appendf(out, `{"value":%s}`, answered)
	}
	return append(out, `],"variableData":{"variables":[]}}`...)
}
