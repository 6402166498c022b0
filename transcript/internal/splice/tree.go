package splice

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
	chain *Chain // that of the layout
	Nodes []TreeNode
	ByID  map[string]int // record by its id; the first of several

	leaf   rawjson.Span // the literal that names the leaf; empty when there is none
	leafID string

	Path  []int  // the records of the branch that is shown, from the root
	Shown []bool // by record: whether it is on the path
	Flat  bool   // nothing says what hangs on what: every record is on the path
	Order []int  // every record: branches that were left as they stand in the file, then the path
}

// treeNode is one record of a tree.
type TreeNode struct {
	ID, Parent string
	parents    []rawjson.Span // the values that name the parent: one, or one in each copy of the record
	children   []childList    // likewise
	Up         int            // the record it hangs on, or none
	kids       []int
}

// childList is an array of the ids of children.
type childList struct {
	array rawjson.Span
	items []rawjson.Span
	ids   []string
}

func NewTree(l *Layout, n int) *tree {
	l.Tree = &tree{chain: l.Chain, Nodes: make([]TreeNode, n), ByID: map[string]int{}}
	l.Chain.Reach(n)
	return l.Tree
}

// add notes what a record says of itself, its parent and its children; the
// latter two may be absent.
func (t *tree) Add(record int, id string, parent, children rawjson.Value) {
	n := &t.Nodes[record]
	n.ID, n.Parent = id, parent.Str()
	t.chain.Nodes[record].ID = id
	if _, repeated := t.ByID[id]; !repeated && id != "" {
		t.ByID[id] = record
	}
	t.AddCopy(record, parent, children)
}

// copyOf notes a place that repeats who the parent and the children are.
func (t *tree) AddCopy(record int, parent, children rawjson.Value) {
	n := &t.Nodes[record]
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
func (t *tree) Grow(leaf rawjson.Value) {
	if leaf.Kind() == rawjson.String {
		t.leaf, t.leafID = leaf.Span(), leaf.Str()
	}
	roots := t.link()
	t.Shown = make([]bool, len(t.Nodes))
	show := func(i int) {
		t.Shown[i] = true
		t.Path = append(t.Path, i)
	}
	if i, known := t.ByID[t.leafID]; known {
		for i != None && !t.Shown[i] {
			show(i)
			i = t.Nodes[i].Up
		}
		slices.Reverse(t.Path)
	} else {
		for _, i := range t.youngest(roots) {
			show(i)
			for kids := t.Nodes[i].kids; len(kids) > 0; kids = t.Nodes[i].kids {
				i = kids[len(kids)-1]
				show(i)
			}
		}
		t.interleave()
	}
	for i := range t.Nodes {
		if !t.Shown[i] {
			t.Order = append(t.Order, i)
		}
	}
	t.Order = append(t.Order, t.Path...)
}

// interleave puts branches that hang on nothing in common into one order: that of
// the file, as far as each branch keeps its own. The order of their roots would
// not do: it is another one when a root goes and what hung on it is the root.
func (t *tree) interleave() {
	behind := make([]int, len(t.Nodes)) // by record: the last in the file of it and those above it
	for _, i := range t.Path {
		behind[i] = i
		if up := t.Nodes[i].Up; up != None {
			behind[i] = max(i, behind[up])
		}
	}
	slices.SortStableFunc(t.Path, func(a, b int) int { return cmp.Compare(behind[a], behind[b]) })
}

// row shows every record, in the order of the file.
func (t *tree) GrowFlat() {
	t.link()
	t.Shown = make([]bool, len(t.Nodes))
	for i := range t.Nodes {
		t.Shown[i] = true
		t.Path = append(t.Path, i)
	}
	t.Order, t.Flat = t.Path, true
}

// youngest leaves out roots that another one replaced: those that name the same
// parent, which is not in the file, are versions of one message.
func (t *tree) youngest(roots []int) (shown []int) {
	last := map[string]int{}
	for _, i := range roots {
		last[t.Nodes[i].Parent] = i
	}
	for _, i := range roots {
		if last[t.Nodes[i].Parent] == i {
			shown = append(shown, i)
		}
	}
	return shown
}

// link finds what each record hangs on, and gives those that hang on nothing.
func (t *tree) link() (roots []int) {
	for i := range t.Nodes {
		n := &t.Nodes[i]
		n.Up = None
		if up, known := t.ByID[n.Parent]; known && up != i {
			n.Up = up
		} else {
			roots = append(roots, i)
		}
	}
	taken := make([]bool, len(t.Nodes))
	for i := range t.Nodes { // children in the order of the lists, then the others
		for _, list := range t.Nodes[i].children {
			for _, id := range list.ids {
				if c, known := t.ByID[id]; known && t.Nodes[c].Up == i && !taken[c] {
					taken[c] = true
					t.Nodes[i].kids = append(t.Nodes[i].kids, c)
				}
			}
		}
	}
	for c, n := range t.Nodes {
		if n.Up != None && !taken[c] {
			t.Nodes[n.Up].kids = append(t.Nodes[n.Up].kids, c)
		}
	}
	return roots
}
