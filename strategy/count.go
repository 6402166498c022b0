package strategy

import (
	"hash/maphash"
	"math/bits"
	"slices"
	"sync"

	"condense/strategy/breakdown"
	"condense/transcript"
)

// counts caches the tokens of blocks, so that an edit recounts only the blocks that it
// changes.
type counts struct {
	tokens func(*transcript.Block) int
	of     *countTable
	recent recent
}

// newCounts counts every visible block. Long blocks with the same content are counted once.
func newCounts(c *transcript.Conversation, tokens func(*transcript.Block) int) *counts {
	blocks, copies := distinct(visibleBlocks(c))
	numbers := breakdown.Count(blocks, tokens)
	n := &counts{tokens: tokens, of: newCountTable(len(blocks) + len(copies))}
	for i, b := range blocks {
		n.of.set(b, numbers[i])
	}
	for b, same := range copies {
		known, _ := n.of.get(same)
		n.of.set(b, known)
	}
	return n
}

func visibleBlocks(c *transcript.Conversation) (blocks []*transcript.Block) {
	n := 0
	for range c.Blocks() {
		n++
	}
	blocks = make([]*transcript.Block, 0, n)
	for _, b := range c.Blocks() {
		blocks = append(blocks, b)
	}
	return blocks
}

// minCopied is the length in bytes of the shortest text that is compared with others.
// Counting a shorter one takes no longer than comparing it.
const minCopied = 256

// distinct returns the blocks that are no copies, in the memory of the list, and maps each copy to the first block
// with the same content, as [countsAs] compares it. Only blocks of one long text are
// compared.
func distinct(blocks []*transcript.Block) (first []*transcript.Block, copies map[*transcript.Block]*transcript.Block) {
	type content struct {
		kind       transcript.Kind
		opaque     int
		tool, name string
		text       string
	}
	first = blocks[:0]
	seen := map[content]*transcript.Block{}
	copies = map[*transcript.Block]*transcript.Block{}
	for _, b := range blocks {
		if len(b.Parts) == 1 && b.Parts[0].Media == nil && len(b.Parts[0].Text) >= minCopied {
			key := content{b.Kind, b.Opaque, b.Tool, b.Parts[0].Name, b.Parts[0].Text}
			if same := seen[key]; same != nil {
				copies[b] = same
				continue
			}
			seen[key] = b
		}
		first = append(first, b)
	}
	return first, copies
}

// block returns the tokens of a block. It does not cache them: most proposed blocks are
// counted only once.
func (n *counts) block(b *transcript.Block) int {
	if known, ok := n.of.get(b); ok {
		return known
	}
	return n.tokens(b)
}

// proposed is block for the blocks that a stage proposes: the runner counts them again when it judges the
// proposal, and when it applies it.
func (n *counts) proposed(b *transcript.Block) int {
	if known, ok := n.of.get(b); ok {
		return known
	}
	return n.recent.count(b, n.tokens)
}

// recent caches the tokens of the blocks that were counted last. It is safe for concurrent use.
type recent struct {
	mu     sync.Mutex
	blocks [recentBlocks]*transcript.Block
	tokens [recentBlocks]int
	next   int // where the next block goes
}

// Limits of recent: a search must take less time than counting, and the cache must not hold much that
// nothing else does.
const (
	recentBlocks = 8
	recentBytes  = 16 << 10 // of the longest block
)

// count returns the tokens of a block, which it counts only if no recent block has the same content.
func (r *recent) count(b *transcript.Block, tokens func(*transcript.Block) int) int {
	if bytes(b) > recentBytes {
		return tokens(b)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, known := range r.blocks {
		if known != nil && countsAs(known, b) {
			return r.tokens[i]
		}
	}
	n := tokens(b)
	r.blocks[r.next], r.tokens[r.next] = b, n
	r.next = (r.next + 1) % recentBlocks
	return n
}

// conversation returns the tokens of the effective view, and caches those of its blocks.
func (n *counts) conversation(c *transcript.Conversation) (sum int) {
	for _, b := range c.Blocks() {
		known, ok := n.of.get(b)
		if !ok {
			known = n.recent.count(b, n.tokens)
			n.of.set(b, known)
		}
		sum += known
	}
	return sum
}

// recall caches for blocks of c the tokens of the same blocks of decided. c is a copy of
// decided, whole or in part, and equal blocks of the two are different pointers.
func (n *counts) recall(decided, c *transcript.Conversation) {
	known := slices.AppendSeq(make([]*transcript.Message, 0, len(decided.Messages)), decided.Visible())
	for m := range c.Visible() {
		for len(known) > 0 && len(known[0].Blocks) == 0 { // formats may leave out empty messages
			known = known[1:]
		}
		if len(m.Blocks) == 0 {
			continue
		}
		if len(known) == 0 {
			return
		}
		for i, b := range m.Blocks[:min(len(m.Blocks), len(known[0].Blocks))] {
			if a := known[0].Blocks[i]; a != b && countsAs(a, b) {
				was, _ := n.of.get(a)
				n.of.set(b, was)
			}
		}
		known = known[1:]
	}
}

// countsAs reports whether every counter returns the same number for two blocks.
func countsAs(a, b *transcript.Block) bool {
	return a.Kind == b.Kind && a.Tool == b.Tool && a.Opaque == b.Opaque &&
		slices.EqualFunc(a.Parts, b.Parts, func(a, b transcript.Part) bool {
			media := a.Media == b.Media || a.Media != nil && b.Media != nil && *a.Media == *b.Media
			return media && a.Name == b.Name && a.Text == b.Text
		})
}

// delta returns the tokens that an edit adds; negative when it saves.
func (in *Input) delta(e *transcript.Edit) int {
	return change(in.Conv, e, in.Tokens)
}

// deltas returns the tokens that a list of edits adds; negative when it saves.
func (in *Input) deltas(edits []transcript.Edit) (sum int) {
	for i := range edits {
		sum += in.delta(&edits[i])
	}
	return sum
}

// change returns the difference that an edit makes to the sum of a measure over the
// blocks that it changes. It returns 0 for an address that does not exist.
func change(c *transcript.Conversation, e *transcript.Edit, measure func(*transcript.Block) int) int {
	switch {
	case e.Op == transcript.Insert:
		if e.New == nil {
			return 0
		}
		sum := 0
		for _, b := range e.New.Blocks {
			sum += measure(b)
		}
		return sum
	case e.At.Block == transcript.Whole:
		sum := 0
		if m := c.Message(e.At.Msg); m != nil && !m.Hidden {
			for _, b := range m.Blocks {
				sum -= measure(b)
			}
		}
		return sum
	}
	b := c.Block(e.At)
	if b == nil {
		return 0
	}
	if e.Op == transcript.Drop {
		return -measure(b)
	}
	if e.At.Part != transcript.Whole && (e.At.Part < 0 || e.At.Part >= len(b.Parts)) {
		return 0
	}
	return measure(b.Rewritten(e)) - measure(b)
}

// bytes returns the size of a block: the bytes of its texts, its media and its opaque
// content.
func bytes(b *transcript.Block) (n int) {
	for _, p := range b.Parts {
		n += len(p.Text)
		if p.Media != nil {
			n += p.Media.Bytes
		}
	}
	return n + b.Opaque
}

// countTable maps blocks to their tokens. A conversation can have a block for every few bytes, and a map
// would take twice the memory.
type countTable struct {
	seed  maphash.Seed
	slots []*transcript.Block // nil where free; at most four fifths of them are taken
	of    []int32             // tokens, by slot
	count int
}

// newCountTable returns a table with room for n blocks.
func newCountTable(n int) *countTable {
	t := &countTable{seed: maphash.MakeSeed()}
	t.resize(n)
	return t
}

func (t *countTable) resize(n int) {
	slots, of := t.slots, t.of
	size := n + n/4 + 8
	t.slots, t.of = make([]*transcript.Block, size), make([]int32, size)
	for i, b := range slots {
		if b != nil {
			at := t.place(b)
			t.slots[at], t.of[at] = b, of[i]
		}
	}
}

// place returns the slot of a block, or the free slot where it belongs.
func (t *countTable) place(b *transcript.Block) int {
	high, _ := bits.Mul64(maphash.Comparable(t.seed, b), uint64(len(t.slots)))
	at := int(high)
	for t.slots[at] != nil && t.slots[at] != b {
		if at++; at == len(t.slots) {
			at = 0
		}
	}
	return at
}

// get returns the tokens of a block; false if they are not known.
func (t *countTable) get(b *transcript.Block) (tokens int, ok bool) {
	at := t.place(b)
	return int(t.of[at]), t.slots[at] != nil
}

// set sets the tokens of a block.
func (t *countTable) set(b *transcript.Block, tokens int) {
	at := t.place(b)
	if t.slots[at] == nil {
		if 5*(t.count+1) > 4*len(t.slots) {
			t.resize(2 * len(t.slots))
			at = t.place(b)
		}
		t.count++
		t.slots[at] = b
	}
	t.of[at] = int32(tokens)
}
