package format

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
		if lo.dead(r.slot) {
			continue
		}
		if !r.segment() {
			lo.edits = append(lo.edits, rawjson.Edit{Span: r.lit, New: lo.literal(r)})
			continue
		}
		if byLit[r.lit.Start] == nil {
			lits = append(lits, r.lit.Start)
		}
		byLit[r.lit.Start] = append(byLit[r.lit.Start], r)
	}
	for _, start := range lits {
		lo.writeSegments(byLit[start])
	}
}

// literal is the new value for a place that is not a segment.
func (lo *lowering) literal(r rewrite) []byte {
	quoted := lo.l.quoteStyle(r.lit, r.text).Quote(r.text)
	if !r.media || r.bare {
		return quoted
	}
	if lo.l.textElement != nil {
		return lo.l.textElement(lo.l.src, r.lit, quoted)
	}
	element := r.element
	if element == "" {
		element = "text"
	}
	return append(append([]byte(`{"type":"`+element+`","text":`), quoted...), '}')
}

// writeSegments replaces segments of one literal and leaves the rest of it alone.
func (lo *lowering) writeSegments(rs []rewrite) {
	slices.SortFunc(rs, func(a, b rewrite) int { return cmp.Compare(a.from, b.from) })
	lit := rs[0].lit
	raw := lo.l.src[lit.Start:lit.End]
	offsets := make([]int, 0, 2*len(rs))
	for _, r := range rs {
		from, to := r.from, r.to
		if r.drop {
			from, to = r.wide()
		}
		offsets = append(offsets, from, to)
	}
	cuts := rawjson.Cuts(raw, offsets)
	near := rawjson.NewSample(raw)
	decoded := ""
	if rs[0].nested {
		decoded = rawjson.Decode(raw)
	}
	for i, r := range rs {
		span := rawjson.Span{Start: lit.Start + cuts[2*i], End: lit.Start + cuts[2*i+1]}
		var text []byte
		switch {
		case r.drop:
		case r.nested: // escaped for the inner literal, then for the outer
			inner := rawjson.StyleOf([]byte(decoded[r.from:r.to]))
			quoted := string(inner.Quote(r.text))
			text = rawjson.StyleFor(quoted, near, lo.l.sample).Append(nil, quoted)
		default:
			text = rawjson.StyleFor(r.text, near, lo.l.sample).Append(nil, r.text)
		}
		lo.edits = append(lo.edits, rawjson.Edit{Span: span, New: text})
	}
}
