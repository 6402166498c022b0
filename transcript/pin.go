package transcript

import "slices"

// WithPins returns the same conversation with pins set: the blocks in pins get
// theirs, all others are Unpinned. Identities stay, and so does every message
// whose pins are right already.
func (c *Conversation) WithPins(pins map[Ref]Pin) *Conversation {
	n := *c
	n.Messages = slices.Clone(c.Messages)
	for i, m := range c.Messages {
		var blocks []*Block
		for j, b := range m.Blocks {
			pin := pins[Ref{m.ID, b.ID, Whole}]
			if pin == b.Pin {
				continue
			}
			if blocks == nil {
				blocks = slices.Clone(m.Blocks)
			}
			nb := *b
			nb.Pin = pin
			blocks[j] = &nb
		}
		if blocks != nil {
			nm := *m
			nm.Blocks = blocks
			n.Messages[i] = &nm
		}
	}
	return &n
}
