package format

import (
	"condense/transcript"
	"condense/transcript/internal/rawjson"
)

// chain is how the records of a session refer to each other: each to the one
// before it, some to others. Records that stay must not refer to records that go.
type chain struct {
	nodes      []node         // one for each record
	byID       map[string]int // record by its own id; the first of several
	links      []link
	satellites []satellite
	sessions   []link // where records name their session
}

func newChain() *chain { return &chain{byID: map[string]int{}} }

// reach makes room for n records.
func (c *chain) reach(n int) {
	for len(c.nodes) < n {
		c.nodes = append(c.nodes, node{})
	}
}

// node is what the chain knows of one record.
type node struct {
	id, parent string // "" when it has none
	typed      bool   // holds something a person typed
	aside      bool   // a sub-agent's: not on the main chain
}

// link is a place in a record that names another record.
type link struct {
	record int
	key    string       // the member
	value  rawjson.Span // the string literal
	to     string
}

// satellite is a record that tells about a call, and goes with it.
type satellite struct {
	record int
	of     transcript.Ref
}

// addLink notes that the member under a key of a record names another one.
func (c *chain) addLink(record int, key string, name rawjson.Value) {
	c.links = append(c.links, link{record: record, key: key, value: name.Span(), to: name.Str()})
}

// addSession notes where a record names its session.
func (c *chain) addSession(record int, name rawjson.Value) {
	c.sessions = append(c.sessions, link{record: record, value: name.Span(), to: name.Str()})
}

// addSatellite makes a record go when a block does.
func (c *chain) addSatellite(record int, of transcript.Ref) {
	c.satellites = append(c.satellites, satellite{record, of})
}

// rename gives every staying record another session, where it names the one that the
// file begins with: the id of the conversation. Records of other sessions keep theirs.
func rename(c *change, id string) []rawjson.Edit {
	var edits []rawjson.Edit
	for _, k := range c.chain.sessions {
		if !c.gone(k.record) && k.to == c.chain.sessions[0].to && k.to != id {
			edits = append(edits, rawjson.Edit{Span: k.value, New: linkValue(id)})
		}
	}
	return edits
}

// ancestor returns the id of the nearest record at or above id that stays, or ""
// when there is none. An id that is not in the file is kept as it is.
func (c *chain) ancestor(id string, gone func(int) bool) string {
	for range c.nodes { // a cycle ends after as many steps as there are records
		i, known := c.byID[id]
		if id == "" || !known || !gone(i) {
			return id
		}
		id = c.nodes[i].parent
	}
	return ""
}

// relink returns the edits that make every link of a staying record point to a
// staying one, and the records after an inserted one hang on it.
func relink(c *change) []rawjson.Edit {
	behind := map[int]string{} // record → id of the c.inserted record it now hangs on
	for i, in := range c.inserted {
		behind[in.record] = c.insertedID(i)
	}
	var edits []rawjson.Edit
	for _, k := range c.chain.links {
		if c.gone(k.record) {
			continue
		}
		to := c.chain.ancestor(k.to, c.gone)
		if id, ok := behind[k.record]; ok && k.to == c.chain.nodes[k.record].parent {
			to = id
		}
		if to != k.to {
			edits = append(edits, rawjson.Edit{Span: k.value, New: linkValue(to)})
		}
	}
	return edits
}

func linkValue(id string) []byte {
	if id == "" {
		return []byte("null")
	}
	return rawjson.Style{}.Quote(id)
}

// abandoned tells for each record whether it lies on a branch that was given up:
// a later sibling of it, or of one above it, leads to something a person typed.
// Roots never abandon each other. Parallel calls fork the chain too: all but one side
// lead to nothing typed, or their results are seen where their call is.
func (c *chain) abandoned() []bool {
	children := make([][]int, len(c.nodes))
	var order []int // parents before children
	for i, n := range c.nodes {
		if p, ok := c.byID[n.parent]; ok && n.parent != "" && p != i && c.byID[n.id] == i {
			children[p] = append(children[p], i)
		} else {
			order = append(order, i)
		}
	}
	for k := 0; k < len(order); k++ {
		order = append(order, children[order[k]]...)
	}
	below := make([]bool, len(c.nodes)) // something typed at or below the record
	for k := len(order) - 1; k >= 0; k-- {
		i := order[k]
		below[i] = below[i] || c.nodes[i].typed && !c.nodes[i].aside
		for _, child := range children[i] {
			below[i] = below[i] || below[child]
		}
	}
	given := make([]bool, len(c.nodes))
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
func (c *change) insertionParent(record int) string {
	if record < len(c.chain.nodes) {
		return c.chain.ancestor(c.chain.nodes[record].parent, c.gone)
	}
	for i := len(c.chain.nodes) - 1; i >= 0; i-- {
		if n := c.chain.nodes[i]; n.id != "" && !n.aside && !c.gone(i) {
			return n.id
		}
	}
	return ""
}

// insertedParent is what inserted record i hangs on: the one inserted before it
// at the same place, or what the record behind it hung on.
func (c *change) insertedParent(i int) string {
	if i > 0 && c.inserted[i-1].record == c.inserted[i].record {
		return c.insertedID(i - 1)
	}
	return c.insertionParent(c.inserted[i].record)
}

// note files a record that names itself, and the record that it follows, in the
// chain. others are further members that name records.
func (c *chain) note(i int, v rawjson.Value, id, parent string, others ...string) {
	c.reach(i + 1)
	n := &c.nodes[i]
	n.id, n.parent = v.Get(id).Str(), v.Get(parent).Str()
	if _, repeated := c.byID[n.id]; n.id != "" && !repeated {
		c.byID[n.id] = i
	}
	if to := v.Get(parent); to.Kind() == rawjson.String || to.Kind() == rawjson.Null {
		c.addLink(i, parent, to)
	}
	for _, key := range others {
		if to := v.Get(key); to.Kind() == rawjson.String {
			c.addLink(i, key, to)
		}
	}
}
