package splice

import (
	"strings"
	"testing"

	"condense/transcript/internal/rawjson"
)

// arrayOf returns the layout of a source that is an array of records.
func arrayOf(t *testing.T, src string) *Layout {
	t.Helper()
	l := New([]byte(src))
	doc := new(rawjson.Doc)
	if _, err := doc.Scan(l.Src, 0, len(src)); err != nil {
		t.Fatal(err)
	}
	l.SetRecords(doc.Root())
	return l
}

// TestInsertElem checks that new elements of an array are laid out like their neighbours.
func TestInsertElem(t *testing.T) {
	const indentedSrc = "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": 2\n  }\n]"
	for _, tt := range []struct {
		name, src, gone string
		before          []int
		text, want      string
	}{
		{"first", `[1,2]`, "", []int{0}, "9", `[9,1,2]`},
		{"middle", `[1, 2]`, "", []int{1}, "9", `[1, 9, 2]`},
		{"last", `[1, 2]`, "", []int{2}, "9", `[1, 2, 9]`},
		{"two at one place", `[1 , 2]`, "", []int{1, 1}, "9", `[1 , 9 , 9 , 2]`},
		{"two at the end", `[1, 2]`, "", []int{2, 2}, "9", `[1, 2, 9, 9]`},
		{"of one", `[1]`, "", []int{1}, "9", `[1,9]`},
		{"into nothing", `[ ]`, "", []int{0}, "9", `[9 ]`},
		{"two into nothing", `[]`, "", []int{0, 0}, "9", `[9,9]`},
		{"three into nothing", `[]`, "", []int{0, 0, 0}, "9", `[9,9,9]`},
		{"in place of all", `[1, 2]`, "01", []int{2}, "9", `[9]`},
		{"in place of the only one", `[ 1 ]`, "0", []int{1}, "9", `[ 9 ]`},
		{"two in place of all", `[1, 2]`, "01", []int{2, 2}, "9", `[9, 9]`},
		{"indented", indentedSrc, "", []int{1}, `{"b":[1]}`, "[\n  {\n    \"a\": 1\n  },\n  {\n    \"b\": [\n      1\n    ]\n  },\n  {\n    \"a\": 2\n  }\n]"},
		{"lines without indentation", "[1,\n2]", "", []int{1}, `{"b":1}`, "[1,\n{\"b\":1},\n2]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := changed(arrayOf(t, tt.src), tt.gone, tt.before...)
			edits := rawjson.Remove(nil, c.RecordSpans(), c.Gone)
			for i := range c.Inserted {
				edits = append(edits, c.InsertElem(i, []byte(tt.text)))
			}
			got, err := rawjson.Apply(c.Src, edits)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
		})
	}
}

// TestInsertLine checks that a new line ends like its neighbours, and that a last line without a line break gets
// one.
func TestInsertLine(t *testing.T) {
	for _, tt := range []struct {
		name, src, gone string
		before          int
		want            string
	}{
		{"first", "1\n2\n", "", 0, "9\n1\n2\n"},
		{"middle", "1\n2\n", "", 1, "1\n9\n2\n"},
		{"last", "1\n2\n", "", 2, "1\n2\n9\n"},
		{"last, without a line break", "1\n2", "", 2, "1\n2\n9"},
		{"in place of the last, without a line break", "1\n2", "1", 2, "1\n9\n"},
		{"of one, without a line break", "1", "", 1, "1\n9"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := changed(linesOf(tt.src), tt.gone, tt.before)
			if got := left(t, c, []rawjson.Edit{c.insertLine(c.Inserted[0], []byte("9"))}); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestIndented checks that new JSON has the indentation that the space between two elements shows.
func TestIndented(t *testing.T) {
	for _, tt := range []struct{ text, sep, want string }{
		{`{"a":1}`, `,`, `{"a":1}`},
		{`{"a":1}`, `, `, `{"a":1}`},
		{`{"a":1}`, ",\n", `{"a":1}`},
		{`{"a":1}`, ",\n  ", "{\n    \"a\": 1\n  }"},
		{`{"a":1}`, ",\n\t", "{\n\t\t\"a\": 1\n\t}"},
		{`{"a":1}`, ",\n    ", "{\n        \"a\": 1\n    }"},
		{`{"a":1}`, ",\n     ", "{\n       \"a\": 1\n     }"},
		{`{"a":1}`, ",\n      ", "{\n        \"a\": 1\n      }"}, // nested: two more
		{`{"a":1}`, " \n ,\n  ", "{\n    \"a\": 1\n  }"},
		{`"k":{"a":1}`, ",\n  ", "\"k\": {\n    \"a\": 1\n  }"}, // a member
		{`"k":{"a":1}`, ",", `"k":{"a":1}`},
		{`{"a":`, ",\n  ", `{"a":`}, // not JSON
	} {
		if got := string(indented([]byte(tt.text), []byte(tt.sep))); got != tt.want {
			t.Errorf("%s after %q is %q, want %q", tt.text, tt.sep, got, tt.want)
		}
	}
}

// TestNearest checks which record is the model for a new one: the nearest before it that suits, else the nearest
// after it.
func TestNearest(t *testing.T) {
	const src = `{"n":0,"x":1}
{"n":1}
not json
{"n":3,"x":1}
{"n":4}
{"n":5,"x":1}
`
	suits := func(v rawjson.Value) bool { return v.Get("x").Ok() }
	of := func(v rawjson.Value) int64 {
		if n, ok := v.Get("n").Int(); ok {
			return n
		}
		return -1
	}
	for _, tt := range []struct {
		before          int
		nearest, behind int64
	}{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 3, 3}, {4, 3, 3}, {5, 5, 5}, {6, 5, 5}} {
		c := changed(linesOf(src), "", tt.before)
		if near, before := of(c.Nearest(0, suits)), of(c.Before(0, suits)); near != tt.nearest || before != tt.behind {
			t.Errorf("in front of %d the nearest is %d, and %d before it, want %d and %d", tt.before, near, before, tt.nearest, tt.behind)
		}
	}
	c := changed(linesOf(src), "", 1)
	for n, want := range map[int64]int64{1: 1, 2: -1, 3: 3, 5: 5, 6: -1} {
		if got := of(c.Nearest(0, func(v rawjson.Value) bool { return of(v) == n })); got != want {
			t.Errorf("the nearest with the number %d is %d", n, got)
		}
	}
	if v := c.Before(0, func(v rawjson.Value) bool { return of(v) == 3 }); v.Ok() {
		t.Error("a record after the new one is before it")
	}
	if c.Nested(0) || !(&Change{Layout: c.Layout, Inserted: []Insertion{{list: c.records + 1}}}).Nested(0) {
		t.Error("only a place in another list is nested")
	}
}

// TestSpot checks where a new record stands: among the records, or among several in a line.
func TestSpot(t *testing.T) {
	l := arrayOf(t, `[{"a":[1,2]},{"a":[3]}]`)
	inner := l.Elems(l.Slot(0), l.Scan(0).Get("a"))
	if list, record := l.spot(inner + 1); list != l.records || record != 0 {
		t.Errorf("in an array of records the place is %d in list %d", record, list)
	}
	if list, record := l.spot(l.Slot(1)); list != l.records || record != 1 {
		t.Errorf("the place of a record is %d in list %d", record, list)
	}
	lines := linesOf(strings.Repeat(`{"a":[1,2]}`+"\n", 2))
	inner = lines.Elems(lines.Slot(1), lines.Scan(1).Get("a"))
	if list, record := lines.spot(inner + 1); list == lines.records || record != 1 {
		t.Errorf("in a line with several messages the place is %d in list %d", record, list)
	}
	if i, ok := lines.IsRecord(inner); ok || lines.RecordOf(inner) != 1 {
		t.Errorf("an element is the record %d, in record %d", i, lines.RecordOf(inner))
	}
}

// TestOwnIDs checks that ids of new records are known again, and that those of clients are not taken for them.
func TestOwnIDs(t *testing.T) {
	for i := range 50 {
		sum := make([]byte, 32)
		for k := range sum {
			sum[k] = byte(i*31 + k*17)
		}
		if id := UUID(sum); !isOwnID(id) || len(id) != 36 {
			t.Errorf("%s is not known again", id)
		}
	}
	for _, id := range []string{"", "01980aaa-bbbb-7ccc-8ddd-eeeeffff0001", "01980aaa-bbbb-4ccc-8ddd-eeeeffff0001", "01980aaa-bbbb-8ccc-cddd-eeeeffff0001", "x01980aaa-bbbb-8ccc-8ddd-eeeeffff0001"} {
		if isOwnID(id) {
			t.Errorf("%s is taken for one", id)
		}
	}
}

// TestMembers checks the slots of members of an object: of members with one key, the last counts, and a key that
// is missing has the slot around.
func TestMembers(t *testing.T) {
	const src = `[{"a":1,"b":2,"a":3}]`
	l := arrayOf(t, src)
	doc := new(rawjson.Doc)
	if _, err := doc.Scan(l.Src, 1, len(src)); err != nil {
		t.Fatal(err)
	}
	record := l.Slot(0)
	one := l.Member(record, doc.Root(), "a")
	slots := l.MemberSlots(record, doc.Root())
	a, b, none := slots("a"), slots("b"), slots("c")
	text := func(slot int) string { return src[l.Span(slot).Start:l.Span(slot).End] }
	if text(one) != `"a":3` || text(a) != `"a":3` || text(b) != `"b":2` || none != record || l.Member(record, doc.Root(), "c") != record {
		t.Errorf("the slots are %s, %s, %s and %d", text(one), text(a), text(b), none)
	}
	if !l.Siblings(a, b) || l.Siblings(one, b) || l.Siblings(a, None) || l.Around(a) != record {
		t.Errorf("slots of one list: %v, of two: %v, around: %d", l.Siblings(a, b), l.Siblings(one, b), l.Around(a))
	}
	if l.IsLines() {
		t.Error("an array has lines")
	}
}
