package format

import (
	"crypto/sha256"
	"fmt"
	"strconv"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var inspect = Dialect{
	Name:    "inspect",
	Doc:     "Inspect evaluation logs, one conversation for each sample",
	Where:   "logs/*.eval, the default, and logs/*.json",
	Mirrors: true,
	sniff:   sniffInspect,
	decode:  decodeInspect,
	render:  renderInspect,
}

// sniffInspect looks for the members at the beginning of a log. A run that has just begun
// has no samples.
func sniffInspect(p *probe) bool {
	if p.lines != nil {
		return false
	}
	root := p.doc.Root()
	eval := root.Get("eval")
	return eval.Kind() == rawjson.Object && eval.Get("task").Ok() && root.Get("status").Kind() == rawjson.String &&
		(root.Get("samples").Kind() == rawjson.Array || root.Get("plan").Kind() == rawjson.Object)
}

func decodeInspect(f *File, p *probe) error {
	if p.lines != nil || p.doc.Root().Get("eval").Kind() != rawjson.Object {
		return &Error{Offset: -1, Reason: "no evaluation log found, " + p.looks()}
	}
	i, root := 0, p.doc.Root()
	scored := reductions(root)
	for row := range root.Get("samples").Elems() {
		array := row.Get("messages")
		if array.Kind() != rawjson.Array {
			continue
		}
		b := rowBuilder(p.src, row, array)
		b.model = root.Get("eval").Get("model").Str()
		n := 0
		for e := range array.Elems() {
			if e.Kind() == rawjson.Object && e.Get("role").Kind() == rawjson.String {
				b.inspectMessage(e, b.l.Slot(n))
			}
			n++
		}
		b.l.MirrorMembers(splice.None, row, false, nil, "messages")
		if i == 0 { // the plan repeats the prompts of all samples
			b.l.Mirror(splice.None, root.Get("plan").Span(), false)
		}
		if epoch, ok := row.Get("epoch").Int(); !ok || epoch == 1 {
			for _, span := range scored[string(row.Get("id").Raw())] {
				b.l.Mirror(splice.None, span, false)
			}
		}
		id := conversationID(row, i)
		if epoch, ok := row.Get("epoch").Int(); ok {
			id = fmt.Sprintf("%s.%d", id, epoch)
		}
		f.add(id, b)
		i++
	}
	return nil
}

// reductions returns, by the literal id of a sample, the values in which scorers quote
// its last answer.
func reductions(root rawjson.Value) map[string][]rawjson.Span {
	found := map[string][]rawjson.Span{}
	for r := range root.Get("reductions").Elems() {
		for e := range r.Get("samples").Elems() {
			if id := e.Get("sample_id"); id.Ok() {
				found[string(id.Raw())] = append(found[string(id.Raw())], e.Span())
			}
		}
	}
	return found
}

// inspectMessage reads one message of a sample.
func (c *builder) inspectMessage(v rawjson.Value, slot int) {
	role, known := chatRole(v.Get("role").Str())
	mb := c.message(role, slot)
	mb.m.Hidden = !known
	mb.m.SetModel(v.Get("model").Str())
	if role == transcript.Tool {
		mb.inspectResult(v, slot)
		return
	}
	content, body := v.Get("content"), body(c.l, slot, v, "content")
	if content.Kind() == rawjson.Array {
		first, i := c.l.Elems(body, content), 0
		for e := range content.Elems() {
			mb.inspectElement(e, first+i)
			i++
		}
	} else if content.Str() != "" {
		mb.content(content, body)
	}
	if calls := v.Get("tool_calls"); calls.Kind() == rawjson.Array {
		first, i := c.l.Elems(c.l.Member(slot, v, "tool_calls"), calls), 0
		for e := range calls.Elems() {
			if e.Kind() == rawjson.Object {
				mb.addCall(e.Get("id").Str(), e.Get("function").Str(), e.Get("arguments"), first+i)
				c.inspectMirror(e.Get("view"), first+i, mb.m)
			}
			i++
		}
	}
	c.inspectMirror(v.Get("metadata"), slot, mb.m)
}

// inspectMirror makes a mirror of a value that repeats a message for the log viewer.
func (c *builder) inspectMirror(v rawjson.Value, slot int, m *transcript.Message) {
	c.l.Mirror(slot, v.Span(), false, blocksOf(len(c.msgs)-1, m)...)
}

// inspectResult reads the result of a call. When an error stands beside it, the model
// sees the error.
func (mb *messageBuilder) inspectResult(v rawjson.Value, slot int) {
	failure := v.Get("error")
	mb.addResult(v.Get("tool_call_id").Str(), v.Get("function").Str(), failure.Kind() == rawjson.Object, v.Get("content"), slot)
	text := failure.Get("message")
	b, at := mb.m.Blocks[0], mb.at.Blocks.At(0)
	if text.Kind() != rawjson.String || text.Str() == "" {
		return
	}
	if b.Text() == text.Str() && len(at.Parts) == 1 {
		at.Copies = append(at.Copies, splice.BlockPlace{Slots: at.Slots, Parts: []splice.Place{{Slot: slot, Lit: text.Span()}}})
		return
	}
	b.Parts = append(b.Parts, transcript.Part{Text: text.Str()})
	at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: text.Span()})
}

// inspectElement reads one element of a content list.
func (mb *messageBuilder) inspectElement(e rawjson.Value, slot int) {
	switch kind := e.Get("type").Str(); {
	case kind == "reasoning":
		mb.inspectReasoning(e, slot)
	case kind == "tool_use" && e.Get("result").Ok(): // the provider ran it; the element holds call and result
		id, name := e.Get("id").Str(), e.Get("name").Str()
		if id == "" {
			id = madeID(strconv.Itoa(slot)) // they are removed together
		}
		mb.addCall(id, name, e.Get("arguments"), slot)
		mb.addResult(id, name, e.Get("error").Kind() == rawjson.String, e.Get("result"), slot)
	default:
		mb.element(e, slot)
	}
}

// inspectReasoning reads thinking. Redacted reasoning is ciphertext, whose summary is the
// text.
func (mb *messageBuilder) inspectReasoning(e rawjson.Value, slot int) {
	text := e.Get("reasoning")
	b := &transcript.Block{Kind: transcript.Thinking, Origin: transcript.ByModel, Opaque: len(e.Get("signature").Str())}
	at := splice.BlockPlace{Slots: []int{slot}}
	if e.Get("redacted").Bool() {
		b.Opaque += len(text.Str())
		text = e.Get("summary")
	}
	b.Fixed = b.Opaque > 0
	if text.Kind() == rawjson.String {
		b.Parts = append(b.Parts, transcript.Part{Text: text.Str()})
		at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: text.Span()})
	}
	mb.add(b, at)
}

// renderInspect returns a new message, with an id if the others have one.
func renderInspect(c *splice.Change, i int) []byte {
	out := renderMessage(c, i)
	if like := c.Like(func(r rawjson.Value) bool { return r.Get("role").Ok() }); like.Get("id").Kind() != rawjson.String {
		return out
	}
	h := sha256.New()
	for _, in := range c.Inserted[:i+1] {
		fmt.Fprintf(h, "%d\x00%s\x00", in.Record, messageText(in.Message))
	}
	return append(fmt.Appendf(nil, `{"id":"%x",`, h.Sum(nil)[:11]), out[1:]...)
}
