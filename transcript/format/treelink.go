package format

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

func (c *change) regrow() *regrowth {
	g := &regrowth{t: c.tree, gone: c.gone, before: map[int][]string{}}
	for i, in := range c.inserted {
		at := g.t.position(in.record)
		g.before[at] = append(g.before[at], c.insertedID(i))
	}
	return g
}

// position is where in the path a record goes that is put in front of the given one.
func (t *tree) position(record int) int {
	if at := slices.Index(t.path, record); at >= 0 {
		return at
	}
	return len(t.path)
}

// last is the last record of the path that stays, or none.
func (t *tree) last(gone func(record int) bool) int {
	for _, i := range slices.Backward(t.path) {
		if !gone(i) {
			return i
		}
	}
	return none
}

// parent is the id of the nearest record above that stays. One that is not in
// the file is kept as it is.
func (g *regrowth) parent(record int) string {
	id := g.t.nodes[record].parent
	for range g.t.nodes { // a cycle ends after as many steps as there are records
		i, known := g.t.byID[id]
		if id == "" || !known || !g.gone(i) {
			return id
		}
		id = g.t.nodes[i].parent
	}
	return ""
}

// neighbours returns the ids between which the new record i stands; "" where
// nothing is.
func (c *change) neighbours(i int) (parent, child string) {
	g := c.regrow()
	at := g.t.position(c.inserted[i].record)
	row := g.before[at]
	k := slices.Index(row, c.insertedID(i))
	switch {
	case k > 0:
		parent = row[k-1]
	case at < len(g.t.path):
		parent = g.parent(g.t.path[at])
	case g.t.last(g.gone) != none:
		parent = g.t.nodes[g.t.last(g.gone)].id
	case len(g.t.path) > 0:
		parent = g.parent(g.t.path[0])
	}
	switch {
	case k+1 < len(row):
		child = row[k+1]
	case at < len(g.t.path):
		child = g.t.nodes[g.t.path[at]].id
	}
	return parent, child
}

// relinkTree makes every name of a record that goes the name of one that stays,
// and hangs new records in.
func relinkTree(c *change) (edits []rawjson.Edit) {
	if c.tree == nil {
		return nil
	}
	g := c.regrow()
	behind := map[int]string{} // record → the new record it now hangs on
	front := map[string]string{}
	for at, ids := range g.before {
		if at < len(g.t.path) {
			behind[g.t.path[at]] = ids[len(ids)-1]
			front[g.t.nodes[g.t.path[at]].id] = ids[0]
		}
	}
	last, tail := g.t.last(g.gone), g.before[len(g.t.path)]
	for i, n := range g.t.nodes {
		if c.gone(i) {
			continue
		}
		parent, hangs := behind[i]
		if !hangs {
			parent = g.parent(i)
		}
		if parent != n.parent {
			for _, at := range n.parents {
				edits = append(edits, rawjson.Edit{Span: at, New: linkValue(parent)})
			}
		}
		for _, list := range n.children {
			ids := g.children(list, front)
			if i == last && len(tail) > 0 {
				ids = append(slices.Clip(ids), tail[0])
			}
			if !slices.Equal(ids, list.ids) {
				edits = append(edits, rawjson.Edit{Span: list.array, New: list.rewritten(c.src, ids)})
			}
		}
	}
	if leaf := g.leaf(); g.t.leafID != "" && leaf != g.t.leafID {
		edits = append(edits, rawjson.Edit{Span: g.t.leaf, New: linkValue(leaf)})
	}
	return edits
}

// leaf is the id of the record at which the conversation stands now.
func (g *regrowth) leaf() string {
	if tail := g.before[len(g.t.path)]; len(tail) > 0 {
		return tail[len(tail)-1]
	}
	if i, known := g.t.byID[g.t.leafID]; known && g.gone(i) {
		return g.parent(i)
	}
	return g.t.leafID
}

// children returns the ids of a list with those that are gone replaced by what
// hung on them, and those that new records stand in front of by the new ones.
func (g *regrowth) children(list childList, front map[string]string) (ids []string) {
	stays := func(id string) bool { i, known := g.t.byID[id]; return !known || !g.gone(i) }
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
			if below := g.t.nodes[g.t.byID[id]].children; len(below) > 0 {
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
