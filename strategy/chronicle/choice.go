package chronicle

import (
	"slices"

	"condense/strategy/allocate"
	"condense/transcript"
	"condense/transcript/fact"
)

// choice selects the level of detail of every element.
type choice struct {
	*draft
	allocate.Chooser
	marginal *allocate.Marginal[fact.ID]
	items    items
	words    vocabulary
	declared map[string][]string // see findDeclared; at most leastShared files of a line
	region   float64             // factor of the value of regions; see regionShare
	unused   float32             // factor for lines of results that name nothing the model used later; see unusedShare
	wrote    float32             // factor for text that calls wrote to files, besides declarations; see writtenShare
	lone     float64             // factor for lines of results that records quote by themselves; see quotedShare
	severe   bool                // the budget is small: a kept region does not keep its older call
	forced   []int32             // items that the last call of written had to keep
	facts    []fact.ID
	loaded   int32 // only set, so that load has an effect
}

// Limits, and corrections of values and costs.
const (
	longestQuote   = 320 // most bytes of a line that is quoted by itself
	mostQuotes     = 40  // most lines of the results of a step that a record quotes
	quoteCost      = 0.7 // tokens that quoting a line adds
	gapTokens      = 1   // tokens of the line beside a line of a file that is quoted without its neighbours
	firstQuoteCost = 1.5 // additional tokens for the first quoted line
	thoughtTokens  = 2   // tokens of the word in front of quoted thinking
	pieceShare     = 0.6 // factor for a sentence without its paragraph
	lineShare      = 0.1 // factor for a line without its neighbours, where the call stays; see standAlone
	bareShare      = 0.5 // factor for a line of at most bareWords words
	bareWords      = 2
	exampleShare   = 0.5 // factor for quotes and tables in text of a model
	longParagraph  = 60  // tokens from which the sentences of a paragraph are offered alone

	severeShare = 0.4 // ratio of budget to tokens below which older calls become records even where regions of their results stay
)

// quoted reports whether the kept lines of a step's results are quoted in its record.
func (c *choice) quoted(s *step) bool { return s.long || c.severe || c.textOnly }

// newChoice returns the choice for a draft, with all its items and none kept.
func newChoice(d *draft) *choice {
	c := &choice{draft: d, marginal: d.Source.marginal(), region: regionShare(d.Budget, d.total), unused: float32(unusedShare(d.Budget, d.total)), lone: quotedShare(d.Budget, d.total), wrote: float32(writtenShare(d.Budget, d.total))}
	c.severe = float64(d.Budget) < float64(severeShare*float64(d.total))
	c.Chooser = allocate.Chooser{Offer: c.offer, Needs: c.needs, Keep: c.keep, Drop: c.drop, Soon: c.load}
	c.words.lines = map[uint64]int32{}
	c.findDeclared()
	for i := range d.texts {
		t := &d.texts[i]
		if t.isProse() {
			c.words.count(t)
		}
		d.asked.count(t)
	}
	d.asked.all += max(0, d.briefs)
	d.asked.counted()
	mentions := 0
	for i := range d.texts {
		t := &d.texts[i]
		mentions += len(d.Survey.Mentions(&t.block.Parts[t.part]))
	}
	c.facts = make([]fact.ID, 0, 2*mentions) // by groups, and by pieces
	d.markRetold()
	d.markDrafts()
	d.markShown()
	d.markOwn()
	d.markChecklists()
	for i := range d.texts {
		c.addText(i)
		if s := d.texts[i].seldom; s != nil {
			s.hits = nil // together they are as large as the items
		}
	}
	c.addBriefs()
	for i := range d.wholes {
		c.addWhole(i)
	}
	for i := range d.steps {
		c.addStep(i)
	}
	for i := range d.olds {
		c.addOld(i)
	}
	c.words.lines = nil
	c.countStaying()
	return c
}

// countStaying counts the facts of the blocks that stay as kept, each once. Text that only
// repeats them, such as the words of a request, then has less value.
func (c *choice) countStaying() {
	counted := map[fact.ID]bool{}
	for _, b := range c.staying {
		for i := range b.Parts {
			for _, m := range c.Survey.Mentions(&b.Parts[i]) {
				if !counted[m.Fact] {
					counted[m.Fact] = true
					c.marginal.Keep([]fact.ID{m.Fact})
				}
			}
		}
	}
}

// value returns the value that keeping an item adds now: that of its facts, and its extra.
func (c *choice) value(x *item) float64 {
	v := c.marginal.Add(x.extra, c.facts[x.from:x.to])
	if x.weight != 0 {
		v = float64(v * float64(x.weight))
	}
	return v
}

// offer implements Chooser.Offer.
func (c *choice) offer(i int32) (density, cost float64, ok bool) {
	x := c.item(i)
	if x.kept {
		return 0, 0, false
	}
	if x.kind == pieceItem && c.texts[x.at].kept[x.n] { // with its group
		return 0, 0, false
	}
	value := c.value(x)
	if x.kind == groupItem && value == 0 { // a marker of an earlier run
		return 0, 0, false
	}
	if (x.kind == groupItem || x.kind == pieceItem) && c.isFull(&c.texts[x.at], x.size) {
		value *= valueFull
	}
	switch x.kind {
	case groupItem:
		value, cost, ok = c.offerGroup(x, value)
	case pieceItem:
		value, cost, ok = c.offerPiece(x, value)
	case wholeItem:
		w := &c.wholes[x.at]
		cost, ok = x.size, w.block.Kind != transcript.ToolResult || c.steps[w.needs].real
		ok = ok && (w.block.Kind != transcript.Thinking || !c.quotesThinking())
		if w.marker != "" {
			cost -= c.gap
		}
	case realItem:
		s := &c.steps[x.at]
		value *= c.region
		cost, ok = c.realCost(s), !s.real && !c.textOnly && !c.severe && (len(s.texts) == 0 || s.long)
	case labelItem:
		s := &c.steps[x.at]
		cost, ok = x.size, !s.real && !s.superseded && !s.outdated()
	case oldItem:
		cost, ok = x.size, !c.olds[x.at].least()
	}
	return allocate.Density(value, cost), cost, ok
}

// mostOfOne is the share of a small budget from which the value of further lines of one result is multiplied by
// valueFull, so that other texts come before.
const (
	mostOfOne = 1.0 / 3
	valueFull = 0.25
)

// isFull reports whether a result takes more than mostOfOne with n tokens more.
func (c *choice) isFull(t *text, n float64) bool {
	return c.severe && t.form == result && float64(t.taken)+n > mostOfOne*float64(c.Budget)
}

// load implements Chooser.Soon.
func (c *choice) load(items []allocate.Item) {
	for _, q := range items {
		c.loaded ^= c.item(q.ID).at
	}
	for _, q := range items {
		switch x := c.item(q.ID); {
		case x.kind == pieceItem && c.texts[x.at].kept[x.n]:
		case x.from < x.to:
			c.loaded ^= int32(c.facts[x.from])
		}
	}
}

// offerGroup returns the value and the cost of a paragraph, a region or a hunk, including
// the call or the line of the record that it needs.
func (c *choice) offerGroup(x *item, value float64) (total, cost float64, ok bool) {
	t := &c.texts[x.at]
	cost = max(c.groupCost(t, int(x.n), x.size), 0.1)
	if t.form == result && !c.reports(t) {
		value *= c.region
	}
	switch {
	case t.form == thought:
		return value, x.size + c.thoughtCost(t, t.groupEnd(int(x.n))-t.starts[x.n]), true
	case t.step < 0:
		return value, cost, true
	}
	s := &c.steps[t.step]
	switch {
	case s.real:
		return value, cost, t.form != hunks
	case t.form != hunks && !c.quoted(s):
		return value + c.value(c.items.at(s.item)), cost + c.realCost(s), true
	}
	label, more := c.withLabel(s)
	return value + label, cost + more, t.form != result || !s.complete && !s.outdated()
}

// offerPiece returns the value and the cost of a sentence or a line. A line stays in its
// place where the call stays; otherwise, the record quotes it.
func (c *choice) offerPiece(x *item, value float64) (total, cost float64, ok bool) {
	t := &c.texts[x.at]
	if x.loose {
		value *= bareShare
	}
	if t.form == thought {
		return float64(value * pieceShare), x.size + c.thoughtCost(t, 1), true
	}
	inPlace := x.size + c.gaps(t, int(x.n), int(x.n)+1)
	if t.step < 0 {
		return float64(value * pieceShare), inPlace, true
	}
	s := &c.steps[t.step]
	switch {
	case t.form == hunks:
		label, more := c.withLabel(s)
		return value + label, x.size + gapTokens + more, !s.real && s.quotes < mostQuotes
	case s.real && t.standAlone():
		return value, max(inPlace, 0.5), true
	case s.real && c.reports(t):
		return float64(value * pieceShare), max(inPlace, 0.5), true
	case s.real:
		return float64(value * lineShare), max(inPlace, 0.5), true
	}
	if t.form == result && t.cut.Pieces[x.n].Cue < 1 {
		value *= c.lone
	}
	cost = x.size + quoteCost
	if s.quotes == 0 {
		cost += firstQuoteCost
	}
	label, more := c.withLabel(s)
	return value + label, cost + more, s.quotes < mostQuotes && !s.complete && !s.outdated()
}

// quotesThinking reports whether thinking is quoted in records, and does not stay as a whole.
func (c *choice) quotesThinking() bool { return c.severe || c.textOnly }

// thoughtCost returns the tokens that a record adds to n pieces of thinking.
func (c *choice) thoughtCost(t *text, n int) float64 {
	cost := quoteCost * float64(n)
	if t.count == 0 {
		cost += firstQuoteCost + thoughtTokens
	}
	return cost
}

// withLabel returns the value and the cost of the line of a record that a step needs;
// 0 when the line is already kept.
func (c *choice) withLabel(s *step) (value, cost float64) {
	if s.label {
		return 0, 0
	}
	return c.value(c.items.at(s.item + 1)), s.labelTokens
}

// realCost returns the tokens that keeping a step as a call adds, with a marker for its
// result.
func (c *choice) realCost(s *step) float64 {
	cost := float64(s.args) + s.rest + float64(float64(s.quotes)*c.gap)
	if s.label {
		cost -= s.labelTokens
	}
	return max(cost, 0.1)
}

// groupCost returns the tokens that keeping a group adds, including the change in markers.
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

// gaps returns the change in the tokens of markers when the pieces from first to end are
// kept.
func (c *choice) gaps(t *text, first, end int) float64 {
	n := 0.0
	if t.count > 0 || t.form == result || t.form == frame && (!t.typed || t.mustOne) {
		n-- // the marker that they replace
	}
	if first > 0 && !t.kept[first-1] {
		n++
	}
	if end < len(t.kept) && !t.kept[end] {
		n++
	}
	return float64(n * c.gap)
}

// needs implements Chooser.Needs.
func (c *choice) needs(i int32) (other int32, ok bool) {
	x := c.item(i)
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

// keep implements Chooser.Keep.
func (c *choice) keep(i int32) {
	x := c.item(i)
	x.kept = true
	c.count(x, true)
	switch x.kind {
	case groupItem:
		t := &c.texts[x.at]
		for k := t.starts[x.n]; k < t.groupEnd(int(x.n)); k++ {
			t.kept[k] = true
		}
		t.count++
		t.taken += float32(x.size)
		t.dirty = true
		c.pushAround(t, int(x.n))
	case pieceItem:
		t := &c.texts[x.at]
		t.count++
		t.taken += float32(x.size)
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
		c.pushStep(s)
	case labelItem:
		s := &c.steps[x.at]
		s.label = true
		c.pushStep(s)
	case oldItem:
		c.olds[x.at].kept = true
	}
}

// pushStep offers the texts of a step again, and the runs that it put out of date.
func (c *choice) pushStep(s *step) {
	for _, k := range s.texts {
		c.pushText(k)
	}
	for _, run := range s.also().failed {
		c.Push(int32(run.item + 1))
		for _, k := range run.texts {
			c.pushText(k)
		}
	}
}

// pushText offers all items of a text again.
func (c *choice) pushText(k int) {
	for i := c.texts[k].begin; i < c.texts[k].end; i++ {
		c.Push(int32(i))
	}
}

// pushAround offers the neighbours of a group again: their cost has fallen.
func (c *choice) pushAround(t *text, g int) {
	if g > 0 {
		c.Push(int32(t.begin + g - 1))
	}
	if g+1 < len(t.starts) {
		c.Push(int32(t.begin + g + 1))
	}
}

// countQuotes counts the facts in the quotes of a step as kept, or no longer as kept when
// the call itself stays.
func (c *choice) countQuotes(s *step, there bool) {
	for _, k := range s.texts {
		t := &c.texts[k]
		if t.count == 0 {
			continue
		}
		for i := t.begin; i < t.end; i++ {
			x := c.items.at(i)
			if !x.kept || t.form == result { // the text stays in its place
				continue
			}
			c.count(x, there)
		}
	}
}

// drop implements Chooser.Drop.
func (c *choice) drop(i int32) (freed float64) {
	x := c.item(i)
	x.kept = false
	freed = x.size
	switch x.kind {
	case groupItem:
		t := &c.texts[x.at]
		for k := t.starts[x.n]; k < t.groupEnd(int(x.n)); k++ {
			t.kept[k] = false
		}
		t.count--
		t.taken -= float32(x.size)
		t.dirty = true
		c.restore(t, int(x.n))
		if t.form == hunks && c.steps[t.step].real { // its facts are not counted
			return 0
		}
	case pieceItem:
		t := &c.texts[x.at]
		t.count--
		t.taken -= float32(x.size)
		t.dirty = true
		t.kept[x.n] = slices.Contains(t.held(), int(x.n))
		if t.step >= 0 && !c.steps[t.step].real {
			c.steps[t.step].quotes--
		} else if t.form == hunks {
			return 0
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

// count counts the facts of an item as kept, or no longer as kept.
func (c *choice) count(x *item, there bool) {
	switch {
	case x.loose:
	case there:
		c.marginal.Keep(c.facts[x.from:x.to])
	default:
		c.marginal.Drop(c.facts[x.from:x.to])
	}
}

// restore marks those pieces of a group as kept that are kept by themselves or protected.
func (c *choice) restore(t *text, g int) {
	for i := t.begin + len(t.starts); i < t.end; i++ {
		x := c.items.at(i)
		if x.kept && int(x.n) >= t.starts[g] && int(x.n) < t.groupEnd(g) {
			t.kept[x.n] = true
		}
	}
	for _, i := range t.held() {
		t.kept[i] = true
	}
}
