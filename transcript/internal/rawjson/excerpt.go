package rawjson

import "bytes"

// Excerpt returns a source with the first and the last records of a larger one, made from
// the first bytes of that source and its last bytes. A record is a line of a JSONL source,
// or an element of the array that the cut passes through; the members of the objects
// around that array stay. from is the offset of the first record of the tail. Records that
// a part holds incompletely are left out.
//
// ok is false if the tail holds no whole record, or if the two parts do not fit together:
// then the source has other shapes, or the parts must be longer.
func Excerpt(head, tail []byte) (src []byte, from int, ok bool) {
	if first := tailLine(tail); first >= 0 {
		end := bytes.LastIndexByte(head, '\n') + 1
		return append(head[:end:end], tail[first:]...), end, true
	}
	closers, first := lastElements(tail)
	if first < 0 || isLines(head) {
		return nil, 0, false
	}
	end, some, ok := cutArray(head, closers)
	if !ok {
		return nil, 0, false
	}
	src = append([]byte(nil), head[:end]...)
	if some {
		src = append(src, ',')
	}
	return append(src, tail[first:]...), len(src), true
}

// isLines reports whether the first line of a source is an object.
func isLines(head []byte) bool {
	end := bytes.IndexByte(head, '\n')
	var doc Doc
	return end >= 0 && doc.ScanAll(head, SkipBOM(head), end) == nil && doc.Root().Kind() == Object
}

// tornLines is the number of lines at the end of a source that may be torn, as after a crash.
const tornLines = 2

// tailLine returns the offset of the first whole line of the end of a JSONL source, or -1 if
// none of the last lines is an object.
func tailLine(tail []byte) int {
	start := bytes.IndexByte(tail, '\n') + 1
	if start == 0 {
		return -1
	}
	rest := bytes.TrimRight(tail[start:], "\r\n")
	var doc Doc
	for range tornLines + 1 {
		at := bytes.LastIndexByte(rest, '\n') + 1
		if doc.ScanAll(rest, at, len(rest)) == nil && doc.Root().Kind() == Object {
			return start
		}
		if at == 0 {
			break
		}
		rest = bytes.TrimRight(rest[:at], "\r\n")
	}
	return -1
}

// lastElements reads the end of a document backwards. It returns the closing brackets of the
// array that the tail begins in and of the values around it, the outermost first, and the
// offset of the first whole object in that array. The offset is -1 if there is none.
//
// Backwards, each quote that no odd number of backslashes precedes begins or ends a string,
// because a document ends outside of strings.
func lastElements(tail []byte) (closers []byte, first int) {
	type element struct{ depth, at int }
	var open []byte
	var found []element // the first object so far in an array of each depth
	for i := len(tail) - 1; i >= 0; i-- {
		switch c := tail[i]; c {
		case '"':
			i = stringStart(tail, i) // -1 ends the loop
		case '}', ']':
			open = append(open, c)
		case '{', '[':
			if len(open) == 0 || open[len(open)-1] != c+2 { // in ASCII, a closing bracket is two after its opening one
				return nil, -1
			}
			open = open[:len(open)-1]
			for len(found) > 0 && found[len(found)-1].depth > len(open) {
				found = found[:len(found)-1]
			}
			if n := len(open); c == '{' && n > 0 && open[n-1] == ']' {
				if k := len(found) - 1; k >= 0 && found[k].depth == n {
					found[k].at = i
				} else {
					found = append(found, element{n, i})
				}
			}
		}
	}
	for n, c := range open {
		if c == ']' { // the outermost array that is not whole
			if len(found) > 0 && found[0].depth == n+1 {
				return open[:n+1], found[0].at
			}
			break
		}
	}
	return nil, -1
}

// stringStart returns the offset of the quote that begins the string that ends at end, or -1.
func stringStart(src []byte, end int) int {
	for at := bytes.LastIndexByte(src[:end], '"'); at >= 0; at = bytes.LastIndexByte(src[:at], '"') {
		slashes := 0
		for at-slashes > 0 && src[at-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return at
		}
	}
	return -1
}

// cutArray reads the beginning of a document. It returns the end of the last whole element of
// the array that closers end, or the offset after the bracket of an array without one; some
// reports whether there is one. ok is false if the beginning does not end in that array.
func cutArray(head, closers []byte) (end int, some, ok bool) {
	type container struct {
		closer byte
		end    int // of the last whole value in it, or of its bracket
		some   bool
	}
	var open []container
	whole := func(end int) {
		if n := len(open); n > 0 {
			open[n-1].end, open[n-1].some = end, true
		}
	}
	for i := SkipBOM(head); i < len(head); i++ {
		switch c := head[i]; c {
		case '"':
			if i = stringEnd(head, i); i < len(head) {
				whole(i + 1)
			}
		case '{', '[':
			open = append(open, container{c + 2, i + 1, false})
		case '}', ']':
			if len(open) == 0 || open[len(open)-1].closer != c {
				return 0, false, false
			}
			open = open[:len(open)-1]
			whole(i + 1)
		}
	}
	if len(open) < len(closers) {
		return 0, false, false
	}
	for k, c := range closers {
		if open[k].closer != c {
			return 0, false, false
		}
	}
	last := open[len(closers)-1]
	return last.end, last.some, true
}

// stringEnd returns the offset of the quote that ends the string that begins at start, or the
// length of src if that is missing.
func stringEnd(src []byte, start int) int {
	for i := start + 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(src)
}
