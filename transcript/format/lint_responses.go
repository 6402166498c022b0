package format

import (
	"fmt"
	"time"

	"condense/transcript/internal/rawjson"
	"condense/transcript/rules"
)

// lintResponses finds what is wrong with the items of an OpenAI Responses
// request: repeated ids, reasoning with content of its own.
func lintResponses(f *File) []flaw {
	return lintItems(f, func(v rawjson.Value) rawjson.Value { return v })
}

// lintCodex finds what is wrong with the lines of a Codex rollout.
func lintCodex(f *File) []flaw {
	found := lintLines(f, &rules.RolloutLine)
	first := true
	f.eachRecord(func(_, _ int, v rawjson.Value) {
		if first && (!v.Get("type").Is("session_meta") || firstOf(v.Get("payload"), "id", "session_id").Str() == "") {
			found = append(found, f.flaw(&rules.RolloutHeader, v.Span().Start, "the first line is no session_meta with the id of a thread"))
		}
		first = false
		stamp := v.Get("timestamp")
		_, err := time.Parse(time.RFC3339, stamp.Str())
		switch {
		case stamp.Kind() != rawjson.String || err != nil:
			found = append(found, f.flaw(&rules.RolloutLine, v.Span().Start, "the timestamp is no RFC 3339 string"))
		case v.Get("type").Kind() != rawjson.String || !v.Get("payload").Ok():
			found = append(found, f.flaw(&rules.RolloutLine, v.Span().Start, "a line without type and payload"))
		}
	})
	return found
}

// lintItems looks at what item gives for each record.
func lintItems(f *File, item func(record rawjson.Value) rawjson.Value) []flaw {
	var found []flaw
	type place struct {
		conv int
		id   string
	}
	seen := map[place]bool{}
	f.eachRecord(func(conv, _ int, v rawjson.Value) {
		it := item(v)
		if id := it.Get("id").Str(); id != "" {
			if seen[place{conv, id}] {
				found = append(found, f.flaw(&rules.ItemDup, it.Get("id").Span().Start, fmt.Sprintf("item id %q is used twice", id)))
			}
			seen[place{conv, id}] = true
		}
		if c := it.Get("content"); it.Get("type").Is("reasoning") && c.Len() > 0 {
			x := f.flaw(&rules.ReasoningContent, c.Span().Start, "a reasoning item with content of its own")
			found = append(found, x)
		}
	})
	return found
}
