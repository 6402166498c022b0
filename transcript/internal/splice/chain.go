package splice

import (
	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// chain is how the records of a session refer to each other: each to the one
// before it, some to others. Records that stay must not refer to records that go.
type Chain struct {
	Nodes      []Node         // one for each record
	ByID       map[string]int // record by its own id; the first of several
	Links      []Link
	satellites []satellite
	sessions   []Link // where records name their session
}

func NewChain() *Chain { return &Chain{ByID: map[string]int{}} }

// reach makes room for n records.
func (c *Chain) Reach(n int) {
	for len(c.Nodes) < n {
		c.Nodes = append(c.Nodes, Node{})
	}
}

// node is what the chain knows of one record.
type Node struct {
	ID, Parent string // "" when it has none
	Typed      bool   // holds something a person typed
	Aside      bool   // a sub-agent's: not on the main chain
}

// link is a place in a record that names another record.
type Link struct {
	Record int
	Key    string       // the member
	Value  rawjson.Span // the string literal
	To     string
}

// satellite is a record that tells about a call, and goes with it.
type satellite struct {
	record int
	of     transcript.Ref
}

// addLink notes that the member under a key of a record names another one.
func (c *Chain) AddLink(record int, key string, name rawjson.Value) {
	c.Links = append(c.Links, Link{Record: record, Key: key, Value: name.Span(), To: name.Str()})
}

// addSession notes where a record names its session.
func (c *Chain) AddSession(record int, name rawjson.Value) {
	c.sessions = append(c.sessions, Link{Record: record, Value: name.Span(), To: name.Str()})
}

// addSatellite makes a record go when a block does.
func (c *Chain) AddSatellite(record int, of transcript.Ref) {
	c.satellites = append(c.satellites, satellite{record, of})
}

// rename gives every staying record another session, where it names the one that the
// file begins with: the id of the conversation. Records of other sessions keep theirs.
func RenameSession(c *Change, id string) []rawjson.Edit {
	var edits []rawjson.Edit
	for _, k := range c.Chain.sessions {
		if !c.Gone(k.Record) && k.To == c.Chain.sessions[0].To && k.To != id {
			edits = append(edits, rawjson.Edit{Span: k.Value, New: LinkValue(id)})
		}
	}
	return edits
}

// ancestor returns the id of the nearest record at or above id that stays, or ""
// when there is none. An id that is not in the file is kept as it is.
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

// relink returns the edits that make every link of a staying record point to a
// staying one, and the records after an inserted one hang on it.
func RelinkChain(c *Change) []rawjson.Edit {
	behind := map[int]string{} // record → id of the c.inserted record it now hangs on
	for i, in := range c.Inserted {
		behind[in.Record] = c.NewID(i)
	}
	var edits []rawjson.Edit
	for _, k := range c.Chain.Links {
		if c.Gone(k.Record) {
			continue
		}
		to := c.Chain.ancestor(k.To, c.Gone)
		if id, ok := behind[k.Record]; ok && k.To == c.Chain.Nodes[k.Record].Parent {
			to = id
		}
		if to != k.To {
			edits = append(edits, rawjson.Edit{Span: k.Value, New: LinkValue(to)})
		}
	}
	return edits
}

func LinkValue(id string) []byte {
	if id == "" {
		return []byte("null")
	}
	return rawjson.Style{}.Quote(id)
}

// abandoned tells for each record whether it lies on a branch that was given up:
// a later sibling of it, or of one above it, leads to something a person typed.
// Roots never abandon each other. Parallel calls fork the chain too: all but one side
// lead to nothing typed, or their results are seen where their call is.
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
	below := make([]bool, len(c.Nodes)) // something typed at or below the record
	for k := len(order) - 1; k >= 0; k-- {
		i := order[k]
		below[i] = below[i] || c.Nodes[i].Typed && !c.Nodes[i].Aside
		for _, child := range children[i] {
			below[i] = below[i] || below[child]
		}
	}
	given := make([]bool, len(c.Nodes))
	for _, i := range order {
		last := -1
		for k, child := range children[i] {
			if below[child] {
				last = k
			}
		}
		for k, child := range children[i] {
			given[child] = given[i] || k < last
		}
	}
	return given
}

// insertionParent is what a record inserted in front of record hangs on: what
// that one hung on, or at the end the last record of the chain.
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

// insertedParent is what inserted record i hangs on: the one inserted before it
// at the same place, or what the record behind it hung on.
func (c *Change) NewParent(i int) string {
	if i > 0 && c.Inserted[i-1].Record == c.Inserted[i].Record {
		return c.NewID(i - 1)
	}
	return c.insertionParent(c.Inserted[i].Record)
}

// note files a record that names itself, and the record that it follows, in the
// chain. others are further members that name records.
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
