package strategy

import "condense/transcript"

// cost is what edits add.
type cost struct {
	tokens, bytes int
	writes        bool // not only removals
}

// saves reports whether edits are worth it: fewer tokens, and not for more bytes.
// Removals alone always are: some content has no tokens in some units.
func (c cost) saves() bool {
	return !c.writes || c.tokens < 0 && c.bytes <= 0
}

func (c cost) plus(d cost) cost {
	return cost{c.tokens + d.tokens, c.bytes + d.bytes, c.writes || d.writes}
}

func (in *Input) cost(e *transcript.Edit) cost {
	return cost{in.delta(e), change(in.Conv, e, bytes), e.Op != transcript.Drop}
}

// saves reports whether edits are worth it together.
func (in *Input) saves(edits []transcript.Edit) bool {
	var sum cost
	for i := range edits {
		sum = sum.plus(in.cost(&edits[i]))
	}
	return sum.saves()
}

// ratchet drops the edits that save nothing, alone or with their whole group.
func ratchet(in *Input, edits []transcript.Edit) []transcript.Edit {
	groups := map[int]cost{}
	alone := make([]cost, len(edits))
	for i := range edits {
		e := &edits[i]
		alone[i] = in.cost(e)
		groups[e.Group] = groups[e.Group].plus(alone[i])
	}
	var kept []transcript.Edit
	for i, e := range edits {
		c := alone[i]
		if e.Group != 0 {
			c = groups[e.Group]
		}
		if c.saves() {
			kept = append(kept, e)
		}
	}
	return kept
}
