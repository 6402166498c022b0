package format

import (
	"fmt"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

var openai = Dialect{
	Name:  "openai",
	Doc:   "OpenAI chat completions: a bare array, a request body {messages, tools}, or an array of either",
	Where: "API logs, benchmarks, data sets",
	sniff: sniffOpenAI,
	decode: func(f *File, p *probe) error {
		return decodeChat(f, p, nil)
	},
	fails:  saysFailed,
	render: renderChat,
	target: &rules.OpenAI, lint: lintOpenAI, answers: transcript.Tool,
}

// sniffOpenAI recognises every document with messages that no earlier dialect recognises,
// and empty arrays of messages.
func sniffOpenAI(p *probe) bool {
	if p.lines != nil {
		return false
	}
	for _, m := range p.sample() {
		if _, known := chatRole(m.Get("role").Str()); known && (m.Get("content").Ok() || m.Get("tool_calls").Ok()) {
			return true
		}
	}
	root := p.doc.Root()
	return isEmptyArray(root) || isEmptyArray(root.Get("messages"))
}

// renderChat returns a new message in the form of OpenAI, in which a result is a separate message.
func renderChat(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	if m.Role != transcript.Tool || len(m.Blocks) != 1 {
		return renderMessage(c, i)
	}
	style := c.Style()
	out := append([]byte(`{"role":"tool","tool_call_id":`), style.Quote(m.Blocks[0].Call)...)
	out = append(out, `,"content":`...)
	return append(append(out, style.Quote(m.Blocks[0].Text())...), '}')
}

func isEmptyArray(v rawjson.Value) bool {
	for range v.Elems() {
		return false
	}
	return v.Kind() == rawjson.Array
}

// lintOpenAI finds messages without content, arguments that are not JSON, and results of
// functions without the name of the function.
func lintOpenAI(f *File) []flaw {
	var found []flaw
	called, in := "", 0 // the last function called, and its conversation
	f.eachRecord(func(conv, _ int, v rawjson.Value) {
		if _, known := chatRole(v.Get("role").Str()); !known || v.Get("role").Kind() != rawjson.String {
			return
		}
		if conv != in {
			called, in = "", conv
		}
		if x, ok := nullContent(f, v); ok {
			found = append(found, x)
		}
		if x, ok := unnamedFunction(f, v, called); ok {
			found = append(found, x)
		}
		for call := range v.Get("tool_calls").Elems() {
			if x, ok := badArguments(f, call.Get("function")); ok {
				found = append(found, x)
			}
		}
		if fn := v.Get("function_call"); fn.Kind() == rawjson.Object {
			called = fn.Get("name").Str()
			if x, ok := badArguments(f, fn); ok {
				found = append(found, x)
			}
		}
	})
	return found
}

// badArguments finds arguments that are not JSON in a string.
func badArguments(f *File, fn rawjson.Value) (flaw, bool) {
	args, name := fn.Get("arguments"), fn.Get("name").Str()
	var doc rawjson.Doc
	switch text := args.Str(); {
	case fn.Kind() != rawjson.Object:
	case args.Kind() != rawjson.String:
		return f.flaw(&rules.ArgsJSON, fn.Span().Start, fmt.Sprintf("the arguments of %s are of kind %s, not a string", name, kindName(args.Kind()))), true
	case text != "" && doc.ScanText(text) != nil:
		return f.flaw(&rules.ArgsJSON, args.Span().Start, fmt.Sprintf("the arguments of %s are not JSON", name)), true
	}
	return flaw{}, false
}

// unnamedFunction finds the result of a function without its name. called is the last
// function called, or "".
func unnamedFunction(f *File, v rawjson.Value, called string) (flaw, bool) {
	if !v.Get("role").Is("function") || v.Get("name").Str() != "" {
		return flaw{}, false
	}
	x := f.flaw(&rules.FunctionName, v.Span().Start, "the answer of a function does not say which")
	if called == "" || v.Get("name").Ok() {
		return x, true
	}
	return x.mended("the name of the function that was called", f.behindRole(v, "name", rawjson.StyleOf(f.src).Quote(called))), true
}

// nullContent finds a message that has neither content nor calls.
func nullContent(f *File, v rawjson.Value) (flaw, bool) {
	content := v.Get("content")
	if k := content.Kind(); k != rawjson.Null && k != rawjson.Absent ||
		v.Get("tool_calls").Len() > 0 || v.Get("function_call").Kind() == rawjson.Object ||
		v.Get("refusal").Kind() == rawjson.String || v.Get("audio").Kind() == rawjson.Object {
		return flaw{}, false
	}
	if content.Ok() {
		x := f.flaw(&rules.ContentNull, content.Span().Start, "content is null, and there are no calls")
		return x.mended(`"" in place of null`, rawjson.Edit{Span: content.Span(), New: []byte(`""`)}), true
	}
	x := f.flaw(&rules.ContentNull, v.Span().Start, "there are neither content nor calls")
	return x.mended(`empty content`, f.behindRole(v, "content", []byte(`""`))), true
}

// behindRole returns the edit that adds a member after the role of a message, with the
// same spacing.
func (f *File) behindRole(v rawjson.Value, key string, value []byte) rawjson.Edit {
	var colon string // between a key and its value
	for k, m := range v.Members() {
		if k.Is("role") {
			colon = string(f.src[k.Span().End:m.Span().Start])
		}
	}
	end := v.Get("role").Span().End
	member := fmt.Appendf(nil, "%s%q%s%s", memberGap(f.src, v), key, colon, value)
	return rawjson.Edit{Span: rawjson.Span{Start: end, End: end}, New: member}
}
