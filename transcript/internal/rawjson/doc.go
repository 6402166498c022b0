// Package rawjson reads JSON without losing its bytes.
//
// It builds an index of the kind and the byte offsets of each value, and not a tree
// of Go values. The source stays as it is: key order, duplicate keys, white space, 1.0
// beside 1, \u00e9 beside é, lone surrogates. A change is a list of edits.
//
// [Doc.Scan] indexes a value, and [Lines] finds the values of a JSONL file. [Doc.Root]
// and the methods of [Value] walk the index. [Style.Quote] writes a string as the
// source does, and [Apply] or [WriteTo] make the new source:
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
// The package guarantees:
//   - Scan accepts exactly the sources that [encoding/json.Valid] accepts.
//   - Bytes outside the edits are copied. Without edits the output is the source.
//   - [Decode] loses nothing: lone surrogates and bytes that are not UTF-8 have a
//     form in the decoded text, too, and [Style.Append] writes them back.
//   - An index takes 8 bytes for each value and key, and 8 more for each array and object. Its
//     memory is reused from Scan to Scan. Scan never recurses or panics.
//
// All offsets are byte offsets into the source, counted from 0.
package rawjson
