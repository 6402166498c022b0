// Package rawjson reads JSON without letting go of its bytes.
//
// A saved conversation has to come back byte for byte wherever it was not
// changed on purpose: key order, duplicate keys, white space, 1.0 beside 1,
// \u00e9 beside é, lone surrogates. A parser that builds a tree of Go values
// forgets all of these. This package builds an index instead: which kind of
// value lies at which byte offsets. The source itself stays what it is, and a
// change is a list of edits to it.
//
// # The way through
//
// [Doc.Scan] checks one value against the grammar and indexes it; [Lines]
// finds the values of a JSONL file. [Doc.Root] and the methods of [Value] walk
// the index; [Value.Str] decodes a string when somebody asks for it, and
// [Value.Span] says where it came from. New text is written with
// [Style.Quote], in the manner of the text around it as seen by [StyleOf]. An
// [Edit] puts it in the place of a span, [Remove] takes elements out of an
// array or members out of an object, and [Apply] or [WriteTo] make the new
// source:
//
//	var doc rawjson.Doc
//	if _, err := doc.Scan(src, 0, len(src)); err != nil {
//		return err
//	}
//	text := doc.Root().Get("content")
//	style := rawjson.StyleOf(text.Raw())
//	out, err := rawjson.Apply(src, []rawjson.Edit{
//		{Span: text.Span(), New: style.Quote("shorter")},
//	})
//
// # What holds
//
//   - Scan accepts what [encoding/json.Valid] accepts, and nothing else.
//   - Bytes outside the edits are copied, never written anew; no edits, no
//     difference.
//   - [Decode] loses nothing: escapes that stand for half a surrogate pair and
//     bytes that are no UTF-8 have a form in the decoded text too, and
//     [Style.Append] writes them back.
//   - Memory is 16 bytes for each value and each key, reused from Scan to Scan.
//     No input makes Scan recurse or panic.
//
// All offsets are byte offsets into the source, counted from 0.
package rawjson
