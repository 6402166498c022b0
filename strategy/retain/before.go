package retain

import (
	"math"
	"runtime"
	"slices"
	"sync"

	"condense/transcript"
	"condense/transcript/fact"
)

// asked is the facts of the effective view before, and what became of them.
type asked struct {
	messages int
	facts    []held
	ids      fact.Index
	said     *said
	read     texts
}

// held is what became of one fact.
type held struct {
	key            string
	messages, last int32 // that name it; and the last of them
	text           int32 // the last text that names it: see texts
	kind           fact.Kind
	present, bound bool
	places         []place // of those where it is not bound at first sight, the first
}

// ask reads the view before, on all cores. What comes out does not depend on how
// many there are: see merge.
func ask(c *transcript.Conversation, h *said) *asked {
	msgs := visible(c)
	bounds := shares(msgs, runtime.GOMAXPROCS(0))
	parts := make([]*asked, len(bounds)-1)
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() { parts[i] = askRun(c, msgs[bounds[i]:bounds[i+1]], bounds[i], h) })
	}
	wg.Wait()
	for _, p := range parts[1:] {
		parts[0].merge(p)
	}
	parts[0].messages = len(msgs)
	return parts[0]
}

// shares cuts messages into at most n runs of about the same size, and gives
// where they begin and where the last ends.
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

// size is the bytes of text in messages.
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

// bytesPerFact is how much text there usually is for each different fact.
const bytesPerFact = 200

// merge adds what the run of messages after a's found: facts stay in the order
// of their first mention, and no message is in two runs.
func (a *asked) merge(next *asked) {
	for i := range next.facts {
		from := &next.facts[i]
		known := len(a.facts)
		id := a.id(from.key)
		if id == known {
			a.facts[id] = *from
			continue
		}
		f := &a.facts[id]
		f.messages += from.messages
		f.last = from.last
		f.present = f.present || from.present
		f.bound = f.bound || from.bound
		f.places = append(f.places, from.places[:min(len(from.places), tried-len(f.places))]...)
	}
}

// askRun reads messages of c of which the first is number first.
func askRun(c *transcript.Conversation, msgs []*transcript.Message, first int, h *said) *asked {
	room := size(msgs) / bytesPerFact
	a := &asked{facts: make([]held, 0, room), said: h}
	passages(c, msgs, first, func(n int, s *passage) {
		kept := h.wholes[s.p]
		if !a.again(n, s.p.Text, kept) {
			a.begin()
			if kept && !s.mayMark() {
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
func (a *asked) id(key string) int {
	id := a.ids.ID(key)
	if id == len(a.facts) {
		a.facts = append(a.facts, held{key: key, kind: unknown, last: -1})
	}
	return id
}

// named counts that message n names a fact.
func (a *asked) named(id, n int) *held {
	f := &a.facts[id]
	if f.last != int32(n) {
		f.messages++
		f.last = int32(n)
	}
	if f.text != a.read.last {
		f.text = a.read.last
		a.read.named = append(a.read.named, int32(id))
	}
	return f
}

// unknown is the kind of a fact that was not looked at yet.
const unknown = fact.Kind(math.MaxUint8)

// line takes the facts of a line of message n.
func (a *asked) line(n int, l *line, kept bool) {
	open := false // a fact of the line is there, and it is not known whether here
	for i := range l.words {
		w := &l.words[i]
		w.id = a.id(w.key)
		f := a.named(w.id, n)
		if f.kind == unknown {
			f.kind = fact.KindOf(l.s.p.Text, w.at, w.key)
			_, f.present = a.said.places[w.key]
		}
		f.present = f.present || kept
		f.bound = f.bound || kept
		open = open || f.present && !f.bound
	}
	if kept {
		return
	}
	if open || l.anchor.follows() {
		tells := l.tells()
		a.bind(l, tells)
		l.anchor.passed(l, tells)
	}
}

// keep takes a fact of a passage that is there as it was.
func (a *asked) keep(n int, s *passage, at int, key string) {
	f := a.named(a.id(key), n)
	if f.kind == unknown {
		f.kind = fact.KindOf(s.p.Text, at, key)
	}
	f.present, f.bound = true, true
}

// bind looks for the neighbourhood that a line gives its facts.
func (a *asked) bind(l *line, tells bool) {
	whole := tells && !l.long() && a.said.lines[l.text()]
	for i, w := range l.words {
		f := &a.facts[w.id]
		if f.bound || !f.present {
			continue
		}
		beside := ""
		if tells && l.long() {
			beside = l.core(i)
		}
		if beside == "" && (!tells || l.long()) {
			beside = l.anchor.of(l)
		}
		if whole || beside != "" && a.said.near[near{w.key, beside}] {
			f.bound = true
		} else if len(f.places) < tried {
			f.places = append(f.places, l.place(i))
		}
	}
}

// rarity is the weight of a fact in n of all messages.
func rarity(n, all int) float64 { return math.Log1p(float64(all) / float64(n)) }

// share is what became of one fact of such a weight.
func (a *asked) share(f *held, weight float64, said *said) Share {
	one := Share{Facts: 1, Weight: weight}
	switch {
	case !f.present:
		one.Absent, one.Unbound = weight, weight
	case !f.bound && !a.reworded(f, said):
		one.Unbound = weight
	}
	return one
}

// texts remembers the facts of long texts that were read, so that one which comes
// again, such as a file that is read ten times, is not searched ten times.
type texts struct {
	last  int32              // number of the text that is read, from 1
	named []int32            // facts of it, by index, each once
	known map[string][]int32 // those of the texts before
}

// rememberFrom is the length in bytes from which a text is remembered: to find a
// shorter one takes as long as to search it.
const rememberFrom = 256

// begin tells that another text is read from here on.
func (a *asked) begin() {
	a.read.last++
	a.read.named = a.read.named[:0]
}

// remember keeps what the text that was read names, unless it matters where the
// text stands: with a fact that is there, but was not found bound here, the next
// copy may have more to say.
func (a *asked) remember(text string) {
	if len(text) < rememberFrom {
		return
	}
	for _, id := range a.read.named {
		if f := &a.facts[id]; f.present && !f.bound {
			return
		}
	}
	if a.read.known == nil {
		a.read.known = map[string][]int32{}
	}
	a.read.known[text] = slices.Clone(a.read.named)
}

// again takes the facts of a text of message n that is known; false when it is not.
func (a *asked) again(n int, text string, kept bool) bool {
	if len(text) < rememberFrom {
		return false
	}
	named, known := a.read.known[text]
	for _, id := range named {
		f := a.named(int(id), n)
		f.present = f.present || kept
		f.bound = f.bound || kept
	}
	return known
}
