package format

import (
	"strconv"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// arguments reads the string and number leaves of a call's arguments. Keys are
// not text.
func arguments(v rawjson.Value, slot int) ([]transcript.Part, []splice.Place) {
	var parts []transcript.Part
	var places []splice.Place
	if v.Kind() == rawjson.String {
		return nestedArguments(v, slot)
	}
	walkLeaves(v, "", func(name string, leaf rawjson.Value) {
		parts = append(parts, part(name, leaf))
		places = append(places, splice.Place{Slot: slot, Lit: leaf.Span()})
	})
	return parts, places
}

// nestedArguments reads arguments that are JSON in a string. Each leaf is a
// segment of that string; a string that is not JSON is one text.
func nestedArguments(v rawjson.Value, slot int) ([]transcript.Part, []splice.Place) {
	if holdsJSON(v) {
		if inner := splice.InnerJSON(rawjson.Decode(v.Raw())); inner.Ok() {
			return nestedLeaves(inner, v, slot)
		}
	}
	return []transcript.Part{{Text: v.Str()}}, []splice.Place{{Slot: slot, Lit: v.Span()}}
}

// holdsJSON tells by the first character of a string whether its text may be JSON
// with parts of its own. Such a text is only passed through: nobody should remember it.
func holdsJSON(v rawjson.Value) bool {
	return strings.IndexByte("{[ \\", v.Raw()[1]) >= 0
}

// nestedLeaves reads the leaves below inner, which lies in the text of outer.
func nestedLeaves(inner, outer rawjson.Value, slot int) (parts []transcript.Part, places []splice.Place) {
	walkLeaves(inner, "", func(name string, leaf rawjson.Value) {
		span := leaf.Span()
		parts = append(parts, part(name, leaf))
		places = append(places, splice.Place{Slot: slot, Lit: outer.Span(), From: span.Start, To: span.End, Nested: true})
	})
	return parts, places
}

// writtenCall reads a call that is, name and all, JSON in a string.
func (mb *message) writtenCall(v rawjson.Value, slot int) {
	inner := splice.InnerJSON(v.Str())
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

func part(name string, leaf rawjson.Value) transcript.Part {
	if leaf.Kind() == rawjson.Number {
		return transcript.Part{Name: name, Text: string(leaf.Raw()), Number: true}
	}
	return transcript.Part{Name: name, Text: leaf.Str()}
}

// walkLeaves calls leaf for every string and number below v, with its path.
func walkLeaves(v rawjson.Value, path string, leaf func(path string, v rawjson.Value)) {
	switch v.Kind() {
	case rawjson.String, rawjson.Number:
		leaf(path, v)
	case rawjson.Array:
		i := 0
		for e := range v.Elems() {
			walkLeaves(e, path+"["+strconv.Itoa(i)+"]", leaf)
			i++
		}
	case rawjson.Object:
		for k, e := range v.Members() {
			name := k.Str()
			if path != "" {
				name = path + "." + name
			}
			walkLeaves(e, name, leaf)
		}
	}
}
