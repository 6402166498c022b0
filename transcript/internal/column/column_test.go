package column

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"condense/transcript/internal/rawjson"
)

// find returns the rows of a source by a path.
func find(t *testing.T, path, src string) (*Rows, error) {
	t.Helper()
	p, err := Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	return p.Find([]byte(src), func(int, rawjson.Value) {})
}

// shown lists the values of rows: the index of the row, that within the row, and the text.
func shown(r *Rows) string {
	var list []string
	for _, v := range r.Values {
		text := string(r.Src[v.Span.Start:v.Span.End])
		if v.None {
			text = "none"
		}
		if v.Rest != (rawjson.Span{}) {
			text += "+" + string(r.Src[v.Rest.Start:v.Rest.End])
		}
		list = append(list, fmt.Sprintf("%d.%d %s", v.Row, v.At, text))
	}
	return strings.Join(list, "|")
}

// TestParse checks the steps of paths, and which paths are malformed.
func TestParse(t *testing.T) {
	for path, want := range map[string]string{
		"messages": "{messages false }", "a.b": "{a false }{b false }", "a[].b": "{a false }{ true }{b false }", "a[][]": "{a false }{ true }{ true }",
		"prompt+completion": "{prompt false completion}", `a\.b.c\+d`: "{a.b false }{c+d false }", `a\[]`: "{a[] false }", `a\\`: `{a\ false }`, `a\`: `{a\ false }`, `a\.b\.c`: "{a.b.c false }",
		"": "", "a..b": "", "a.": "", "+b": "", "a+": "", "a+b+c": "", "a+b.c": "", "a+b[]": "", "[]": "",
	} {
		p, err := Parse(path)
		got := strings.Trim(fmt.Sprint(p.steps), "[]")
		got = strings.ReplaceAll(got, "} {", "}{")
		if path == `a\[]` {
			got = "{a[] false }"
			if len(p.steps) != 1 || p.steps[0].key != "a[]" {
				t.Errorf("%s: %+v", path, p.steps)
			}
		}
		if (err == nil) != (want != "") || err == nil && (got != want || p.String() != path) {
			t.Errorf("%s: %s, %v, want %s", path, got, err, want)
		}
	}
}

// TestFind finds the values of paths in rows of all forms.
func TestFind(t *testing.T) {
	for _, tt := range []struct{ name, path, src, want string }{
		{"an object", "m", `{"m":[1]}`, "0.0 [1]"},
		{"an array", "m", ` [{"m":[1]},{"x":0,"m":[2]}] `, "0.0 [1]|1.0 [2]"},
		{"lines", "m", "{\"m\":[1]}\n\n{\"m\":{}}\n", "0.0 [1]|1.0 {}"},
		{"one line", "m", "{\"m\":[1]}\n", "0.0 [1]"},
		{"deeper", "a.b", `{"a":{"b":[1]}}`, "0.0 [1]"},
		{"each", "a[].m", `[{"a":[{"m":[1]},{"m":[2]}]},{"a":[]},{"a":[{"m":[3]},{"m":[4]},{"m":[5]}]}]`, "0.0 [1]|0.1 [2]|2.0 [3]|2.1 [4]|2.2 [5]"},
		{"each of strings", "a[].m", `[{"a":[{"m":"[1]"},{"m":[2]},{"m":"[3]"}]}]`, "0.0 [1]|0.1 [2]|0.2 [3]"},
		{"a pair", "p+c", `[{"p":[1],"c":[2]},{"c":"text","p":"[3]"}]`, `0.0 [1]+[2]|1.0 [3]+"text"`},
		{"null", "a.m", `[{"a":null},{"a":{"m":null}},{"a":{"m":" "}}]`, "1.0 none|2.0 none"},
		{"a string", "m", `{"m":"[\"a\\n\"]"}`, `0.0 ["a\n"]`},
		{"a string in a string", "a.m", `{"a":"{\"m\":\"[1]\"}"}`, "0.0 [1]"},
		{"lines in a string", "m", `{"m":"{}\n{}\n"}`, "0.0 {}\n{}\n"},
	} {
		r, err := find(t, tt.path, tt.src)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := shown(r); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestFindRefuses checks the errors for rows that lack the column, and for sources without rows.
func TestFindRefuses(t *testing.T) {
	for _, tt := range []struct{ path, src, want string }{
		{"m", `[{"m":[1]},{"x":[1]}]`, `row 2 (byte 11): no member is named "m", which the column m needs`},
		{"m", `{"m":[1],"m":[2]}`, `row 1 (byte 9): two members are named "m", and the column m needs one`},
		{"m", `{"m":5}`, "row 1 (byte 5): the column m is a number, not a conversation"},
		{"m", `{"m":true}`, "the column m is a bool, not a conversation"},
		{"a.m", `{"a":[1]}`, `row 1 (byte 5): the column a.m expects an object with "m" here, and this is an array`},
		{"a[]", `{"a":{}}`, "the column a[] expects an array here, and this is an object"},
		{"m", `{"m":"x"}`, "row 1 (byte 6): the column m is a string that does not hold JSON: "},
		{"m", `[[1]]`, "row 1 (byte 1): the row is an array, not an object"},
		{"m", `[null]`, "row 1 (byte 1): the row is null, not an object"},
		{"m", "", "no row is a JSON object"},
		{"m", "[1]\n2\n", "no row is a JSON object"},
		{"a.m", `{"x":"é","a":"{\"m\":7}"}`, "row 1 (byte 22): the column a.m is a number"},
	} {
		_, err := find(t, tt.path, tt.src)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) && !strings.Contains(err.Error(), ": "+tt.want) {
			t.Errorf("%s in %s: %v, want %s", tt.path, tt.src, err, tt.want)
		}
	}
	r, err := find(t, "m", "{\"m\":[1]}\n[2]\nbroken\n{\"m\":[3]}")
	if err != nil || len(r.Spans) != 2 || len(r.Broken) != 2 || r.Broken[0].Line != 2 || r.Broken[0].Why != "a line that is no object" || r.Broken[1].Line != 3 || r.Broken[1].Offset != 14 || !r.Lines {
		t.Errorf("broken lines: %+v, %v", r, err)
	}
}

// TestSeveral checks which paths allow several values in a row.
func TestSeveral(t *testing.T) {
	for path, want := range map[string]bool{"m": false, "a.b": false, "a[]": true, "a[].m": true, "p+c": false} {
		p, err := Parse(path)
		if err != nil || p.several() != want {
			t.Errorf("%s: %v, %v", path, p.several(), err)
		}
	}
}

// sources are rows with conversations in strings, one of them in two.
var sources = map[string][]string{
	"m":     {`[{"id":1,"m":"[\"one\",\"two\"]","x":"é"},{"m":["three"],"y":2},{"m":"[\"four\"]"}]`, "{\"m\":\"[\\\"a\\\"]\",\"k\":1}\n{\"k\":2,\"m\":\"[\\\"b\\\"]\"}\n"},
	"a.m":   {`{"k":0,"a":"{\"m\":\"[\\\"deep\\\"]\",\"n\":1}","z":3}`},
	"a[].m": {`{"a":[{"m":"[\"x\"]"},{"m":["y"]},{"m":"[\"z\"]"}],"end":true}`},
	"n":     {`{"n":["plain"],"k":1}`},
}

// TestOffsets checks that places outside of strings with conversations are found in both directions, and that a
// place in such a text leads into its string.
func TestOffsets(t *testing.T) {
	for path, list := range sources {
		for _, src := range list {
			r, err := find(t, path, src)
			if err != nil {
				t.Fatal(err)
			}
			for _, mark := range []string{`"k"`, `"x":`, `"y"`, `"z":`, `"end"`} {
				at := strings.LastIndex(src, mark)
				if at < 0 {
					continue
				}
				in := r.Inward(at)
				if in < 0 || in >= len(r.Src) || r.Src[in] != src[at] || r.Offset(in) != at {
					t.Errorf("%s: byte %d of %s is byte %d of %s, and that is byte %d", path, at, src, in, r.Src, r.Offset(in))
				}
			}
			for _, v := range r.Values {
				out := r.Offset(v.Span.Start + 1)
				word := strings.Trim(string(r.Src[v.Span.Start:v.Span.End]), `[]"`)
				if rest := src[out:]; !strings.HasPrefix(strings.TrimLeft(rest, `\"`), word[:1]) {
					t.Errorf("%s: %q begins at %q", path, word, rest)
				}
			}
		}
	}
}

// TestOutward changes texts of conversations, and reads them again from the source with those changes.
func TestOutward(t *testing.T) {
	for path, list := range sources {
		for _, src := range list {
			r, err := find(t, path, src)
			if err != nil {
				t.Fatal(err)
			}
			var edits []rawjson.Edit
			want := string(r.Src)
			for i := len(r.Values) - 1; i >= 0; i-- { // Outward takes them in any order
				span := rawjson.Span{Start: r.Values[i].Span.Start + 2, End: r.Values[i].Span.End - 2}
				edits = append(edits, rawjson.Edit{Span: span, New: []byte(`ne\"w\n ü`)})
				want = want[:span.Start] + `ne\"w\n ü` + want[span.End:]
			}
			given := fmt.Sprint(edits)
			out, done := []byte(nil), 0
			outward := r.Outward(edits)
			if len(r.levels) > 0 && fmt.Sprint(edits) != given {
				t.Errorf("%s: the edits of the caller have changed", path)
			}
			if len(r.levels) == 0 {
				outward = edits
			}
			for _, e := range outward {
				out = append(append(out, src[done:e.Start]...), e.New...)
				done = e.End
			}
			out = append(out, src[done:]...)
			again, err := find(t, path, string(out))
			if err != nil || !bytes.Equal(again.Src, []byte(want)) {
				t.Errorf("%s: %s became %s, %v, want %s", path, src, out, err, want)
			}
		}
	}
}
