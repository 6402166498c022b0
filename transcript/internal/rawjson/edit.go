package rawjson

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
)

// Edit replaces the bytes of its Span by New: an insertion if the Span is empty,
// a deletion if New is.
type Edit struct {
	Span
	New []byte
}

// Apply returns a copy of src with all edits made; without edits, a copy of src.
//
// Spans are offsets in src, whatever the other edits do. The order of edits
// matters only for insertions at the same offset, which keep it; they go before
// what replaces the bytes from there on. An edit outside of src, or two that
// overlap, are an error that names them.
func Apply(src []byte, edits []Edit) ([]byte, error) {
	out := bytes.NewBuffer(make([]byte, 0, max(0, Size(src, edits)))) // Grow would write zeros to all of it first
	if _, err := WriteTo(out, src, edits); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// WriteTo writes to w what [Apply] returns, without building it, and returns the
// number of bytes written. If the edits are at fault, nothing is written.
//
// Each stretch of src between two edits, and each New, is one Write: many edits
// call for a buffered w.
func WriteTo(w io.Writer, src []byte, edits []Edit) (int64, error) {
	edits, err := inOrder(src, edits)
	if err != nil {
		return 0, err
	}
	var written int64
	write := func(b []byte) error {
		if len(b) == 0 {
			return nil
		}
		n, err := w.Write(b)
		written += int64(n)
		return err
	}
	done := 0 // src[:done] is dealt with
	for _, e := range edits {
		if err := write(src[done:e.Start]); err != nil {
			return written, err
		}
		if err := write(e.New); err != nil {
			return written, err
		}
		done = e.End
	}
	return written, write(src[done:])
}

// Size returns the length of what [Apply] returns for edits that it accepts.
func Size(src []byte, edits []Edit) int {
	n := len(src)
	for _, e := range edits {
		n += len(e.New) - e.Len()
	}
	return n
}

// inOrder returns the edits in the order of the source, having checked them. It
// leaves the slice of the caller alone.
func inOrder(src []byte, edits []Edit) ([]Edit, error) {
	// By End too: an insertion goes before the replacement of what follows it.
	order := func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	}
	if !slices.IsSortedFunc(edits, order) {
		edits = slices.Clone(edits)
		slices.SortStableFunc(edits, order)
	}
	for i, e := range edits {
		if e.Start < 0 || e.End < e.Start || e.End > len(src) {
			return nil, fmt.Errorf("rawjson: %v is outside of a source of %d bytes", e, len(src))
		}
		if i > 0 && e.Start < edits[i-1].End {
			return nil, fmt.Errorf("rawjson: %v overlaps %v", e, edits[i-1])
		}
	}
	return edits, nil
}

// String describes e for error messages. It leaves out the text, which may be
// long and is nobody's business.
func (e Edit) String() string {
	return fmt.Sprintf("edit [%d,%d) to %d bytes", e.Start, e.End, len(e.New))
}

// Remove appends to dst the edits that delete, from one array or object, the
// elements or members whose index drop reports, and returns the result. elems
// are the spans of all of them, in order, as [Value.Items] returns them.
//
// What is left is valid, and the kept ones keep the white space around them: a
// dropped one goes from the end of the one before it, and with it the comma, to
// its own end; those before the first kept one go from their own start to the
// start of the next. If all are dropped, one edit deletes everything from the
// first to the last and the brackets stay.
func Remove(dst []Edit, elems []Span, drop func(i int) bool) []Edit {
	kept := false
	from := len(dst)
	for i, e := range elems {
		switch {
		case !drop(i):
			kept = true
			continue
		case kept:
			e.Start = elems[i-1].End
		case i+1 < len(elems):
			e.End = elems[i+1].Start
		}
		dst = append(dst, Edit{Span: e})
	}
	if !kept && len(elems) > 0 {
		all := Span{elems[0].Start, elems[len(elems)-1].End}
		return append(dst[:from], Edit{Span: all})
	}
	return dst
}
