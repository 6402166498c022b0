package splice

import (
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

const (
	// longLeaf is the size in bytes above which a string of a strict mirror is replaced
	// when its block changes. Shorter strings are statuses, paths and commands that
	// clients read.
	longLeaf = 200
	// longLine is the length in bytes of the shortest line that must not remain anywhere in
	// the output after it was removed.
	longLine = 80
	// Gap replaces text in a mirror that has no marker of its own.
	Gap = "[omitted]"
)

// A Mirror is a JSON value that repeats blocks for another reader. Long lines that the
// conversation loses are removed from its strings.
type Mirror struct {
	Slot   int // that it lies in
	Value  rawjson.Span
	Blocks []transcript.Ref
	// Strict reports whether the value repeats only its blocks. When one of them changes,
	// every long string that they no longer hold is replaced.
	Strict bool
	// Encoded reports whether the value repeats its blocks in a form that is not text, such
	// as the numbers of tokens. When one of them changes, it becomes null. Without blocks, it
	// repeats the whole conversation.
	Encoded bool
}

// writeMirrors removes the text that the conversation lost from the mirrors. Their
// structure and their short strings stay.
func (lo *lowering) writeMirrors() {
	if len(lo.l.mirrors) == 0 {
		return
	}
	gone := lo.goneLines()
	doc := rawjson.Doc{Texts: lo.Texts, Passing: true}
	for i := range lo.l.mirrors {
		m := &lo.l.mirrors[i]
		if lo.dead(m.Slot) {
			continue
		}
		c := lo.contentOf(m, gone)
		if m.Encoded {
			if c.changed || len(m.Blocks) == 0 && lo.differs() {
				lo.edits = append(lo.edits, rawjson.Edit{Span: m.Value, New: []byte("null")})
			}
			continue
		}
		if !c.changed && len(gone) == 0 {
			continue
		}
		if _, err := doc.Scan(lo.l.Src, m.Value.Start, m.Value.End); err != nil {
			continue // cannot happen: decoding scanned it
		}
		for v := range doc.Root().Strings() {
			if v.Span().Len() <= longLine {
				continue
			}
			if text, changed := c.cleaned(v.Str(), v.Span().Len()-2); changed {
				lo.edits = append(lo.edits, rawjson.Edit{Span: v.Span(), New: lo.l.quoteStyle(v.Span(), text).Quote(text)})
			}
		}
	}
}

// differs reports whether the conversation changed.
func (lo *lowering) differs() bool {
	if len(lo.from.Messages) != len(lo.to.Messages) {
		return true
	}
	for _, m := range lo.from.Messages {
		final := lo.to.Message(m.ID)
		if final == nil || len(final.Blocks) != len(m.Blocks) {
			return true
		}
		for _, b := range m.Blocks {
			if is := final.Block(b.ID); is == nil || !sameParts(b, is) {
				return true
			}
		}
	}
	return false
}

// goneLines returns the long lines that were removed and no longer occur anywhere in the
// conversation, in the form of bare.
func (lo *lowering) goneLines() map[string]struct{} {
	gone := map[string]struct{}{}
	for _, m := range lo.from.Messages {
		final := lo.to.Message(m.ID)
		if final == m {
			continue
		}
		for _, b := range m.Blocks {
			var is *transcript.Block
			if final != nil {
				is = final.Block(b.ID)
			}
			if is == nil || !sameParts(b, is) {
				eachLongLine(b, func(line string) { gone[line] = struct{}{} })
			}
		}
	}
	if len(gone) == 0 {
		return nil
	}
	for _, m := range lo.to.Messages {
		for _, b := range m.Blocks {
			eachLongLine(b, func(line string) { delete(gone, line) })
		}
	}
	return gone
}

// eachLongLine calls f for every long line of a block, in the form of bare.
func eachLongLine(b *transcript.Block, f func(line string)) {
	for _, p := range b.Parts {
		for line := range strings.Lines(p.Text) {
			if len(line) >= longLine {
				f(bare(line))
			}
		}
	}
}

// mirrored holds the texts of the blocks of a mirror, before and after.
type mirrored struct {
	changed bool
	strict  bool
	held    string              // the original texts of its changed blocks
	kept    string              // the final texts of its blocks
	gone    map[string]struct{} // lines that must not remain, in the form of bare
	marker  string              // what is left of a block of which nothing else is, or Gap
	now     map[string]string   // the final text of a changed part, by its original text
}

func (lo *lowering) contentOf(m *Mirror, gone map[string]struct{}) mirrored {
	c := mirrored{marker: Gap, strict: m.Strict, gone: gone}
	var before, after []string
	for _, ref := range m.Blocks {
		was, is := lo.from.Block(ref), lo.to.Block(ref)
		if is != nil {
			after = append(after, is.Text())
		}
		if is == nil || !sameParts(was, is) {
			c.changed = true
			before = append(before, was.Text())
			if is != nil {
				c.follow(was, is)
			}
		}
	}
	if c.changed { // otherwise superseded does not use them
		c.kept = strings.Join(after, "\n")
		c.held = strings.Join(before, "\n")
	}
	return c
}

// follow notes what became of the texts of a block.
func (c *mirrored) follow(was, is *transcript.Block) {
	if body := strings.TrimSpace(is.Body()); transcript.IsMarker(body) && !strings.Contains(body, "\n") {
		c.marker = body
	}
	if len(was.Parts) != len(is.Parts) {
		return
	}
	if c.now == nil {
		c.now = map[string]string{}
	}
	for i, p := range was.Parts {
		if text := is.Parts[i].Text; p.Text != text && len(text) <= len(p.Text) {
			c.now[p.Text] = text
		}
	}
}

// cleaned returns a string of the mirror without the text that the conversation lost, and
// whether it changed. JSON in the string stays JSON, unless the whole string was the text
// of a block. room is the size of the string in the source, in bytes.
func (c *mirrored) cleaned(text string, room int) (string, bool) {
	superseded := c.superseded(text)
	if !superseded && !c.holdsGone(text) {
		return text, false
	}
	if now, ok := c.now[text]; ok && !indivisible(text) {
		return now, true
	}
	inner := rawjson.ReadText(text)
	switch {
	case inner.Ok() && !strings.Contains(c.held, text):
	case superseded || indivisible(text):
		return c.markerFor(room), true
	default:
		return c.withoutGone(text), true
	}
	src := []byte(text)
	var edits []rawjson.Edit
	for v := range inner.Strings() {
		if v.Span().Len() <= longLine {
			continue
		}
		if s, changed := c.cleaned(v.Str(), v.Span().Len()-2); changed {
			edits = append(edits, rawjson.Edit{Span: v.Span(), New: rawjson.StyleOf(src).Quote(s)})
		}
	}
	out, err := rawjson.Apply(src, edits)
	if err != nil || c.holdsGone(string(out)) {
		return c.markerFor(room), true
	}
	return string(out), edits != nil
}

// superseded reports whether a string of a strict mirror is long and no longer held by
// its blocks.
func (c *mirrored) superseded(leaf string) bool {
	return c.changed && c.strict && len(leaf) > longLeaf && !strings.Contains(c.kept, leaf)
}

// isGone reports whether a line must not remain.
func (c *mirrored) isGone(line string) bool {
	if len(line) < longLine {
		return false
	}
	_, ok := c.gone[bare(line)]
	return ok
}

// holdsGone reports whether a string, or JSON in it, holds a line that must not
// remain.
func (c *mirrored) holdsGone(text string) bool {
	if len(c.gone) == 0 {
		return false
	}
	for line := range strings.Lines(text) {
		if c.isGone(line) {
			return true
		}
	}
	for v := range rawjson.ReadText(text).Strings() {
		if v.Span().Len() > longLine && c.holdsGone(v.Str()) {
			return true
		}
	}
	return false
}

// withoutGone returns a text in which Gap replaces each run of lines that must not remain.
func (c *mirrored) withoutGone(text string) string {
	var out strings.Builder
	run, end := false, "" // the last line was such a line, and its line break
	mark := func() {
		if run {
			out.WriteString(Gap + end)
		}
		run = false
	}
	for line := range strings.Lines(text) {
		if c.isGone(line) {
			run, end = true, line[len(strings.TrimRight(line, "\r\n")):]
			continue
		}
		mark()
		out.WriteString(line)
	}
	mark()
	return out.String()
}

// indivisible reports whether a text that loses lines must be removed as a whole. Without
// some of its lines, JSON would have another meaning, and a patch would fail or make
// other changes.
func indivisible(text string) bool {
	text = strings.TrimSpace(text)
	if list, ok := strings.CutPrefix(text, "["); ok {
		return strings.IndexAny(strings.TrimSpace(list), `{["`) == 0
	}
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "@@ -") || strings.Contains(text, "\n@@ -")
}

// markerFor returns the text that replaces a string of room bytes. It is at most room
// bytes long, unless Gap is longer.
func (c *mirrored) markerFor(room int) string {
	if len(c.marker) <= room {
		return c.marker
	}
	return Gap
}

// bare returns a line without its line break, without the gutter of tools that read files
// ("   12→", "12\t", "12: ") and without the sign of a diff. A line of a mirror with
// these is then equal to the line of the text.
func bare(line string) string {
	line = strings.TrimRight(line, "\r\n")
	trimmed := strings.TrimLeft(line, " ")
	digits := 0
	for digits < len(trimmed) && '0' <= trimmed[digits] && trimmed[digits] <= '9' {
		digits++
	}
	if digits > 0 {
		for _, sep := range []string{"→", "\t", ": ", "|"} {
			if rest, ok := strings.CutPrefix(trimmed[digits:], sep); ok {
				return strings.TrimSpace(rest)
			}
		}
	}
	if line != "" && (line[0] == '+' || line[0] == '-') {
		line = line[1:]
	}
	return strings.TrimSpace(line)
}

// Mirror notes that the value in a slot may repeat blocks. It ignores a value that is too
// short for a long line.
func (l *Layout) Mirror(slot int, value rawjson.Span, strict bool, blocks ...transcript.Ref) {
	l.AddMirror(Mirror{Slot: slot, Value: value, Blocks: blocks, Strict: strict})
}

// AddMirror is Mirror for a value of type Mirror.
func (l *Layout) AddMirror(m Mirror) {
	if m.Value.Len() >= longLine {
		l.mirrors = append(l.mirrors, m)
	}
}

// RenumberMirrors changes the numbers of the messages that mirrors refer to: i becomes
// to[i].
func (l *Layout) RenumberMirrors(to []int) {
	for i := range l.mirrors {
		blocks := slices.Clone(l.mirrors[i].Blocks)
		for k := range blocks {
			blocks[k].Msg = to[blocks[k].Msg]
		}
		l.mirrors[i].Blocks = blocks
	}
}

// MirrorMembers is Mirror for every member of an object except those under some keys,
// which hold the blocks.
func (l *Layout) MirrorMembers(slot int, object rawjson.Value, strict bool, blocks []transcript.Ref, except ...string) {
members:
	for k, v := range object.Members() {
		for _, key := range except {
			if k.Is(key) {
				continue members
			}
		}
		l.Mirror(slot, v.Span(), strict, blocks...)
	}
}
