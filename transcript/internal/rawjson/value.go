package rawjson

import (
	"iter"
	"slices"
	"strconv"
)

// Value is a value or a key in a [Doc]. It is a handle of two words; two Values are equal
// (==) if they are at the same place in the same Doc. The zero Value is Absent. Every
// method accepts every kind of Value and returns a zero value where it does not apply, so
// that lookups chain without checks:
//
//	name := v.Get("message").Get("author").Get("name").Str()
type Value struct {
	d *Doc
	i uint32
}

// Kind returns the kind of v.
func (v Value) Kind() Kind {
	if v.d == nil {
		return Absent
	}
	return v.d.nodes[v.i].kind()
}

// Ok reports whether v is not Absent.
func (v Value) Ok() bool { return v.d != nil }

// Span returns the place of v in the source, with the quotes of a string and the brackets
// of an array or object.
func (v Value) Span() Span {
	if v.d == nil {
		return Span{}
	}
	return Span{int(v.d.nodes[v.i].start), int(v.d.end(v.i))}
}

// Raw returns the source bytes of v without a copy, or nil if it is Absent.
func (v Value) Raw() []byte {
	if v.d == nil {
		return nil
	}
	end := v.d.end(v.i)
	return v.d.src[v.d.nodes[v.i].start:end:end]
}

// Get returns the member of the object v with this key, or the zero Value if there is
// none or v is not an object. Keys are compared by their decoded text, exactly. Of
// duplicate keys the last is used, as in JSON.parse and in Python. The time is
// proportional to the number of members.
func (v Value) Get(key string) (member Value) {
	if v.Kind() != Object {
		return Value{}
	}
	same := uint32(String) | uint32(len(key)+len(`""`))<<lengthShift
	for k, end := v.i+inside, v.d.next(v.i); k < end; {
		value := v.d.next(k)
		// Most keys are of another length, which says enough.
		if info := v.d.nodes[k].info; (info == same || info&(escaped|hasRest) != 0) && (Value{v.d, k}).Is(key) {
			member = Value{v.d, value}
		}
		k = v.d.next(value)
	}
	return member
}

// Members yields the keys and values of the object v in the order of the source, with
// duplicate keys. It yields nothing if v is not an object.
func (v Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		if v.Kind() != Object {
			return
		}
		for k, end := v.i+inside, v.d.next(v.i); k < end; {
			value := v.d.next(k)
			if !yield(Value{v.d, k}, Value{v.d, value}) {
				return
			}
			k = v.d.next(value)
		}
	}
}

// Elems yields the elements of the array v in order. It yields nothing if v is not an
// array.
func (v Value) Elems() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != Array {
			return
		}
		for e, end := v.i+inside, v.d.next(v.i); e < end; e = v.d.next(e) {
			if !yield(Value{v.d, e}) {
				return
			}
		}
	}
}

// Len returns the number of elements of an array or of members of an object, and 0 for
// other values. It takes linear time.
func (v Value) Len() int {
	n := 0
	for range v.Elems() {
		n++
	}
	for range v.Members() {
		n++
	}
	return n
}

// Items returns the spans of the elements of an array or of the members of an object, for [Remove].
// The span of a member begins at the opening quote of its key and ends after its value.
func (v Value) Items() []Span {
	n := v.Len()
	if n == 0 {
		return nil
	}
	return slices.AppendSeq(make([]Span, 0, n), v.AllItems())
}

// AllItems yields the spans that [Value.Items] returns.
func (v Value) AllItems() iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for e := range v.Elems() {
			if !yield(e.Span()) {
				return
			}
		}
		for k, m := range v.Members() {
			if !yield(Span{k.Span().Start, m.Span().End}) {
				return
			}
		}
	}
}

// Str returns the decoded text of a string, in the form of [Decode], and "" for other
// values. For a string without escapes the result shares the memory of the source, which
// must not change while the result is in use. Otherwise it takes one allocation, unless
// [Doc.Texts] has the text.
func (v Value) Str() string {
	switch {
	case v.Kind() != String:
		return ""
	case v.d.nodes[v.i].info&escaped != 0:
		return v.d.Texts.decode(v.Raw(), !v.d.Passing)
	}
	return shared(content(v.Raw()))
}

// Is reports whether v is a string with the decoded text s. It does not allocate.
func (v Value) Is(s string) bool {
	switch {
	case v.Kind() != String:
		return false
	case v.d.nodes[v.i].info&escaped != 0:
		return decodesTo(content(v.Raw()), s)
	}
	return string(content(v.Raw())) == s
}

// Bool reports whether v is the literal true.
func (v Value) Bool() bool {
	return v.Kind() == Bool && v.d.src[v.d.nodes[v.i].start] == 't'
}

// Int returns the number v, and whether it is written as an integer (1, not 1.0 or 1e0)
// in the range of int64.
func (v Value) Int() (int64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	n, err := strconv.ParseInt(shared(v.Raw()), 10, 64)
	if err != nil {
		return 0, false
	}
	return n, true
}

// Float returns the float64 nearest to the number v, and whether v is a number in the
// range of float64.
func (v Value) Float() (float64, bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(shared(v.Raw()), 64)
	if err != nil {
		return 0, false
	}
	return f, true
}

// Strings yields every string value below v. Keys are not values.
func (v Value) Strings() iter.Seq[Value] {
	return func(yield func(Value) bool) { v.walkStrings(yield) }
}

func (v Value) walkStrings(yield func(Value) bool) bool {
	switch v.Kind() {
	case String:
		return yield(v)
	case Array:
		for e := range v.Elems() {
			if !e.walkStrings(yield) {
				return false
			}
		}
	case Object:
		for _, e := range v.Members() {
			if !e.walkStrings(yield) {
				return false
			}
		}
	}
	return true
}
