package format

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

// call reads a tool call. Its arguments are an object, or JSON in a string.
func (mb *messageBuilder) call(e rawjson.Value, slot int) {
	fn := e
	if f := e.Get("function"); f.Kind() == rawjson.Object {
		fn = f
	}
	id, tool := firstOf(e, "id", "tool_call_id", "toolCallId"), firstOf(fn, "name", "toolName")
	mb.addCall(id.Str(), tool.Str(), firstOf(fn, "input", "arguments", "args"), slot)
}

// addCall adds a tool call that lies in slot. A call that repeats one of the message,
// with the same id, tool and arguments, becomes a copy of it. A call with only the same
// id is another call, which the rules report.
func (mb *messageBuilder) addCall(id, tool string, args rawjson.Value, slot int) {
	b := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Call: id, Tool: tool}
	at := splice.BlockPlace{Slots: []int{slot}}
	b.Parts, at.Parts = arguments(args, slot)
	blocks := mb.m.Blocks
	if id == "" || !mb.mayRepeat(id) {
		blocks = nil
	}
	for i, known := range blocks {
		if known.Kind != transcript.ToolCall || known.Call != id || known.Tool != tool {
			continue
		}
		if len(known.Parts) == 0 && !mb.l.Siblings(mb.at.Blocks.Get(i).Slots[0], slot) {
			known.Parts = b.Parts // LangChain: in the content, a streamed call has no arguments
		}
		if slices.Equal(known.Parts, b.Parts) {
			mb.at.Blocks.Copy(i, at)
			return
		}
	}
	mb.add(b, at)
}

// result reads the result of a call.
func (mb *messageBuilder) result(e rawjson.Value, slot int) {
	id, tool := firstOf(e, "tool_use_id", "toolCallId", "tool_call_id"), firstOf(e, "name", "toolName")
	flag := e.Get("is_error")
	mb.addResult(id.Str(), tool.Str(), flag.Bool(), firstOf(e, "content", "output"), slot)
	mb.flagged(flag.Ok())
}

// addResult adds the result of a call, which lies in slot: a text, a list of texts and
// media, or an object that holds them.
func (mb *messageBuilder) addResult(id, tool string, failed bool, content rawjson.Value, slot int) {
	b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id, Tool: tool, Error: failed}
	at := splice.BlockPlace{Slots: []int{slot}}
	mb.leaves(content, slot, b, &at)
	if quotesUser(b.Text()) {
		b.Origin = transcript.Typed
	}
	mb.add(b, at)
}

// flagged sets whether the file states that the tool of the last block failed, or that it
// did not.
func (mb *messageBuilder) flagged(yes bool) {
	if yes {
		mb.at.Blocks.At(mb.at.Blocks.Len() - 1).Flagged = true
	}
}

// leaves adds the texts and media of a result's content to b and at.
func (mb *messageBuilder) leaves(v rawjson.Value, slot int, b *transcript.Block, at *splice.BlockPlace) {
	text := func(v rawjson.Value, slot int) {
		b.Parts = append(b.Parts, transcript.Part{Text: v.Str()})
		at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: v.Span()})
	}
	switch v.Kind() {
	case rawjson.String:
		text(v, slot)
	case rawjson.Array:
		first := mb.l.Elems(slot, v)
		i := 0
		for e := range v.Elems() {
			mb.leaves(e, first+i, b, at)
			i++
		}
	case rawjson.Object:
		kind := v.Get("type").Str()
		if isMedia(v) {
			b.Parts = append(b.Parts, transcript.Part{Media: medium(v)})
			at.Parts = append(at.Parts, splice.Place{Slot: slot, Lit: v.Span(), Media: true, InputText: inputMedia(v)})
			return
		}
		if inner := firstOf(v, "text", "content", "output", "output_text", "logs"); inner.Ok() {
			mb.leaves(inner, slot, b, at)
			return
		}
		if value := v.Get("value"); kind == "text" && value.Ok() {
			mb.leaves(value, slot, b, at)
			return
		}
		if kind == "" {
			for k, m := range v.Members() {
				for s := range m.Strings() {
					if !k.Is("type") { // a text in it would be taken for a kind
						text(s, slot)
					}
				}
			}
		}
	}
}

// arguments reads the strings and numbers below a call's arguments. Keys are not text.
func arguments(v rawjson.Value, slot int) ([]transcript.Part, []splice.Place) {
	var parts []transcript.Part
	var places []splice.Place
	if v.Kind() == rawjson.String {
		return nestedArguments(v, slot)
	}
	walkLeaves(v, "", func(name string, leaf rawjson.Value) {
		parts = append(parts, leafPart(name, leaf))
		places = append(places, splice.Place{Slot: slot, Lit: leaf.Span()})
	})
	return trimmed(parts), trimmed(places)
}

// trimmed returns a list without the room behind it, if that is more than an eighth of many elements.
func trimmed[E any](list []E) []E {
	const many = 16
	if n := len(list); n < many || cap(list)-n <= n/8 {
		return list
	}
	return append(make([]E, 0, len(list)), list...)
}

// nestedArguments reads arguments that are JSON in a string. Each leaf is a segment of
// that string. A string that is not JSON is one text.
func nestedArguments(v rawjson.Value, slot int) ([]transcript.Part, []splice.Place) {
	if holdsJSON(v) {
		if inner := rawjson.ReadText(rawjson.Decode(v.Raw())); inner.Ok() {
			return nestedLeaves(inner, v, slot)
		}
	}
	return []transcript.Part{{Text: v.Str()}}, []splice.Place{{Slot: slot, Lit: v.Span()}}
}

// holdsJSON reports, by its first character, whether a string may hold JSON whose leaves
// are parts. The decoded text of such a string is not kept in memory.
func holdsJSON(v rawjson.Value) bool {
	return strings.IndexByte("{[ \\", v.Raw()[1]) >= 0
}

// nestedLeaves reads the strings and numbers below inner, which is JSON in the text of
// outer.
func nestedLeaves(inner, outer rawjson.Value, slot int) (parts []transcript.Part, places []splice.Place) {
	walkLeaves(inner, "", func(name string, leaf rawjson.Value) {
		span := leaf.Span()
		parts = append(parts, leafPart(name, leaf))
		places = append(places, splice.Place{Slot: slot, Lit: outer.Span(), From: span.Start, To: span.End, Nested: true})
	})
	return trimmed(parts), trimmed(places)
}

// writtenCall reads a call that is JSON in a string, with its name.
func (mb *messageBuilder) writtenCall(v rawjson.Value, slot int) {
	inner := rawjson.ReadText(v.Str())
	args := firstOf(inner, "arguments", "parameters", "args")
	if !args.Ok() {
		mb.addCall("", inner.Get("name").Str(), v, slot)
		return
	}
	b := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Tool: inner.Get("name").Str()}
	at := splice.BlockPlace{Slots: []int{slot}}
	b.Parts, at.Parts = nestedLeaves(args, v, slot)
	mb.add(b, at)
}

// leafPart returns the part for a string, a number or a dense value with this path.
func leafPart(name string, leaf rawjson.Value) transcript.Part {
	if leaf.Kind() != rawjson.String {
		return transcript.Part{Name: name, Text: string(leaf.Raw()), Number: true}
	}
	return transcript.Part{Name: name, Text: leaf.Str()}
}

// Limits of a value with many parts that is one leaf.
const (
	manyNumbers = 32 // least number of numbers in a list of nothing else
	manyValues  = 64 // least number of values of any kind
	smallValue  = 16 // most bytes of JSON for each of these, with their keys
	mostNesting = 4  // most levels of lists and objects: each level is read once for each one around it
)

// isDense reports whether v is a long list of numbers, or of such lists (a vector, a matrix, a shape), or a list or an
// object of very many small values (the rows of a table).
func isDense(v rawjson.Value) bool {
	var n leafCount
	if !n.add(v, mostNesting) {
		return false
	}
	all := n.numbers + n.others
	return n.others == 0 && all >= manyNumbers || all >= manyValues && len(v.Raw()) <= smallValue*all
}

// leafCount counts the values below another one that are no lists and no objects.
type leafCount struct{ numbers, others int }

// add counts a value, or those below it. It reports whether they have no more levels than that.
func (n *leafCount) add(v rawjson.Value, levels int) bool {
	switch v.Kind() {
	case rawjson.Number:
		n.numbers++
	case rawjson.Array:
		for e := range v.Elems() {
			if levels == 0 || !n.add(e, levels-1) {
				return false
			}
		}
	case rawjson.Object:
		for _, e := range v.Members() {
			if levels == 0 || !n.add(e, levels-1) {
				return false
			}
		}
	default:
		n.others++
	}
	return true
}

// walkLeaves calls leaf for every string and number below v, with its path, such as
// "edits[2].text". A dense value is one leaf, because one for each number or string would take
// up to a hundred times its memory.
func walkLeaves(v rawjson.Value, path string, leaf func(path string, v rawjson.Value)) {
	switch v.Kind() {
	case rawjson.String, rawjson.Number:
		leaf(path, v)
	case rawjson.Array:
		if isDense(v) {
			leaf(path, v)
			return
		}
		i := 0
		for e := range v.Elems() {
			walkLeaves(e, path+"["+strconv.Itoa(i)+"]", leaf)
			i++
		}
	case rawjson.Object:
		if path != "" && isDense(v) {
			leaf(path, v)
			return
		}
		for k, e := range v.Members() {
			name := k.Str()
			if path != "" {
				name = path + "." + name
			}
			walkLeaves(e, name, leaf)
		}
	}
}

// proseID begins the ids that are made for calls without ids in the file. An answer whose id
// is proseID alone has no call yet.
const proseID = rules.MadeUp

// pairProse pairs calls with answers that stand as text in the next user message: first
// by the name of the tool, then the others in order. An answer to a call with an id gets
// that id.
func pairProse(msgs []*transcript.Message) {
	var open []*transcript.Block // calls of the last assistant message that have no result yet
	for i, m := range msgs {
		switch m.Role {
		case transcript.Assistant:
			open = open[:0]
			for _, b := range m.Blocks {
				if b.Kind == transcript.ToolCall {
					open = append(open, b)
				}
			}
		case transcript.User:
			if !hasNativeResult(m) {
				answerFunction(open, m)
				open = matchAnswers(open, unpaired(m), func(a, c *transcript.Block) bool { return a.Tool == c.Tool }, i)
				open = matchAnswers(open, unpaired(m), func(_, _ *transcript.Block) bool { return true }, i)
			}
			for _, a := range unpaired(m) {
				a.Call = ""
			}
		case transcript.Tool: // answers without ids: functions of 2023, training sets
			for _, a := range m.Blocks {
				if a.Kind == transcript.ToolResult && a.Call == "" {
					a.Call = proseID
				}
			}
			open = matchAnswers(open, unpaired(m), func(a, c *transcript.Block) bool { return c.Call == "" && a.Tool == c.Tool }, i)
			open = matchAnswers(open, unpaired(m), func(_, c *transcript.Block) bool { return c.Call == "" }, i)
			for _, a := range unpaired(m) {
				a.Call = ""
			}
		}
	}
}

// unpaired returns the answers of a message that have no call yet.
func unpaired(m *transcript.Message) (answers []*transcript.Block) {
	for _, b := range m.Blocks {
		if b.Kind == transcript.ToolResult && b.Call == proseID {
			answers = append(answers, b)
		}
	}
	return answers
}

// hasNativeResult reports whether a message has a result with an id of the file.
func hasNativeResult(m *transcript.Message) bool {
	for _, b := range m.Blocks {
		if b.Kind == transcript.ToolResult && b.Call != "" && !strings.HasPrefix(b.Call, proseID) {
			return true
		}
	}
	return false
}

// matchAnswers pairs each answer with the first open call that fits. It returns the calls
// that remain open.
func matchAnswers(open, answers []*transcript.Block, fits func(answer, call *transcript.Block) bool, msg int) []*transcript.Block {
	for n, a := range answers {
		for i, c := range open {
			if !fits(a, c) {
				continue
			}
			if c.Call == "" {
				c.Call = fmt.Sprintf("%s%d.%d", proseID, msg, n)
			}
			a.Call = c.Call
			if a.Tool == "" {
				a.Tool = c.Tool
			}
			open = append(open[:i:i], open[i+1:]...)
			break
		}
	}
	return open
}
