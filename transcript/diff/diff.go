// Package diff compares two conversations: which messages and blocks were dropped,
// inserted or changed.
//
// Messages are paired by their content, not by their place or their form in a file:
// first messages with the same content, then those with the same calls or the same
// time, and then, between two pairs, those with the most words in common. Pairs never
// cross: a message that moved counts as dropped in one place and inserted in another.
// Blocks of two paired messages are paired in the same way.
//
// Messages without content are ignored, such as records that a file has beside its
// messages. The package reads conversations only, so that files of two formats can be
// compared.
package diff

import (
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/rules"
)

// Op is the kind of a change.
type Op uint8

// The kinds of changes, from a to b.
const (
	Dropped  Op = iota // only a has it
	Inserted           // only b has it
	Changed            // both have it, and it differs
	Hidden             // the message is visible to the model in a, and hidden in b
	Shown              // the message is hidden in a, and visible in b
)

// Change is one difference. From and To are indices in the messages of a and b; for a
// message or block that only one side has, the index on the other side is the place
// where it would stand. A and B are the blocks; both are nil for a message that was
// hidden or shown.
type Change struct {
	Op       Op
	From, To int
	A, B     *transcript.Block
	Block    int    // index of A in its message; of B when A is nil
	What     string // what differs between two blocks with the same text: "its media"; otherwise ""
}

// Pair is a message of a and the corresponding message of b. From and To are their
// indices, or -1 for a message that only one side has. Changes lists what differs.
type Pair struct {
	From, To int
	Changes  []Change
}

// Conversations returns the differences of b from a, in the order of a. It returns nil
// when there are none.
func Conversations(a, b *transcript.Conversation) []Change {
	var list []Change
	for _, p := range Pairs(a, b) {
		list = append(list, p.Changes...)
	}
	return list
}

// Pairs returns every message of a and b once, in their order, with what differs.
func Pairs(a, b *transcript.Conversation) []Pair {
	h := newHasher()
	pairs := pairMessages(h, a.Messages, b.Messages)
	list := make([]Pair, len(pairs))
	for i, p := range pairs {
		list[i] = Pair{From: p.a, To: p.b}
		switch {
		case p.b < 0:
			list[i].Changes = whole(Dropped, a.Messages[p.a], p)
		case p.a < 0:
			list[i].Changes = whole(Inserted, b.Messages[p.b], p)
		default:
			list[i].Changes = messages(h, a.Messages[p.a], b.Messages[p.b], p)
		}
	}
	return list
}

// whole returns the changes for a message that only one side has: one for each block.
func whole(op Op, m *transcript.Message, p pair) []Change {
	list := make([]Change, len(m.Blocks))
	for i, b := range m.Blocks {
		list[i] = Change{Op: op, From: p.from, To: p.to, Block: i}
		if op == Dropped {
			list[i].A = b
		} else {
			list[i].B = b
		}
	}
	return list
}

// messages compares two messages that are a pair.
func messages(h *hasher, a, b *transcript.Message, p pair) []Change {
	var list []Change
	switch {
	case b.Hidden && !a.Hidden:
		list = append(list, Change{Op: Hidden, From: p.from, To: p.to})
	case a.Hidden && !b.Hidden:
		list = append(list, Change{Op: Shown, From: p.from, To: p.to})
	}
	for _, q := range pairBlocks(h, a.Blocks, b.Blocks) {
		c := Change{From: p.from, To: p.to}
		switch {
		case q.b < 0:
			c.Op, c.A, c.Block = Dropped, a.Blocks[q.a], q.a
		case q.a < 0:
			c.Op, c.B, c.Block = Inserted, b.Blocks[q.b], q.b
		default:
			var differ bool
			if c.What, differ = differs(a.Blocks[q.a], b.Blocks[q.b]); !differ {
				continue
			}
			c.Op, c.A, c.B, c.Block = Changed, a.Blocks[q.a], b.Blocks[q.b], q.a
		}
		list = append(list, c)
	}
	return list
}

// differs reports whether two blocks differ. what names the difference when their
// texts are equal.
func differs(a, b *transcript.Block) (what string, differ bool) {
	switch {
	case a.Text() != b.Text():
		return "", true
	case a.Kind != b.Kind:
		return "its kind", true
	case !slices.EqualFunc(a.Parts, b.Parts, samePart):
		return "its media or arguments", true
	case a.Tool != b.Tool:
		return "the name of its tool", true
	case callOf(a) != callOf(b):
		return "the id of its call", true
	case a.Error != b.Error:
		return "whether the tool failed", true
	case a.Opaque != b.Opaque:
		return "its signature", true
	}
	return "", false
}

// callOf returns the call id of a block; "" where the file has none and the dialect
// invented one, which depends on the messages before it.
func callOf(b *transcript.Block) string {
	if strings.HasPrefix(b.Call, rules.MadeUp) {
		return ""
	}
	return b.Call
}

func samePart(a, b transcript.Part) bool {
	if a.Name != b.Name || a.Text != b.Text || (a.Media == nil) != (b.Media == nil) {
		return false
	}
	return a.Media == nil || a.Media.Type == b.Media.Type && a.Media.Data == b.Media.Data && a.Media.Bytes == b.Media.Bytes
}
