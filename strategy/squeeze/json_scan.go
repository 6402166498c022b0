package squeeze

import "strings"

// maxNesting is the largest number of open arrays and objects. A text with deeper
// nesting is not treated as JSON.
const maxNesting = 500

// maxIndent is the largest amount of white space after an opening bracket, in bytes.
const maxIndent = 2048

// box is an array or object that is too large for one piece.
type box struct {
	start, end int
	next       int32 // index of the first box that is not inside this one
}

// scanValue checks the JSON value at s[at] and returns its end, and the boxes in it,
// appended to boxes in the order of their starts. An array or object at the root is a
// box whatever its size. The grammar is that of encoding/json.
func scanValue(s string, at int, boxes []box) (_ []box, end int, ok bool) {
	var open []int32
	first := len(boxes)
	for {
		switch c := byteAt(s, at); c {
		case '[', '{':
			if len(open) == maxNesting {
				return boxes, at, false
			}
			open = append(open, int32(len(boxes)))
			boxes = append(boxes, box{start: at})
			if at = skipSpace(s, at+1); at > boxes[len(boxes)-1].start+maxIndent {
				return boxes, at, false
			}
			if byteAt(s, at) == c+2 { // ']' and '}' are '[' and '{' plus two
				break
			}
			if c == '{' {
				if at, ok = scanKey(s, at); !ok {
					return boxes, at, false
				}
			}
			continue
		default:
			if at, ok = scanScalar(s, at); !ok {
				return boxes, at, false
			}
		}
		for { // at is after a value, or inside an empty container
			if len(open) == 0 {
				return boxes, at, true
			}
			top := open[len(open)-1]
			object := s[boxes[top].start] == '{'
			at = skipSpace(s, at)
			if c := byteAt(s, at); c == ',' {
				at = skipSpace(s, at+1)
				if object {
					if at, ok = scanKey(s, at); !ok {
						return boxes, at, false
					}
				}
				break
			} else if object && c != '}' || !object && c != ']' {
				return boxes, at, false
			}
			at++
			open = open[:len(open)-1]
			if at-boxes[top].start <= cutAfter && int(top) != first {
				boxes = boxes[:top]
				continue
			}
			boxes[top].end, boxes[top].next = at, int32(len(boxes))
		}
	}
}

// scanKey checks the key at s[at] and returns the start of its value.
func scanKey(s string, at int) (value int, ok bool) {
	if byteAt(s, at) != '"' {
		return at, false
	}
	at, ok = scanString(s, at)
	at = skipSpace(s, at)
	if !ok || byteAt(s, at) != ':' {
		return at, false
	}
	return skipSpace(s, at+1), true
}

func scanScalar(s string, at int) (end int, ok bool) {
	switch c := byteAt(s, at); {
	case c == '"':
		return scanString(s, at)
	case c == '-' || '0' <= c && c <= '9':
		return scanNumber(s, at)
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(s[at:], word) {
			return at + len(word), true
		}
	}
	return at, false
}

func scanString(s string, at int) (end int, ok bool) {
	for at++; at < len(s); at++ {
		switch c := s[at]; {
		case c == '"':
			return at + 1, true
		case c < ' ':
			return at, false
		case c == '\\':
			at++
			switch byteAt(s, at) {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				for range 4 {
					at++
					if c := byteAt(s, at); (c < '0' || c > '9') && (c|' ' < 'a' || c|' ' > 'f') {
						return at, false
					}
				}
			default:
				return at, false
			}
		}
	}
	return at, false
}

func scanNumber(s string, at int) (end int, ok bool) {
	if s[at] == '-' {
		at++
	}
	digits := func() bool {
		from := at
		for c := byteAt(s, at); '0' <= c && c <= '9'; c = byteAt(s, at) {
			at++
		}
		return at > from
	}
	if byteAt(s, at) == '0' {
		at++
	} else if !digits() {
		return at, false
	}
	if byteAt(s, at) == '.' {
		if at++; !digits() {
			return at, false
		}
	}
	if byteAt(s, at)|' ' == 'e' {
		if at++; byteAt(s, at) == '+' || byteAt(s, at) == '-' {
			at++
		}
		if !digits() {
			return at, false
		}
	}
	return at, true
}

// byteAt returns s[i], or 0 after the end.
func byteAt(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

func skipSpace(s string, at int) int {
	for at < len(s) && (s[at] == ' ' || s[at] == '\n' || s[at] == '\t' || s[at] == '\r') {
		at++
	}
	return at
}

// The functions below walk values that scanValue has accepted.

// item is an element of an array, a member of an object, or a value of a stream.
type item struct {
	start      int    // of the key; of the value without one
	key        string // between its quotes, as it is written; "" without one
	value, end int    // of the value
	next       int    // start of the next entry or of the closing bracket
	box        int32  // index of the box of the value; None without one
}

// entryAt reads the entry at s[at]. cursor is the index of the first box that starts
// there or later; it moves past the entry.
func entryAt(s string, at int, object bool, boxes []box, cursor *int32) item {
	e := item{start: at, value: at, box: None}
	if object {
		end, _ := scanString(s, at)
		e.key = s[at+1 : end-1]
		e.value = skipSpace(s, skipSpace(s, end)+1)
	}
	if int(*cursor) < len(boxes) && boxes[*cursor].start == e.value {
		e.box = *cursor
		e.end = boxes[e.box].end
		*cursor = boxes[e.box].next
	} else {
		e.end = valueEnd(s, e.value)
	}
	e.next = skipSpace(s, e.end)
	if byteAt(s, e.next) == ',' {
		e.next = skipSpace(s, e.next+1)
	}
	return e
}

// valueEnd returns the end of a value that is not a box.
func valueEnd(s string, at int) int {
	for depth := 0; ; {
		switch s[at] {
		case '[', '{':
			depth++
			at++
		case ']', '}':
			depth--
			at++
		case '"':
			at, _ = scanString(s, at)
		case ',', ':', ' ', '\n', '\t', '\r':
			at++
			continue
		default:
			at, _ = scanScalar(s, at)
		}
		if depth == 0 {
			return at
		}
	}
}
