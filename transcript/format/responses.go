package format

import (
	"fmt"
	"strconv"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

var responses = Dialect{
	Name:   "responses",
	Doc:    "OpenAI Responses: a request {input: [items], instructions}, a response {output}, bare items, or one request a line",
	Where:  "API logs, batch files",
	sniff:  sniffResponses,
	decode: decodeResponses,
	fails:  saysFailed,
	render: func(c *splice.Change, i int) []byte { return renderItem(c.Style(), c.Inserted[i].Message) },
	relink: func(c *splice.Change) []rawjson.Edit {
		return removeItemIDs(c, func(v rawjson.Value) rawjson.Value { return v })
	},
	target: &rules.Responses, lint: lintResponses,
}

func sniffResponses(p *probe) bool {
	if p.lines == nil {
		if root := p.doc.Root(); root.Kind() == rawjson.Array {
			return holdsItems(root, isItem)
		}
		return isRequest(bodyOf(p.doc.Root()))
	}
	for _, r := range p.first {
		if isRequest(bodyOf(r)) {
			return true
		}
	}
	return false
}

// bodyOf returns the request in a line of a batch file, or v itself.
func bodyOf(v rawjson.Value) rawjson.Value {
	if body := v.Get("body"); body.Kind() == rawjson.Object {
		return body
	}
	return v
}

// isRequest reports whether an object is a request or response of this API.
func isRequest(v rawjson.Value) bool {
	if v.Get("messages").Ok() {
		return false
	}
	switch input := itemsOf(v); input.Kind() {
	case rawjson.String: // many objects have a member of that name
		return v.Get("model").Kind() == rawjson.String &&
			(v.Get("instructions").Ok() || v.Get("tools").Ok() || v.Get("reasoning").Ok() || v.Get("store").Ok() || v.Get("max_output_tokens").Ok())
	case rawjson.Array:
		return isEmpty(input) && v.Get("model").Kind() == rawjson.String || holdsItems(input, func(e rawjson.Value) bool {
			return isItem(e) || e.Get("role").Kind() == rawjson.String && e.Get("content").Kind() == rawjson.String
		})
	}
	return false
}

// isEnvelope reports whether an object has the members around items, regardless of the
// items. No edit removes those members, so a row is still recognised after all items are
// removed.
func isEnvelope(v rawjson.Value) bool {
	return itemsOf(v).Kind() == rawjson.Array && !v.Get("messages").Ok() &&
		(v.Get("object").Is("response") || v.Get("model").Kind() == rawjson.String)
}

func isEmpty(array rawjson.Value) bool {
	for range array.Elems() {
		return false
	}
	return true
}

// itemsOf returns the items of a request, or of a response.
func itemsOf(v rawjson.Value) rawjson.Value {
	key, _ := itemsAt(v)
	return v.Get(key)
}

// itemsAt returns the key of the items of a request, or of a response, and who wrote them if they are a string.
func itemsAt(v rawjson.Value) (key string, by transcript.Role) {
	if v.Get("object").Is("response") {
		return "output", transcript.Assistant
	}
	return "input", transcript.User
}

// holdsItems reports whether fits returns true for one of the first elements of an array.
func holdsItems(array rawjson.Value, fits func(rawjson.Value) bool) bool {
	n := 0
	for e := range array.Elems() {
		if n++; n > probeRecords {
			break
		}
		if e.Kind() == rawjson.Object && fits(e) {
			return true
		}
	}
	return false
}

func decodeResponses(f *File, p *probe) error {
	f.eachBody(p, func(i int, v rawjson.Value) {
		body := bodyOf(v)
		input := itemsOf(body)
		if v.Kind() == rawjson.Array {
			body, input = rawjson.Value{}, v
		} else if p.lines != nil && !isRequest(body) && !isEnvelope(body) {
			return
		}
		b := &builder{l: splice.New(p.src)}
		b.l.Scope, b.model = v.Span(), body.Get("model").Str()
		readRequest(b, body, input)
		f.add(requestID(v, i), b)
	})
	if f.Convs == nil {
		return &Error{Offset: -1, Reason: "no items found, " + p.looks()}
	}
	return nil
}

func requestID(v rawjson.Value, i int) string {
	if v.Kind() == rawjson.Object {
		return conversationID(v, i)
	}
	return strconv.Itoa(i + 1)
}

// readRequest reads the instructions and the items of one request.
func readRequest(b *builder, body, input rawjson.Value) {
	b.l.SetRecords(input)
	b.seals = true
	if sys := body.Get("instructions"); sys.Kind() == rawjson.String || sys.Kind() == rawjson.Array {
		slot := b.l.Member(splice.None, body, "instructions")
		b.message(transcript.System, slot).content(sys, slot)
		b.dropEmpty()
	}
	if input.Kind() == rawjson.String && input.Str() != "" {
		key, by := itemsAt(body)
		slot := b.l.Emptied(splice.None, body, key)
		b.message(by, slot).itemText(input, slot)
		return
	}
	r := newResponseItems(b)
	i := 0
	for e := range input.Elems() {
		if e.Kind() == rawjson.Object {
			r.item(e, b.l.Slot(i))
		}
		i++
	}
}

// renderItem returns a new message as an item.
func renderItem(style rawjson.Style, m *transcript.Message) []byte {
	role, kind := m.Role.String(), "input_text"
	switch m.Role {
	case transcript.System:
		role = "developer"
	case transcript.Assistant:
		kind = "output_text"
	}
	out := []byte(`{"type":"message","role":"` + role + `","content":[`)
	for i, b := range m.Blocks {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `{"type":"`+kind+`","text":`...)
		out = append(out, style.Quote(b.Text())...)
		out = append(out, '}')
	}
	return append(out, "]}"...)
}

// lintResponses finds repeated ids of items, and reasoning with content.
func lintResponses(f *File) []flaw {
	return lintItems(f, func(v rawjson.Value) rawjson.Value { return v })
}

// lintCodex finds faults in the lines of a Codex rollout.
func lintCodex(f *File) []flaw {
	found := lintLines(f, &rules.RolloutLine)
	first := true
	f.eachRecord(func(_, _ int, v rawjson.Value) {
		if first && (!v.Get("type").Is("session_meta") || firstOf(v.Get("payload"), "id", "session_id").Str() == "") {
			found = append(found, f.flaw(&rules.RolloutHeader, v.Span().Start, "the first line is not a session_meta with a thread id"))
		}
		first = false
		stamp := v.Get("timestamp")
		_, err := time.Parse(time.RFC3339, stamp.Str())
		switch {
		case stamp.Kind() != rawjson.String || err != nil:
			found = append(found, f.flaw(&rules.RolloutLine, v.Span().Start, "the timestamp is not an RFC 3339 string"))
		case v.Get("type").Kind() != rawjson.String || !v.Get("payload").Ok():
			found = append(found, f.flaw(&rules.RolloutLine, v.Span().Start, "a line without type and payload"))
		}
	})
	return append(found, lintOrdinals(f)...)
}

// lintItems finds faults in the items of a file. item returns the item in a record.
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
