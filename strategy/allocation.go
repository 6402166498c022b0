package strategy

import (
	"math"
	"slices"
	"strings"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

// allocation chooses what to keep within a budget: the pieces with the most
// value for each token, one after the other. The value of a piece is marginal:
// a fact that is kept already counts little. A unit that may go comes in only
// when it is worth what it costs to have it there at all.
type allocation struct {
	worth    []float64 // by fact
	held     []int32   // by fact: how many kept pieces mention it
	units    []share
	passages []passage
	of       []int32 // by piece: its passage
	facts    []fact.ID
	factsTo  []int32   // by piece: end in facts
	extra    []float64 // by piece: value besides facts
	kept     []bool    // by piece
	queue    queue
	trail    []int32 // what was taken, in order: pieces, or ^unit
	left     float64 // tokens
	gap      float64 // tokens of the marker of an omission
}

// share is a unit: what it costs and holds when nothing optional of it is kept.
type share struct {
	unit     transcript.Unit
	from, to int // passages
	tokens   float64
	facts    []fact.ID
	in       bool
}

// passage is a text, or a block, that need not be kept whole.
type passage struct {
	ref          transcript.Ref
	cut          *squeeze.Text // nil when whole
	head         int           // bytes in front of the text that stay
	marker       string        // of a whole one that leaves something
	begin        int           // first piece
	n            int           // pieces
	count        int           // of them kept
	tokens       int
	whole        bool // kept or left out as one
	drops        bool // nothing stays when nothing of it is kept
	result       bool
	generic, cue float64 // value of a token of it, and of a cue of 1
	perByte      float64

	edit  transcript.Edit // as it is now
	is    bool            // there is one
	stale bool            // edit has to be made anew
	delta int             // tokens that edit adds
}

func newAllocation(worth []float64) *allocation {
	return &allocation{worth: worth, held: make([]int32, len(worth)), factsTo: []int32{0}}
}

func (a *allocation) begin(u transcript.Unit, in bool) {
	a.units = append(a.units, share{unit: u, in: in, from: len(a.passages)})
}

func (a *allocation) end() {
	u := &a.units[len(a.units)-1]
	u.to = len(a.passages)
	slices.Sort(u.facts)
	u.facts = slices.Compact(u.facts)
}

func (a *allocation) fixed(tokens int, mentions []fact.Mention) {
	u := &a.units[len(a.units)-1]
	u.tokens += float64(tokens)
	for _, m := range mentions {
		u.facts = append(u.facts, m.Fact)
	}
}

func (a *allocation) pieces() int { return len(a.of) }

func (a *allocation) piece(mentions []fact.Mention, extra float64) {
	a.of = append(a.of, int32(len(a.passages)))
	a.extra = append(a.extra, exact(extra))
	a.kept = append(a.kept, false)
	from := len(a.facts)
	for _, m := range mentions {
		a.facts = append(a.facts, m.Fact)
	}
	slices.Sort(a.facts[from:])
	a.facts = a.facts[:from+len(slices.Compact(a.facts[from:]))]
	a.factsTo = append(a.factsTo, int32(len(a.facts)))
}

// pass ends a passage, whose pieces have been added.
func (a *allocation) pass(p passage) {
	p.n = len(a.of) - p.begin
	bytes := 0
	if p.cut != nil {
		bytes = len(p.cut.Source) + p.head
	}
	p.perByte = float64(p.tokens) / float64(max(1, bytes))
	p.stale = true
	a.passages = append(a.passages, p)
}

var noUnder = env("NOUNDER", 0) > 0

// hold keeps a piece of the last passage whatever it costs while its unit is there.
func (a *allocation) hold(i int) {
	p := &a.passages[len(a.passages)-1]
	u := &a.units[len(a.units)-1]
	u.tokens += a.size(p, i)
	u.facts = append(u.facts, a.facts[a.factsTo[i]:a.factsTo[i+1]]...)
	a.kept[i] = true
	p.count++
}

// rest is what a passage costs when nothing of it is kept.
func (a *allocation) rest(p *passage) float64 {
	if p.drops {
		return 0
	}
	return min(a.gap, float64(p.tokens))
}

// least is what a unit costs when nothing optional of it is kept.
func (a *allocation) least(u *share) float64 {
	tokens := u.tokens
	for j := u.from; j < u.to; j++ {
		tokens += a.rest(&a.passages[j])
	}
	return tokens
}

// value is what keeping a piece adds.
func (a *allocation) value(i int) float64 {
	v := a.extra[i]
	for _, f := range a.facts[a.factsTo[i]:a.factsTo[i+1]] {
		v += a.marginal(f)
	}
	return v
}

func (a *allocation) marginal(f fact.ID) float64 {
	switch a.held[f] {
	case 0:
		return a.worth[f]
	case 1:
		return W.again * a.worth[f]
	}
	return 0
}

// size is the tokens of a piece alone.
func (a *allocation) size(p *passage, i int) float64 {
	if p.whole {
		return float64(p.tokens)
	}
	return float64(float64(len(p.cut.Body(i-p.begin))) * p.perByte)
}

// cost is the tokens that keeping a piece adds, with the change in markers.
func (a *allocation) cost(p *passage, i int) float64 {
	c := a.size(p, i)
	if p.whole {
		if p.drops {
			return c
		}
		return c - a.rest(p)
	}
	gaps := -1.0
	if p.count == 0 && p.drops {
		gaps = 0
	}
	if i > p.begin && !a.kept[i-1] {
		gaps++
	}
	if i+1 < p.begin+p.n && !a.kept[i+1] {
		gaps++
	}
	return c + float64(gaps*a.gap)
}

// above gives the piece without which piece i makes no sense and which is not
// kept yet; -1 without.
func (a *allocation) above(p *passage, i int) int {
	if p.whole || noUnder {
		return -1
	}
	if up := p.cut.Pieces[i-p.begin].Under; up != squeeze.None && !a.kept[p.begin+int(up)] {
		return p.begin + int(up)
	}
	return -1
}

// gain is the value and the cost of a piece with those above it.
func (a *allocation) gain(i int) (value, cost float64) {
	p := &a.passages[a.of[i]]
	value, cost = a.value(i), a.cost(p, i)
	for up := a.above(p, i); up >= 0; up = a.above(p, up) {
		value += a.value(up)
		cost += a.size(p, up) + a.gap
	}
	return value, cost
}

func (a *allocation) density(i int) float64 {
	v, c := a.gain(i)
	if c <= 0 {
		return math.MaxFloat64
	}
	return v / c
}

// looked is how many pieces of a unit say whether it is worth coming in.
const looked = 24

// entry is the best value per token at which a unit can come in: with what is
// fixed in it and the best of its pieces.
func (a *allocation) entry(u *share) float64 {
	v, c := 0.0, a.least(u)
	for _, f := range u.facts {
		v += a.marginal(f)
	}
	type offer struct{ v, c float64 }
	var best []offer
	for k := u.from; k < u.to; k++ {
		p := &a.passages[k]
		for i := p.begin; i < p.begin+p.n; i++ {
			o := offer{a.value(i), a.cost(p, i)}
			at, _ := slices.BinarySearchFunc(best, o, func(x, y offer) int {
				if x.v*y.c >= y.v*x.c {
					return -1
				}
				return 1
			})
			if at < looked {
				if len(best) == looked {
					best = best[:looked-1]
				}
				best = slices.Insert(best, at, o)
			}
		}
	}
	density := v / max(c, 1)
	for _, o := range best {
		v, c = v+o.v, c+o.c
		if v/max(c, 1) < density {
			break
		}
		density = v / max(c, 1)
	}
	return density
}

// land allocates, counts what that gives, and corrects until the budget is met
// closely.
func (a *allocation) land(in *Input) []transcript.Edit {
	a.gap = float64(in.Tokens(&transcript.Block{Parts: []transcript.Part{{Text: "[12 lines omitted]\n"}}}))
	before := 0
	for _, b := range in.Conv.Blocks() {
		before += in.Tokens(b)
	}
	a.left = float64(in.Budget)
	for k := range a.units {
		if a.units[k].in {
			a.enter(k)
		}
	}
	for k := range a.units {
		if !a.units[k].in {
			a.queue.push(a.entry(&a.units[k]), int32(^k))
		}
	}
	var edits []transcript.Edit
	for tries := 1; ; tries++ {
		a.fill()
		var now int
		edits, now = a.edits(in)
		slack := in.Budget - before - now
		switch {
		case slack < 0 && len(a.trail) > 0:
			a.undo(float64(tries * -slack))
		case slack < 0, slack <= in.Budget/200, len(a.queue) == 0, tries >= closeEnough:
			return edits
		default:
			a.left = float64(slack)
		}
	}
}

// closeEnough is after how many counts a budget that is met but not used up is
// left at that.
const closeEnough = 6

// enter takes a unit in, and offers its pieces.
func (a *allocation) enter(k int) {
	u := &a.units[k]
	u.in = true
	a.left -= a.least(u)
	for _, f := range u.facts {
		a.held[f]++
	}
	for j := u.from; j < u.to; j++ {
		p := &a.passages[j]
		for i := p.begin; i < p.begin+p.n; i++ {
			a.queue.push(a.density(i), int32(i))
		}
	}
}

// fill takes what is worth most until the budget is spent.
func (a *allocation) fill() {
	for len(a.queue) > 0 && a.left >= 1 {
		top := a.queue.pop()
		if top.density <= 0 {
			return
		}
		if top.item < 0 {
			a.unit(top)
		} else {
			a.one(top)
		}
	}
}

func (a *allocation) unit(top candidate) {
	k := int(^top.item)
	u := &a.units[k]
	if u.in {
		return
	}
	if now := a.entry(u); now < top.density {
		a.queue.push(now, top.item)
		return
	}
	if a.least(u) > a.left {
		return
	}
	a.trail = append(a.trail, top.item)
	a.enter(k)
}

func (a *allocation) one(top candidate) {
	i := int(top.item)
	if a.kept[i] {
		return
	}
	value, cost := a.gain(i)
	if now := value / cost; cost > 0 && now < top.density {
		a.queue.push(now, top.item)
		return
	}
	if cost > a.left {
		return
	}
	p := &a.passages[a.of[i]]
	a.left -= cost
	for up := a.above(p, i); up >= 0; up = a.above(p, up) {
		a.keep(p, up)
	}
	a.keep(p, i)
}

// keep takes a piece, and offers its neighbours anew: they cost less now.
func (a *allocation) keep(p *passage, i int) {
	a.set(p, i, true)
	a.trail = append(a.trail, int32(i))
	if i > p.begin && !a.kept[i-1] {
		a.queue.push(a.density(i-1), int32(i-1))
	}
	if i+1 < p.begin+p.n && !a.kept[i+1] {
		a.queue.push(a.density(i+1), int32(i+1))
	}
}

func (a *allocation) set(p *passage, i int, kept bool) {
	step := 1
	if !kept {
		step = -1
	}
	a.kept[i] = kept
	p.count += step
	p.stale = true
	for _, f := range a.facts[a.factsTo[i]:a.factsTo[i+1]] {
		a.held[f] += int32(step)
	}
}

// undo takes back what was taken last, until that many tokens are free.
func (a *allocation) undo(tokens float64) {
	for tokens > 0 && len(a.trail) > 0 {
		i := int(a.trail[len(a.trail)-1])
		a.trail = a.trail[:len(a.trail)-1]
		if i >= 0 {
			p := &a.passages[a.of[i]]
			a.set(p, i, false)
			tokens -= a.cost(p, i)
			continue
		}
		u := &a.units[^i]
		u.in = false
		for _, f := range u.facts {
			a.held[f]--
		}
		tokens -= a.least(u)
	}
	a.left = 0
}

// edits gives the edits that the choice amounts to, and the tokens they add.
func (a *allocation) edits(in *Input) (edits []transcript.Edit, added int) {
	for k := range a.units {
		u := &a.units[k]
		if !u.in {
			for _, id := range u.unit.Msgs {
				e := transcript.Edit{At: transcript.At(id), Op: transcript.Drop, Group: k + 1, Why: "least needed"}
				edits = append(edits, e)
				added += in.delta(&e)
			}
			continue
		}
		for j := u.from; j < u.to; j++ {
			p := &a.passages[j]
			if p.stale {
				a.write(p, in)
			}
			if p.is {
				edits = append(edits, p.edit)
				added += p.delta
			}
		}
	}
	return edits, added
}

// write makes the edit of a passage.
func (a *allocation) write(p *passage, in *Input) {
	p.stale, p.is, p.delta = false, false, 0
	e := transcript.Edit{At: p.ref, Op: transcript.Rewrite, Why: keptOf(p.count, p.n)}
	switch {
	case p.count == p.n:
		return
	case p.count == 0 && p.drops:
		e.Op = transcript.Drop
	case p.whole:
		e.Text = p.marker
	default:
		e.Text = p.cut.Render(a.kept[p.begin : p.begin+p.n])
		if e.Text == p.cut.Source || strings.TrimSpace(e.Text) == "" {
			return
		}
	}
	d := in.delta(&e)
	if d > 0 || d == 0 && e.Op != transcript.Drop {
		return
	}
	p.edit, p.is, p.delta = e, true, d
}

// candidate is a piece, or ^unit, with the density that it had when it was queued.
type candidate struct {
	density float64
	item    int32
}

// queue is a heap: the densest first, and among equals the newest.
type queue []candidate

func before(x, y candidate) bool {
	return x.density > y.density || x.density == y.density && x.item > y.item
}

func (q *queue) push(density float64, item int32) {
	h := append(*q, candidate{density, item})
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !before(h[i], h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	*q = h
}

func (q *queue) pop() candidate {
	h := *q
	top := h[0]
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		next := 2*i + 1
		if next >= len(h) {
			break
		}
		if next+1 < len(h) && before(h[next+1], h[next]) {
			next++
		}
		if !before(h[next], h[i]) {
			break
		}
		h[i], h[next] = h[next], h[i]
		i = next
	}
	*q = h
	return top
}
