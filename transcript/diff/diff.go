// Package diff tells what became of a conversation in another one: which messages
// and blocks went, came, or say something else.
//
// Messages are paired by what they are, not by where they stand or how a file spells
// them: those that say the same, those with the same calls or the same time, and what
// is left between two pairs by how much of the words of one is in the other. Pairs
// never cross: what moved went in one place and came in another. So do the blocks of
// two messages that are a pair.
//
// It reads conversations only, so that files of two formats can be compared.
package diff

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"condense/transcript"
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
// the blocks: of a message that was hidden or shown, or has no blocks, both are nil.
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
	if len(m.Blocks) == 0 {
		return []Change{{Op: op, From: p.from, To: p.to}}
	}
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

// differs tells whether two blocks differ, and in what, when their texts do not.
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
	case a.Call != b.Call:
		return "the id of its call", true
	case a.Error != b.Error:
		return "whether the tool failed", true
	case a.Opaque != b.Opaque:
		return "its signature", true
	}
	return "", false
}

func samePart(a, b transcript.Part) bool {
	if a.Name != b.Name || a.Text != b.Text || (a.Media == nil) != (b.Media == nil) {
		return false
	}
	return a.Media == nil || a.Media.Type == b.Media.Type && a.Media.Data == b.Media.Data && a.Media.Bytes == b.Media.Bytes
}

// hasher makes numbers of texts: the same for the same within one comparison.
type hasher struct{ maphash.Hash }

func newHasher() *hasher { return &hasher{} }

// of hashes strings, so that their borders count.
func (h *hasher) of(list ...string) uint64 {
	h.Reset()
	for _, s := range list {
		var size [8]byte
		binary.LittleEndian.PutUint64(size[:], uint64(len(s)))
		h.Write(size[:])
		h.WriteString(s)
	}
	return h.Sum64()
}

// content is what a block says.
func content(b *transcript.Block) []string {
	list := []string{b.Kind.String(), b.Tool}
	for _, p := range b.Parts {
		list = append(list, p.Name, p.Text)
		if p.Media != nil {
			list = append(list, p.Media.Type, p.Media.Data, strconv.Itoa(p.Media.Bytes))
		}
	}
	return list
}

func pairMessages(h *hasher, a, b []*transcript.Message) []pair {
	says := func(m *transcript.Message) uint64 {
		list := []string{m.Role.String()}
		for _, x := range m.Blocks {
			list = append(list, content(x)...)
			list = append(list, x.Call)
		}
		return h.of(list...)
	}
	is := func(m *transcript.Message) uint64 {
		var calls []string
		for _, x := range m.Blocks {
			if x.Call != "" {
				calls = append(calls, x.Kind.String()+" "+x.Call)
			}
		}
		switch {
		case calls != nil:
			return h.of(append(calls, m.Role.String())...)
		case !m.Time.IsZero():
			return h.of(m.Role.String(), m.Time.UTC().String())
		}
		return 0
	}
	from, to := newBags(h, a), newBags(h, b)
	alike := func(i, j int) float64 {
		if a[i].Role != b[j].Role {
			return 0
		}
		return from.of(i).alike(to.of(j))
	}
	return align([]keys{keysOf(a, b, says), keysOf(a, b, is)}, alike, len(a), len(b))
}

func pairBlocks(h *hasher, a, b []*transcript.Block) []pair {
	says := func(x *transcript.Block) uint64 { return h.of(content(x)...) }
	is := func(x *transcript.Block) uint64 {
		if x.Call == "" {
			return 0
		}
		return h.of(x.Kind.String(), x.Call)
	}
	same := slices.EqualFunc(a, b, func(x, y *transcript.Block) bool { return x.Kind == y.Kind })
	alike := func(i, j int) float64 {
		switch {
		case a[i].Kind != b[j].Kind:
			return 0
		case same && i == j:
			return 1
		}
		return newBag(h, []*transcript.Block{a[i]}).alike(newBag(h, []*transcript.Block{b[j]}))
	}
	return align([]keys{keysOf(a, b, says), keysOf(a, b, is)}, alike, len(a), len(b))
}

// bag is what messages and blocks that say different things are compared by.
type bag struct {
	words  map[uint64]int // how often each word is there
	n      int            // words
	calls  map[string]bool
	marker bool // it is nothing but a marker
}

// bags are those of a list of messages, made when they are asked for.
type bags struct {
	h        *hasher
	messages []*transcript.Message
	made     []*bag
}

func newBags(h *hasher, messages []*transcript.Message) *bags {
	return &bags{h, messages, make([]*bag, len(messages))}
}

func (l *bags) of(i int) *bag {
	if l.made[i] == nil {
		l.made[i] = newBag(l.h, l.messages[i].Blocks)
	}
	return l.made[i]
}

func newBag(h *hasher, blocks []*transcript.Block) *bag {
	g := &bag{words: map[uint64]int{}, calls: map[string]bool{}, marker: len(blocks) > 0}
	for _, b := range blocks {
		text := b.Text()
		for word := range strings.FieldsSeq(text) {
			g.words[h.of(word)]++
			g.n++
		}
		if b.Call != "" {
			g.calls[b.Kind.String()+" "+b.Call] = true
		}
		g.marker = g.marker && transcript.IsMarker(strings.TrimSpace(text))
	}
	return g
}

// least is how much alike two things must be to be one.
const least = 0.3

// alike is from 0, nothing in common, to 1. What is left of a long text has all of its
// words in it: so the share of the shorter counts as much as that of the longer. A
// marker has none of the words of what it stands for.
func (g *bag) alike(other *bag) float64 {
	for call := range g.calls {
		if other.calls[call] {
			return 1
		}
	}
	if g.marker != other.marker && len(g.calls)+len(other.calls) == 0 {
		return least
	}
	few, many := g, other
	if len(few.words) > len(many.words) {
		few, many = many, few
	}
	common := 0
	for word, n := range few.words {
		common += min(n, many.words[word])
	}
	if common == 0 {
		return 0
	}
	score := (float64(common)/float64(min(g.n, other.n)) + float64(common)/float64(max(g.n, other.n))) / 2
	if score < least {
		return 0
	}
	return score
}
