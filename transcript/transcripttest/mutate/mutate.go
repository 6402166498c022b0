// Package mutate damages saved conversations at random, for tests of programs that read them.
//
// An operator makes one change. Structural operators change JSON values: the rest of a source keeps its
// bytes, white space included, and what is JSON stays JSON. Byte operators change any bytes.
package mutate

import (
	"bytes"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
)

// Source makes one to four random changes of a source. It returns the result and the names of the
// operators, joined by commas. One source of six gets changes of its bytes.
func Source(r *rand.Rand, src []byte) (out []byte, names string) {
	list := structural
	if r.IntN(6) == 0 {
		list = byteOperators
	}
	var used []string
	for range 1 + r.IntN(4) {
		o := &list[r.IntN(len(list))]
		src = o.apply(r, src)
		used = append(used, o.name)
	}
	return src, strings.Join(used, ", ")
}

// Smaller yields sources that lack one record, member, element or text of src each: the large ones first.
func Smaller(src []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		m := parse(nil, src)
		for i := range m.pieces {
			rest := mutation{pieces: slices.Delete(slices.Clone(m.pieces), i, i+1)}
			if len(m.pieces) > 2 && !yield(rest.source()) {
				return
			}
		}
		var level []*value
		for below := m.docs; len(below) > 0; {
			level, below = below, nil
			for _, v := range level {
				if v.isString() && len(v.text) > 4 {
					whole := v.text
					v.text = `"s"`
					out := m.source()
					if v.text = whole; !yield(out) {
						return
					}
				}
				all := v.members
				for i := range all {
					v.members = slices.Delete(slices.Clone(all), i, i+1)
					out := m.source()
					if v.members = all; !yield(out) {
						return
					}
					below = append(below, all[i].value)
				}
			}
		}
	}
}

// An operator makes one change of a source, at a random place.
type operator struct {
	name  string                                // such as "swapped roles"
	tree  func(*mutation) bool                  // changes a value, or reports false if no value is fit
	bytes func(r *rand.Rand, src []byte) []byte // changes bytes; nil in a structural operator
}

// apply makes the change. It returns src itself if the source has no place for it.
func (o *operator) apply(r *rand.Rand, src []byte) []byte {
	if len(src) == 0 {
		return src
	}
	if o.bytes != nil {
		return o.bytes(r, src)
	}
	m := parse(r, src)
	if len(m.docs) == 0 || !o.tree(m) {
		return src
	}
	return m.source()
}

// byteOperators lists the operators of bytes.
var byteOperators = []operator{
	{name: "flipped bit", bytes: func(r *rand.Rand, src []byte) []byte {
		out := bytes.Clone(src)
		out[r.IntN(len(out))] ^= 1 << r.IntN(8)
		return out
	}},
	{name: "inserted byte", bytes: func(r *rand.Rand, src []byte) []byte {
		return slices.Insert(bytes.Clone(src), r.IntN(len(src)+1), byte(r.IntN(256)))
	}},
	{name: "deleted byte", bytes: func(r *rand.Rand, src []byte) []byte {
		i := r.IntN(len(src))
		return slices.Delete(bytes.Clone(src), i, i+1)
	}},
	{name: "cut off", bytes: func(r *rand.Rand, src []byte) []byte {
		return bytes.Clone(src[:r.IntN(len(src))])
	}},
	{name: "repeated bytes", bytes: func(r *rand.Rand, src []byte) []byte {
		from, to := span(r, src)
		return slices.Insert(bytes.Clone(src), to, src[from:to]...)
	}},
	{name: "deleted bytes", bytes: func(r *rand.Rand, src []byte) []byte {
		from, to := span(r, src)
		return slices.Delete(bytes.Clone(src), from, to)
	}},
	{name: "moved bytes", bytes: func(r *rand.Rand, src []byte) []byte {
		from, to := span(r, src)
		rest := slices.Delete(bytes.Clone(src), from, to)
		return slices.Insert(rest, r.IntN(len(rest)+1), src[from:to]...)
	}},
	{name: "odd bytes", bytes: func(r *rand.Rand, src []byte) []byte {
		odd := []string{"\x00", "\xff\xfe", "\x80", "\"", "{", "]", ",", "\n", "\r\n", "\ufeff", "\u2028", "\\", "\\u", "\x1b"}[r.IntN(14)]
		return slices.Insert(bytes.Clone(src), r.IntN(len(src)+1), []byte(odd)...)
	}},
}

// span returns the ends of a random range, most often a short one.
func span(r *rand.Rand, src []byte) (from, to int) {
	from = r.IntN(len(src))
	n := 1 + r.IntN(40)
	if r.IntN(4) == 0 {
		n = 1 + r.IntN(len(src))
	}
	return from, min(len(src), from+n)
}
