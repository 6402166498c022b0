package rawjson

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
)

// Edit replaces the bytes of its Span with New. With an empty Span it is an insertion,
// with an empty New a deletion.
type Edit struct {
	Span
	New []byte
}

// Apply returns a copy of src after all edits.
//
// Spans are offsets in src, independent of other edits. The order of edits matters only
// for insertions at the same offset, which keep it and precede the replacement of the
// bytes that follow. An edit outside src and two that overlap are errors.
func Apply(src []byte, edits []Edit) ([]byte, error) {
	out := bytes.NewBuffer(make([]byte, 0, max(0, Size(src, edits)))) // Grow would write zeros to all of it first
	if _, err := WriteTo(out, src, edits); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// WriteTo writes the result of [Apply] to w without building it, and returns the number
// of bytes written. It writes nothing if the edits have a fault.
//
// Each run of src between two edits, and each New, is one Write; w should be buffered.
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
	done := 0 // src[:done] is written or replaced
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

// Size returns the length of the result of [Apply], for edits without a fault.
func Size(src []byte, edits []Edit) int {
	n := len(src)
	for _, e := range edits {
		n += len(e.New) - e.Len()
	}
	return n
}

// inOrder checks the edits and returns them in the order of the source. It does not
// change the slice of the caller.
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

// String describes e for error messages, without its text, which may be long or private.
func (e Edit) String() string {
	return fmt.Sprintf("edit [%d,%d) to %d bytes", e.Start, e.End, len(e.New))
}

// Remove appends to dst the edits that delete elements of an array or members of an
// object, those for which drop reports true, and returns the result. elems are the spans
// of all of them in order, as [Value.Items] returns them.
//
// The rest is valid and keeps the white space around it. The deletion of an element
// starts at the end of the one before it and includes the comma. Before the first kept
// element it ends at the start of the next one. If all are dropped, one edit deletes
// all of them and the brackets stay.
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
