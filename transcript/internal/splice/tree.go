package splice

import (
	"cmp"
	"slices"

	"condense/transcript/internal/rawjson"
)

// Tree is a conversation with branches. Every record names its parent. Records may also
// list their children, and a value may name the leaf of the visible branch. The tree
// knows the records that the model sees, and their order.
type Tree struct {
	chain *Chain // of the layout
	Nodes []TreeNode
	ByID  map[string]int // by id, the first record that has it

	leaf   rawjson.Span // the value that names the leaf
	leafID string       // "" when there is none

	Path  []int  // the records that the model sees, from the root
	Shown []bool // by record: whether it is on the path
	Flat  bool   // no record names a parent: every record is on the path
	Order []int  // every record: abandoned branches in the order of the file, then the path
}

// TreeNode is one record of a tree.
type TreeNode struct {
	ID, Parent string
	parents    []rawjson.Span // the values that name the parent, one in each copy of the record
	children   []childList    // one list in each copy of the record
	Up         int            // the parent, or None
	nested     bool           // the record lies in its parent, whatever ids the two have
	kids       []int          // the children
}

// childList is an array of the ids of children.
type childList struct {
	array rawjson.Span
	items []rawjson.Span
	ids   []string
}

// NewTree sets the tree of a layout, with n records, and returns it.
func NewTree(l *Layout, n int) *Tree {
	l.Tree = &Tree{chain: l.Chain, Nodes: make([]TreeNode, n), ByID: map[string]int{}}
	l.Chain.Reach(n)
	return l.Tree
}

// Add notes the id of a record, and the values that name its parent and its children.
// parent and children may be absent.
func (t *Tree) Add(record int, id string, parent, children rawjson.Value) {
	n := &t.Nodes[record]
	n.ID, n.Parent = id, parent.Str()
	t.chain.Nodes[record].ID = id
	if _, repeated := t.ByID[id]; !repeated && id != "" {
		t.ByID[id] = record
	}
	t.AddCopy(record, parent, children)
}

// AddCopy notes a place that names the parent and the children of a record again.
func (t *Tree) AddCopy(record int, parent, children rawjson.Value) {
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

// Nest notes the record that a record lies in. Its id does not count, because other records may have it, too.
func (t *Tree) Nest(record, up int) {
	n := &t.Nodes[record]
	n.Parent, n.Up, n.nested = t.Nodes[up].ID, up, true
}

// Grow finds the branch that the model sees, once every record is known: the branch with
// the leaf, or the youngest branch when no leaf is known.
func (t *Tree) Grow(leaf rawjson.Value) {
	t.leaf, t.leafID = leaf.Span(), leaf.Str()
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

// interleave merges the branches of different roots in the order of the file, as far as
// each branch keeps its own order. It does not use the order of the roots, which changes
// when a root is removed and its child becomes the root.
func (t *Tree) interleave() {
	behind := make([]int, len(t.Nodes)) // by record, the last one in the file among it and its ancestors
	for _, i := range t.Path {
		behind[i] = i
		if up := t.Nodes[i].Up; up != None {
			behind[i] = max(i, behind[up])
		}
	}
	slices.SortStableFunc(t.Path, func(a, b int) int { return cmp.Compare(behind[a], behind[b]) })
}

// GrowFlat is Grow for records that name no parents: the model sees every record, in
// the order of the file.
func (t *Tree) GrowFlat() {
	t.link()
	t.Shown = make([]bool, len(t.Nodes))
	for i := range t.Nodes {
		t.Shown[i] = true
		t.Path = append(t.Path, i)
	}
	t.Order, t.Flat = t.Path, true
}

// youngest returns the roots without those that a later root replaced. Roots that name
// the same parent, which is not in the file, are versions of one message.
func (t *Tree) youngest(roots []int) (shown []int) {
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

// link finds the parent of each record, and returns the records without one.
func (t *Tree) link() (roots []int) {
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.nested {
			continue
		}
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

// regrowth is a tree while its records are removed and inserted.
type regrowth struct {
	t    *Tree
	gone func(int) bool
	// before holds, by position in the path, the ids of the new records in front of it.
	// The length of the path stands for the end.
	before map[int][]string
}

func (c *Change) regrow() *regrowth {
	g := &regrowth{t: c.Tree, gone: c.Gone, before: map[int][]string{}}
	for i, in := range c.Inserted {
		at := g.t.Position(in.Record)
		g.before[at] = append(g.before[at], c.NewID(i))
	}
	return g
}

// Position returns the position in the path of a new record that is inserted in front of
// the given one.
func (t *Tree) Position(record int) int {
	if at := slices.Index(t.Path, record); at >= 0 {
		return at
	}
	return len(t.Path)
}

// Last returns the last record of the path that stays, or None.
func (t *Tree) Last(gone func(record int) bool) int {
	for _, i := range slices.Backward(t.Path) {
		if !gone(i) {
			return i
		}
	}
	return None
}

// parent returns the id of the nearest ancestor that stays. An id that no record has
// is returned as it is.
func (g *regrowth) parent(record int) string {
	for range g.t.Nodes { // a cycle ends after as many steps as there are records
		n := &g.t.Nodes[record]
		i, known := g.t.ByID[n.Parent]
		if n.nested {
			i, known = n.Up, true
		}
		if n.Parent == "" || !known || !g.gone(i) {
			return n.Parent
		}
		record = i
	}
	return ""
}

// Neighbours returns the ids of the parent and of the child of new record i; "" for
// none.
func (c *Change) Neighbours(i int) (parent, child string) {
	g := c.regrow()
	at := g.t.Position(c.Inserted[i].Record)
	row := g.before[at]
	k := slices.Index(row, c.NewID(i))
	switch {
	case k > 0:
		parent = row[k-1]
	case at < len(g.t.Path):
		parent = g.parent(g.t.Path[at])
	case g.t.Last(g.gone) != None:
		parent = g.t.Nodes[g.t.Last(g.gone)].ID
	case len(g.t.Path) > 0:
		parent = g.parent(g.t.Path[0])
	}
	switch {
	case k+1 < len(row):
		child = row[k+1]
	case at < len(g.t.Path):
		child = g.t.Nodes[g.t.Path[at]].ID
	}
	return parent, child
}

// RelinkTree returns the edits that make every record that stays name only records that
// stay, and new ones. It returns nil for a conversation without a tree.
func RelinkTree(c *Change) (edits []rawjson.Edit) {
	if c.Tree == nil {
		return nil
	}
	g := c.regrow()
	behind := map[int]string{}   // by record: its new parent, where that is a new record
	front := map[string]string{} // by id: the first of the new records in front of it
	for at, ids := range g.before {
		if at < len(g.t.Path) {
			behind[g.t.Path[at]] = ids[len(ids)-1]
			front[g.t.Nodes[g.t.Path[at]].ID] = ids[0]
		}
	}
	last, tail := g.t.Last(g.gone), g.before[len(g.t.Path)]
	for i, n := range g.t.Nodes {
		if c.Gone(i) {
			continue
		}
		parent, isNew := behind[i]
		if !isNew {
			parent = g.parent(i)
		}
		if parent != n.Parent {
			for _, at := range n.parents {
				edits = append(edits, rawjson.Edit{Span: at, New: LinkValue(parent)})
			}
		}
		for _, list := range n.children {
			ids := g.children(list, front)
			if i == last && len(tail) > 0 {
				ids = append(slices.Clip(ids), tail[0])
			}
			if !slices.Equal(ids, list.ids) {
				edits = append(edits, rawjson.Edit{Span: list.array, New: list.rewritten(c.Src, ids)})
			}
		}
	}
	if leaf := g.leaf(); g.t.leafID != "" && leaf != g.t.leafID {
		edits = append(edits, rawjson.Edit{Span: g.t.leaf, New: LinkValue(leaf)})
	}
	return edits
}

// leaf returns the id of the leaf of the visible branch in the output.
func (g *regrowth) leaf() string {
	if tail := g.before[len(g.t.Path)]; len(tail) > 0 {
		return tail[len(tail)-1]
	}
	if i, known := g.t.ByID[g.t.leafID]; known && g.gone(i) {
		return g.parent(i)
	}
	return g.t.leafID
}

// children returns the ids of a list. The children of a removed record take its place. A
// record after new ones is replaced by the first of these.
func (g *regrowth) children(list childList, front map[string]string) (ids []string) {
	stays := func(id string) bool { i, known := g.t.ByID[id]; return !known || !g.gone(i) }
	if len(front) == 0 && !slices.ContainsFunc(list.ids, func(id string) bool { return !stays(id) }) {
		return list.ids
	}
	seen := map[string]bool{}
	stack := slices.Clone(list.ids)
	slices.Reverse(stack)
	for len(stack) > 0 {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[id] {
			continue
		}
		seen[id] = true
		switch {
		case !stays(id):
			if below := g.t.Nodes[g.t.ByID[id]].children; len(below) > 0 {
				for _, child := range slices.Backward(below[0].ids) {
					stack = append(stack, child)
				}
			}
		case front[id] != "":
			ids = append(ids, front[id])
		default:
			ids = append(ids, id)
		}
	}
	return ids
}

// rewritten returns the array with other ids, in the same layout.
func (c childList) rewritten(src []byte, ids []string) []byte {
	lead, tail, sep := []byte(nil), []byte(nil), []byte{','}
	if n := len(c.items); n > 0 {
		lead, tail = src[c.array.Start+1:c.items[0].Start], src[c.items[n-1].End:c.array.End-1]
		sep = append(sep, lead...)
		if n > 1 {
			sep = src[c.items[0].End:c.items[1].Start]
		}
	}
	out := []byte{'['}
	for i, id := range ids {
		if i == 0 {
			out = append(out, lead...)
		} else {
			out = append(out, sep...)
		}
		out = append(out, rawjson.Style{}.Quote(id)...)
	}
	if len(ids) > 0 {
		out = append(out, tail...)
	}
	return append(out, ']')
}
