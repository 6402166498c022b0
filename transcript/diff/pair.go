package diff

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"condense/transcript"
)

// hasher returns hashes of texts, which are valid within one comparison.
type hasher struct{ maphash.Hash }

func newHasher() *hasher { return &hasher{} }

// of returns a hash of a list of strings; their boundaries count.
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

// content returns the strings that make up the content of a block.
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
		case !m.Time().IsZero():
			return h.of(m.Role.String(), m.Time().UTC().String())
		}
		return 0
	}
	exactly := func(m *transcript.Message) uint64 {
		if m.Time().IsZero() {
			return 0
		}
		return h.of(strconv.FormatUint(says(m), 16), m.Time().UTC().String())
	}
	blocks := func(m *transcript.Message) []*transcript.Block { return m.Blocks }
	from, to := newBags(h, a, blocks), newBags(h, b, blocks)
	similarity := func(i, j int) float64 {
		if a[i].Role != b[j].Role {
			return 0
		}
		return from.of(i).similarity(to.of(j))
	}
	return align([]keys{keysOf(a, b, exactly), keysOf(a, b, says), keysOf(a, b, is)}, similarity, len(a), len(b))
}

func pairBlocks(h *hasher, a, b []*transcript.Block) []pair {
	says := func(x *transcript.Block) uint64 { return h.of(content(x)...) }
	is := func(x *transcript.Block) uint64 {
		if callOf(x) == "" {
			return 0
		}
		return h.of(x.Kind.String(), callOf(x))
	}
	alone := func(x *transcript.Block) []*transcript.Block { return []*transcript.Block{x} }
	from, to := newBags(h, a, alone), newBags(h, b, alone)
	same := slices.EqualFunc(a, b, func(x, y *transcript.Block) bool { return x.Kind == y.Kind })
	similarity := func(i, j int) float64 {
		switch {
		case a[i].Kind != b[j].Kind:
			return 0
		case same && i == j:
			return 1
		}
		return from.of(i).similarity(to.of(j))
	}
	return align([]keys{keysOf(a, b, says), keysOf(a, b, is)}, similarity, len(a), len(b))
}

// A bag holds the compared content of messages or blocks that have no equal.
type bag struct {
	words  map[uint64]int  // number of occurrences of each word
	n      int             // number of words
	calls  map[string]bool // ids of calls
	tools  string          // kinds and tools of its blocks; "" without a call or result
	marker bool            // one of its lines is a marker
}

// bags holds the bags of a list of messages or blocks. Each is made on first use,
// because it is compared with many of the other side.
type bags struct {
	newBag func(i int) *bag
	made   []*bag
}

func newBags[T any](h *hasher, list []T, blocks func(T) []*transcript.Block) *bags {
	return &bags{func(i int) *bag { return newBag(h, blocks(list[i])) }, make([]*bag, len(list))}
}

func (l *bags) of(i int) *bag {
	if l.made[i] == nil {
		l.made[i] = l.newBag(i)
	}
	return l.made[i]
}

func newBag(h *hasher, blocks []*transcript.Block) *bag {
	g := &bag{words: map[uint64]int{}, calls: map[string]bool{}}
	var kinds []string
	tools := false
	for _, b := range blocks {
		text := transcript.WithoutRecords(b.Text())
		g.marker = g.marker || len(text) < len(b.Text())
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

// least is the least similarity of two items that are a pair.
const least = 0.3

// similarity returns the similarity of two bags: 0 for no pair, otherwise least to 1. A
// text that was shortened has all of its words in the original, so the share of the
// shorter text counts as much as that of the longer. A marker has no words of the text
// that it replaced, and results without ids may have none in common either: these have
// at least the least similarity, so that they are paired where no better partner
// exists.
func (g *bag) similarity(other *bag) float64 {
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

// inCommon returns the mean of the shares of the words of each that the other has too.
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
