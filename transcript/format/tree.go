package format

import (
	"cmp"
	"slices"

	"condense/transcript/internal/rawjson"
)

// tree is how the messages of a chat export hang on each other: every record
// names its parent, most formats list the children too, and some name the leaf
// at which the conversation stands. It knows which records the model sees, in
// which order, and which names must change when records go or come.
type tree struct {
	chain *chain // that of the layout
	nodes []treeNode
	byID  map[string]int // record by its id; the first of several

	leaf   rawjson.Span // the literal that names the leaf; empty when there is none
	leafID string

	path  []int  // the records of the branch that is shown, from the root
	on    []bool // by record: whether it is on the path
	flat  bool   // nothing says what hangs on what: every record is on the path
	order []int  // every record: branches that were left as they stand in the file, then the path
}

// treeNode is one record of a tree.
type treeNode struct {
	id, parent string
	parents    []rawjson.Span // the values that name the parent: one, or one in each copy of the record
	children   []childList    // likewise
	up         int            // the record it hangs on, or none
	kids       []int
}

// childList is an array of the ids of children.
type childList struct {
	array rawjson.Span
	items []rawjson.Span
	ids   []string
}

func newTree(l *layout, n int) *tree {
	l.tree = &tree{chain: l.chain, nodes: make([]treeNode, n), byID: map[string]int{}}
	l.chain.reach(n)
	return l.tree
}

// add notes what a record says of itself, its parent and its children; the
// latter two may be absent.
func (t *tree) add(record int, id string, parent, children rawjson.Value) {
	n := &t.nodes[record]
	n.id, n.parent = id, parent.Str()
	t.chain.nodes[record].id = id
	if _, repeated := t.byID[id]; !repeated && id != "" {
		t.byID[id] = record
	}
	t.copyOf(record, parent, children)
}

// copyOf notes a place that repeats who the parent and the children are.
func (t *tree) copyOf(record int, parent, children rawjson.Value) {
	n := &t.nodes[record]
	if k := parent.Kind(); k == rawjson.String || k == rawjson.Null {
		n.parents = append(n.parents, parent.Span())
	}
	if children.Kind() == rawjson.Array {
		list := childList{array: children.Span(), items: children.Items()}
		for c := range children.Elems() {
			list.ids = append(list.ids, c.Str())
		}
		n.children = append(n.children, list)
	}
}

// grow finds the branch that is shown, once every record is known: the one with
// the leaf, or without a leaf the youngest.
func (t *tree) grow(leaf rawjson.Value) {
	if leaf.Kind() == rawjson.String {
		t.leaf, t.leafID = leaf.Span(), leaf.Str()
	}
	roots := t.link()
	t.on = make([]bool, len(t.nodes))
	show := func(i int) {
		t.on[i] = true
		t.path = append(t.path, i)
	}
	if i, known := t.byID[t.leafID]; known {
		for i != none && !t.on[i] {
			show(i)
			i = t.nodes[i].up
		}
		slices.Reverse(t.path)
	} else {
		for _, i := range t.youngest(roots) {
			show(i)
			for kids := t.nodes[i].kids; len(kids) > 0; kids = t.nodes[i].kids {
				i = kids[len(kids)-1]
				show(i)
			}
		}
		t.interleave()
	}
	for i := range t.nodes {
		if !t.on[i] {
			t.order = append(t.order, i)
		}
	}
	t.order = append(t.order, t.path...)
}

// interleave puts branches that hang on nothing in common into one order: that of
// the file, as far as each branch keeps its own. The order of their roots would
// not do: it is another one when a root goes and what hung on it is the root.
func (t *tree) interleave() {
	behind := make([]int, len(t.nodes)) // by record: the last in the file of it and those above it
	for _, i := range t.path {
		behind[i] = i
		if up := t.nodes[i].up; up != none {
			behind[i] = max(i, behind[up])
		}
	}
	slices.SortStableFunc(t.path, func(a, b int) int { return cmp.Compare(behind[a], behind[b]) })
}

// row shows every record, in the order of the file.
func (t *tree) row() {
	t.link()
	t.on = make([]bool, len(t.nodes))
	for i := range t.nodes {
		t.on[i] = true
		t.path = append(t.path, i)
	}
	t.order, t.flat = t.path, true
}

// youngest leaves out roots that another one replaced: those that name the same
// parent, which is not in the file, are versions of one message.
func (t *tree) youngest(roots []int) (shown []int) {
	last := map[string]int{}
	for _, i := range roots {
		last[t.nodes[i].parent] = i
	}
	for _, i := range roots {
		if last[t.nodes[i].parent] == i {
			shown = append(shown, i)
		}
	}
	return shown
}

// link finds what each record hangs on, and gives those that hang on nothing.
func (t *tree) link() (roots []int) {
	for i := range t.nodes {
		n := &t.nodes[i]
		n.up = none
		if up, known := t.byID[n.parent]; known && up != i {
			n.up = up
		} else {
			roots = append(roots, i)
		}
	}
	taken := make([]bool, len(t.nodes))
	for i := range t.nodes { // children in the order of the lists, then the others
		for _, list := range t.nodes[i].children {
			for _, id := range list.ids {
				if c, known := t.byID[id]; known && t.nodes[c].up == i && !taken[c] {
					taken[c] = true
					t.nodes[i].kids = append(t.nodes[i].kids, c)
				}
			}
		}
	}
	for c, n := range t.nodes {
		if n.up != none && !taken[c] {
			t.nodes[n.up].kids = append(t.nodes[n.up].kids, c)
		}
	}
	return roots
}
