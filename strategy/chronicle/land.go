package chronicle

import (
	"regexp"
	"slices"
	"strings"

	"condense/strategy/allocate"
	"condense/transcript"
)

// Shares of what is left of the budget that are set aside, at most, before the rest
// competes.
const (
	framingPart  = 0.12    // instructions that are too long to stay
	roundsPart   = 1.0 / 3 // the newest rounds, as calls
	closingShare = 0.3     // what the model said at the end of each turn
	openShare    = 0.12    // what the model said in the turn that is open, unless it only announces
	labelShare   = 0.2     // the lines of records
	signalShare  = 0.2     // messages of errors, failed tests, failed rows
	newestRounds = 3
	tolerance    = 200 // less than this part of the budget is not worth another try
	signalLimit  = 200 // tokens of a signal
	mostRefills  = 3   // times that everything is offered again
)

// land returns the edits that bring the conversation to the budget.
func (c *choice) land() []transcript.Edit {
	c.keepBase()
	for i := range c.items {
		c.Push(int32(i))
	}
	c.reserve()
	var edits []transcript.Edit
	refills := 0
	c.Meet(c.Budget, func() int {
		w := c.written()
		edits = w.edits
		after := c.total + w.added
		if c.Budget-after > c.Budget/tolerance && refills < mostRefills { // what was too large for what was left may fit now
			refills++
			for i := range c.items {
				c.Push(int32(i))
			}
		}
		return after
	})
	return edits
}

// recordCost is about what the brackets and the count of a record take.
const recordCost = 7

// keepBase keeps what stays whatever the budget, and sets what is left.
func (c *choice) keepBase() {
	base := float64(c.base)
	take := func(i int) {
		if !c.items[i].kept {
			base += c.items[i].size
			c.keep(int32(i))
		}
	}
	recorded := map[int]bool{}
	for k := range c.texts {
		t := &c.texts[k]
		if t.step >= 0 && !c.steps[t.step].must {
			continue
		}
		t.held = c.heldOf(t)
		switch {
		case t.mustOne && t.form == prose && len(t.held) == 0:
			take(c.leastOf(t))
		case t.form == frame && t.mustOne:
			base += c.gap
		}
		for _, i := range t.held {
			if !t.kept[i] {
				t.kept[i] = true
				t.count++
				base += t.size(i)
			}
		}
	}
	for k := range c.steps {
		if s := &c.steps[k]; !s.real && !recorded[s.turn] {
			recorded[s.turn] = true
			base += recordCost
		}
	}
	for k := range c.wholes {
		if c.wholes[k].marker != "" {
			base += c.gap
		}
	}
	c.Left = float64(c.Budget) - base
	c.keepRounds()
}

func (c *choice) heldOf(t *text) []int {
	if c.Held == nil {
		return nil
	}
	return c.Held(t.block, t.cut)
}

// shortAnswer is the tokens of a paragraph that may stand for an answer.
const shortAnswer = 60

// cutMarks matches the markers for parts of lines, which an earlier run left.
var cutMarks = regexp.MustCompile(`\[[\d,]+ characters omitted\]`)

// leastOf returns the item that stays of a text of which one has to: the paragraph with
// most value of those that are short, or else the densest sentence. A second run finds
// the same in what is left.
func (c *choice) leastOf(t *text) int {
	best, most := -1, -1.0
	for g, first := range t.starts {
		x := &c.items[t.begin+g]
		if v := c.value(x); v > most && !t.empty(first, t.groupEnd(g)) && c.textTokens(strings.TrimSpace(cutMarks.ReplaceAllString(t.source(first, t.groupEnd(g)), ""))) <= shortAnswer {
			best, most = t.begin+g, v
		}
	}
	if best >= 0 {
		return best
	}
	density := -1.0
	try := func(i, piece int) {
		x := &c.items[i]
		if v := allocate.Density(c.value(x), x.size+5); v > density && !t.empty(piece, piece+1) {
			best, density = i, v
		}
	}
	for g, first := range t.starts {
		if t.groupEnd(g) == first+1 {
			try(t.begin+g, first)
		}
	}
	for i := t.begin + len(t.starts); i < len(c.items) && c.items[i].kind == pieceItem && &c.texts[c.items[i].at] == t; i++ {
		try(i, int(c.items[i].n))
	}
	if best >= 0 {
		return best
	}
	for i := t.begin + len(t.starts); i < len(c.items) && c.items[i].kind == pieceItem && &c.texts[c.items[i].at] == t; i++ {
		if n := int(c.items[i].n); !t.marks(n, n+1) && !strings.HasPrefix(strings.TrimSpace(t.source(n, n+1)), "```") {
			return i
		}
	}
	return t.begin
}

// empty reports whether some pieces say nothing by themselves: they only announce what
// follows, or are markers or code.
func (t *text) empty(from, to int) bool {
	text := strings.TrimRight(t.source(from, to), " \t\r\n*_`")
	return t.marks(from, to) || strings.HasPrefix(text, "```") || strings.HasSuffix(text, ":") || !strings.Contains(text, "\n") && strings.HasPrefix(text, "#")
}

// source is what some pieces hold.
func (t *text) source(from, to int) string {
	return t.cut.Source[t.cut.Pieces[from].Start:t.cut.Pieces[to-1].End]
}

// marks reports whether some pieces are nothing but a marker of an earlier run.
func (t *text) marks(from, to int) bool {
	text := strings.TrimSpace(t.source(from, to))
	return text == "" || transcript.IsMarker(text) && !strings.Contains(text, "\n")
}

// How much of the budget the results of the newest rounds have set aside, at most.
const (
	returnedPart = 0.12
	lastPart     = 0.2 // of the last round
)

// keepRounds keeps the newest rounds as real calls where a part of the budget holds them,
// and some of what they returned.
func (c *choice) keepRounds() {
	calls, room, last := float64(c.Left*roundsPart), float64(c.Left*returnedPart), float64(c.Left*lastPart)
	final := -1 // the unit of the last round
	var newest []*step
	for i, rounds, unit := len(c.seq)-1, 0, -1; i >= 0; i-- {
		e := &c.seq[i]
		if e.kind != stepElement {
			continue
		}
		if e.unit != unit {
			rounds++
			unit = e.unit
		}
		if final < 0 {
			final = e.unit
		}
		s := &c.steps[e.at]
		if rounds > newestRounds {
			break
		}
		if !s.real {
			cost := c.realCost(s)
			if cost > calls {
				break
			}
			calls -= cost
			c.Take(int32(s.item), cost)
		}
		newest = append(newest, s)
	}
	var finals, others []*text
	for _, s := range newest {
		for _, k := range s.texts {
			t := &c.texts[k]
			switch {
			case t.form != result || t.fixed:
			case c.unitOf[s.msg] == final:
				finals = append(finals, t)
			default:
				others = append(others, t)
			}
		}
	}
	for i, t := range finals {
		last -= c.fill(t, last/float64(len(finals)-i))
	}
	for _, t := range others {
		room -= c.fill(t, room/2)
	}
}

// fill takes the densest groups of a text as long as they fit, and returns what they cost.
// Of prose it takes none that only announces.
func (c *choice) fill(t *text, most float64) (spent float64) {
	for {
		best, density := -1, 0.0
		for g, first := range t.starts {
			if t.form == prose && conclusionFactor(t.source(first, t.groupEnd(g))) < 1 {
				continue
			}
			if d, cost, ok := c.offer(int32(t.begin + g)); ok && cost <= most-spent && d > density {
				best, density = t.begin+g, d
			}
		}
		if best < 0 {
			return spent
		}
		cost, _ := c.takeItem(best, most-spent)
		spent += cost
	}
}

// reserve takes what nothing that follows may ever mention: constraints and the
// beginning of instructions, answers from the newest on, what was done, and what
// went wrong.
func (c *choice) reserve() {
	c.instructions(float64(c.Left * framingPart))
	c.openProse(float64(c.Left * openShare))
	c.closings(float64(c.Left * closingShare))
	c.labels(float64(c.Left * labelShare))
	c.signals(float64(c.Left * signalShare))
}

// takeItem takes an item if it costs at most so much, and returns what it cost.
func (c *choice) takeItem(i int, most float64) (spent float64, ok bool) {
	_, cost, ok := c.offer(int32(i))
	if !ok || cost > most {
		return 0, false
	}
	c.Take(int32(i), cost)
	return cost, true
}

// instructions takes constraints: first those of what a client or project gives in the
// place of the user, then those of the system. What is left goes to the beginning of
// the system's text.
func (c *choice) instructions(left float64) {
	for _, system := range []bool{false, true} {
		for k := range c.texts {
			t := &c.texts[k]
			if t.form != frame || (c.Conv.Message(t.ref.Msg).Role == transcript.System) != system {
				continue
			}
			for i := t.begin + len(t.starts); i < len(c.items) && c.items[i].kind == pieceItem && &c.texts[c.items[i].at] == t; i++ {
				if slices.Contains(t.demands, int(c.items[i].n)) {
					spent, _ := c.takeItem(i, left)
					left -= spent
				}
			}
		}
	}
	for k := range c.texts {
		t := &c.texts[k]
		if t.form != frame || c.Conv.Message(t.ref.Msg).Role != transcript.System {
			continue
		}
		for g := range t.starts {
			spent, ok := c.takeItem(t.begin+g, left)
			if left -= spent; !ok {
				return
			}
		}
	}
}

// ration is the tokens of a closing answer that every turn may have before the newest
// have more.
const ration = 150

// closings takes paragraphs of the answers that end a turn, the densest first: a few of
// each, then from the newest on as many as half of what is left allows.
func (c *choice) closings(left float64) {
	var list []*text
	for k := len(c.texts) - 1; k >= 0; k-- {
		if t := &c.texts[k]; t.closing {
			list = append(list, t)
		}
	}
	each := min(ration, left/float64(max(1, len(list))))
	for _, t := range list {
		left -= c.fill(t, each)
	}
	for _, t := range list {
		room := left
		if whole := float64(t.perByte * float64(len(t.cut.Source))); whole > left/2 {
			room = left / 2
		}
		left -= c.fill(t, room)
	}
}

// openProse takes what the model said in the open turn, from the newest on: what was found and
// decided there is what comes next.
func (c *choice) openProse(left float64) {
	for k := len(c.texts) - 1; k >= 0; k-- {
		if t := &c.texts[k]; t.form == prose && t.last && !t.closing {
			left -= c.fill(t, left)
		}
	}
}

// labels takes the lines of records, from the newest on: those of changes and failures
// first.
func (c *choice) labels(left float64) {
	for _, changes := range []bool{true, false} {
		for k := len(c.steps) - 1; k >= 0; k-- {
			if c.steps[k].changes == changes {
				spent, _ := c.takeItem(c.steps[k].item+1, left)
				left -= spent
			}
		}
	}
}

// signals takes the pieces of results that say what went wrong, each once, from the
// newest on.
func (c *choice) signals(left float64) {
	for k := len(c.texts) - 1; k >= 0; k-- {
		t := &c.texts[k]
		if t.form != result {
			continue
		}
		for i := t.begin + len(t.starts); i < len(c.items) && c.items[i].kind == pieceItem && &c.texts[c.items[i].at] == t; i++ {
			if t.cut.Pieces[c.items[i].n].Cue >= 1 && c.items[i].size <= signalLimit {
				spent, _ := c.takeItem(i, left)
				left -= spent
			}
		}
	}
}
