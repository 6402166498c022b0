package format

import (
	"strings"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

const (
	// longLeaf is the size in bytes over which a string of a strict mirror is
	// replaced when its block changes (DESIGN §3).
	longLeaf = 200
	// longLine is the length in bytes from which a removed line must be left
	// nowhere in the output.
	longLine = 80
	// gap stands in a mirror for what has no marker of its own.
	gap = "[omitted]"
)

// writeMirrors takes what the blocks lost out of the values that repeat them.
// Shape and short fields stay.
func (lo *lowering) writeMirrors() {
	var doc rawjson.Doc
	for i := range lo.l.mirrors {
		m := &lo.l.mirrors[i]
		if lo.dead(m.slot) {
			continue
		}
		c := lo.contentOf(m)
		if !c.changed {
			continue
		}
		if _, err := doc.Scan(lo.l.src, m.value.Start, m.value.End); err != nil {
			continue // cannot be: it was scanned when it was decoded
		}
		for v := range stringLeaves(doc.Root()) {
			if c.lost(v.Str(), m.strict) {
				lo.edits = append(lo.edits, rawjson.Edit{Span: v.Span(), New: lo.l.quoteStyle(v.Span()).Quote(c.markerFor(v))})
			}
		}
	}
}

// mirrored is what the blocks of a mirror held and hold.
type mirrored struct {
	changed bool
	kept    string              // their texts in the final state
	gone    map[string]struct{} // long lines that were in them and are not any more, without gutters
	marker  string
}

func (lo *lowering) contentOf(m *mirror) mirrored {
	c := mirrored{marker: gap}
	var before, after []string
	for _, ref := range m.blocks {
		was, is := lo.from.Block(ref), lo.to.Block(ref)
		if was == nil {
			continue
		}
		before = append(before, was.Text())
		if is != nil {
			after = append(after, is.Text())
		}
		if is == nil || !sameParts(was, is) {
			c.changed = true
			if is != nil && transcript.IsMarker(is.Text()) {
				c.marker, _, _ = strings.Cut(is.Text(), "\n")
			}
		}
	}
	if !c.changed {
		return c
	}
	c.kept = strings.Join(after, "\n")
	c.gone = map[string]struct{}{}
	for _, text := range before {
		for line := range strings.Lines(text) {
			if line = bare(line); len(line) >= longLine {
				c.gone[line] = struct{}{}
			}
		}
	}
	for line := range strings.Lines(c.kept) {
		delete(c.gone, bare(line))
	}
	return c
}

// lost tells whether a string of the mirror has to go.
func (c *mirrored) lost(leaf string, strict bool) bool {
	if strict && len(leaf) > longLeaf {
		return !strings.Contains(c.kept, leaf)
	}
	if len(leaf) < longLine || len(c.gone) == 0 {
		return false
	}
	for line := range strings.Lines(leaf) {
		if line = bare(line); len(line) >= longLine {
			if _, ok := c.gone[line]; ok {
				return true
			}
		}
	}
	return false
}

// markerFor is the text that replaces a leaf, never longer than the leaf is.
func (c *mirrored) markerFor(leaf rawjson.Value) string {
	if span := leaf.Span(); len(c.marker) <= span.End-span.Start-2 {
		return c.marker
	}
	return gap
}

// bare is a line without line break, without the gutter that file readers put in
// front ("   12→", "12\t", "12: ") and without the sign of a diff line, so that
// a mirror that has them and a text that does not compare equal.
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

// stringLeaves yields every string value below v, keys excluded.
func stringLeaves(v rawjson.Value) func(yield func(rawjson.Value) bool) {
	return func(yield func(rawjson.Value) bool) { walkStrings(v, yield) }
}

func walkStrings(v rawjson.Value, yield func(rawjson.Value) bool) bool {
	switch v.Kind() {
	case rawjson.String:
		return yield(v)
	case rawjson.Array:
		for e := range v.Elems() {
			if !walkStrings(e, yield) {
				return false
			}
		}
	case rawjson.Object:
		for _, e := range v.Members() {
			if !walkStrings(e, yield) {
				return false
			}
		}
	}
	return true
}
