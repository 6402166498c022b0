package format

import (
	"bytes"
	"encoding/json"
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// insertions finds the new messages and the record each goes in front of.
func (lo *lowering) insertions() []insertion {
	known := len(lo.l.msgs)
	list, record := lo.l.records, len(lo.l.lists[lo.l.records].spans)
	var found []insertion
	for _, m := range slices.Backward(lo.to.Messages) {
		if m.ID >= known {
			found = append(found, insertion{list, record, m})
			continue
		}
		for _, s := range lo.l.msgs[m.ID].records {
			if at := lo.l.slots[s]; (at.list == lo.l.records || at.up != none && lo.l.lists[at.list].first != none) && !lo.dead(s) {
				list, record = at.list, at.index
				break
			}
		}
	}
	slices.Reverse(found)
	return found
}

// insert writes the records of new messages.
func (lo *lowering) insert(inserted []insertion) {
	if len(inserted) == 0 {
		return
	}
	for i, in := range inserted {
		text := lo.dialect.render(lo.l, inserted, i, lo.gone)
		if lo.l.lists[in.list].lines {
			lo.insertLine(in, text)
			continue
		}
		lo.insertElem(in, text, i+1 < len(inserted))
	}
}

func (lo *lowering) insertLine(in insertion, text []byte) {
	spans := lo.l.lists[lo.l.records].spans
	text = append(text, '\n')
	at := spans[len(spans)-1].End
	if in.record < len(spans) {
		at = spans[in.record].Start
	} else if at > 0 && lo.l.src[at-1] != '\n' {
		text = append([]byte{'\n'}, text[:len(text)-1]...)
	}
	lo.edits = append(lo.edits, rawjson.Edit{Span: rawjson.Span{Start: at, End: at}, New: text})
}

// insertElem puts an element into the array of records, laid out like its neighbours.
func (lo *lowering) insertElem(in insertion, text []byte, more bool) {
	spans := lo.l.lists[in.list].spans
	sep := separator(lo.l.src, spans)
	text = indented(text, sep)
	kept := 0
	for i := range spans {
		if !lo.gone(i) {
			kept++
		}
	}
	var at int
	switch {
	case in.record < len(spans):
		at, text = spans[in.record].Start, append(text, sep...)
	case kept > 0:
		at, text = spans[len(spans)-1].End, append(slices.Clone(sep), text...)
	default: // nothing else stays in the array
		at = lo.l.array.Start + 1
		if len(spans) > 0 {
			at = spans[len(spans)-1].End
		}
		if more {
			text = append(text, sep...)
		}
	}
	lo.edits = append(lo.edits, rawjson.Edit{Span: rawjson.Span{Start: at, End: at}, New: text})
}

// separator is what stands between two records: a comma and the white space that the source uses.
func separator(src []byte, spans []rawjson.Span) []byte {
	if len(spans) < 2 {
		return []byte{','}
	}
	return slices.Clone(src[spans[0].End:spans[1].Start])
}

// indented lays compact JSON out over several lines where the separator shows
// that the source does.
func indented(text, sep []byte) []byte {
	nl := bytes.LastIndexByte(sep, '\n')
	if nl < 0 {
		return text
	}
	prefix := string(sep[nl+1:])
	unit := prefix
	if len(unit) > 4 {
		unit = unit[:2]
	}
	var out bytes.Buffer
	if unit == "" || json.Indent(&out, text, prefix, unit) != nil {
		return text
	}
	return out.Bytes()
}

// renderContent is the content of a new message: a list of texts and results.
func renderContent(l *layout, m *transcript.Message) []byte {
	style := l.docStyle()
	out := []byte{'['}
	for i, b := range m.Blocks {
		if i > 0 {
			out = append(out, ',')
		}
		if b.Kind == transcript.ToolResult {
			out = append(out, renderResult(style, b)...)
			continue
		}
		out = append(out, `{"type":"text","text":`...)
		out = append(out, style.Quote(b.Text())...)
		out = append(out, '}')
	}
	return append(out, ']')
}

// renderResult is a new result as Anthropic has it: an element of a user message.
func renderResult(style rawjson.Style, b *transcript.Block) []byte {
	out := append([]byte(`{"type":"tool_result","tool_use_id":`), style.Quote(b.Call)...)
	out = append(out, `,"content":`...)
	out = append(out, style.Quote(b.Text())...)
	if b.Error {
		out = append(out, `,"is_error":true`...)
	}
	return append(out, '}')
}

// renderMessage is a new message as Anthropic and OpenAI have it: role and content.
func renderMessage(l *layout, inserted []insertion, i int, _ func(int) bool) []byte {
	m := inserted[i].msg
	out := append([]byte(`{"role":"`), m.Role.String()...)
	out = append(out, `","content":`...)
	if len(m.Blocks) == 1 && m.Blocks[0].Kind == transcript.Text {
		out = append(out, l.docStyle().Quote(m.Blocks[0].Text())...)
	} else {
		out = append(out, renderContent(l, m)...)
	}
	return append(out, '}')
}
