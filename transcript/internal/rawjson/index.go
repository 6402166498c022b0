package rawjson

import (
	"fmt"
	"math"
	"strings"
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds. Absent is the kind of the zero [Value], which is no value.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the name of the kind in lower case, or "unknown".
func (k Kind) String() string {
	names := [...]string{"absent", "null", "bool", "number", "string", "array", "object"}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// Span is the half-open range [Start, End) of byte offsets in a source.
type Span struct{ Start, End int }

// Len returns the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// Doc is an index over one JSON value. The zero Doc is empty and ready for [Doc.Scan].
// Its Values are safe for concurrent use while no goroutine calls Scan.
type Doc struct {
	// Texts is the cache of [Value.Str], or nil. With Passing set, Str reads from it
	// and adds nothing.
	Texts   *Texts
	Passing bool

	src   []byte
	from  int // where the value begins
	nodes []node
}

// A node is a value or a key. Nodes are in the order of the source: after an array its
// elements, after an object a key, its value, the next key and so on, each with its
// descendants. The node of an array, an object or a very long string is followed by another
// node, its rest: start is the end of the value there, and info the index of the first node
// after the value and its descendants.
type node struct {
	start uint32 // in src
	info  uint32 // see the constants
}

// The bits of node.info. The others are the length of a value that has no rest.
const (
	kindBits = 7      // the Kind
	escaped  = 1 << 3 // a string with at least one backslash
	hasRest  = 1 << 4

	lengthShift = 5
	longest     = math.MaxUint32 >> lengthShift // of a value without a rest
)

func (n node) kind() Kind { return Kind(n.info & kindBits) }

// end returns the end of the value i.
func (d *Doc) end(i uint32) uint32 {
	n := d.nodes[i]
	if n.info&hasRest != 0 {
		return d.nodes[i+1].start
	}
	return n.start + n.info>>lengthShift
}

// next returns the index of the first node after the value i and its descendants.
func (d *Doc) next(i uint32) uint32 {
	if d.nodes[i].info&hasRest != 0 {
		return d.nodes[i+1].info
	}
	return i + 1
}

// inside is the distance from an array or object to its first descendant.
const inside = 2

// none is the parent of the root.
const none = math.MaxUint32

// Scan indexes the JSON value at the start of src[from:to], after white space, and
// returns the offset of its end. It ignores the rest; see [Doc.ScanAll].
//
// Offsets are offsets in src, not in src[from:to]. The Doc and its Values alias src,
// which must not change while they are in use. Scan reuses the memory of the Scan before
// it, whose Values become invalid.
//
// As in encoding/json, strings need not be valid UTF-8: logs have cut characters. The
// error is a [*SyntaxError], except where to is over 4 GiB, the limit of the index.
// After an error the Doc is empty. Like a slice expression, Scan panics if from and to
// are not bounds of src.
func (d *Doc) Scan(src []byte, from, to int) (end int, err error) {
	d.src, d.from, d.nodes = src[:to:len(src)], from, d.nodes[:0]
	_ = d.src[from:]
	if err = checkSize(to); err == nil {
		end, err = d.scan(from)
	}
	if err != nil {
		d.nodes = d.nodes[:0]
		return from, err
	}
	return end, nil
}

// ScanAll is [Doc.Scan] for a source of one value. Anything except white space between
// its end and to is a [*SyntaxError].
func (d *Doc) ScanAll(src []byte, from, to int) error {
	end, err := d.Scan(src, from, to)
	if err != nil {
		return err
	}
	if end = SkipSpace(d.src, end); end < to {
		d.nodes = d.nodes[:0]
		return unexpected(d.src, end, "nothing after the value")
	}
	return nil
}

// ScanText is [Doc.ScanAll] for a string, which it does not copy.
func (d *Doc) ScanText(text string) error {
	return d.ScanAll(bytesOf(text), 0, len(text))
}

// Root returns the value of the last Scan, or the zero Value if there was none or it
// failed.
func (d *Doc) Root() Value {
	if len(d.nodes) == 0 {
		return Value{}
	}
	return Value{d, 0}
}

// checkSize returns an error for a source whose offsets do not fit a node.
func checkSize(n int) error {
	if uint64(n) > math.MaxUint32 {
		return fmt.Errorf("rawjson: a source of %d bytes is too large: 4 GiB is the limit", n)
	}
	return nil
}

// ReadText reads a text that is a JSON object or array. The value is absent when it is
// neither.
func ReadText(text string) Value {
	head := strings.TrimLeft(text, " \n\t\r")
	if !strings.HasPrefix(head, "{") && !strings.HasPrefix(head, "[") {
		return Value{}
	}
	doc := new(Doc)
	if doc.ScanText(text) != nil {
		return Value{}
	}
	return doc.Root()
}
