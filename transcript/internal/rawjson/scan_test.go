package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// validSources are also the seeds of the fuzz targets.
var validSources = []string{
	`null`, `true`, `false`, `0`, `-0`, `12`, `-3.25`, `1e400`, `1E+2`, `0.5e-7`, `123456789012345678901234567890`,
	`""`, `"a"`, `"seven b"`, `"eight by"`, `"sixteen bytes in"`, `"\"\\\/\b\f\n\r\t"`, `"\u0041\u00e9\u2028"`,
	`"\ud83d\ude00"`, `"\uD83D\uDE00"`, `"\ud83d"`, `"\ude00\ud83d"`, `"\ud83d\ud83d\ude00"`, `"\ud83dx\ude00"`, `"\ud83d\n"`,
	"\"\x7f\"", "\"\xff\"", "\"torn \xe6\x97\"", "\"\xed\xa0\x80\"", `"日本語 é 😀"`, "\"\u2028\"", `"<a href=\"x\">&\/"`,
	`[]`, `[ ]`, `{}`, "{\n}", `[1]`, `[1,[2,[3,{}]],"x"]`, `[[],[],{}]`, "[ 1 , 2\t,\r\n3 ]",
	`{"a":1}`, `{"a":1,"a":{"b":2},"":null}`, `{"\u0061":1,"b":[true,false,null]}`, " {\n  \"k\": [ \"v\" ]\n} ",
	`{"role":"user","content":[{"type":"text","text":"hi\nthere"}]}`,
}

// invalidSources lists sources with the expected errors.
var invalidSources = []struct {
	src    string
	offset int
	msg    string
}{
	{``, 0, `expected a value, found end of input`},
	{" \n", 2, `expected a value, found end of input`},
	{`x`, 0, `expected a value, found 'x'`},
	{"\ufeff1", 0, `expected a value, found '\ufeff'`},
	{"\xff", 0, `expected a value, found byte 0xff`},
	{"\x00", 0, `expected a value, found '\x00'`},
	{`tru`, 3, `expected the word true, found end of input`},
	{`trve`, 2, `expected the word true, found 'v'`},
	{`nul,`, 3, `expected the word null, found ','`},
	{`truee`, 4, `expected nothing after the value, found 'e'`},
	{`1 2`, 2, `expected nothing after the value, found '2'`},
	{`01`, 1, `expected nothing after the value, found '1'`},
	{`-`, 1, `expected a digit after '-', found end of input`},
	{`-a`, 1, `expected a digit after '-', found 'a'`},
	{`1.`, 2, `expected a digit after '.', found end of input`},
	{`1.e1`, 2, `expected a digit after '.', found 'e'`},
	{`1e`, 2, `expected a digit in the exponent, found end of input`},
	{`1e+x`, 3, `expected a digit in the exponent, found 'x'`},
	{`+1`, 0, `expected a value, found '+'`},
	{`.5`, 0, `expected a value, found '.'`},
	{`"abc`, 4, `expected '"' at the end of the string, found end of input`},
	{"\"a\nb\"", 2, `expected control characters in a string to be escaped, found '\n'`},
	{"\"long enough \x1f\"", 13, `expected control characters in a string to be escaped, found '\x1f'`},
	{"\"\x00\"", 1, `expected control characters in a string to be escaped, found '\x00'`},
	{`"\x"`, 2, `expected one of "\/bfnrtu after '\', found 'x'`},
	{`"\`, 2, `expected one of "\/bfnrtu after '\', found end of input`},
	{`"\u12g4"`, 5, `expected four hexadecimal digits after '\u', found 'g'`},
	{`"\u9fF/"`, 6, `expected four hexadecimal digits after '\u', found '/'`},
	{`"\uaA0:"`, 6, `expected four hexadecimal digits after '\u', found ':'`},
	{`"\u12`, 5, `expected four hexadecimal digits after '\u', found end of input`},
	{`"\u12"`, 5, `expected four hexadecimal digits after '\u', found '"'`},
	{`[`, 1, `expected a value or ']' after '[', found end of input`},
	{`[,`, 1, `expected a value, found ','`},
	{`[1`, 2, `expected ',' or ']' after array element, found end of input`},
	{`[1 x`, 3, `expected ',' or ']' after array element, found 'x'`},
	{`[1}`, 2, `expected ',' or ']' after array element, found '}'`},
	{`[1,]`, 3, `expected a value, found ']'`},
	{`]`, 0, `expected a value, found ']'`},
	{`{`, 1, `expected a key or '}' after '{', found end of input`},
	{`{a`, 1, `expected a key or '}' after '{', found 'a'`},
	{`{"a"`, 4, `expected ':' after object key, found end of input`},
	{`{"a",`, 4, `expected ':' after object key, found ','`},
	{`{"a":`, 5, `expected a value, found end of input`},
	{`{"a":}`, 5, `expected a value, found '}'`},
	{`{"a":1]`, 6, `expected ',' or '}' after object member, found ']'`},
	{`{"a":1,}`, 7, `expected a key after ',', found '}'`},
	{`{"a\q":1}`, 4, `expected one of "\/bfnrtu after '\', found 'q'`},
}

func TestScanValid(t *testing.T) {
	for _, src := range validSources {
		checkScan(t, []byte(src))
	}
}

func TestScanInvalid(t *testing.T) {
	for _, test := range invalidSources {
		var doc Doc
		err := doc.ScanAll([]byte(test.src), 0, len(test.src))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%q: error %v", test.src, err)
			continue
		}
		if syntax.Offset != test.offset || syntax.Msg != test.msg {
			t.Errorf("%q: %v\nwant offset %d: %s", test.src, err, test.offset, test.msg)
		}
		if want := test.offset == len(test.src); syntax.Truncated() != want {
			t.Errorf("%q: Truncated is %v", test.src, !want)
		}
		if doc.Root().Ok() {
			t.Errorf("%q: a root after an error", test.src)
		}
		checkScan(t, []byte(test.src))
	}
}

// TestScanTruncated checks that the error for a line that was cut off reports the truncation, unless
// the rest is a value by itself.
func TestScanTruncated(t *testing.T) {
	var doc Doc
	for _, src := range validSources {
		for n := range src {
			err := doc.ScanAll([]byte(src), 0, n)
			var syntax *SyntaxError
			if err != nil && (!errors.As(err, &syntax) || !syntax.Truncated()) {
				t.Errorf("%q: %v", src[:n], err)
			}
		}
	}
}

// checkScan compares a scan of src with encoding/json.
func checkScan(t *testing.T, src []byte) {
	t.Helper()
	var doc Doc
	err := doc.ScanAll(src, 0, len(src))
	if got, want := err == nil, json.Valid(src); got != want {
		t.Fatalf("%q: Scan: %v, json.Valid: %v", src, err, want)
	}
	if err != nil {
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(src) {
			t.Errorf("%q: %#v", src, err)
		}
		return
	}
	for v := range doc.all() {
		if !json.Valid(v.Raw()) {
			t.Errorf("%q: node %d is %q", src, v.i, v.Raw())
		}
	}
	got, lossless := tree(t, doc.Root())
	if !lossless {
		return // encoding/json puts U+FFFD where Decode keeps what is there
	}
	var want any
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	if err := dec.Decode(&want); err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q:\ngot  %#v\nwant %#v", src, got, want)
	}
}

// tree returns what encoding/json would make of v, and whether it can, having
// compared the methods of Value with each other.
func tree(t *testing.T, v Value) (tree_ any, lossless bool) {
	t.Helper()
	lossless = true
	switch v.Kind() {
	case Null:
		return nil, true
	case Bool:
		return v.Bool(), true
	case Number:
		return json.Number(v.Raw()), true
	case String:
		s := v.Str()
		if !v.Is(s) || v.Is(s+"x") || s != "" && v.Is(s[1:]) {
			t.Errorf("%q: Str %q, Is: %v", v.Raw(), s, v.Is(s))
		}
		return s, utf8.ValidString(s)
	case Array:
		list := []any{}
		for e := range v.Elems() {
			item, ok := tree(t, e)
			list, lossless = append(list, item), lossless && ok
		}
		if v.Len() != len(list) || len(v.Items()) != len(list) {
			t.Errorf("%q: Len %d, %d items, %d elements", v.Raw(), v.Len(), len(v.Items()), len(list))
		}
		return list, lossless
	case Object:
		object, last := map[string]any{}, map[string]Value{}
		n := 0
		for k, m := range v.Members() {
			key, ok := tree(t, k)
			item, ok2 := tree(t, m)
			object[key.(string)], last[key.(string)] = item, m
			lossless = lossless && ok && ok2
			n++
		}
		for key, m := range last {
			if v.Get(key) != m {
				t.Errorf("%q: Get(%q) is %q", v.Raw(), key, v.Get(key).Raw())
			}
		}
		if v.Len() != n || len(v.Items()) != n {
			t.Errorf("%q: Len %d, %d items, %d members", v.Raw(), v.Len(), len(v.Items()), n)
		}
		return object, lossless
	}
	t.Errorf("a value of kind %v", v.Kind())
	return nil, false
}

func FuzzScan(f *testing.F) {
	for _, src := range validSources {
		f.Add([]byte(src))
	}
	for _, test := range invalidSources {
		f.Add([]byte(test.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkScan(t, src) })
}

// TestScanPart checks that Scan reads only its part of the source, that offsets refer to the whole,
// and that a Doc can be reused.
func TestScanPart(t *testing.T) {
	src := []byte(`xx {"a":[1]} "second\n" 3"`)
	var doc Doc
	end, err := doc.Scan(src, 2, len(src))
	if err != nil || end != 12 || doc.Root().Span() != (Span{3, 12}) || doc.Root().Get("a").Span() != (Span{8, 11}) {
		t.Errorf("first: %d, %v, %q", end, err, doc.Root().Raw())
	}
	end, err = doc.Scan(src, end, len(src))
	if err != nil || end != 23 || doc.Root().Str() != "second\n" {
		t.Errorf("second: %d, %v, %q", end, err, doc.Root().Raw())
	}
	end, err = doc.Scan(src, end, 25)
	if n, ok := doc.Root().Int(); err != nil || end != 25 || !ok || n != 3 {
		t.Errorf("third: %d, %v, %q", end, err, doc.Root().Raw())
	}
	if end, err = doc.Scan(src, 25, len(src)); err == nil || end != 25 || err.(*SyntaxError).Offset != 26 {
		t.Errorf("fourth: %d, %v", end, err)
	}
}

func TestScanBounds(t *testing.T) {
	src := make([]byte, 4, 8)
	for _, span := range []Span{{-1, 2}, {3, 2}, {0, 5}, {5, 5}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for %v", span)
				}
			}()
			var doc Doc
			_, _ = doc.Scan(src, span.Start, span.End)
		}()
	}
}

func TestMaxDepth(t *testing.T) {
	const many = 1_000_000
	for _, unit := range []struct{ open, leaf, close string }{{"[", "", "]"}, {`{"a":`, "1", "}"}, {`[{"a":`, "1", "}]"}} {
		levels := strings.Count(unit.open, "[") + strings.Count(unit.open, "{")
		for _, depth := range []int{MaxDepth, MaxDepth + levels, many} {
			n := depth / levels
			src := []byte(strings.Repeat(unit.open, n) + unit.leaf + strings.Repeat(unit.close, n))
			var doc Doc
			err := doc.ScanAll(src, 0, len(src))
			if (err == nil) != json.Valid(src) || (err == nil) != (depth <= MaxDepth) {
				t.Errorf("depth %d of %s: %v", depth, unit.open, err)
			}
			if err != nil && !strings.HasSuffix(err.Error(), "nested deeper than 10000 levels") {
				t.Error(err)
			}
			if err := doc.ScanAll(src[:len(unit.open)*n], 0, len(unit.open)*n); err == nil {
				t.Errorf("depth %d of %s, not closed: no error", depth, unit.open)
			}
		}
	}
}

// TestWide checks that siblings do not count as levels.
func TestWide(t *testing.T) {
	src := []byte("[" + strings.Repeat("[[]],", 3*MaxDepth) + "{}]")
	var doc Doc
	if err := doc.ScanAll(src, 0, len(src)); err != nil || doc.Root().Len() != 3*MaxDepth+1 {
		t.Errorf("%v, %d elements", err, doc.Root().Len())
	}
}

func TestGiantString(t *testing.T) {
	const size = 32 << 20
	src := []byte(`{"text":"` + strings.Repeat("x", size) + `"}`)
	var doc Doc
	if err := doc.ScanAll(src, 0, len(src)); err != nil || len(doc.Root().Get("text").Str()) != size {
		t.Error(err)
	}
	if err := doc.ScanAll(src, 0, len(src)-2); err == nil || !err.(*SyntaxError).Truncated() {
		t.Error(err)
	}
}

func TestTooLarge(t *testing.T) {
	if err := checkSize(math.MaxInt32); err != nil {
		t.Error(err)
	}
	if math.MaxInt > math.MaxInt32 {
		limit := int64(math.MaxUint32)
		if err := checkSize(int(limit)); err != nil {
			t.Error(err)
		}
		if err := checkSize(int(limit + 1)); err == nil || !strings.Contains(err.Error(), "4 GiB") {
			t.Error(err)
		}
	}
}

func TestAllocs(t *testing.T) {
	src := sampleLog(1 << 16)
	var lines []Line
	for _, l := range Lines(src) {
		lines = append(lines, l)
	}
	var doc Doc
	scan := func() {
		for _, l := range lines {
			if err := doc.ScanAll(src, l.Start, l.End); err != nil {
				t.Fatal(err)
			}
		}
	}
	scan()
	if n := testing.AllocsPerRun(10, scan); n != 0 {
		t.Errorf("scanning again: %v allocations", n)
	}
	nested := []byte(strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth))
	deep := func() { _, _ = doc.Scan(nested, 0, len(nested)) }
	deep()
	if n := testing.AllocsPerRun(10, deep); n != 0 {
		t.Errorf("scanning deep nesting again: %v allocations", n)
	}
}

// TestAllocsFirst checks that a new Doc takes room once for a short source, and seldom for a long one: to copy
// the index of dense JSON takes longer than to add to it.
func TestAllocsFirst(t *testing.T) {
	for _, tt := range []struct {
		element string
		n, most int
	}{
		{`"a string of about forty characters it is",`, 100, 1},
		{`1,`, 1 << 20, 12},
	} {
		src := []byte("[" + strings.Repeat(tt.element, tt.n) + "0]")
		var doc Doc
		scan := func() {
			doc = Doc{}
			if err := doc.ScanAll(src, 0, len(src)); err != nil {
				t.Fatal(err)
			}
		}
		if n := testing.AllocsPerRun(2, scan); n > float64(tt.most) {
			t.Errorf("%d times %s: %v allocations", tt.n, tt.element, n)
		}
	}
}

func TestParallelReads(t *testing.T) {
	src := sampleLog(1 << 12)
	var doc Doc
	if _, err := doc.Scan(src, 0, len(src)); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if _, ok := tree(t, doc.Root()); !ok {
				t.Error("the sample is not lossless")
			}
		})
	}
	wait.Wait()
}

func TestKindString(t *testing.T) {
	if got := fmt.Sprint(Absent, Null, Bool, Number, String, Array, Object, Kind(99)); got !=
		"absent null bool number string array object unknown" {
		t.Error(got)
	}
}

// all yields all values and keys, each before its descendants.
func (d *Doc) all() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for i := uint32(0); i < uint32(len(d.nodes)); {
			v := Value{d, i}
			if !yield(v) {
				return
			}
			if i++; v.d.nodes[v.i].info&hasRest != 0 {
				i++
			}
		}
	}
}

// TestVeryLong checks values whose length does not fit a node.
func TestVeryLong(t *testing.T) {
	long := strings.Repeat("a", longest-1) // with its quotes one byte more than fits
	for _, text := range []string{long, long[1:]} {
		src := []byte(`{"k":"` + text + `","` + text + `":[1],"z":2}`)
		var doc Doc
		if err := doc.ScanAll(src, 0, len(src)); err != nil {
			t.Fatal(err)
		}
		v := doc.Root()
		if got := v.Get("k").Str(); got != text {
			t.Errorf("a text of %d bytes is one of %d", len(text), len(got))
		}
		one := ""
		for e := range v.Get(text).Elems() {
			one += string(e.Raw())
		}
		if z, _ := v.Get("z").Int(); one != "1" || z != 2 || v.Len() != 3 {
			t.Errorf("behind it is %q, then %d; %d members", one, z, v.Len())
		}
	}
}
