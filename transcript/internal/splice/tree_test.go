package splice

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript/internal/rawjson"
)

// treeOf returns the layout of lines that are the records of a tree, as in {"id":"b","up":"a","kids":["c"]}. The
// member "leaf" of a line names the leaf.
func treeOf(src string) *Layout {
	l := linesOf(src)
	t := NewTree(l, l.Len())
	leaf := rawjson.Value{}
	for i := range l.Len() {
		v := l.Scan(i)
		t.Add(i, v.Get("id").Str(), v.Get("up"), v.Get("kids"))
		if at := v.Get("leaf"); at.Ok() {
			leaf = at
		}
	}
	t.Grow(leaf)
	return l
}

// letters returns the ids of records.
func letters(t *Tree, records []int) string {
	var b strings.Builder
	for _, i := range records {
		b.WriteString(t.Nodes[i].ID)
	}
	return b.String()
}

// TestGrow checks which branch of a tree the model sees, and in which order the records stand.
func TestGrow(t *testing.T) {
	for _, tt := range []struct{ name, src, path, order string }{
		{"one branch", `{"id":"a"} {"id":"b","up":"a"} {"id":"c","up":"b"}`, "abc", "abc"},
		{"the youngest", `{"id":"a"} {"id":"b","up":"a"} {"id":"c","up":"a"} {"id":"d","up":"c"}`, "acd", "bacd"},
		{"the last of the children", `{"id":"a","kids":["c","b"]} {"id":"b","up":"a"} {"id":"c","up":"a"}`, "ab", "cab"},
		{"a list with a child of another parent", `{"id":"a","kids":["b","c","x"]} {"id":"b","up":"a"} {"id":"c","up":"b"}`, "abc", "abc"},
		{"the leaf", `{"id":"a"} {"id":"b","up":"a"} {"id":"c","up":"a"} {"leaf":"b"}`, "ab", "cab"},
		{"a leaf with children", `{"id":"a"} {"id":"b","up":"a"} {"leaf":"a"}`, "a", "ba"},
		{"an unknown leaf", `{"id":"a"} {"id":"b","up":"a","leaf":"x"}`, "ab", "ab"},
		{"no leaf", `{"id":"a"} {"id":"b","up":"a","leaf":null}`, "ab", "ab"},
		{"children in any order", `{"id":"b","up":"a"} {"id":"a"} {"id":"c","up":"b"}`, "abc", "abc"},
		{"two roots", `{"id":"a"} {"id":"b","up":"a"} {"id":"x","up":"gone"} {"id":"y","up":"x"}`, "abxy", "abxy"},
		{"two versions of one message", `{"id":"a","up":"gone"} {"id":"b","up":"a"} {"id":"x","up":"gone"} {"id":"y","up":"x"}`, "xy", "abxy"},
		{"branches of two roots", `{"id":"a"} {"id":"x","up":"gone"} {"id":"b","up":"a"} {"id":"y","up":"x"}`, "axby", "axby"},
		{"its own parent", `{"id":"a","up":"a"} {"id":"b","up":"a"}`, "ab", "ab"},
		{"a circle with a leaf", `{"id":"a","up":"b"} {"id":"b","up":"a"} {"leaf":"a"}`, "ba", "ba"},
		{"two records with an id", `{"id":"a"} {"id":"b","up":"a"} {"id":"b","up":"a"}`, "ab", "bab"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tree := treeOf(strings.ReplaceAll(tt.src, " ", "\n") + "\n").Tree
			if got := letters(tree, tree.Path); got != tt.path {
				t.Errorf("the model sees %q, want %q", got, tt.path)
			}
			if got := letters(tree, tree.Order); got != tt.order {
				t.Errorf("the order is %q, want %q", got, tt.order)
			}
			for i := range tree.Nodes {
				if tree.Shown[i] != slices.Contains(tree.Path, i) {
					t.Errorf("record %d is shown: %v", i, tree.Shown[i])
				}
			}
		})
	}
}

// TestRelinkTree checks that the records that stay name only parents and children that stay or are new.
func TestRelinkTree(t *testing.T) {
	const three = `{"id":"a","kids":["b"]}
{"id":"b","up":"a","kids":[ "c" ]}
{"id":"c","up":"b","kids":[]}
{"leaf":"c"}
`
	for _, tt := range []struct {
		name, src, gone string
		before          []int
		want            string
	}{
		{"nothing", three, "", nil, three},
		{"the middle", three, "1", nil, `{"id":"a","kids":["c"]}
{"id":"c","up":"a","kids":[]}
{"leaf":"c"}
`},
		{"the leaf", three, "2", nil, `{"id":"a","kids":["b"]}
{"id":"b","up":"a","kids":[]}
{"leaf":"b"}
`},
		{"the root", three, "0", nil, `{"id":"b","up":null,"kids":[ "c" ]}
{"id":"c","up":"b","kids":[]}
{"leaf":"c"}
`},
		{"new in the middle", three, "", []int{1}, `{"id":"a","kids":["NEW"]}
{"id":"b","up":"NEW","kids":[ "c" ]}
{"id":"c","up":"b","kids":[]}
{"leaf":"c"}
`},
		{"new at the end", three, "", []int{4}, `{"id":"a","kids":["b"]}
{"id":"b","up":"a","kids":[ "c" ]}
{"id":"c","up":"b","kids":["NEW"]}
{"leaf":"NEW"}
`},
		{"new in place of the middle", three, "1", []int{2}, `{"id":"a","kids":["NEW"]}
{"id":"c","up":"NEW","kids":[]}
{"leaf":"c"}
`},
		{"without a list of children", `{"id":"a","kids":["b", "x"]}
{"id":"b","up":"a"}
{"id":"c","up":"b"}
{"leaf":"c"}
`, "1", nil, `{"id":"a","kids":["x"]}
{"id":"c","up":"a"}
{"leaf":"c"}
`},
		{"two children take its place", `{"id":"a","kids":["x",  "b"]}
{"id":"b","up":"a","kids":["c","d"]}
{"id":"c","up":"b"}
{"id":"d","up":"b"}
{"leaf":"d"}
`, "1", nil, `{"id":"a","kids":["x",  "c",  "d"]}
{"id":"c","up":"a"}
{"id":"d","up":"a"}
{"leaf":"d"}
`},
		{"no leaf", `{"id":"a"}
{"id":"b","up":"a"}
{"leaf":null}
`, "1", nil, `{"id":"a"}
{"leaf":null}
`},
		{"a parent that no record has", `{"id":"b","up":"x"}
{"id":"c","up":"b"}
`, "0", nil, `{"id":"c","up":"x"}
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := changed(treeOf(tt.src), tt.gone, tt.before...)
			want := tt.want
			if len(tt.before) > 0 {
				want = strings.ReplaceAll(want, "NEW", c.NewID(0))
			}
			if got := left(t, c, RelinkTree(c)); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
	if edits := RelinkTree(changed(linesOf("{}\n"), "0")); edits != nil {
		t.Errorf("without a tree: %v", edits)
	}
}

// TestNeighbours checks between which records a new one stands.
func TestNeighbours(t *testing.T) {
	const src = `{"id":"a"}
{"id":"b","up":"a"}
{"id":"x","up":"a"}
{"id":"c","up":"b"}
{"leaf":"c"}
`
	l := treeOf(src)
	for _, tt := range []struct {
		gone          string
		before        int
		parent, child string
	}{
		{"", 0, "", "a"}, {"", 1, "a", "b"}, {"", 3, "b", "c"}, {"1", 3, "a", "c"}, {"01", 3, "", "c"},
		{"", 5, "c", ""}, {"3", 5, "b", ""}, {"013", 5, "", ""}, {"", 2, "c", ""}, // x is on no branch that the model sees
	} {
		c := changed(l, tt.gone, tt.before)
		if parent, child := c.Neighbours(0); parent != tt.parent || child != tt.child {
			t.Errorf("without %q a new record in front of %d stands between %q and %q, want %q and %q", tt.gone, tt.before, parent, child, tt.parent, tt.child)
		}
	}
	c := changed(l, "", 1, 1)
	if parent, child := c.Neighbours(0); parent != "a" || child != c.NewID(1) {
		t.Errorf("the first of two stands between %q and %q", parent, child)
	}
	if parent, child := c.Neighbours(1); parent != c.NewID(0) || child != "b" {
		t.Errorf("the second of two stands between %q and %q", parent, child)
	}
}

// TestGrowFlat checks that without parents the model sees every record.
func TestGrowFlat(t *testing.T) {
	l := linesOf("{}\n{}\n{}\n")
	tree := NewTree(l, 3)
	tree.GrowFlat()
	if !tree.Flat || !slices.Equal(tree.Path, []int{0, 1, 2}) || !slices.Equal(tree.Order, tree.Path) || slices.Contains(tree.Shown, false) {
		t.Errorf("%+v", tree)
	}
	if at := tree.Last(func(i int) bool { return i == 2 }); at != 1 {
		t.Errorf("the last that stays is %d", at)
	}
	if at := tree.Last(func(int) bool { return true }); at != None {
		t.Errorf("the last of none is %d", at)
	}
}
