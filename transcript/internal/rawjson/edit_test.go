package rawjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
)

func edit(start, end int, text string) Edit { return Edit{Span{start, end}, []byte(text)} }

func TestApply(t *testing.T) {
	const src = "0123456789"
	for _, test := range []struct {
		edits []Edit
		want  string // "error: …" for an error
	}{
		{nil, src},
		{[]Edit{edit(0, 10, "")}, ""},
		{[]Edit{edit(2, 4, "ab")}, "01ab456789"},
		{[]Edit{edit(0, 0, "<"), edit(10, 10, ">")}, "<0123456789>"},
		{[]Edit{edit(5, 7, "x"), edit(1, 2, "")}, "0234x789"},
		{[]Edit{edit(3, 3, "a"), edit(3, 3, "b")}, "012ab3456789"},
		{[]Edit{edit(3, 5, "X"), edit(3, 3, "a"), edit(5, 5, "z")}, "012aXz56789"},
		{[]Edit{edit(3, 5, ""), edit(5, 6, "")}, "0126789"},
		{[]Edit{edit(3, 5, "abcdef"), edit(4, 6, "")}, "error: rawjson: edit [4,6) to 0 bytes overlaps edit [3,5) to 6 bytes"},
		{[]Edit{edit(4, 4, "i"), edit(3, 5, "")}, "error: rawjson: edit [4,4) to 1 bytes overlaps edit [3,5) to 0 bytes"},
		{[]Edit{edit(3, 5, ""), edit(3, 5, "")}, "error: rawjson: edit [3,5) to 0 bytes overlaps edit [3,5) to 0 bytes"},
		{[]Edit{edit(-1, 2, "")}, "error: rawjson: edit [-1,2) to 0 bytes is outside of a source of 10 bytes"},
		{[]Edit{edit(9, 11, "")}, "error: rawjson: edit [9,11) to 0 bytes is outside of a source of 10 bytes"},
		{[]Edit{edit(5, 4, "")}, "error: rawjson: edit [5,4) to 0 bytes is outside of a source of 10 bytes"},
	} {
		before := slices.Clone(test.edits)
		out, err := Apply([]byte(src), test.edits)
		got := string(out)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != test.want {
			t.Errorf("%v: %s, want %s", test.edits, got, test.want)
		}
		if fmt.Sprint(before) != fmt.Sprint(test.edits) {
			t.Errorf("%v: the edits of the caller are now %v", before, test.edits)
		}
	}
}

func TestApplyCopies(t *testing.T) {
	src := []byte("abc")
	out, err := Apply(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	out[0] = 'x'
	if string(src) != "abc" {
		t.Error("Apply returned its source")
	}
}

// A shortWriter fails once it has written a number of bytes.
type shortWriter int

func (w *shortWriter) Write(b []byte) (int, error) {
	n := min(len(b), int(*w))
	*w -= shortWriter(n)
	if n < len(b) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

func TestWriteToFails(t *testing.T) {
	for room := range 8 {
		w := shortWriter(room)
		n, err := WriteTo(&w, []byte("0123456789"), []Edit{edit(2, 8, "abc")})
		if wantErr := room < 7; n != int64(min(room, 7)) || errors.Is(err, io.ErrShortWrite) != wantErr {
			t.Errorf("room for %d: wrote %d, %v", room, n, err)
		}
	}
}

func TestRemove(t *testing.T) {
	for _, test := range []struct {
		src, drop string // drop: one digit for each index
		want      string
	}{
		{`[]`, ``, `[]`},
		{`[1]`, `0`, `[]`},
		{`[ 1 ]`, `0`, `[  ]`},
		{`[1, 2,3 ]`, ``, `[1, 2,3 ]`},
		{`[1, 2,3 ]`, `0`, `[2,3 ]`},
		{`[1, 2,3 ]`, `1`, `[1,3 ]`},
		{`[1, 2,3 ]`, `2`, `[1, 2 ]`},
		{`[1, 2,3 ]`, `01`, `[3 ]`},
		{`[1, 2,3 ]`, `12`, `[1 ]`},
		{`[1, 2,3 ]`, `02`, `[2 ]`},
		{`[1, 2,3 ]`, `012`, `[ ]`},
		{"{\n  \"a\": 1,\n  \"b\": {\"c\": 2},\n  \"d\": 3\n}", `1`, "{\n  \"a\": 1,\n  \"d\": 3\n}"},
		{"{\n  \"a\": 1,\n  \"b\": {\"c\": 2},\n  \"d\": 3\n}", `02`, "{\n  \"b\": {\"c\": 2}\n}"},
	} {
		items := scanned(t, test.src).Items()
		edits := Remove(nil, items, func(i int) bool { return bytes.ContainsRune([]byte(test.drop), rune('0'+i)) })
		got, err := Apply([]byte(test.src), edits)
		if err != nil || string(got) != test.want {
			t.Errorf("%q without %s: %q, %v; want %q", test.src, test.drop, got, err, test.want)
		}
	}
	mine := []Edit{edit(0, 0, "x")}
	if got := Remove(mine, []Span{{1, 2}, {3, 4}}, func(int) bool { return true }); len(got) != 2 || got[0].Len() != 0 || got[1].Span != (Span{1, 4}) {
		t.Errorf("appending to other edits: %v", got)
	}
}

// FuzzEdits takes edits from data, three bytes each: start, length, new text.
func FuzzEdits(f *testing.F) {
	for _, src := range validSources {
		f.Add([]byte(src), []byte("\x00\x00a\x02\x01bcdefghijkl"), uint64(5))
	}
	f.Fuzz(func(t *testing.T, src, data []byte, drop uint64) {
		var edits []Edit
		for ; len(data) >= 3; data = data[3:] {
			start := int(int8(data[0]))
			edits = append(edits, edit(start, start+int(int8(data[1]))/8, string(data[2:2+data[2]%2])))
		}
		got, err := Apply(src, edits)
		want, ok := applyNaively(src, edits)
		if ok != (err == nil) || !bytes.Equal(got, want) {
			t.Fatalf("%q with %v:\ngot  %q, %v\nwant %q", src, edits, got, err, want)
		}
		if ok && Size(src, edits) != len(want) {
			t.Errorf("%q with %v: Size %d, want %d", src, edits, Size(src, edits), len(want))
		}
		var doc Doc
		if doc.ScanAll(src, 0, len(src)) != nil {
			return
		}
		for v := range doc.all() {
			checkRemove(t, src, v, func(i int) bool { return drop>>(i%64)&1 != 0 })
		}
	})
}

// applyNaively goes from byte to byte.
func applyNaively(src []byte, edits []Edit) ([]byte, bool) {
	for i, a := range edits {
		if a.Start < 0 || a.End < a.Start || a.End > len(src) {
			return nil, false
		}
		for _, b := range edits[:i] {
			if a.Start < b.End && b.Start < a.End { // also for an insertion inside
				return nil, false
			}
		}
	}
	var out []byte
	for i := range len(src) + 1 {
		for _, e := range edits {
			if e.Start == i && e.Len() == 0 {
				out = append(out, e.New...)
			}
		}
		covered := i == len(src)
		for _, e := range edits {
			if e.Start == i && e.Len() > 0 {
				out = append(out, e.New...)
			}
			covered = covered || e.Start <= i && i < e.End
		}
		if !covered {
			out = append(out, src[i])
		}
	}
	return out, true
}

// checkRemove removes items of v and compares the result with the kept items, each with the bytes
// between it and its predecessor.
func checkRemove(t *testing.T, src []byte, v Value, drop func(int) bool) {
	t.Helper()
	items := v.Items()
	got, err := Apply(src, Remove(nil, items, drop))
	if err != nil {
		t.Fatalf("%q: %v", src, err)
	}
	if !json.Valid(got) {
		t.Fatalf("%q became %q", src, got)
	}
	if len(items) == 0 {
		return
	}
	want := slices.Clone(src[:items[0].Start])
	first := true
	for i, item := range items {
		if drop(i) {
			continue
		}
		if !first {
			want = append(want, src[items[i-1].End:item.Start]...)
		}
		first = false
		want = append(want, src[item.Start:item.End]...)
	}
	want = append(want, src[items[len(items)-1].End:]...)
	if !bytes.Equal(got, want) {
		t.Errorf("%q became %q, want %q", src, got, want)
	}
}

// TestSize checks that Size knows the length of what Apply returns.
func TestSize(t *testing.T) {
	src := []byte("0123456789")
	for _, edits := range [][]Edit{
		nil,
		{{Span: Span{2, 5}}},
		{{Span: Span{2, 2}, New: []byte("new")}},
		{{Span: Span{0, 1}, New: []byte("longer")}, {Span: Span{4, 10}, New: []byte("x")}},
	} {
		out, err := Apply(src, edits)
		if err != nil || Size(src, edits) != len(out) {
			t.Errorf("%v: %d, and the result has %d bytes, %v", edits, Size(src, edits), len(out), err)
		}
	}
}
