package format

import (
	"fmt"

	"condense/transcript/internal/rawjson"
	"condense/transcript/rules"
)

// lintOpenAI finds messages without content and arguments that are not JSON.
func lintOpenAI(f *File) []flaw {
	var found []flaw
	f.eachRecord(func(_, _ int, v rawjson.Value) {
		if _, known := chatRole(v.Get("role").Str()); !known || v.Get("role").Kind() != rawjson.String {
			return
		}
		if x, ok := nullContent(f, v); ok {
			found = append(found, x)
		}
		for call := range v.Get("tool_calls").Elems() {
			fn := call.Get("function")
			args := fn.Get("arguments")
			var doc rawjson.Doc
			switch text := args.Str(); {
			case fn.Kind() != rawjson.Object:
			case args.Kind() != rawjson.String:
				found = append(found, f.flaw(&rules.ArgsJSON, call.Span().Start, fmt.Sprintf("the arguments of %s are of kind %s, not a string", fn.Get("name").Str(), kindName(args.Kind()))))
			case text != "" && doc.ScanText(text) != nil:
				found = append(found, f.flaw(&rules.ArgsJSON, args.Span().Start, fmt.Sprintf("the arguments of %s are not JSON", fn.Get("name").Str())))
			}
		}
	})
	return found
}

// nullContent finds a message with neither content nor calls.
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
	var colon string // what stands between a key and its value
	for k, m := range v.Members() {
		if k.Is("role") {
			colon = string(f.src[k.Span().End:m.Span().Start])
		}
	}
	end := v.Get("role").Span().End
	x := f.flaw(&rules.ContentNull, v.Span().Start, "there are neither content nor calls")
	return x.mended(`empty content`, rawjson.Edit{
		Span: rawjson.Span{Start: end, End: end}, New: []byte(memberGap(f.src, v) + `"content"` + colon + `""`),
	}), true
}
