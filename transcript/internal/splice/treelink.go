package splice

import (
	"slices"

	"condense/transcript/internal/rawjson"
)

// regrowth is a tree whose records go and come.
type regrowth struct {
	t    *tree
	gone func(int) bool
	// before holds the ids of the new records in front of a position in the
	// path; those at its length come last.
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

// position is where in the path a record goes that is put in front of the given one.
func (t *tree) Position(record int) int {
	if at := slices.Index(t.Path, record); at >= 0 {
		return at
	}
	return len(t.Path)
}

// last is the last record of the path that stays, or none.
func (t *tree) Last(gone func(record int) bool) int {
	for _, i := range slices.Backward(t.Path) {
		if !gone(i) {
			return i
		}
	}
	return None
}

// parent is the id of the nearest record above that stays. One that is not in
// the file is kept as it is.
func (g *regrowth) parent(record int) string {
	id := g.t.Nodes[record].Parent
	for range g.t.Nodes { // a cycle ends after as many steps as there are records
		i, known := g.t.ByID[id]
		if id == "" || !known || !g.gone(i) {
			return id
		}
		id = g.t.Nodes[i].Parent
	}
	return ""
}

// neighbours returns the ids between which the new record i stands; "" where
// nothing is.
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

// relinkTree makes every name of a record that goes the name of one that stays,
// and hangs new records in.
func RelinkTree(c *Change) (edits []rawjson.Edit) {
	if c.Tree == nil {
		return nil
	}
	g := c.regrow()
	behind := map[int]string{} // record → the new record it now hangs on
	front := map[string]string{}
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
		parent, hangs := behind[i]
		if !hangs {
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

// leaf is the id of the record at which the conversation stands now.
func (g *regrowth) leaf() string {
	if tail := g.before[len(g.t.Path)]; len(tail) > 0 {
		return tail[len(tail)-1]
	}
	if i, known := g.t.ByID[g.t.leafID]; known && g.gone(i) {
		return g.parent(i)
	}
	return g.t.leafID
}

// children returns the ids of a list with those that are gone replaced by what
// hung on them, and those that new records stand in front of by the new ones.
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

// rewritten is the array with other ids, laid out as it is.
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
