package rawjson

import (
	"math"
	"slices"
	"testing"
)

// scanned returns the value that src is.
func scanned(t *testing.T, src string) Value {
	t.Helper()
	var doc Doc
	if err := doc.ScanAll([]byte(src), 0, len(src)); err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	return doc.Root()
}

func TestValueWalk(t *testing.T) {
	const src = ` {"a": [1, "two", {"b": null}], "c": {}, "a": true, "\u0061b": [ ]} `
	root := scanned(t, src)
	var keys []string
	for k := range root.Members() {
		keys = append(keys, k.Str())
	}
	if !slices.Equal(keys, []string{"a", "c", "a", "ab"}) {
		t.Errorf("keys %q", keys)
	}
	if v := root.Get("a"); !v.Bool() {
		t.Errorf("of duplicate keys Get found %q", v.Raw())
	}
	if v := root.Get("ab"); v.Kind() != Array || v.Len() != 0 || string(v.Raw()) != "[ ]" {
		t.Errorf("the escaped key has %q", v.Raw())
	}
	for _, v := range []Value{root.Get("A"), root.Get(""), root.Get("c").Get("b"), root.Get("ab").Get("0")} {
		if v.Ok() {
			t.Errorf("Get found %q", v.Raw())
		}
	}
	var items []string
	for _, s := range root.Items() {
		items = append(items, src[s.Start:s.End])
	}
	if !slices.Equal(items, []string{`"a": [1, "two", {"b": null}]`, `"c": {}`, `"a": true`, `"\u0061b": [ ]`}) {
		t.Errorf("items %q", items)
	}
	for k, m := range root.Members() {
		if k.Is("a") {
			var kinds []Kind
			for e := range m.Elems() {
				kinds = append(kinds, e.Kind())
			}
			if !slices.Equal(kinds, []Kind{Number, String, Object}) {
				t.Errorf("kinds %v", kinds)
			}
			break // and stop early: the iterators must take it
		}
	}
	for range root.Get("ab").Elems() {
		t.Error("an element of an empty array")
	}
}

// TestValueSafe checks all methods of the zero Value and of values of the wrong kind.
func TestValueSafe(t *testing.T) {
	for _, v := range []Value{{}, new(Doc).Root(), scanned(t, `null`), scanned(t, `{"a":[]}`).Get("a")} {
		if v.Str() != "" || v.Is("") || v.Bool() || v.Get("a").Ok() || v.Len() != 0 || v.Items() != nil {
			t.Errorf("%v %q is not absent", v.Kind(), v.Raw())
		}
		if _, ok := v.Int(); ok {
			t.Errorf("%v is an integer", v.Kind())
		}
		if _, ok := v.Float(); ok {
			t.Errorf("%v is a number", v.Kind())
		}
		for range v.Members() {
			t.Errorf("%v has a member", v.Kind())
		}
		for range v.Elems() {
			t.Errorf("%v has an element", v.Kind())
		}
	}
	var zero Value
	if zero.Ok() || zero.Kind() != Absent || zero.Span() != (Span{}) || zero.Raw() != nil {
		t.Error("the zero Value is not absent")
	}
}

func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		src     string
		n       int64
		isInt   bool
		f       float64
		isFloat bool
	}{
		{`0`, 0, true, 0, true},
		{`-0`, 0, true, math.Copysign(0, -1), true},
		{`-12`, -12, true, -12, true},
		{`9223372036854775807`, math.MaxInt64, true, math.MaxInt64, true},
		{`9223372036854775808`, 0, false, 1 << 63, true},
		{`1.0`, 0, false, 1, true},
		{`1e3`, 0, false, 1000, true},
		{`1e400`, 0, false, 0, false},
		{`"1"`, 0, false, 0, false},
		{`true`, 0, false, 0, false},
		{`[1]`, 0, false, 0, false},
	} {
		v := scanned(t, test.src)
		if n, ok := v.Int(); n != test.n || ok != test.isInt {
			t.Errorf("%s: Int is %d, %v", test.src, n, ok)
		}
		if f, ok := v.Float(); f != test.f || ok != test.isFloat {
			t.Errorf("%s: Float is %v, %v", test.src, f, ok)
		}
	}
}

func TestValueAllocs(t *testing.T) {
	root := scanned(t, `{"n": -12, "plain": "some text", "escaped": "some\ntext \ud83d\ude00", "list": [1, [2], {"a": 3}], "ok": true}`)
	for name, f := range map[string]func(){
		"Get":     func() { root.Get("list").Get("no") },
		"Str":     func() { _ = root.Get("plain").Str() },
		"Is":      func() { _ = root.Get("escaped").Is("some\ntext 😀") && root.Get("plain").Is("no") },
		"numbers": func() { root.Get("n").Int(); root.Get("n").Float(); root.Get("ok").Bool() },
		"walk": func() {
			for _, m := range root.Members() {
				for e := range m.Elems() {
					_ = e.Len()
				}
			}
		},
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	if n := testing.AllocsPerRun(100, func() { _ = root.Get("escaped").Str() }); n != 1 {
		t.Errorf("Str with escapes: %v allocations", n)
	}
}

// TestNoNumber checks that a value that is absent has no number.
func TestNoNumber(t *testing.T) {
	if n, ok := (Value{}).Int(); n != 0 || ok {
		t.Errorf("Int is %d, %v", n, ok)
	}
	if f, ok := (Value{}).Float(); f != 0 || ok {
		t.Errorf("Float is %v, %v", f, ok)
	}
}

// TestStrings checks which strings are below a value, and that a caller can stop at each of them.
func TestStrings(t *testing.T) {
	const src = `{"a":"1","b":["2",{"c":"3","n":7},["4"]],"d":{"e":{"f":"5"}},"g":null}`
	root := scanned(t, src)
	for stop := range 7 {
		got := ""
		for v := range root.Strings() {
			if got += v.Str(); len(got) == stop+1 {
				break
			}
		}
		if want := "12345"[:min(5, stop+1)]; got != want {
			t.Errorf("up to %d: got %s", stop+1, got)
		}
	}
	for v := range scanned(t, `"x"`).Strings() {
		if v.Str() != "x" {
			t.Errorf("got %s", v.Str())
		}
	}
}

// TestReadText checks which texts are JSON objects and arrays.
func TestReadText(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1}`: `{"a":1}`, " \n\t\r[1]\n": `[1]`, `[]`: `[]`, `{}`: `{}`,
		`"text"`: "", `1`: "", ``: "", `{"a":`: "", `[1] 2`: "", `a[1]`: "",
	} {
		v := ReadText(text)
		if got := string(v.Raw()); got != want || v.Ok() != (want != "") {
			t.Errorf("%q: got %q", text, got)
		}
	}
	var doc Doc
	if err := doc.ScanText(`{"a":`); err == nil || doc.Root().Ok() {
		t.Error("a text that was cut off has no error")
	}
	if err := doc.ScanText(`{"a":"é"}`); err != nil || doc.Root().Get("a").Str() != "é" {
		t.Error(err)
	}
}

// TestSpanLen checks the length of spans.
func TestSpanLen(t *testing.T) {
	if got := (Span{3, 10}).Len(); got != 7 {
		t.Errorf("got %d", got)
	}
	if got := (Span{}).Len(); got != 0 {
		t.Errorf("got %d", got)
	}
}
