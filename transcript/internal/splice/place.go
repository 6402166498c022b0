package splice

import (
	"cmp"
	"slices"

	"condense/transcript/internal/rawjson"
)

// A MessagePlace locates a message.
type MessagePlace struct {
	Records []int  // the slots of its records, in the order of the source
	Blocks  Places // by Block.ID
}

// A BlockPlace locates a block: the places of its parts, and the slots that are removed with it.
type BlockPlace struct {
	Slots []int // besides those of the parts
	// Parts are in the order of Block.Parts. Additional places hold the rest of the last
	// text; when that changes, they are emptied, or removed with their slots.
	Parts []Place
	// Copies hold equal parts at other places, such as a call that is stored both in the
	// content and in a list of calls.
	Copies []BlockPlace
	// Flagged reports whether the source states, beside a tool's answer, whether the
	// tool failed. Edits does not use it.
	Flagged bool
}

// A Place locates the text of a part: a string literal, or a segment of one.
type Place struct {
	Slot int          // the innermost slot around it
	Lit  rawjson.Span // the literal with its quotes; for media and numbers, the value
	// From and To delimit a segment: byte offsets in the decoded text of Lit. To is 0
	// for the whole literal.
	From, To int
	// Wide holds the offsets of the text that is removed with the segment, such as the
	// fence around a call. It is nil when only the segment is removed.
	Wide *[2]int
	// Nested reports whether the segment is itself a JSON string literal, as in
	// arguments that are JSON in a JSON string.
	Nested bool
	// Media reports whether the value is a content element of media. A text replaces it by a
	// content element of the type "text", with InputText "input_text", or with Bare by a string.
	Media     bool
	InputText bool
	Bare      bool
}

// Segment reports whether the place is a part of a literal.
func (p Place) Segment() bool { return p.To > 0 }

// wide returns the offsets of the text that is removed with the segment.
func (p Place) wide() (from, to int) {
	if p.Wide != nil {
		return p.Wide[0], p.Wide[1]
	}
	return p.From, p.To
}

// A rewrite is the new text of a place. The segments of one literal are written together.
type rewrite struct {
	*Place
	text string
	drop bool // the text is removed; the whole literal only where its slot stays for others
}

// writeTexts writes the new texts into their literals.
func (lo *lowering) writeTexts() {
	for _, at := range lo.dropped {
		for i := range at.Parts {
			if p := &at.Parts[i]; !lo.dead(p.Slot) {
				lo.rewrites = append(lo.rewrites, rewrite{Place: p, drop: true})
			}
		}
	}
	byLit := map[int][]rewrite{}
	var lits []int
	for _, r := range lo.rewrites {
		if lo.dead(r.Slot) {
			continue
		}
		if !r.Segment() {
			lo.edits = append(lo.edits, rawjson.Edit{Span: r.Lit, New: lo.literal(r)})
			continue
		}
		if byLit[r.Lit.Start] == nil {
			lits = append(lits, r.Lit.Start)
		}
		byLit[r.Lit.Start] = append(byLit[r.Lit.Start], r)
	}
	for _, start := range lits {
		lo.writeSegments(byLit[start])
	}
}

// literal returns the new value of a place that is not a segment.
func (lo *lowering) literal(r rewrite) []byte {
	quoted := lo.l.quoteStyle(r.Lit, r.text).Quote(r.text)
	if !r.Media || r.Bare {
		return quoted
	}
	if lo.l.TextElement != nil {
		return lo.l.TextElement(lo.l.Src, r.Lit, quoted)
	}
	element := "text"
	if r.InputText {
		element = "input_text"
	}
	return append(append([]byte(`{"type":"`+element+`","text":`), quoted...), '}')
}

// writeSegments replaces segments of one literal. The rest of it stays as it is.
func (lo *lowering) writeSegments(rs []rewrite) {
	slices.SortFunc(rs, func(a, b rewrite) int { return cmp.Compare(a.From, b.From) })
	lit := rs[0].Lit
	raw := lo.l.Src[lit.Start:lit.End]
	offsets := make([]int, 0, 2*len(rs))
	for _, r := range rs {
		from, to := r.From, r.To
		if r.drop {
			from, to = r.wide()
		}
		offsets = append(offsets, from, to)
	}
	cuts := rawjson.Cuts(raw, offsets)
	near := rawjson.NewSample(raw)
	decoded := ""
	if rs[0].Nested {
		decoded = rawjson.Decode(raw)
	}
	for i, r := range rs {
		span := rawjson.Span{Start: lit.Start + cuts[2*i], End: lit.Start + cuts[2*i+1]}
		var text []byte
		switch {
		case r.drop:
		case r.Nested: // escaped for the inner literal, then for the outer
			inner := rawjson.StyleOf([]byte(decoded[r.From:r.To]))
			quoted := string(inner.Quote(r.text))
			text = rawjson.StyleFor(quoted, near, lo.l.sample).Append(nil, quoted)
		default:
			text = rawjson.StyleFor(r.text, near, lo.l.sample).Append(nil, r.text)
		}
		lo.edits = append(lo.edits, rawjson.Edit{Span: span, New: text})
	}
}

// quoteStyle returns the style of a text that replaces a literal: the style of the
// literal, or that of the source where the literal does not show it.
func (l *Layout) quoteStyle(lit rawjson.Span, text string) rawjson.Style {
	return rawjson.StyleFor(text, rawjson.NewSample(l.Src[lit.Start:lit.End]), l.sample)
}
