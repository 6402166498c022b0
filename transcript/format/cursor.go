package format

import (
	"fmt"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

var cursor = Dialect{
	Name:   "cursor",
	Doc:    "Cursor agent transcripts",
	Where:  "~/.cursor/projects/*/agent-transcripts/*.jsonl",
	sniff:  sniffCursor,
	decode: decodeCursor,
	fails:  saysFailed,
	render: renderCursor,
}

// sniffCursor looks for a line that has a role and a message, but not the members of
// Claude Code.
func sniffCursor(p *probe) bool {
	for _, r := range p.firstRecords() {
		content := r.Get("message").Get("content")
		if r.Get("role").Kind() == rawjson.String && (content.Kind() == rawjson.Array || content.Kind() == rawjson.String) {
			return !r.Get("type").Ok() && !r.Get("uuid").Ok()
		}
	}
	return false
}

func decodeCursor(f *File, p *probe) error {
	b := &builder{l: splice.New(p.src)}
	f.readLines(b.l, p, func(i int, v rawjson.Value) {
		slot := b.l.Slot(i)
		m := v.Get("message")
		if v.Get("role").Kind() != rawjson.String || m.Kind() != rawjson.Object {
			b.l.Mirror(slot, v.Span(), false)
			return
		}
		role, known := chatRole(v.Get("role").Str())
		mb := b.message(role, slot)
		mb.m.Hidden = !known
		mb.m.SetTime(timestamp(v))
		mb.cursorContent(m.Get("content"), slot)
		b.l.MirrorMembers(slot, m, false, nil, "content")
		b.l.MirrorMembers(slot, v, false, nil, "message")
	})
	f.add("1", b)
	return nil
}

func (mb *messageBuilder) cursorContent(v rawjson.Value, slot int) {
	if v.Kind() == rawjson.String {
		mb.cursorText(v, slot)
		return
	}
	first := mb.l.Elems(slot, v)
	i := 0
	for e := range v.Elems() {
		if text, kind := e.Get("text"), e.Get("type"); (kind.Is("text") || kind.Kind() != rawjson.String) && text.Kind() == rawjson.String {
			mb.cursorText(text, first+i)
		} else if e.Kind() == rawjson.String {
			mb.cursorText(e, first+i)
		} else {
			mb.element(e, first+i)
		}
		i++
	}
}

func (mb *messageBuilder) cursorText(v rawjson.Value, slot int) {
	switch text := v.Str(); mb.m.Role {
	case transcript.User:
		mb.segments(v, text, slot, cursorQuery(text))
	case transcript.Assistant:
		mb.cursorAnswer(v, text, slot)
	case transcript.System:
		mb.textBy(v, slot, transcript.Injected)
	default:
		mb.text(v, slot)
	}
}

// cursorQuery cuts the text of a user message. The typed text stands in one element;
// Cursor puts files, selections and search results around it.
func cursorQuery(text string) []segment {
	const open, end = "<user_query>", "</user_query>"
	from, to := strings.Index(text, open), strings.LastIndex(text, end)
	if from < 0 || to < from {
		return userSegments(text, false)
	}
	to += len(end)
	var out []segment
	for _, s := range []segment{
		{0, from, transcript.Text, transcript.Injected, ""},
		{from, to, transcript.Text, transcript.Typed, ""},
		{to, len(text), transcript.Text, transcript.Injected, ""},
	} {
		if strings.TrimSpace(text[s.from:s.to]) != "" {
			out = append(out, s)
		}
	}
	return out
}

// cursorAnswer adds the text of an assistant message. Cursor replaces thinking by marks
// at the end of the text. The line breaks before the marks are removed with them;
// otherwise the text would change.
func (mb *messageBuilder) cursorAnswer(v rawjson.Value, text string, slot int) {
	thought := redactedFrom(text)
	said := len(strings.TrimRight(text[:thought], "\n"))
	if strings.TrimSpace(text[:said]) != "" {
		mb.segments(v, text, slot, []segment{{0, said, transcript.Text, transcript.ByModel, ""}})
	} else {
		said = 0
	}
	if thought == len(text) {
		return
	}
	mb.segments(v, text, slot, []segment{{thought, len(text), transcript.Thinking, transcript.ByModel, ""}})
	if p := &mb.at.Blocks.At(mb.at.Blocks.Len() - 1).Parts[0]; p.Segment() {
		p.Wide = &[2]int{said, len(text)}
	}
}

// redactedFrom returns the offset of the thinking marks at the end of a text, or its
// length when there are none. A mark begins a line.
func redactedFrom(text string) int {
	const mark = "[REDACTED]"
	from := len(text)
	for rest := text; ; rest = strings.TrimRight(rest, "\n") {
		said, found := strings.CutSuffix(rest, mark)
		if !found || said != "" && !strings.HasSuffix(said, "\n") {
			return from
		}
		rest, from = said, len(said)
	}
}

func renderCursor(c *splice.Change, i int) []byte {
	m := c.Inserted[i].Message
	out := fmt.Appendf(nil, `{"role":%q,"message":{"content":`, m.Role.String())
	return append(append(out, renderContent(c.Style(), m)...), '}', '}')
}
