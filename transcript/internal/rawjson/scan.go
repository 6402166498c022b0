package rawjson

import (
	"bytes"
	"fmt"
)

// MaxDepth is the limit of nested arrays and objects. It is that of encoding/json, so
// that both accept the same sources.
const MaxDepth = 10_000

// scan indexes the value at i. One loop has the whole grammar of arrays and objects. A
// chain of open containers replaces recursion. It needs no memory of its own: an open
// node keeps its parent in the field next, which is not in use yet.
func (d *Doc) scan(i int) (int, error) {
	s := d.src
	open, depth := uint32(none), 0
	var err error
values:
	for { // a value must start at i
		i = SkipSpace(s, i)
		switch c := at(s, i); c {
		case '"':
			i, err = d.scanString(i)
		case '[', '{':
			if depth++; depth > MaxDepth {
				return i, &SyntaxError{Offset: i, Msg: fmt.Sprintf("nested deeper than %d levels", MaxDepth)}
			}
			open = d.container(i, kindOf(c), open)
			i = SkipSpace(s, i+1)
			if at(s, i) == c+closing {
				break // empty: closed below
			}
			if c == '{' {
				i, err = d.scanKey(i, "a key or '}' after '{'")
			} else if i == len(s) {
				err = unexpected(s, i, "a value or ']' after '['")
			}
			if err != nil {
				return i, err
			}
			continue
		default:
			i, err = d.scanScalar(i)
		}
		if err != nil {
			return i, err
		}
		for open != none { // i is after a value of the container open
			i = SkipSpace(s, i)
			o := d.nodes[open]
			switch c := at(s, i); {
			case c == s[o.start]+closing:
				i++
				open = d.close(open, i)
				depth--
			case c == ',' && o.kind() == Array:
				i++
				continue values
			case c == ',':
				if i, err = d.scanKey(SkipSpace(s, i+1), "a key after ','"); err != nil {
					return i, err
				}
				continue values
			case o.kind() == Array:
				return i, unexpected(s, i, "',' or ']' after array element")
			default:
				return i, unexpected(s, i, "',' or '}' after object member")
			}
		}
		return i, nil
	}
}

// closing is the distance in ASCII from '[' to ']' and from '{' to '}'.
const closing = 2

func kindOf(open byte) Kind {
	if open == '{' {
		return Object
	}
	return Array
}

// scanKey indexes the key at i and returns the offset after its colon.
func (d *Doc) scanKey(i int, want string) (int, error) {
	if at(d.src, i) != '"' {
		return i, unexpected(d.src, i, want)
	}
	i, err := d.scanString(i)
	if err != nil {
		return i, err
	}
	if i = SkipSpace(d.src, i); at(d.src, i) != ':' {
		return i, unexpected(d.src, i, "':' after object key")
	}
	return i + 1, nil
}

// scanString indexes the string at i.
func (d *Doc) scanString(i int) (int, error) {
	end, found := skipString(d.src, i+1)
	if found&malformed != 0 {
		return end, stringError(d.src, end)
	}
	extra := uint32(0)
	if found&backslash != 0 {
		extra = escaped
	}
	d.leaf(i, end, String, extra)
	return end, nil
}

// scanScalar indexes the number, true, false or null at i.
func (d *Doc) scanScalar(i int) (int, error) {
	kind, word := Null, "null"
	switch c := at(d.src, i); c {
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		end, err := skipNumber(d.src, i)
		d.leaf(i, end, Number, 0)
		return end, err
	case 't':
		kind, word = Bool, "true"
	case 'f':
		kind, word = Bool, "false"
	case 'n':
	default:
		return i, unexpected(d.src, i, "a value")
	}
	if !bytes.HasPrefix(d.src[i:], []byte(word)) {
		return i, wordError(d.src, i, word)
	}
	d.leaf(i, i+len(word), kind, 0)
	return i + len(word), nil
}

// container adds an array or object that lies in parent, and returns its index.
func (d *Doc) container(start int, kind Kind, parent uint32) uint32 {
	d.add(node{start: uint32(start), info: uint32(kind) | hasRest})
	d.add(node{info: parent})
	return uint32(len(d.nodes) - inside)
}

// close sets the end of the container open, and returns its parent.
func (d *Doc) close(open uint32, end int) (parent uint32) {
	rest := &d.nodes[open+1]
	parent, *rest = rest.info, node{start: uint32(end), info: uint32(len(d.nodes))}
	return parent
}

// leaf adds a value without descendants. extra is 0, or escaped.
func (d *Doc) leaf(start, end int, kind Kind, extra uint32) {
	if end-start > longest {
		d.add(node{uint32(start), uint32(kind) | extra | hasRest})
		d.add(node{uint32(end), uint32(len(d.nodes) + 1)})
		return
	}
	d.add(node{uint32(start), uint32(kind) | extra | uint32(end-start)<<lengthShift})
}

// add appends a node.
func (d *Doc) add(n node) {
	if len(d.nodes) == cap(d.nodes) {
		d.grow(int(n.start))
	}
	d.nodes = append(d.nodes, n)
}

// Numbers of nodes: those for which grow makes room first, and those from which on it predicts how many
// there will be, and makes room for all of them at once.
const (
	firstNodes    = 1 << 8 // at most, at once
	predictedFrom = 1 << 12
	allFrom       = 1 << 16
)

// grow makes room for more nodes, when the node that starts at an offset is the next one. It doubles
// a short list. A long one gets the room that the rest of the source needs if it is like the part
// before the offset: the index of dense JSON is larger than the JSON, and copying it doubles the peak.
// Room that stays unused takes no memory, because the system has not yet provided it.
func (d *Doc) grow(at int) {
	n := len(d.nodes)
	more := max(8, n)
	if n == 0 { // a short source needs a node for some thirty bytes
		more = min(max(8, (len(d.src)-at)/32), firstNodes)
	}
	if from := d.from; n >= predictedFrom {
		perByte := float64(n) / float64(at-from)
		rest := max(n/8, int(1.05*perByte*float64(len(d.src)-at))+64)
		if more = min(more, rest); n >= allFrom {
			more = rest
		}
	}
	d.nodes = append(make([]node, 0, n+more), d.nodes...)
}
