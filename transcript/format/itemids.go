package format

import (
	"bytes"

	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// unboundItems takes the ids off the items that stay of a step of the model whose
// reasoning goes: by its id the API knows that an item was made with reasoning,
// and refuses it alone ("was provided without its required 'reasoning' item").
// Without an id it is taken as it is. item gives the item in a record, if any.
func unboundItems(c *splice.Change, item func(record rawjson.Value) rawjson.Value) (edits []rawjson.Edit) {
	var doc rawjson.Doc
	read := func(span rawjson.Span) rawjson.Value {
		if doc.ScanAll(c.Src, span.Start, span.End) != nil {
			return rawjson.Value{}
		}
		return item(doc.Root())
	}
	bare := false // the reasoning of this step is c.gone
	for i, span := range c.RecordSpans() {
		lost := c.Gone(i) && bytes.Contains(c.Src[span.Start:span.End], []byte(`"reasoning"`))
		if !bare && !lost {
			continue
		}
		v := read(span)
		switch kind := v.Get("type").Str(); {
		case lost && kind == "reasoning":
			bare = true
		case c.Gone(i) || kind == "":
		case kind == "message" && v.Get("role").Is("assistant"), kind == "function_call", kind == "custom_tool_call":
			edits = append(edits, unnamed(v)...)
		default:
			bare = false
		}
	}
	return edits
}

// unnamed takes the id out of an item that does not need it to be answered.
func unnamed(item rawjson.Value) []rawjson.Edit {
	if !item.Get("type").Is("message") && textOf(item, "call_id") == "" {
		return nil
	}
	i := 0
	for k, v := range item.Members() {
		if k.Is("id") && v.Kind() == rawjson.String {
			return removeMember(item, i)
		}
		i++
	}
	return nil
}
