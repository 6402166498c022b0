package format

import (
	"condense/transcript/internal/rawjson"
)

// tree is how the messages of a chat export hang on each other: every record
// names its parent, most formats list the children too, and some name the leaf
// at which the conversation stands. It knows which records the model sees, in
// which order, and which names must change when records go or come.
type tree struct {
	nodes []treeNode
	byID  map[string]int // record by its id; the first of several

	leaf   rawjson.Span // the literal that names the leaf; empty when there is none
	leafID string

	order []int  // records in the order of the conversation: at a fork, branches that were left come first
	on    []bool // by record: on the branch that is shown
	path  []int  // the records of that branch
	until []int  // by record: position in path of the first record at or behind it in order
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
	l.tree = &tree{nodes: make([]treeNode, n), byID: map[string]int{}}
	l.chain = newChain() // for insertedID
	l.chain.reach(n)
	return l.tree
}

// node notes what a record says of itself, its parent and its children; the
// latter two may be absent.
func (t *tree) node(l *layout, record int, id string, parent, children rawjson.Value) {
	n := &t.nodes[record]
	n.id, n.parent = id, parent.Str()
	l.chain.nodes[record].id = id
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

// grow finds the branch that is shown, once every record is known. Without a
// leaf it is the youngest one; then roots do not replace each other.
func (t *tree) grow(leaf rawjson.Value) {
	if leaf.Kind() == rawjson.String {
		t.leaf, t.leafID = leaf.Span(), leaf.Str()
	}
	roots := t.link()
	t.on = make([]bool, len(t.nodes))
	if i, known := t.byID[t.leafID]; known {
		for i != none && !t.on[i] {
			t.on[i] = true
			i = t.nodes[i].up
		}
	} else {
		for _, i := range roots {
			for t.on[i] = true; len(t.nodes[i].kids) > 0; t.on[i] = true {
				i = t.nodes[i].kids[len(t.nodes[i].kids)-1]
			}
		}
	}
	t.sort(roots)
	t.until = make([]int, len(t.nodes))
	next := len(t.path)
	for k := len(t.order) - 1; k >= 0; k-- {
		if i := t.order[k]; t.on[i] {
			next--
		}
		t.until[t.order[k]] = next
	}
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

// sort puts the records in the order of the conversation. Those that hang on
// themselves, over however many steps, come last.
func (t *tree) sort(roots []int) {
	t.order = make([]int, 0, len(t.nodes))
	seen := make([]bool, len(t.nodes))
	walk := func(stack []int) {
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[i] {
				continue
			}
			seen[i] = true
			t.order = append(t.order, i)
			if t.on[i] {
				t.path = append(t.path, i)
			}
			stack = t.push(stack, t.nodes[i].kids)
		}
	}
	walk(t.push(nil, roots))
	for i := range t.nodes {
		if !seen[i] {
			walk([]int{i})
		}
	}
}

// push puts siblings on the stack so that those that are shown are taken last.
func (t *tree) push(stack, siblings []int) []int {
	for _, shown := range []bool{true, false} {
		for k := len(siblings) - 1; k >= 0; k-- {
			if t.on[siblings[k]] == shown {
				stack = append(stack, siblings[k])
			}
		}
	}
	return stack
}
