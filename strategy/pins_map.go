package strategy

import (
	"maps"
	"slices"

	"condense/transcript"
)

// pinMap holds the pins of a conversation by block. It takes a byte for each block, since in a
// conversation of very many messages most blocks have a pin. A nil pinMap has no pins.
type pinMap struct {
	first []int32                           // by message ID: the index of its first block in pins
	pins  []transcript.Pin                  // by block
	later map[transcript.Ref]transcript.Pin // of blocks that are not in the conversation
}

// newPinMap returns a map for the blocks of a conversation, without pins.
func newPinMap(c *transcript.Conversation) *pinMap {
	ids := 0
	for _, m := range c.Messages {
		ids = max(ids, m.ID+1)
	}
	p := &pinMap{first: make([]int32, ids+1)}
	sizes := p.first[1:]
	for _, m := range c.Messages {
		if n := len(m.Blocks); n > 0 {
			sizes[m.ID] = int32(m.Blocks[n-1].ID + 1) // their identities rise
		}
	}
	for id := range sizes {
		sizes[id] += p.first[id]
	}
	p.pins = make([]transcript.Pin, p.first[ids])
	return p
}

// at returns the index of a block in pins, or -1.
func (p *pinMap) at(ref transcript.Ref) int {
	if ref.Msg < 0 || ref.Msg+1 >= len(p.first) || ref.Block < 0 || ref.Block >= int(p.first[ref.Msg+1]-p.first[ref.Msg]) {
		return -1
	}
	return int(p.first[ref.Msg]) + ref.Block
}

// of returns the pin of a block.
func (p *pinMap) of(ref transcript.Ref) transcript.Pin {
	if p == nil {
		return transcript.Unpinned
	}
	if i := p.at(ref); i >= 0 {
		return p.pins[i]
	}
	return p.later[ref]
}

// set sets the pin of a block.
func (p *pinMap) set(ref transcript.Ref, pin transcript.Pin) {
	if i := p.at(ref); i >= 0 {
		p.pins[i] = pin
		return
	}
	if p.later == nil {
		p.later = map[transcript.Ref]transcript.Pin{}
	}
	p.later[ref] = pin
}

// raise sets the pin of a block unless it has a stronger one.
func (p *pinMap) raise(ref transcript.Ref, pin transcript.Pin) { p.set(ref, max(p.of(ref), pin)) }

// clone returns a copy.
func (p *pinMap) clone() *pinMap {
	return &pinMap{first: p.first, pins: slices.Clone(p.pins), later: maps.Clone(p.later)}
}
