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
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strconv"
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
	list := []string{b.Kind.String(), b.Tool, strconv.Itoa(b.Opaque)}
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
			list = append(list, callOf(x))
		}
		return h.of(list...)
	}
	is := func(m *transcript.Message) uint64 {
		var calls []string
		for _, x := range m.Blocks {
			if id := callOf(x); id != "" {
				calls = append(calls, x.Kind.String()+" "+id)
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
	exactly := func(m *transcript.Message) uint64 {
		if m.Time.IsZero() {
			return 0
		}
		return h.of(strconv.FormatUint(says(m), 16), m.Time.UTC().String())
	}
	from, to := newBags(h, a), newBags(h, b)
	alike := func(i, j int) float64 {
		if a[i].Role != b[j].Role {
			return 0
		}
		return from.of(i).alike(to.of(j))
	}
	return align([]keys{keysOf(a, b, exactly), keysOf(a, b, says), keysOf(a, b, is)}, alike, len(a), len(b))
}

func pairBlocks(h *hasher, a, b []*transcript.Block) []pair {
	says := func(x *transcript.Block) uint64 { return h.of(content(x)...) }
	is := func(x *transcript.Block) uint64 {
		if callOf(x) == "" {
			return 0
		}
		return h.of(x.Kind.String(), callOf(x))
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
	words  map[uint64]int  // how often each word is there
	n      int             // words
	calls  map[string]bool // ids of calls
	tools  string          // the kinds of its blocks and their tools; "" without a call or result
	marker bool            // a line of it is a marker
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
	g := &bag{words: map[uint64]int{}, calls: map[string]bool{}}
	var kinds []string
	tools := false
	for _, b := range blocks {
		text := b.Text()
		for word := range strings.FieldsSeq(text) {
			g.words[h.of(word)]++
			g.n++
		}
		if id := callOf(b); id != "" {
			g.calls[b.Kind.String()+" "+id] = true
		}
		for line := range strings.Lines(text) {
			g.marker = g.marker || transcript.IsMarker(strings.TrimSpace(line))
		}
		kinds = append(kinds, b.Kind.String()+" "+b.Tool)
		tools = tools || b.Kind == transcript.ToolCall || b.Kind == transcript.ToolResult
	}
	if tools {
		g.tools = strings.Join(kinds, "\n")
	}
	return g
}

// least is how much alike two things must be to be one.
const least = 0.3

// alike is from 0, nothing in common, to 1. What is left of a long text has all of its
// words in it: so the share of the shorter counts as much as that of the longer. A
// marker has none of the words of what it stands for, and results without ids may have
// none in common either: they are just enough alike where nothing else is more so.
func (g *bag) alike(other *bag) float64 {
	for call := range g.calls {
		if other.calls[call] {
			return 1
		}
	}
	switch {
	case len(g.calls) > 0 && len(other.calls) > 0:
	case g.marker != other.marker, g.tools != "" && g.tools == other.tools:
		return max(least, g.inCommon(other))
	}
	if score := g.inCommon(other); score >= least {
		return score
	}
	return 0
}

// inCommon is the share of the words of both that is in the other, the mean of the two.
func (g *bag) inCommon(other *bag) float64 {
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
	return (float64(common)/float64(g.n) + float64(common)/float64(other.n)) / 2
}
