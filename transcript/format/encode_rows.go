package format

import (
	"sort"

	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// WithoutRows returns the source without the rows of some conversations; drop reports
// by the index in f.Convs which ones. A row is a line or an element of the array that
// the source is, and holds one conversation. ok is false when one that is to be dropped
// has no row of its own.
func (f *File) WithoutRows(drop func(conv int) bool) (out []byte, ok bool) {
	rows, lines := f.rows()
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
	out, err := rawjson.Apply(f.src, edits)
	return out, err == nil
}

// rows returns the rows of the source: the elements of an array, or lines with their
// newlines; none for one object.
func (f *File) rows() (rows []rawjson.Span, lines bool) {
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
