package chronicle

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"condense/strategy/allocate"
	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

// itemKind is the kind of an item.
type itemKind uint8

const (
	groupItem itemKind = iota // a paragraph, a region, a hunk
	pieceItem                 // a sentence in its place, or a line quoted in a record
	wholeItem                 // an undivided block
	realItem                  // a call that stays a call
	labelItem                 // the description of a call in a record
	oldItem                   // a record of an earlier run
)

// item is something that the choice keeps or leaves out.
type item struct {
	kind     itemKind
	kept     bool
	loose    bool    // a bare line: its facts do not count as kept, because other mentions tell more
	at       int32   // index in texts, wholes, steps or olds
	n        int32   // index of the group or piece in the text
	from, to int32   // its facts in choice.facts
	weight   float32 // factor of its value; 0 means 1
	extra    float64 // value in addition to its facts
	size     float64 // tokens
}

// itemsAdded is the number of items that are allocated together, in about 8 KB.
const itemsAdded = 204

// items is a list of items that grows without a copy, since a source has one for every few bytes.
type items struct {
	chunks []*[itemsAdded]item
	count  int
}

// at returns an item by its index.
func (l *items) at(i int) *item { return &l.chunks[uint(i)/itemsAdded][uint(i)%itemsAdded] }

// add appends an item.
func (l *items) add(x item) {
	if l.count == len(l.chunks)*itemsAdded {
		l.chunks = append(l.chunks, new([itemsAdded]item))
	}
	l.count++
	*l.at(l.count - 1) = x
}

// item returns an item by its number.
func (c *choice) item(i int32) *item { return c.items.at(int(i)) }

// add adds an item with the facts of the mentions, each once.
func (c *choice) add(x item, mentions []fact.Mention) {
	x.from, x.to = c.addFacts(mentions)
	x.extra = allocate.Exact(x.extra)
	c.items.add(x)
}

// addFacts adds the facts of the mentions, each once, and returns their range in facts.
func (c *choice) addFacts(mentions []fact.Mention) (from, to int32) {
	from = int32(len(c.facts))
	for _, m := range mentions {
		c.facts = append(c.facts, m.Fact)
	}
	own := c.facts[from:]
	slices.Sort(own)
	to = from + int32(len(slices.Compact(own)))
	c.facts = c.facts[:to]
	return from, to
}

// addText adds the items of a text: its groups, and the pieces that can be kept alone.
func (c *choice) addText(at int) {
	t := &c.texts[at]
	t.begin = c.items.count
	switch {
	case t.fixed:
		t.starts, t.count, t.end = nil, 1, t.begin
		return
	case t.form == thought && !c.quotesThinking(), c.undone(t), t.seldom != nil && t.seldom.old, t.sign == removed && !t.seldom.tiny:
		t.starts, t.end = nil, t.begin
		return
	}
	if t.form == frame && !t.typed {
		c.demanded(t)
	}
	of, extras := c.mentionsOf(t), c.extras(t)
	for g, first := range t.starts {
		end := t.groupEnd(g)
		x := item{kind: groupItem, at: int32(at), n: int32(g)}
		for i := first; i < end; i++ {
			x.size += t.size(i)
		}
		if t.form == result && t.marks(first, end) { // beside another marker, it would be kept alone
			c.add(x, nil)
			continue
		}
		for i := first; i < end; i++ {
			x.extra += extras[i]
		}
		if t.idle(first) && t.idle(end-1) || t.outdated(c.dead, first, end) || t.isStale(first, end) || (t.ofModel() || t.form == hunks) && t.repeated(first) {
			x.extra = leastValue * x.size
			c.add(x, nil)
			continue
		}
		x.weight = c.weightOfPieces(t, first, end)
		if t.form == hunks && t.lists(first, end) {
			x.weight *= bareShare
		}
		if t.isMinor(first, end) || t.isShown(first, end) {
			x.weight *= valueMinor
		}
		if t.form == result && t.alike(first, end) {
			x.weight *= valueAlike
		}
		switch {
		case t.seldom == nil || !t.seldom.tiny:
		case t.sign == removed:
			x.extra += valueTiny / 2 // the new side comes first
		default:
			x.extra += valueTiny
		}
		c.add(x, of(first, end))
	}
	c.addPieces(at, of, extras)
	t.end = c.items.count
}

// Values of the sides of an edit.
const (
	valueTiny    = 0.2 // of each side of an edit that changes little: it often is the whole cure
	valueRemoved = 0.5 // factor for what an edit removed: a reader needs it less than what the file has now
)

// undone reports whether a text is what a failed call would have written to a file. Quoted in a record, it looks
// as if the file had it.
func (c *choice) undone(t *text) bool {
	return t.form == hunks && (t.file || t.sign != "") && c.steps[t.step].failed() && c.steps[t.step].kind != fact.ShellTool
}

// mostBrief is the number of lines up to which an output is brief.
const mostBrief = 12

// addPieces adds the pieces of a text that can be kept without their group.
func (c *choice) addPieces(at int, of func(from, to int) []fact.Mention, extras []float64) {
	t := &c.texts[at]
	for g, first := range t.starts {
		end := t.groupEnd(g)
		if t.ofModel() && (end-first == 1 || c.items.at(t.begin+g).size < longParagraph && !t.mustOne) {
			continue
		}
		for i := first; i < end; i++ {
			if c.spoken(t) && t.empty(i, i+1) || t.ofModel() && t.repeated(i) {
				continue
			}
			if t.form == hunks && (end-first == 1 || t.sign == removed || !t.isValue(i) && t.namedValue(i) == 0) {
				continue
			}
			mentions := of(i, i+1)
			if t.form == result && !c.quotable(t, i, len(mentions) > 0) || t.outdated(c.dead, i, i+1) || t.isStale(i, i+1) {
				continue
			}
			x := item{kind: pieceItem, at: int32(at), n: int32(i), extra: extras[i], size: t.size(i), weight: c.weightOfPieces(t, i, i+1)}
			x.loose = t.form == result && bare(t.source(i, i+1))
			if t.ofModel() && i > first && refersBack(t.source(i, i+1)) {
				x.weight *= valueBack
			}
			if t.isMinor(i, i+1) || t.isShown(i, i+1) || c.severe && (t.hitsTest(i) || t.isProse() && namesFile(t.source(i, i+1))) {
				x.weight *= valueMinor
			}
			if t.form == result && !t.due && !c.spoken(t) && t.cut.Pieces[i].Cue < 1 && t.age >= newestMessages && !c.usedLater(t, mentions) {
				x.weight *= c.unused
			}
			c.add(x, mentions)
		}
	}
}

// quotable reports whether a piece of a result may be quoted by itself: it mentions facts,
// reports an error, is a line of prose with a rare word, or belongs to what the last request is about.
func (c *choice) quotable(t *text, i int, mentions bool) bool {
	p := &t.cut.Pieces[i]
	if t.idle(i) || t.repeated(i) || p.Like != squeeze.None || !speaks(t.source(i, i+1)) {
		return false
	}
	if t.isProse() {
		return mentions || p.Cue >= 1 || c.words.weight(t.source(i, i+1)) > 0
	}
	return (mentions || p.Cue >= 1 || t.isAsked(i)) && p.End-p.Start <= longestQuote
}

// Least lengths of a run of letters that is a word, and of one of letters and digits that is a
// name.
const (
	shortestWord = 3
	shortestName = 7
)

// speaks reports whether a line has a word or a name besides its line number. Blank lines,
// brackets, closing tags and coordinates have none.
func speaks(line string) bool {
	letters, digits, run := 0, 0, 0
	line = strings.TrimSpace(withoutNumber(line))
	if strings.HasPrefix(line, "</") && strings.IndexByte(line, '>') == len(line)-1 { // a closing tag
		return false
	}
	for _, r := range line {
		switch {
		case r >= utf8.RuneSelf && unicode.IsLetter(r):
			return true
		case unicode.IsLetter(r):
			letters++
			if run++; run >= shortestWord {
				return true
			}
		case unicode.IsDigit(r):
			digits++
			run = 0
		default:
			letters, digits, run = 0, 0, 0
		}
		if letters > 0 && digits > 0 && letters+digits >= shortestName {
			return true
		}
	}
	return false
}

// mentionsOf returns a function for the facts that some pieces of a text mention.
func (c *choice) mentionsOf(t *text) func(from, to int) []fact.Mention {
	mentions := c.Survey.Mentions(&t.block.Parts[t.part])
	for len(mentions) > 0 && mentions[0].At < t.from {
		mentions = mentions[1:]
	}
	ends := make([]int32, len(t.cut.Pieces)+1) // by piece: the number of mentions in front of it
	n := 0
	for i, p := range t.cut.Pieces {
		for n < len(mentions) && mentions[n].At < t.from+p.End {
			n++
		}
		ends[i+1] = int32(n)
	}
	return func(from, to int) []fact.Mention { return mentions[ends[from]:ends[to]] }
}

// narrowSearch is the number of lines up to which the hits of a search are often the list of places to change.
const narrowSearch = 40

// weightOf returns the factor by which the values of the pieces of a text are multiplied.
func (c *choice) weightOf(t *text) float32 {
	switch {
	case t.form == frame && !t.typed && !c.orders.has(t.ref()):
		return valueFrame
	case t.form == hunks && c.steps[t.step].failed() && (!t.file || c.steps[t.step].kind != fact.ShellTool):
		return valueFailed
	case t.form == hunks && c.steps[t.step].kind == fact.TaskTool:
		return valuePrompt
	case t.sign == removed:
		return valueRemoved
	case t.form == hunks && !t.file && t.sign == "" && c.steps[t.step].retried:
		return valueScript * valueRetried
	case t.form == hunks && !t.file && t.sign == "":
		return valueScript
	case t.config:
		return valueSettings
	case t.form == hunks && t.last:
		return valueHunk * lastTurnBonus
	case t.form == hunks:
		return valueHunk
	case t.helps:
		return valueHelp
	case t.form == result && t.cut.Kind == squeeze.Search && len(t.cut.Pieces) > narrowSearch:
		return valueFound
	case t.form == result && t.cut.Kind == squeeze.Listing && c.severe:
		return valueListed
	case t.closing && c.disputed.has(t.ref()):
		return valueDisputed
	case t.due:
		return valueDue
	case t.last:
		return lastTurnBonus
	}
	return 1
}

// weightOfPieces returns the factor by which the value of the pieces in [from, to) is multiplied.
func (c *choice) weightOfPieces(t *text, from, to int) float32 {
	weight := c.weightOf(t) * c.announced(t, from, to) * c.exampleFactor(t, from)
	if t.form == hunks && t.cut.Kind == squeeze.Code && t.file && !t.declares(from) {
		weight *= c.wrote
	}
	if t.isExcerpt(from) {
		weight *= valueExcerpt
	}
	if t.isPending(from) {
		weight *= valueDraft
	}
	return weight
}

// leastRetold is the least length in bytes of equal paragraphs that are no coincidence.
const leastRetold = 120

// markRetold marks the paragraphs of the model that a later text of the model repeats.
func (d *draft) markRetold() {
	later := map[string]bool{}
	for k := len(d.texts) - 1; k >= 0; k-- {
		t := &d.texts[k]
		if t.form != prose {
			continue
		}
		for g, first := range t.starts {
			end := t.groupEnd(g)
			paragraph := strings.TrimSpace(t.source(first, end))
			if len(paragraph) >= leastRetold && later[paragraph] {
				for i := first; i < end; i++ {
					t.repeat(i)
				}
			}
			later[paragraph] = true
		}
	}
}

// repeat marks a piece as repeated.
func (t *text) repeat(i int) {
	s := t.seldoms()
	if s.repeats == nil {
		s.repeats = make([]bool, len(t.cut.Pieces))
	}
	s.repeats[i] = true
}

// repeated reports whether a line of a result repeats an earlier line of it, a later text of the model
// repeats a paragraph, or an edit does not change a line.
func (t *text) repeated(i int) bool {
	return t.seldom != nil && t.seldom.repeats != nil && t.seldom.repeats[i]
}

// announced returns announcing for pieces of the model's text that all only announce the next
// step, and otherwise 1.
func (c *choice) announced(t *text, from, to int) float32 {
	if !t.ofModel() {
		return 1
	}
	for i := from; i < to; i++ {
		if c.tone(t, i) >= 1 {
			return 1
		}
	}
	return announcing
}

// exampleFactor returns exampleShare for a quote or a row of a table in text of a model, and otherwise 1.
func (c *choice) exampleFactor(t *text, i int) float32 {
	if line := strings.TrimLeft(t.source(i, i+1), " \t\n"); c.spoken(t) && line != "" && (line[0] == '>' || line[0] == '|') {
		return exampleShare
	}
	return 1
}

// newestMessages is the number of messages whose results the model may still be about to use.
const newestMessages = 12

// usedLater reports whether the model named one of the facts after the message of a text.
func (c *choice) usedLater(t *text, mentions []fact.Mention) bool {
	at := c.visible - 1 - int(c.ages[t.ref().Msg]) // among the visible messages
	for _, m := range mentions {
		if c.Survey.SaidAfter(m.Fact, at) {
			return true
		}
	}
	return false
}

// ofModel reports whether a text is prose or thinking of the model.
func (t *text) ofModel() bool { return t.form == prose || t.form == thought }

// spoken reports whether a text is made of sentences of a model.
func (d *draft) spoken(t *text) bool { return t.ofModel() || d.reports(t) }

// reports reports whether a result is the answer of another model. Such a text is read by
// sentences and items, as those of the model are.
func (d *draft) reports(t *text) bool {
	return t.form == result && t.step >= 0 && d.steps[t.step].kind == fact.TaskTool
}

// idle reports whether a piece is a marker, or an addition of a client to a result.
func (t *text) idle(i int) bool { return t.seldom != nil && t.seldom.noise != nil && t.seldom.noise[i] }

// groupEnd returns the index of the first piece after a group.
func (t *text) groupEnd(g int) int {
	if g+1 < len(t.starts) {
		return t.starts[g+1]
	}
	return len(t.cut.Pieces)
}

// size returns the tokens of a piece.
func (t *text) size(i int) float64 {
	p := &t.cut.Pieces[i]
	return float64(float64(p.End-p.Start) * t.perByte)
}

// outdated reports whether at least half of the lines of the pieces in [from, to) are no
// longer in their file. Lines shorter than leastLine do not count.
func (t *text) outdated(dead map[*transcript.Part]deadLines, from, to int) bool {
	check := dead[&t.block.Parts[t.part]]
	if check == nil || t.form == prose {
		return false
	}
	lost, all := 0, 0
	source := t.cut.Source[t.cut.Pieces[from].Start:t.cut.Pieces[to-1].End]
	for len(source) > 0 {
		line, more := lineAt(source, 0)
		source = source[len(line)+more:]
		if len(line) >= leastLine {
			all++
			if check(line) {
				lost++
			}
		}
	}
	return lost > 0 && 2*lost >= all
}

// addWhole adds the item of an undivided block.
func (c *choice) addWhole(at int) {
	w := &c.wholes[at]
	w.item = c.items.count
	perToken := valueThought
	if w.block.Kind == transcript.Text {
		perToken = valueInjected
		if c.orders.has(w.ref) {
			perToken = valueSaid
		}
	}
	var mentions []fact.Mention
	if w.block.Kind != transcript.ToolResult && !announces(w.block) {
		for i := range w.block.Parts {
			mentions = append(mentions, c.Survey.Mentions(&w.block.Parts[i])...)
		}
	}
	c.add(item{kind: wholeItem, at: int32(at), extra: float64(float64(perToken*float64(w.tokens)) * recency(int(c.ages[w.ref.Msg]))), size: float64(w.tokens)}, mentions)
}

// addStep adds the two items of a step: its call, and its line of a record.
func (c *choice) addStep(at int) {
	s := &c.steps[at]
	s.item = c.items.count
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
	for _, change := range s.entry.changes {
		p := &c.Conv.Block(s.calls[0]).Parts[change.part]
		for _, m := range c.Survey.Mentions(p) {
			if change.name != "" && strings.HasPrefix(p.Text[m.At:], change.name) {
				named = append(named, m)
				break
			}
		}
	}
	whole := item{kind: realItem, at: int32(at), size: float64(s.args), extra: float64(valueArgs * float64(s.args))}
	if s.kind == fact.TaskTool {
		whole.weight = valuePrompt
	}
	c.add(whole, all)
	c.add(item{kind: labelItem, at: int32(at), size: s.labelTokens, extra: float64(valueLabel * recency(int(c.ages[s.msg])))}, named)
}

// addOld adds the item of a record of an earlier run.
func (c *choice) addOld(at int) {
	o := &c.olds[at]
	c.add(item{kind: oldItem, at: int32(at), size: o.tokens, extra: float64(float64(valueLabel/8) * o.tokens)}, nil)
}
