package parquet

import (
	"fmt"
	"strings"
	"testing"
)

// element returns an element of a schema with fields of numbers.
func element(name string, numbers map[int16]int64) *structure {
	e := &structure{}
	e.set(elemName, typeBinary, []byte(name))
	for id, n := range numbers {
		e.set(id, typeInt32, n)
	}
	return e
}

// listSchema returns the schema of rows with one list of numbers, whose group has the given fields. The
// elements are a group below the list, or the list itself if nested is not set.
func listSchema(t *testing.T, fields map[int16]int64, logical, nested bool) (*node, []*leaf) {
	t.Helper()
	group := element("v", fields)
	group.set(elemChildren, typeInt32, int64(1))
	if logical {
		kind := &structure{}
		kind.set(logicalList, typeStruct, &structure{})
		group.set(elemLogical, typeStruct, kind)
	}
	elems := []*structure{element("root", map[int16]int64{elemChildren: 1}), group}
	if nested {
		elems = append(elems, element("list", map[int16]int64{elemChildren: 1, elemRepetition: 2}),
			element("element", map[int16]int64{elemType: physInt32, elemRepetition: 1}))
	} else {
		elems = append(elems, element("array", map[int16]int64{elemType: physInt32, elemRepetition: 2}))
	}
	root, leaves, err := readSchema(elems)
	if err != nil {
		t.Fatal(err)
	}
	return root, leaves
}

// TestLists checks which groups are lists, by the marks of old and new writers, and which elements they take.
func TestLists(t *testing.T) {
	old := map[int16]int64{elemConverted: convertedList}
	const noArray, noObject, noNull = "it is not an array", "it is not an object", "an element is null"
	for _, test := range []struct {
		fields          map[int16]int64
		logical, nested bool
		row, want       string
	}{
		{old, true, true, `{"v":[1,2]}`, ""},
		{old, false, true, `{"v":[1,2]}`, ""},
		{nil, true, true, `{"v":[1,2]}`, ""},
		{nil, true, true, `{"v":[1,null]}`, ""},
		{old, false, false, `{"v":[1,2]}`, ""},
		{old, false, false, `{"v":[1,null]}`, noNull},
		{old, true, true, `{"v":{"list":[{"element":1}]}}`, noArray},
		{nil, false, true, `{"v":{"list":[{"element":1}]}}`, ""},
		{nil, false, true, `{"v":[1,2]}`, noObject},
		{map[int16]int64{elemConverted: 1}, false, true, `{"v":[1,2]}`, noObject},
		{map[int16]int64{elemConverted: 0}, false, true, `{"v":[1,2]}`, noObject},
	} {
		root, leaves := listSchema(t, test.fields, test.logical, test.nested)
		s := newShredder(root, leaves, nil)
		err := s.row([]byte(test.row))
		if got := fmt.Sprint(err); test.want == "" && err != nil || !strings.Contains(got, test.want) {
			t.Errorf("%v, %v: %s: %v, want %q", test.fields, test.logical, test.row, err, test.want)
		}
		if err != nil {
			continue
		}
		if got := string(newCursor(s.columns).row(nil, root)); got != test.row {
			t.Errorf("%v, %v: %s was read as %s", test.fields, test.logical, test.row, got)
		}
	}
}

// TestDictionaries checks that a column keeps its dictionary up to a megabyte of different values.
func TestDictionaries(t *testing.T) {
	root, leaves, err := readSchema([]*structure{element("root", map[int16]int64{elemChildren: 1}), element("v", map[int16]int64{elemType: physBytes})})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("reef ", largestDictionary/5)
	for _, test := range []struct {
		values []string
		had    bool // the column had a dictionary before
		dict   bool
		pool   int // values that are kept
	}{
		{[]string{"reef", "tide", "reef"}, true, true, 2},
		{[]string{"reef", "tide", "reef"}, false, false, 3},
		{[]string{long, "!", long}, true, true, 2},
		{[]string{long, "!!", long}, true, false, 3},
	} {
		s := newShredder(root, leaves, []*column{{dict: test.had}})
		for _, v := range test.values {
			if err := s.row(fmt.Appendf(nil, `{"v":%q}`, v)); err != nil {
				t.Fatal(err)
			}
		}
		c := s.columns[0]
		if c.dict != test.dict || c.pool.len() != test.pool {
			t.Errorf("%.20q: a dictionary: %v, want %v, %d values, want %d", test.values, c.dict, test.dict, c.pool.len(), test.pool)
		}
	}
}
