package chronicle

import (
	"slices"
	"strings"

	"condense/strategy/allocate"
	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

type itemKind uint8

const (
	groupItem itemKind = iota // a paragraph, a region, a hunk
	pieceItem                 // a sentence in its place, or a line quoted in a record
	wholeItem                 // an undivided block
	realItem                  // a call that stays a call
	labelItem                 // what a record says of a call
	oldItem                   // a record of an earlier run
)

// item is what can be kept or left out.
type item struct {
	kind     itemKind
	kept     bool
	loose    bool  // it names facts without a word about them, so that others still can say more
	at       int32 // index in texts, wholes, steps or olds
	n        int32 // group or piece of the text
	from, to int32 // facts
	extra    float64
	weight   float64 // factor of its value; 0 is 1
	size     float64
	got      float64 // its value when it was taken
}

// choice decides on the levels of all elements.
type choice struct {
	*draft
	allocate.Chooser
	marginal *allocate.Marginal[fact.ID]
	items    []item
	words    vocabulary
	region   float64 // share of the value of a region
	severe   bool    // little may stay: older calls do not stay calls for what they returned
	forced   []int32 // items that had to be kept when the choice was written last
	facts    []fact.ID
}

// Values beside facts: of a token of what the model writes and tools return, of an error, of the
// line of a record. They were set by what agents named again later and by what a reader
// needs who has to carry on.
const (
	worthOutput   = 0.0005
	worthThought  = 0.001
	worthSaid     = 0.01
	worthInjected = 0.001
	worthClosing  = 0.02 // beyond the share that is set aside
	worthCue      = 0.03
	worthLabel    = 0.6
	worthFirst    = 0.3  // of the first sentence of a closing answer
	worthAsked    = 0.06 // of a word of a request in a result
	worthWord     = 0.02 // of a word of prose that few lines have
	worthFrame    = 0.3  // factor of what a client gives, beyond what is set aside for it
	lastTurnBonus = 1.2  // factor of what the open turn holds
	leastWorth    = 1e-6 // of a token of what is out of date: for budgets that hold all else
)

// Limits and corrections.
const (
	mostQuotes    = 40  // lines that a record quotes of a result
	quoteCost     = 0.7 // tokens that a line takes to be quoted
	pieceShare    = 0.6 // of the value of a sentence is left without its paragraph
	lineShare     = 0.1 // of the value of a line is left without its neighbours, where the call stays
	bareShare     = 0.5 // of the value of a line is left that is hardly more than a name
	bareWords     = 2
	longParagraph = 60 // tokens from which sentences are offered alone
)

// severe is the share of the tokens below which calls that are not among the newest
// become records even where regions of their results stay.
const severe = 0.4

// quoted reports whether what stays of a step's results is quoted in its record.
func (c *choice) quoted(s *step) bool { return s.long || c.severe }

// leastRegion is the least of regionShare.
const leastRegion = 0.5

// regionShare is how much of its value a region has beside lines that are quoted one by
// one: where much may stay, more, so that it can be read in its place.
func regionShare(budget, total int) float64 {
	part := float64(budget) / float64(max(1, total))
	return min(1, max(leastRegion, float64(2*part)-0.3))
}

func newChoice(d *draft) *choice {
	c := &choice{draft: d, marginal: d.Source.marginal(), region: regionShare(d.Budget, d.total)}
	c.severe = float64(d.Budget) < float64(severe*float64(d.total))
	c.Chooser = allocate.Chooser{Offer: c.offer, Needs: c.needs, Keep: c.keep, Drop: c.drop}
	c.words.lines = map[uint64]int32{}
	for i := range d.texts {
		t := &d.texts[i]
		if t.isProse() {
			c.words.count(t)
		}
		d.asked.count(t)
	}
	for i := range d.texts {
		c.addText(i)
	}
	for i := range d.wholes {
		c.addWhole(i)
	}
	for i := range d.steps {
		c.addStep(i)
	}
	for i := range d.olds {
		c.addOld(i)
	}
	return c
}

// add adds an item with the facts that are mentioned.
func (c *choice) add(x item, mentions []fact.Mention) {
	x.from = int32(len(c.facts))
	for _, m := range mentions {
		c.facts = append(c.facts, m.Fact)
	}
	own := c.facts[x.from:]
	slices.Sort(own)
	x.to = x.from + int32(len(slices.Compact(own)))
	c.facts = c.facts[:x.to]
	x.extra = allocate.Exact(x.extra)
	c.items = append(c.items, x)
}

// addText adds the items of a text: its groups, and the pieces that may stand alone.
func (c *choice) addText(at int) {
	t := &c.texts[at]
	t.begin = len(c.items)
	if t.fixed {
		t.starts, t.count = nil, 1
		return
	}
	if t.form == frame {
		c.demanded(t)
	}
	mentions := c.Survey.Mentions(&t.block.Parts[t.part])
	for len(mentions) > 0 && int(mentions[0].At) < t.from {
		mentions = mentions[1:]
	}
	ends := make([]int, len(t.cut.Pieces)) // of the mentions of each piece
	n := 0
	for i, p := range t.cut.Pieces {
		for n < len(mentions) && int(mentions[n].At) < t.from+p.End {
			n++
		}
		ends[i] = n
	}
	extras := c.extras(t)
	from := func(piece int) int {
		if piece == 0 {
			return 0
		}
		return ends[piece-1]
	}
	if t.whole {
		t.starts = t.starts[:min(1, len(t.starts))]
	}
	for g, first := range t.starts {
		end := t.groupEnd(g)
		x := item{kind: groupItem, at: int32(at), n: int32(g)}
		for i := first; i < end; i++ {
			x.extra += extras[i]
			x.size += t.size(i)
		}
		if t.idle(first) && t.idle(end-1) || t.dies(c.dead, first, end) {
			x.extra = leastWorth * x.size
			c.add(x, nil)
			continue
		}
		x.weight = c.weightOf(t)
		c.add(x, mentions[from(first):ends[end-1]])
	}
	if t.whole || t.form == hunks {
		return
	}
	for g, first := range t.starts {
		end := t.groupEnd(g)
		if t.form == prose && (end-first == 1 || c.items[t.begin+g].size < longParagraph && !t.mustOne) {
			continue
		}
		for i := first; i < end; i++ {
			p := &t.cut.Pieces[i]
			if t.form == result && (t.idle(i) || ends[i] == from(i) && p.Cue < 1 || p.Like != squeeze.None || p.End-p.Start > 320 || t.dies(c.dead, i, i+1)) {
				continue
			}
			x := item{kind: pieceItem, at: int32(at), n: int32(i), extra: extras[i], size: t.size(i), weight: c.weightOf(t)}
			x.loose = t.form == result && bare(t.cut.Source[p.Start:p.End])
			c.add(x, mentions[from(i):ends[i]])
		}
	}
}

// weightOf is how much more than elsewhere the pieces of a text count.
func (c *choice) weightOf(t *text) float64 {
	switch {
	case t.form == frame:
		return worthFrame
	case t.last:
		return lastTurnBonus
	}
	return 1
}

// idle reports whether a piece is a marker, or belongs to what a client adds to results.
func (t *text) idle(i int) bool { return t.noise != nil && t.noise[i] }

func (t *text) groupEnd(g int) int {
	if g+1 < len(t.starts) {
		return t.starts[g+1]
	}
	return len(t.cut.Pieces)
}

// size is the tokens of a piece.
func (t *text) size(i int) float64 {
	p := &t.cut.Pieces[i]
	return float64(float64(p.End-p.Start) * t.perByte)
}

// dies reports whether at least half of the lines of some pieces are such as their
// file does not have any more.
func (t *text) dies(dead map[*transcript.Part]deadLines, from, to int) bool {
	judge := dead[&t.block.Parts[t.part]]
	if judge == nil || t.form == prose {
		return false
	}
	gone, all := 0, 0
	source := t.cut.Source[t.cut.Pieces[from].Start:t.cut.Pieces[to-1].End]
	for len(source) > 0 {
		line, more := lineAt(source, 0)
		source = source[len(line)+more:]
		if len(line) >= telling {
			all++
			if judge(line) {
				gone++
			}
		}
	}
	return gone > 0 && 2*gone >= all
}

// extras are the values of the pieces of a text beside what they mention.
func (c *choice) extras(t *text) []float64 {
	extras := make([]float64, len(t.cut.Pieces))
	worth, cue := worthOutput, worthCue
	switch {
	case t.closing || t.whole:
		worth, cue = worthClosing, 0
	case t.form == prose:
		worth, cue = worthSaid, 0
	case t.form == result && t.step >= 0 && c.steps[t.step].kind == fact.TaskTool: // another model's answer
		worth = worthSaid
	case t.form == hunks && t.last:
		worth = worthSaid / 2
	case t.form == hunks:
		worth = worthSaid / 4
	case t.form == frame:
		worth = worthInjected
	}
	fade := recency(t.age)
	for i := range extras {
		p := &t.cut.Pieces[i]
		w := worth
		if worth == worthSaid || t.form == prose {
			w *= concludes(t.cut.Source[p.Start:p.End])
		}
		extras[i] = float64(float64(w*t.size(i)) * fade)
		if t.isProse() {
			extras[i] += float64(float64(worthWord*c.words.weight(t.cut.Source[p.Start:p.End])) * fade)
		}
		if p.Like == squeeze.None {
			extras[i] += float64(float64(cue*float64(p.Cue)) * fade)
		}
	}
	for _, h := range t.hits {
		if !t.idle(int(h.piece)) {
			extras[h.piece] += float64(worthAsked * c.asked.weight(h, t.turn, c.lastTurn))
		}
	}
	if t.closing && len(extras) > 0 { // what an answer begins with, it mostly is
		extras[0] += worthFirst
	}
	return extras
}

func (c *choice) addWhole(at int) {
	w := &c.wholes[at]
	w.item = len(c.items)
	worth := worthThought
	if w.block.Kind == transcript.Text {
		worth = worthInjected
	}
	var mentions []fact.Mention
	if w.block.Kind != transcript.ToolResult {
		for i := range w.block.Parts {
			mentions = append(mentions, c.Survey.Mentions(&w.block.Parts[i])...)
		}
	}
	c.add(item{kind: wholeItem, at: int32(at), extra: float64(float64(worth*float64(w.tokens)) * recency(c.ages[w.ref.Msg])), size: float64(w.tokens)}, mentions)
}

// addStep adds the two items of a step: that it stays a call, and that its line stays.
func (c *choice) addStep(at int) {
	s := &c.steps[at]
	s.item = len(c.items)
	var all, named []fact.Mention
	for _, ref := range s.calls {
		b := c.Conv.Block(ref)
		for i := range b.Parts {
			mentions := c.Survey.Mentions(&b.Parts[i])
			all = append(all, mentions...)
			if len(b.Parts[i].Text) <= mostSubject {
				named = append(named, mentions...)
			}
		}
	}
	c.add(item{kind: realItem, at: int32(at), size: float64(s.args), extra: float64(worthSaid / 4 * float64(s.args))}, all)
	c.add(item{kind: labelItem, at: int32(at), size: s.labelTokens, extra: float64(worthLabel * recency(c.ages[s.msg]))}, named)
}

func (c *choice) addOld(at int) {
	o := &c.olds[at]
	o.item = len(c.items)
	c.add(item{kind: oldItem, at: int32(at), size: o.tokens, extra: float64(float64(worthLabel/8) * o.tokens)}, nil)
}

// value is what the facts of an item and the rest of it are worth now.
func (c *choice) value(x *item) float64 {
	v := c.marginal.Add(x.extra, c.facts[x.from:x.to])
	if x.weight != 0 {
		v = float64(v * x.weight)
	}
	return v
}

// offer is the Offer of the Chooser.
func (c *choice) offer(i int32) (density, cost float64, ok bool) {
	x := &c.items[i]
	if x.kept {
		return 0, 0, false
	}
	value := c.value(x)
	switch {
	case x.kind == pieceItem && x.loose:
		value *= bareShare
	case x.kind == groupItem && c.texts[x.at].form == result:
		value *= c.region
	}
	switch x.kind {
	case groupItem:
		t := &c.texts[x.at]
		cost = c.groupCost(t, int(x.n), x.size)
		if cost <= 0 {
			cost = 0.1
		}
		if t.step < 0 {
			break
		}
		s := &c.steps[t.step]
		switch {
		case t.form == hunks && s.real:
			return 0, 0, false
		case s.real:
		case t.form == hunks || c.quoted(s):
			if !s.label {
				value += c.value(&c.items[s.item+1])
				cost += s.labelTokens
			}
		default:
			value += c.value(&c.items[s.item])
			cost += c.realCost(s)
		}
	case pieceItem:
		t := &c.texts[x.at]
		if t.kept[x.n] {
			return 0, 0, false
		}
		cost = x.size
		if t.step < 0 {
			value *= pieceShare
			cost += c.gaps(t, int(x.n), int(x.n)+1)
			break
		}
		s := &c.steps[t.step]
		if s.real {
			value *= lineShare
			cost = max(cost+c.gaps(t, int(x.n), int(x.n)+1), 0.5)
			break
		}
		if s.quotes >= mostQuotes {
			return 0, 0, false
		}
		cost += quoteCost
		if s.quotes == 0 {
			cost += 1.5
		}
		if !s.label {
			value += c.value(&c.items[s.item+1])
			cost += s.labelTokens
		}
	case wholeItem:
		w := &c.wholes[x.at]
		cost = x.size
		if w.marker != "" {
			cost -= c.gap
		}
		if w.block.Kind == transcript.ToolResult && !c.steps[w.needs].real {
			return 0, 0, false
		}
	case realItem:
		s := &c.steps[x.at]
		if s.real || !s.long && len(s.texts) > 0 {
			return 0, 0, false
		}
		value *= c.region
		cost = c.realCost(s)
	case labelItem:
		cost = x.size
		if c.steps[x.at].real || c.steps[x.at].superseded {
			return 0, 0, false
		}
	case oldItem:
		cost = x.size
		if c.olds[x.at].least() {
			return 0, 0, false
		}
	}
	return allocate.Density(value, cost), cost, true
}

// realCost is what it takes to keep a step as a call, with a marker for its result.
func (c *choice) realCost(s *step) float64 {
	cost := float64(s.args) + s.rest + float64(float64(s.quotes)*c.gap)
	if s.label {
		cost -= s.labelTokens
	}
	return max(cost, 0.1)
}

// groupCost is the tokens that keeping a group adds, with the change in markers.
func (c *choice) groupCost(t *text, g int, size float64) float64 {
	first, end := t.starts[g], t.groupEnd(g)
	for i := first; i < end; i++ {
		if t.kept[i] {
			size -= t.size(i)
		}
	}
	if t.form == hunks {
		return size + 2
	}
	return size + c.gaps(t, first, end)
}

// gaps is the change in the tokens of markers when pieces are kept.
func (c *choice) gaps(t *text, first, end int) float64 {
	n := 0.0
	if t.count > 0 || t.form == result || t.form == frame {
		n-- // the gap that they stand in
	}
	if first > 0 && !t.kept[first-1] {
		n++
	}
	if end < len(t.kept) && !t.kept[end] {
		n++
	}
	return float64(n * c.gap)
}

// needs is the Needs of the Chooser.
func (c *choice) needs(i int32) (other int32, ok bool) {
	x := &c.items[i]
	if x.kind != groupItem && x.kind != pieceItem {
		return 0, false
	}
	t := &c.texts[x.at]
	if t.step < 0 {
		return 0, false
	}
	s := &c.steps[t.step]
	if x.kind == groupItem && t.form == result && !c.quoted(s) || s.real {
		return int32(s.item), !s.real
	}
	return int32(s.item + 1), !s.label
}

// keep is the Keep of the Chooser.
func (c *choice) keep(i int32) {
	x := &c.items[i]
	x.kept, x.got = true, c.value(x)
	c.count(x, true)
	switch x.kind {
	case groupItem:
		t := &c.texts[x.at]
		for k := t.starts[x.n]; k < t.groupEnd(int(x.n)); k++ {
			t.kept[k] = true
		}
		t.count++
		t.dirty = true
		c.pushAround(t, int(x.n))
	case pieceItem:
		t := &c.texts[x.at]
		t.count++
		t.dirty = true
		t.kept[x.n] = true
		if t.step >= 0 && !c.steps[t.step].real {
			c.steps[t.step].quotes++
		}
	case wholeItem:
		c.wholes[x.at].kept = true
	case realItem:
		s := &c.steps[x.at]
		s.real = true
		c.countQuotes(s, false)
		for _, k := range s.texts {
			c.pushText(k)
		}
	case labelItem:
		s := &c.steps[x.at]
		s.label = true
		for _, k := range s.texts {
			c.pushText(k)
		}
	case oldItem:
		c.olds[x.at].kept = true
	}
}

// pushText offers all items of a text again.
func (c *choice) pushText(k int) {
	for i := c.texts[k].begin; i < len(c.items) && c.items[i].kind <= pieceItem && c.items[i].at == int32(k); i++ {
		c.Push(int32(i))
	}
}

// pushAround offers the groups beside one again: they cost less now.
func (c *choice) pushAround(t *text, g int) {
	if g > 0 {
		c.Push(int32(t.begin + g - 1))
	}
	if g+1 < len(t.starts) {
		c.Push(int32(t.begin + g + 1))
	}
}

// countQuotes counts the facts that the quotes of a step mention, or takes them off,
// because the call is there itself.
func (c *choice) countQuotes(s *step, there bool) {
	for _, k := range s.texts {
		t := &c.texts[k]
		if t.count == 0 {
			continue
		}
		for i := t.begin; i < len(c.items) && c.items[i].at == int32(k) && c.items[i].kind <= pieceItem; i++ {
			x := &c.items[i]
			if !x.kept || t.form == result { // it stays in its place
				continue
			}
			c.count(x, there)
		}
	}
}

// drop is the Drop of the Chooser.
func (c *choice) drop(i int32) (freed float64) {
	x := &c.items[i]
	x.kept = false
	freed = x.size
	switch x.kind {
	case groupItem:
		t := &c.texts[x.at]
		for k := t.starts[x.n]; k < t.groupEnd(int(x.n)); k++ {
			t.kept[k] = false
		}
		t.count--
		t.dirty = true
		c.restore(t, int(x.n))
		if t.form == hunks && c.steps[t.step].real { // its facts are off already
			return 0
		}
	case pieceItem:
		t := &c.texts[x.at]
		t.count--
		t.dirty = true
		t.kept[x.n] = slices.Contains(t.held, int(x.n))
		if t.step >= 0 && !c.steps[t.step].real {
			c.steps[t.step].quotes--
		}
	case wholeItem:
		c.wholes[x.at].kept = false
	case realItem:
		s := &c.steps[x.at]
		freed = c.realCost(s)
		s.real = false
		c.countQuotes(s, true)
	case labelItem:
		c.steps[x.at].label = false
		if c.steps[x.at].real {
			freed = 0
		}
	case oldItem:
		c.olds[x.at].kept = false
	}
	c.count(x, false)
	return freed
}

// count counts the facts of an item as kept, or takes them off.
func (c *choice) count(x *item, there bool) {
	switch {
	case x.loose:
	case there:
		c.marginal.Keep(c.facts[x.from:x.to])
	default:
		c.marginal.Drop(c.facts[x.from:x.to])
	}
}

// restore marks the pieces of a group as kept that are kept by themselves.
func (c *choice) restore(t *text, g int) {
	for i := t.begin + len(t.starts); i < len(c.items) && c.items[i].kind == pieceItem && &c.texts[c.items[i].at] == t; i++ {
		x := &c.items[i]
		if x.kept && int(x.n) >= t.starts[g] && int(x.n) < t.groupEnd(g) {
			t.kept[x.n] = true
		}
	}
	for _, i := range t.held {
		t.kept[i] = true
	}
}

// bare reports whether a line has hardly a word beside one name.
func bare(line string) bool {
	words := 0
	for range strings.FieldsSeq(line) {
		if words++; words > bareWords {
			return false
		}
	}
	return true
}
