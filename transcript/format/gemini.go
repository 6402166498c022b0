package format

import (
	"bytes"
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
	"condense/transcript/rules"
)

var gemini = Dialect{
	Name:   "gemini",
	Doc:    "Gemini contents: a bare array, or request bodies {systemInstruction, contents, tools}",
	Where:  "API logs, tuning sets, ~/.gemini/tmp/*/checkpoint-*.json",
	target: &rules.Gemini, answers: transcript.User,
	sniff:  sniffGemini,
	decode: decodeGemini,
	fails:  saysFailed,
	render: renderGemini,
}

// contentLists are the keys of lists of contents, in requests and in checkpoints of Gemini
// CLI.
var contentLists = []string{"contents", "history"}

// sniffGemini looks for contents, alone or in requests.
func sniffGemini(p *probe) bool {
	if p.lines != nil {
		for _, r := range p.first[:min(len(p.first), 4)] {
			if _, contents := geminiRequest(r); !holdsContents(contents) {
				return false
			}
		}
		return true
	}
	root := p.doc.Root()
	if root.Kind() == rawjson.Object {
		_, contents := geminiRequest(root)
		return holdsContents(contents)
	}
	for e := range root.Elems() {
		_, contents := geminiRequest(e)
		return holdsContents(contents) || holdsContents(root)
	}
	return false
}

// geminiRequest returns the contents of a request, and the object around them.
func geminiRequest(v rawjson.Value) (owner, contents rawjson.Value) {
	for _, owner := range []rawjson.Value{v, v.Get("request")} {
		for _, key := range contentLists {
			if c := owner.Get(key); c.Kind() == rawjson.Array {
				return owner, c
			}
		}
	}
	return rawjson.Value{}, rawjson.Value{}
}

// holdsContents reports whether the first elements of an array are contents. The parts of
// other formats have a type or kind; those of Gemini have neither.
func holdsContents(v rawjson.Value) bool {
	n, found := 0, false
	for e := range v.Elems() {
		if n++; n > 8 {
			break
		}
		parts := e.Get("parts")
		if parts.Kind() != rawjson.Array || e.Get("type").Ok() {
			continue
		}
		if _, known := geminiRole(e.Get("role").Str()); !known || e.Get("role").Is("assistant") {
			return false
		}
		k := 0
		for part := range parts.Elems() {
			if k++; k > 8 {
				break
			}
			if part.Get("type").Ok() || part.Get("kind").Ok() {
				return false
			}
		}
		found = true
	}
	return found
}

// decodeGemini reads a conversation from each list of contents.
func decodeGemini(f *File, p *probe) error {
	add := func(v rawjson.Value) bool {
		owner, contents := geminiRequest(v)
		if contents.Ok() {
			f.addContents(owner, contents)
		}
		return contents.Ok()
	}
	if p.lines != nil {
		f.eachLine(p, func(_ int, v rawjson.Value) { add(v) })
		return nil
	}
	root := p.doc.Root()
	if add(root) {
		return nil
	}
	if root.Kind() != rawjson.Array {
		return &Error{Offset: -1, Reason: "no contents found, " + p.looks()}
	}
	for e := range root.Elems() {
		add(e)
	}
	if len(f.Convs) == 0 {
		f.addContents(rawjson.Value{}, root)
	}
	return nil
}

// addContents reads one list of contents and the system instruction beside it.
func (f *File) addContents(owner, contents rawjson.Value) {
	b := &builder{l: splice.New(f.src)}
	b.l.TextElement = geminiText
	b.model = owner.Get("model").Str()
	b.l.Scope = owner.Span()
	b.l.SetRecords(contents)
	b.seals = true
	calls := newGeminiCalls()
	b.systemInstruction(owner, calls)
	b.systemInstruction(owner.Get("config"), calls)
	i := 0
	for e := range contents.Elems() {
		if e.Kind() == rawjson.Object {
			role, known := geminiRole(e.Get("role").Str())
			calls.startContent(role)
			mb := b.message(role, b.l.Slot(i))
			mb.m.Hidden = !known
			mb.parts(e.Get("parts"), b.l.Slot(i), calls)
		}
		i++
	}
	f.add(conversationID(owner, len(f.Convs)), b)
}

// systemInstruction reads the system instruction beside the contents: a content, a list of
// parts or a string.
func (c *builder) systemInstruction(owner rawjson.Value, calls *geminiCalls) {
	for _, key := range []string{"systemInstruction", "system_instruction"} {
		v := owner.Get(key)
		if !v.Ok() {
			continue
		}
		slot := c.l.Member(splice.None, owner, key)
		mb := c.message(transcript.System, slot)
		if parts := v.Get("parts"); parts.Ok() {
			v = parts
		} else if v.Kind() == rawjson.Object && !v.Get("text").Ok() {
			v = rawjson.Value{} // an empty object
		}
		mb.parts(v, slot, calls)
		c.dropEmpty()
	}
}

// renderGemini returns a new message as a content of texts and results.
func renderGemini(c *splice.Change, i int) []byte {
	return renderContents(c.Style(), c.Inserted[i].Message)
}

func renderContents(style rawjson.Style, m *transcript.Message) []byte {
	role := "user"
	if m.Role == transcript.Assistant {
		role = "model"
	}
	var parts [][]byte
	for _, b := range m.Blocks {
		text := style.Quote(b.Text())
		if b.Kind != transcript.ToolResult {
			parts = append(parts, fmt.Appendf(nil, `{"text":%s}`, text))
			continue
		}
		id, key := []byte(nil), "output"
		if !strings.HasPrefix(b.Call, proseID) {
			id = fmt.Appendf(nil, `"id":%s,`, style.Quote(b.Call))
		}
		if b.Error {
			key = "error"
		}
		parts = append(parts, fmt.Appendf(nil, `{"functionResponse":{%s"name":%s,"response":{%q:%s}}}`, id, style.Quote(b.Tool), key, text))
	}
	return fmt.Appendf(nil, `{"role":%q,"parts":[%s]}`, role, bytes.Join(parts, []byte{','}))
}
