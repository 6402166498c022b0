package splice

import (
	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// A Chain holds the references between records. Each record names the one before it as
// its parent; some name others, too. Records that stay must not refer to records that are
// removed.
type Chain struct {
	Nodes      []Node         // one for each record
	ByID       map[string]int // by id, the first record that has it
	Links      []Link         // where records name other records
	satellites []satellite
}

// NewChain returns a chain without records.
func NewChain() *Chain { return &Chain{ByID: map[string]int{}} }

// Reach extends the chain to at least n records.
func (c *Chain) Reach(n int) {
	for len(c.Nodes) < n {
		c.Nodes = append(c.Nodes, Node{})
	}
}

// Node is one record of a chain.
type Node struct {
	ID, Parent string // "" when the record names none
	Typed      bool   // it holds typed text
	Aside      bool   // not on the main chain, such as a record of a sub-agent
}

// Link is a place in a record that names another record.
type Link struct {
	Record int
	Key    string       // of the member
	Value  rawjson.Span // the string literal
	To     string       // the id of the other record
}

// satellite is a record that is removed with a block.
type satellite struct {
	record int
	of     transcript.Ref
	copy   bool // it is also removed when the block changes
}

// AddLink records that the member of a record under a key names another record.
func (c *Chain) AddLink(record int, key string, name rawjson.Value) {
	c.Links = append(c.Links, Link{Record: record, Key: key, Value: name.Span(), To: name.Str()})
}

// AddSatellite marks a record as one that is removed with a block.
func (c *Chain) AddSatellite(record int, of transcript.Ref) {
	c.satellites = append(c.satellites, satellite{record: record, of: of})
}

// AddCopy marks a record as a copy of a block, which nothing needs: it is removed when the
// block is removed or changed.
func (c *Chain) AddCopy(record int, of transcript.Ref) {
	c.satellites = append(c.satellites, satellite{record: record, of: of, copy: true})
}

// ancestor returns the id of the nearest record at or above id that stays, or "" when
// there is none. An id that no record has is returned as it is.
func (c *Chain) ancestor(id string, gone func(int) bool) string {
	for range c.Nodes { // a cycle ends after as many steps as there are records
		i, known := c.ByID[id]
		if id == "" || !known || !gone(i) {
			return id
		}
		id = c.Nodes[i].Parent
	}
	return ""
}

// RelinkChain returns the edits that make every record that stays name only records that
// stay. The record after a new record gets the new one as its parent. If that record has no id, so
// that it has no children, the next record with the same parent gets it, too. A parent that no
// record has passes from a removed record to the first of its children; the others become roots.
func RelinkChain(c *Change) []rawjson.Edit {
	inherited := map[string]bool{} // ids that no record has
	behind := c.behind()
	var edits []rawjson.Edit
	for _, k := range c.Chain.Links {
		if c.Gone(k.Record) {
			continue
		}
		to := c.Chain.ancestor(k.To, c.Gone)
		if _, known := c.Chain.ByID[to]; !known && to != "" && to != k.To {
			if inherited[to] {
				to = ""
			}
			inherited[to] = true
		}
		if id, ok := behind[k.Record]; ok && k.To == c.Chain.Nodes[k.Record].Parent {
			to = id
		}
		if to != k.To {
			edits = append(edits, rawjson.Edit{Span: k.Value, New: LinkValue(to)})
		}
	}
	return edits
}

// behind returns by record the id of the new record that is to be its parent.
func (c *Change) behind() map[int]string {
	ids := map[int]string{}
	for i, in := range c.Inserted {
		if c.Nested(i) { // a message inside a record has no id
			continue
		}
		ids[in.Record] = c.NewID(i)
		for k := in.Record; k < len(c.Chain.Nodes) && c.Chain.Nodes[k].ID == ""; k++ {
			if next := k + 1; next < len(c.Chain.Nodes) && c.Chain.Nodes[next].Parent == c.Chain.Nodes[in.Record].Parent {
				ids[next] = c.NewID(i)
			}
		}
	}
	return ids
}

// LinkValue returns an id as a JSON string, or null when it is "".
func LinkValue(id string) []byte {
	if id == "" {
		return []byte("null")
	}
	return rawjson.Style{}.Quote(id)
}

// Abandoned reports for each record whether it lies on an abandoned branch: a later
// sibling of it, or of a record above it, leads to typed text. Roots are never abandoned.
// Parallel calls fork the chain, too, but only one of their branches leads to typed text.
func (c *Chain) Abandoned() []bool {
	children := make([][]int, len(c.Nodes))
	var order []int // parents before children
	for i, n := range c.Nodes {
		if p, ok := c.ByID[n.Parent]; ok && n.Parent != "" && p != i && c.ByID[n.ID] == i {
			children[p] = append(children[p], i)
		} else {
			order = append(order, i)
		}
	}
	for k := 0; k < len(order); k++ {
		order = append(order, children[order[k]]...)
	}
	below := make([]bool, len(c.Nodes)) // typed text is at or below the record
	for k := len(order) - 1; k >= 0; k-- {
		i := order[k]
		below[i] = below[i] || c.Nodes[i].Typed && !c.Nodes[i].Aside
		for _, child := range children[i] {
			below[i] = below[i] || below[child]
		}
	}
	abandoned := make([]bool, len(c.Nodes))
	for _, i := range order {
		last := -1
		for k, child := range children[i] {
			if below[child] {
				last = k
			}
		}
		for k, child := range children[i] {
			abandoned[child] = abandoned[i] || k < last
		}
	}
	return abandoned
}

// insertionParent returns the parent of a record that is inserted in front of another
// one. It is the parent of the latter, or at the end the last record of the main chain.
func (c *Change) insertionParent(record int) string {
	if record < len(c.Chain.Nodes) {
		return c.Chain.ancestor(c.Chain.Nodes[record].Parent, c.Gone)
	}
	for i := len(c.Chain.Nodes) - 1; i >= 0; i-- {
		if n := c.Chain.Nodes[i]; n.ID != "" && !n.Aside && !c.Gone(i) {
			return n.ID
		}
	}
	return ""
}

// NewParent returns the id of the parent of new record i. It is the previous new record
// at the same place, or else the parent of the record after it.
func (c *Change) NewParent(i int) string {
	if i > 0 && c.Inserted[i-1].Record == c.Inserted[i].Record && !c.Nested(i-1) {
		return c.NewID(i - 1)
	}
	return c.insertionParent(c.Inserted[i].Record)
}

// Note adds record i. id and parent are the keys of its own id and of that of its parent;
// others are the keys of more members that name records.
func (c *Chain) Note(i int, v rawjson.Value, id, parent string, others ...string) {
	c.Reach(i + 1)
	n := &c.Nodes[i]
	n.ID, n.Parent = v.Get(id).Str(), v.Get(parent).Str()
	if _, repeated := c.ByID[n.ID]; n.ID != "" && !repeated {
		c.ByID[n.ID] = i
	}
	if to := v.Get(parent); to.Kind() == rawjson.String || to.Kind() == rawjson.Null {
		c.AddLink(i, parent, to)
	}
	for _, key := range others {
		if to := v.Get(key); to.Kind() == rawjson.String {
			c.AddLink(i, key, to)
		}
	}
}
