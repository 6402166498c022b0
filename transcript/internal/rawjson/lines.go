package rawjson

import (
	"bytes"
	"iter"
)

// Line is one line of a JSONL source. Its Span is the content, without the '\n' at its
// end and without a '\r' right before that.
type Line struct {
	Span
	Next int // offset after the '\n', or the length of the source if the last line has none
}

// Lines yields the lines of src, numbered from 0, including empty ones. The first starts
// after a byte order mark. There is no line after the last '\n', so an empty source has
// no lines. A line may have any length.
//
// A source may be split before it is scanned, because no JSON string contains a raw
// '\n':
//
//	for _, line := range rawjson.Lines(src) {
//		err := doc.ScanAll(src, line.Start, line.End)
//	}
func Lines(src []byte) iter.Seq2[int, Line] {
	return func(yield func(int, Line) bool) {
		start := SkipBOM(src)
		for n := 0; start < len(src); n++ {
			line := Line{Span{start, len(src)}, len(src)}
			if k := bytes.IndexByte(src[start:], '\n'); k >= 0 {
				line.End = start + k
				line.Next = line.End + 1
				if k > 0 && src[line.End-1] == '\r' {
					line.End--
				}
			}
			if !yield(n, line) {
				return
			}
			start = line.Next
		}
	}
}

// SkipBOM returns the length of the UTF-8 byte order mark at the start of src: 3, or 0
// if there is none.
func SkipBOM(src []byte) int {
	const bom = "\ufeff"
	if bytes.HasPrefix(src, []byte(bom)) {
		return len(bom)
	}
	return 0
}

// SkipSpace returns the offset of the first byte of src, from at on, that is not JSON
// white space, or len(src) if there is none.
func SkipSpace(src []byte, at int) int {
	for at < len(src) && (src[at] == ' ' || src[at] == '\n' || src[at] == '\t' || src[at] == '\r') {
		at++
	}
	return at
}
