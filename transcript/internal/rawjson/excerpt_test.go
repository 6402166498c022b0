package rawjson

import (
	"fmt"
	"strings"
	"testing"
)

// TestExcerpt joins the ends of lines and of documents. In the sources, "‥" is what lies between.
func TestExcerpt(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"lines", "{\"a\":1}\n{\"b\":‥\n{\"c\":3}\n", "{\"a\":1}\n|{\"c\":3}\n"},
		{"no whole line in front", "{\"a\":‥1}\n{\"c\":3}\n", "|{\"c\":3}\n"},
		{"a torn last line", "{\"a\":1}\n‥x\n{\"c\":3}\n{\"d\":", "{\"a\":1}\n|{\"c\":3}\n{\"d\":"},
		{"an array", `[{"a":1},{"b":‥2},{"c":"}]\\"},{"d":"\"{"}]`, `[{"a":1},|{"c":"}]\\"},{"d":"\"{"}]`},
		{"an array, nothing whole in front", `[{"a":‥2}, {"c":3}]`, `[|{"c":3}]`},
		{"an array in an object", `{"id":"x","list":[{"a":[{"z":1}]},{"b":‥"x"}]}, {"c":[{"y":1}]}],"end":[{"w":1}]}`,
			`{"id":"x","list":[{"a":[{"z":1}]},|{"c":[{"y":1}]}],"end":[{"w":1}]}`},
		{"a tail that begins in a string", `[{"a":1},{"b":"‥{\"x\": [\\"},{"c":3}]`, `[{"a":1},|{"c":3}]`},
		{"nothing whole at the end", `[{"a":1},{"b":‥2}]`, "no"},
		{"other shapes", `{"a":{"b":‥1},{"c":3}]}`, "no"},
		{"no container at the end", `[{"a":1},‥"text"`, "no"},
		{"lines, but none whole at the end", "{\"a\":1}\n{\"b\":[‥{\"c\":1}]}", "no"},
		{"lines, and the end of one alone", "{\"a\":1}\n{\"b\":‥{\"c\":1}", "no"},
		{"empty", "‥", "no"},
		{"lines in front of an array", "{\"a\":1}\n‥ [{\"b\":2}]", "no"},
		{"an empty line in front of an array", "\n[{\"a\":1},‥ {\"c\":3}]", "\n[{\"a\":1},|{\"c\":3}]"},
		{"two torn last lines", "{\"a\":1}\n‥x\n{\"c\":3}\n{\"d\":\n{\"e\":", "{\"a\":1}\n|{\"c\":3}\n{\"d\":\n{\"e\":"},
		{"three torn last lines", "{\"a\":1}\n‥x\n{\"c\":3}\n{\"d\":\n{\"e\":\n{\"f\":", "no"},
		{"one torn line alone", "{\"a\":1}\n‥x\n{\"d\":", "no"},
		{"a string that begins the tail", `[{"a":1},‥"b",{"c":3}]`, `[{"a":1},|{"c":3}]`},
		{"a string with escaped quotes", `[{"a":1},‥x\"y\\",{"c":"\\\"z"}]`, `[{"a":1},|{"c":"\\\"z"}]`},
		{"no quote at the beginning of a string", `[{"a":1},‥x",{"c":3}]`, `[{"a":1},|{"c":3}]`},
		{"closed too often", `[{"a":1}]]‥ {"c":3}]`, "no"},
		{"opened too often", `[{"a":1},‥ [[{"c":3}]`, "no"},
	} {
		head, tail, _ := strings.Cut(tt.source, "‥")
		src, from, ok := Excerpt([]byte(head), []byte(tail))
		got := "no"
		if ok {
			got = string(src[:from]) + "|" + string(src[from:])
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestExcerptOfEveryCut cuts a document at all places: an excerpt is JSON, and its end is that of the
// document.
func TestExcerptOfEveryCut(t *testing.T) {
	var list []string
	for i := range 6 {
		list = append(list, fmt.Sprintf(`{"n":%d,"text":"a\"}]\\","list":[{"x":[]},2],"o":{}}`, i))
	}
	doc := `{"id":"s","messages":[` + strings.Join(list, ", ") + `],"more":{"k":[1]}}`
	found := 0
	for head := range len(doc) {
		for tail := range len(doc) - head {
			src, from, ok := Excerpt([]byte(doc[:head]), []byte(doc[len(doc)-tail:]))
			if !ok {
				continue
			}
			found++
			var d Doc
			if err := d.ScanAll(src, 0, len(src)); err != nil || !strings.HasSuffix(doc, string(src[from:])) {
				t.Fatalf("%d and %d bytes make %s: %v", head, tail, src, err)
			}
			if n := d.Root().Get("messages").Len(); n < 1 || n > len(list) {
				t.Fatalf("%d and %d bytes make %d messages", head, tail, n)
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d cuts have an excerpt", found)
	}
}

// TestStringStart checks where the string that ends at the end of a source begins.
func TestStringStart(t *testing.T) {
	for src, want := range map[string]int{`"a"`: 0, `x"a"`: 1, `"a\"b"`: 0, `"a\\"b"`: 4, `\"b"`: -1, `b"`: -1, `"`: -1, `""`: 0} {
		if got := stringStart([]byte(src), len(src)-1); got != want {
			t.Errorf("%s: got %d, want %d", src, got, want)
		}
	}
}
