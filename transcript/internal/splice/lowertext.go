package splice

import (
	"cmp"
	"slices"

	"condense/transcript/internal/rawjson"
)

// writeTexts writes the new texts into their literals.
func (lo *lowering) writeTexts() {
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

// literal is the new value for a place that is not a segment.
func (lo *lowering) literal(r rewrite) []byte {
	quoted := lo.l.quoteStyle(r.Lit, r.text).Quote(r.text)
	if !r.Media || r.Bare {
		return quoted
	}
	if lo.l.TextElement != nil {
		return lo.l.TextElement(lo.l.Src, r.Lit, quoted)
	}
	element := r.Element
	if element == "" {
		element = "text"
	}
	return append(append([]byte(`{"type":"`+element+`","text":`), quoted...), '}')
}

// writeSegments replaces segments of one literal and leaves the rest of it alone.
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
