// Package diff tells what became of a conversation in another one: which messages
// and blocks went, came, or say something else.
//
// Messages are paired by what they are, not by where they stand or how a file spells
// them: those that say the same, those with the same calls or the same time, and what
// is left between two pairs by how much of the words of one is in the other. Pairs
// never cross: what moved went in one place and came in another. So do the blocks of
// two messages that are a pair.
//
// What has no content is passed over, as records are that a file has beside its messages.
// It reads conversations only, so that files of two formats can be compared.
package diff

import (
	"slices"
	"strings"

	"condense/transcript"
	"condense/transcript/rules"
)

// Op is what became of something.
type Op uint8

// What can become of a message or block.
const (
	Dropped  Op = iota // it is in a only
	Inserted           // it is in b only
	Changed            // it is in both, and differs
	Hidden             // the model saw the message in a, and does not in b
	Shown              // the other way round
)

// Change is one difference. From and To are positions in the messages of a and b, from
// 0; of something that is in one only, the other is where it would stand. A and B are
// the blocks: of a message that was hidden or shown, both are nil.
type Change struct {
	Op       Op
	From, To int
	A, B     *transcript.Block
	Block    int    // position of A in its message, or else of B
	What     string // of two blocks with the same text, what differs: "its media"; otherwise ""
}

// Conversations lists what is different in b, in the order of a.
func Conversations(a, b *transcript.Conversation) []Change {
	var list []Change
	h := newHasher()
	for _, p := range pairMessages(h, a.Messages, b.Messages) {
		switch {
		case p.b < 0:
			list = append(list, whole(Dropped, a.Messages[p.a], p)...)
		case p.a < 0:
			list = append(list, whole(Inserted, b.Messages[p.b], p)...)
		default:
			list = append(list, messages(h, a.Messages[p.a], b.Messages[p.b], p)...)
		}
	}
	return list
}

// whole is a message that is on one side only, block by block.
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

// differs reports whether two blocks differ, and in what, when their texts do not.
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

// callOf is the id by which a block is known; "" where the file has none and its place
// was counted instead, which changes with what stands before it.
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
