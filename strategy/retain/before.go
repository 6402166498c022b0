package retain

import (
	"math"
	"runtime"
	"slices"
	"sync"

	"condense/transcript"
	"condense/transcript/fact"
)

// A factTable holds the facts of the effective view before, with what is left of them.
type factTable struct {
	messages int
	facts    []factState
	places   map[int32][]occurrence // by the index of a fact: the first places where it is not bound by its line
	ids      fact.Index
	after    *afterView
	cache    textCache
}

// A factState holds what is left of one fact.
type factState struct {
	key            string
	messages, last int32 // number of messages that name it; index of the last of them
	text           int32 // the last text that names it: see textCache
	kind           fact.Kind
	present, bound bool
}

// readBefore reads the view before, on all processors. The result does not depend on
// their number: see merge.
func readBefore(c *transcript.Conversation, h *afterView) *factTable {
	msgs := visible(c)
	bounds := shares(msgs, runtime.GOMAXPROCS(0))
	parts := make([]*factTable, len(bounds)-1)
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() { parts[i] = readRun(c, msgs[bounds[i]:bounds[i+1]], bounds[i], h) })
	}
	wg.Wait()
	for _, p := range parts {
		p.cache = textCache{}
	}
	for i, p := range parts[1:] {
		p.ids = fact.Index{} // the facts have their keys
		parts[0].merge(p)
		parts[1+i] = nil
	}
	parts[0].messages = len(msgs)
	return parts[0]
}

// shares cuts messages into at most n runs of about the same size, and returns the
// start of each and the end of the last.
func shares(msgs []*transcript.Message, n int) []int {
	sums := make([]int, len(msgs)+1)
	for i := range msgs {
		sums[i+1] = sums[i] + size(msgs[i:i+1])
	}
	bounds := []int{0}
	for k := 1; k < n; k++ {
		at, _ := slices.BinarySearch(sums, sums[len(msgs)]*k/n)
		if at > bounds[len(bounds)-1] && at < len(msgs) {
			bounds = append(bounds, at)
		}
	}
	return append(bounds, len(msgs))
}

// size returns the bytes of text in messages.
func size(msgs []*transcript.Message) (n int) {
	for _, m := range msgs {
		for _, b := range m.Blocks {
			for i := range b.Parts {
				n += len(b.Parts[i].Text)
			}
		}
	}
	return n
}

// bytesPerFact is the usual amount of text for each different fact.
const bytesPerFact = 200

// merge adds the facts of the run of messages after those of a. Facts stay in the
// order of their first mention; no message is in two runs.
func (a *factTable) merge(next *factTable) {
	a.facts = slices.Grow(a.facts, len(next.facts)/2)
	for i := range next.facts {
		from := &next.facts[i]
		known := len(a.facts)
		id := a.id(from.key)
		if id == known {
			a.facts[id] = *from
			if there := next.places[int32(i)]; there != nil {
				a.places[int32(id)] = there
			}
			continue
		}
		f := &a.facts[id]
		f.messages += from.messages
		f.last = from.last
		f.present = f.present || from.present
		f.bound = f.bound || from.bound
		if there := next.places[int32(i)]; there != nil {
			known := a.places[int32(id)]
			a.places[int32(id)] = append(known, there[:min(len(there), tried-len(known))]...)
		}
	}
}

// readRun reads messages of c; first is the index of the first of them.
func readRun(c *transcript.Conversation, msgs []*transcript.Message, first int, h *afterView) *factTable {
	room := size(msgs) / bytesPerFact
	a := &factTable{facts: make([]factState, 0, room), places: map[int32][]occurrence{}, after: h}
	passages(c, msgs, first, func(n int, s *passage) {
		kept := h.wholes[s.p]
		if !a.reuse(n, s.p.Text, kept) {
			a.begin()
			if kept && !s.mayHaveMarker() {
				fact.Each(s.p.Text, func(at int, key string) { a.keep(n, s, at, key) })
			} else {
				s.lines(func(l *line) { a.line(n, l, kept) })
			}
			a.remember(s.p.Text)
		}
		s.others(func(key string, kind fact.Kind) {
			f := a.named(a.id(key), n)
			f.kind = kind
			_, there := h.more[key]
			f.present = f.present || kept || there
			f.bound = f.present
		})
	})
	return a
}

// id returns the index of the fact with a key.
func (a *factTable) id(key string) int {
	id := a.ids.ID(key)
	if id == len(a.facts) {
		a.facts = append(a.facts, factState{key: key, kind: unknown, last: -1})
	}
	return id
}

// named records that message n names a fact.
func (a *factTable) named(id, n int) *factState {
	f := &a.facts[id]
	if f.last != int32(n) {
		f.messages++
		f.last = int32(n)
	}
	if f.text != a.cache.last {
		f.text = a.cache.last
		a.cache.named = append(a.cache.named, int32(id))
	}
	return f
}

// unknown is the kind of a fact that is not yet determined.
const unknown = fact.Kind(math.MaxUint8)

// line records the facts of a line of message n.
func (a *factTable) line(n int, l *line, kept bool) {
	open := false // a fact of the line is present, but not known to be bound
	for i := range l.words {
		w := &l.words[i]
		w.id = a.id(w.key)
		f := a.named(w.id, n)
		if f.kind == unknown {
			f.kind = fact.KindOf(l.s.p.Text, w.at, w.key)
			_, f.present = a.after.places[w.key]
		}
		f.present = f.present || kept
		f.bound = f.bound || kept
		open = open || f.present && !f.bound
	}
	if kept {
		return
	}
	if open || l.anchor.follows() {
		hasWords := l.hasWords()
		a.bind(l, hasWords)
		l.anchor.passed(l, hasWords)
	}
}

// keep records a fact of a text that is unchanged.
func (a *factTable) keep(n int, s *passage, at int, key string) {
	f := a.named(a.id(key), n)
	if f.kind == unknown {
		f.kind = fact.KindOf(s.p.Text, at, key)
	}
	f.present, f.bound = true, true
}

// bind searches the view after for the neighbourhood of the facts of a line.
func (a *factTable) bind(l *line, hasWords bool) {
	whole := hasWords && !l.long() && a.after.lines[l.text()]
	for i, w := range l.words {
		f := &a.facts[w.id]
		if f.bound || !f.present {
			continue
		}
		beside := ""
		if hasWords && l.long() {
			beside = l.core(i)
		}
		if beside == "" && (!hasWords || l.long()) {
			beside = l.anchor.of(l)
		}
		if whole || beside != "" && a.after.near[near{w.key, beside}] {
			f.bound = true
		} else if there := a.places[int32(w.id)]; len(there) < tried {
			a.places[int32(w.id)] = append(there, l.occurrence(i))
		}
	}
}

// rarity returns the weight of a fact in n of all messages.
func rarity(n, all int) float64 { return math.Log1p(float64(all) / float64(n)) }

// share returns the count of the fact with an index, with a weight.
func (a *factTable) share(id int, weight float64, after *afterView) FactCount {
	f := &a.facts[id]
	one := FactCount{Facts: 1, Weight: weight}
	switch {
	case !f.present:
		one.Absent, one.Unbound = weight, weight
	case !f.bound && !a.reworded(id, after):
		one.Unbound = weight
	}
	return one
}

// A textCache remembers the facts of long texts, so that a repeated text, such as a file that is read ten
// times, is searched once.
type textCache struct {
	last  int32              // number of the current text, from 1
	named []int32            // its facts, by index, each once
	known map[string][]int32 // the facts of earlier texts
}

// rememberFrom is the least length in bytes of a text that is remembered: looking up a
// shorter one takes as long as searching it.
const rememberFrom = 256

// begin starts another text.
func (a *factTable) begin() {
	a.cache.last++
	a.cache.named = a.cache.named[:0]
}

// remember stores the facts of the current text, unless the place of the text matters:
// where a fact is present and not bound, the next copy may bind it.
func (a *factTable) remember(text string) {
	if len(text) < rememberFrom {
		return
	}
	for _, id := range a.cache.named {
		if f := &a.facts[id]; f.present && !f.bound {
			return
		}
	}
	if a.cache.known == nil {
		a.cache.known = map[string][]int32{}
	}
	a.cache.known[text] = slices.Clone(a.cache.named)
}

// reuse records the remembered facts of a text of message n. It returns false if the text is not
// remembered.
func (a *factTable) reuse(n int, text string, kept bool) bool {
	if len(text) < rememberFrom {
		return false
	}
	named, known := a.cache.known[text]
	for _, id := range named {
		f := a.named(int(id), n)
		f.present = f.present || kept
		f.bound = f.bound || kept
	}
	return known
}
