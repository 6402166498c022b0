package format

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"time"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// renderContent returns the content of a new message in the form of Anthropic: a list of
// texts and results.
func renderContent(style rawjson.Style, m *transcript.Message) []byte {
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

// renderResult returns a new result in the form of Anthropic: an element of a user
// message.
func renderResult(style rawjson.Style, b *transcript.Block) []byte {
	out := append([]byte(`{"type":"tool_result","tool_use_id":`), style.Quote(b.Call)...)
	out = append(out, `,"content":`...)
	out = append(out, style.Quote(b.Text())...)
	if b.Error {
		out = append(out, `,"is_error":true`...)
	}
	return append(out, '}')
}

// renderMessage returns new message i in the form of Anthropic and OpenAI: role and
// content.
func renderMessage(c *splice.Change, i int) []byte {
	return renderRole(c.Style(), c.Inserted[i].Message)
}

func renderRole(style rawjson.Style, m *transcript.Message) []byte {
	out := append([]byte(`{"role":"`), m.Role.String()...)
	out = append(out, `","content":`...)
	if len(m.Blocks) == 1 && m.Blocks[0].Kind == transcript.Text {
		out = append(out, style.Quote(m.Blocks[0].Text())...)
	} else {
		out = append(out, renderContent(style, m)...)
	}
	return append(out, '}')
}

// Options change how a file is written.
type Options struct {
	// Tag hides dropped messages by tags, as Roo Code does, instead of removing them. Only
	// whole messages may be dropped. An inserted message hides the dropped messages before
	// it: as a truncation marker when Message.Hides is set, and otherwise as a summary.
	Tag bool
}

// With returns a copy of the file that Encode writes with options. The error is an
// *UnsupportedError.
func (f *File) With(o Options) (*File, error) {
	switch {
	case o.Tag && f.Dialect.tags == nil:
		return nil, &UnsupportedError{f.Dialect.Name, "Tag", "messages that are hidden by tags"}
	case o.Tag && f.Dialect.tags.lacks(f) != "":
		return nil, &UnsupportedError{f.Dialect.Name, "Tag", f.Dialect.tags.lacks(f)}
	}
	n := *f
	n.options = o
	return &n, nil
}

// UnsupportedError is the error for an option that a file cannot be written with.
type UnsupportedError struct {
	Dialect string
	Option  string // the name of the field of Options
	Missing string // the feature that the dialect or the file does not have
}

func (e *UnsupportedError) Error() string { return "the format " + e.Dialect + " has no " + e.Missing }

// Encode writes the source with final in place of the decoded conversations. final[i]
// must descend from f.Convs[i] by Apply; where they are equal, the bytes are equal.
// Encode returns the number of bytes written.
func (f *File) Encode(w io.Writer, final []*transcript.Conversation) (int64, error) {
	return rawjson.WriteTo(w, f.Source(), f.outward(f.lower(final)))
}

// Bytes returns the bytes that Encode writes.
func (f *File) Bytes(final []*transcript.Conversation) ([]byte, error) {
	return f.apply(f.lower(final))
}

// apply returns the source after edits of src.
func (f *File) apply(edits []rawjson.Edit) ([]byte, error) {
	return rawjson.Apply(f.Source(), f.outward(edits))
}

// outward translates edits of src to edits of the source.
func (f *File) outward(edits []rawjson.Edit) []rawjson.Edit {
	if f.rows == nil {
		return edits
	}
	return f.rows.Outward(edits)
}

// lower returns the byte edits for the difference between the decoded conversations and
// final.
func (f *File) lower(final []*transcript.Conversation) []rawjson.Edit {
	h := f.hooks()
	var edits []rawjson.Edit
	for i, c := range f.Convs {
		if final[i] == c {
			continue
		}
		edits = append(edits, f.layouts[i].Edits(c, final[i], h)...)
	}
	return edits
}

// hooks returns the functions of the dialect that take part in writing a conversation.
func (f *File) hooks() splice.Hooks {
	h := splice.Hooks{Texts: f.texts, Render: f.Dialect.render}
	if f.Dialect.relink != nil {
		h.Relink = append(h.Relink, f.Dialect.relink)
	}
	if f.options.Tag {
		h.Hide = f.Dialect.tags.hide
	}
	return h
}

// Sessions reports whether sessions of the dialect have an id that [File.Rename] can change.
func (d *Dialect) Sessions() bool { return d.rename != nil }

// Rename returns the source with another id of its session. Records that name another session keep
// its id. The error is an *UnsupportedError.
func (f *File) Rename(id string) ([]byte, error) {
	if f.Dialect.rename == nil || f.rows != nil || len(f.Convs) == 0 || f.Convs[0].ID == "" {
		return nil, &UnsupportedError{f.Dialect.Name, "SessionID", "session id"}
	}
	if strings.HasPrefix(f.Convs[0].ID, openCodeSession) && !strings.HasPrefix(id, openCodeSession) {
		return nil, &UnsupportedError{f.Dialect.Name, "SessionID", fmt.Sprintf("session ids without %q at the beginning", openCodeSession)}
	}
	return rawjson.Apply(f.src, f.Dialect.rename(f, f.Convs[0].ID, id))
}

// renameAt returns a function for Dialect.rename that changes the members with these paths, of each
// record or of the document.
func renameAt(paths ...string) func(f *File, old, id string) []rawjson.Edit {
	return func(f *File, old, id string) (edits []rawjson.Edit) {
		visit := func(v rawjson.Value) {
			for _, path := range paths {
				at := v
				for key := range strings.SplitSeq(path, ".") {
					at = at.Get(key)
				}
				edits = append(edits, renamed(at, old, id)...)
			}
		}
		if len(f.layouts) == 1 && !f.layouts[0].IsLines() {
			var doc rawjson.Doc
			if doc.ScanAll(f.src, 0, len(f.src)) == nil {
				visit(doc.Root())
			}
		}
		f.eachRecord(func(_, _ int, v rawjson.Value) { visit(v) })
		slices.SortFunc(edits, func(a, b rawjson.Edit) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
		return slices.CompactFunc(edits, func(a, b rawjson.Edit) bool { return a.Span == b.Span }) // a document can be its only record
	}
}

// renamed returns the edit that replaces a string, if it is old.
func renamed(v rawjson.Value, old, id string) []rawjson.Edit {
	if v.Kind() != rawjson.String || v.Str() != old {
		return nil
	}
	return []rawjson.Edit{{Span: v.Span(), New: splice.LinkValue(id)}}
}

// NewSessionID returns an id for a session with the content of the file. Equal files have equal ids.
// The id has the form that the client gives to ids: a UUID with a time if the old id has one, and the
// beginning of an id of OpenCode. Qwen Code resumes UUIDs of the versions 1 to 5 only, so its ids have
// version 5. All others have version 8.
func (f *File) NewSessionID() string {
	sum := sha256.Sum256(f.src)
	if len(f.Convs) == 0 {
		return splice.UUID(sum[:])
	}
	old := f.Convs[0].ID
	if strings.HasPrefix(old, openCodeSession) {
		return openCodeCopy(old, sum[:])
	}
	id := splice.UUID(sum[:])
	if f.Dialect.Name == "qwen-code" {
		return id[:len("xxxxxxxx-xxxx-")] + "5" + id[len("xxxxxxxx-xxxx-x"):]
	}
	if len(old) != len(id) || old[len("xxxxxxxx-xxxx-")] != '7' {
		return id
	}
	at := old[:len("xxxxxxxx-xxxx-")]
	if last := f.newest(); !last.IsZero() {
		ms := fmt.Sprintf("%012x", last.UnixMilli())
		at = ms[:8] + "-" + ms[8:12] + "-"
	}
	return at + "7" + id[len(at)+1:]
}

// newest returns the time of the newest message; the zero time if no message has one.
func (f *File) newest() (last time.Time) {
	for _, c := range f.Convs {
		for _, m := range c.Messages {
			if m.Time().After(last) {
				last = m.Time()
			}
		}
	}
	return last
}

// Started returns the time of the first message that has one, or the zero time.
func (f *File) Started() time.Time {
	for _, c := range f.Convs {
		for _, m := range c.Messages {
			if !m.Time().IsZero() {
				return m.Time()
			}
		}
	}
	return time.Time{}
}

// appendMembers adds the members of v under the keys to an object that has a member
// already. It copies their bytes.
func appendMembers(out []byte, v rawjson.Value, keys ...string) []byte {
	for _, key := range keys {
		if m := v.Get(key); m.Ok() {
			out = append(out, ',', '"')
			out = append(out, key...)
			out = append(out, '"', ':')
			out = append(out, m.Raw()...)
		}
	}
	return out
}

// isoTime returns a time in the form of chat exports, or "" for the zero time.
func isoTime(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format("2006-01-02T15:04:05.000000Z")
}

// messageText returns the texts of a new message, joined with newlines.
func messageText(m *transcript.Message) string {
	texts := make([]string, len(m.Blocks))
	for k, b := range m.Blocks {
		texts[k] = b.Text()
	}
	return strings.Join(texts, "\n")
}

// joinedText returns messageText as a JSON string, for formats with one string per
// message.
func joinedText(style rawjson.Style, m *transcript.Message) []byte {
	return style.Quote(messageText(m))
}

// paragraphs is joinedText with an empty line between two blocks.
func paragraphs(style rawjson.Style, m *transcript.Message) []byte {
	var texts []string
	for _, b := range m.Blocks {
		texts = append(texts, b.Text())
	}
	return style.Quote(strings.Join(texts, "\n\n"))
}

// WithoutRows returns the source without the rows of some conversations; drop reports
// by the index in f.Convs which ones. A row is a line or an element of the array that
// the source is, and holds one conversation. ok is false when one that is to be dropped
// has no row of its own.
func (f *File) WithoutRows(drop func(conv int) bool) (out []byte, ok bool) {
	rows, lines := f.rowSpans()
	held := make([]int, len(rows)) // by row: its conversations
	dropped := make([]bool, len(rows))
	var all []int // by dropped conversation: its row
	for i := range f.Convs {
		at := rowOf(rows, placeOf(f.layouts[i]))
		if at >= 0 {
			held[at]++
		}
		if !drop(i) {
			continue
		}
		if at < 0 {
			return nil, false
		}
		dropped[at] = true
		all = append(all, at)
	}
	for _, at := range all {
		if held[at] > 1 {
			return nil, false
		}
	}
	var edits []rawjson.Edit
	if !lines {
		edits = rawjson.Remove(nil, rows, func(i int) bool { return dropped[i] })
	} else {
		for i, row := range rows {
			if dropped[i] {
				edits = append(edits, rawjson.Edit{Span: row})
			}
		}
	}
	out, err := f.apply(edits)
	return out, err == nil
}

// RowsOf returns the indexes of the rows that hold some conversations, whose indexes in f.Convs
// ascend. A conversation without a row of its own has none.
func (f *File) RowsOf(convs []int) (found []int) {
	rows, _ := f.rowSpans()
	for _, i := range convs {
		if at := rowOf(rows, placeOf(f.layouts[i])); at >= 0 {
			found = append(found, at)
		}
	}
	return found
}

// rowSpans returns the rows of the source: the elements of an array, or lines with their
// newlines; none for one object.
func (f *File) rowSpans() (rows []rawjson.Span, lines bool) {
	if f.rows != nil {
		return f.rows.Spans, f.rows.Lines
	}
	doc := new(rawjson.Doc)
	if doc.ScanAll(f.src, rawjson.SkipBOM(f.src), len(f.src)) == nil {
		if doc.Root().Kind() == rawjson.Array {
			rows = doc.Root().Items()
		}
		return rows, false
	}
	for _, line := range rawjson.Lines(f.src) {
		rows = append(rows, rawjson.Span{Start: line.Start, End: line.Next})
	}
	return rows, true
}

// placeOf returns a span of the source that belongs to the conversation of a layout
// alone; an empty one when none is known.
func placeOf(l *splice.Layout) rawjson.Span {
	records := l.RecordSpans()
	switch {
	case l.Scope.Len() > 0:
		return l.Scope
	case l.Array.Len() > 0:
		return l.Array
	case len(records) > 0:
		return rawjson.Span{Start: records[0].Start, End: records[len(records)-1].End}
	}
	return rawjson.Span{}
}

// rowOf returns the index of the row that a span lies in, -1 without one.
func rowOf(rows []rawjson.Span, span rawjson.Span) int {
	i := sort.Search(len(rows), func(i int) bool { return rows[i].End >= span.End })
	if span.Len() == 0 || i == len(rows) || span.Start < rows[i].Start {
		return -1
	}
	return i
}
