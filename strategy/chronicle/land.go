package chronicle

import (
	"slices"
	"strings"

	"condense/strategy/allocate"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/lazyregexp"
)

// Limits of the reserved parts of the budget, as shares of the tokens that are left then.
const (
	framingPart  = 0.12    // instructions that are too long to stay whole
	clientPart   = 0.35    // most of framingPart for what a client states for itself
	roundsPart   = 1.0 / 3 // the newest rounds, as calls
	optionShare  = 0.2     // options that the user chose
	consentShare = 0.6     // a list to which the last request agrees
	closingShare = 0.3     // closing answers
	openShare    = 0.17    // text of the model in the last turn, unless it only announces the next step
	openRest     = 0.35    // of what closing answers leave of closingShare, for the same
	newestProse  = 0.6     // of openShare for the newest text
	labelShare   = 0.3     // the lines of records
	otherLabels  = 0.5     // most of labelShare for calls that changed nothing
	closedLabels = 0.5     // most of what open tasks leave of labelShare for calls that close tasks
	signalShare  = 0.4     // errors, failed tests, failed rows
	newestRounds = 3       // number of rounds that roundsPart is for
	signalLimit  = 200     // most tokens of a signal
)

// land selects the items to keep, and returns the edits that bring the conversation to the
// budget.
func (c *choice) land() []transcript.Edit {
	var edits []transcript.Edit
	c.meet(func() int {
		w := c.written(edits)
		edits = w.edits
		return c.total + w.added
	})
	return edits
}

// meet selects the items to keep. The function count writes the current choice and returns
// its tokens. Its last call is for the final choice.
func (c *choice) meet(count func() int) {
	c.keepBase()
	c.PushAll(c.items.count)
	c.reserve()
	c.Refills = 6
	c.Meet(c.Budget, count)
}

// recordCost is an estimate of the tokens for the brackets and the count of a record.
const recordCost = 7

// keepBase keeps everything that stays whatever the budget, sets Left to the rest of the
// budget, and keeps the newest rounds.
func (c *choice) keepBase() {
	base := float64(c.base) + c.briefSize
	take := func(i int) {
		if !c.items.at(i).kept {
			base += c.items.at(i).size
			c.keep(int32(i))
		}
	}
	recorded := map[int]bool{}
	briefs := c.telling
	for k := range c.texts {
		t := &c.texts[k]
		briefs = c.keepBriefs(briefs, k)
		if t.step >= 0 && !c.steps[t.step].must {
			continue
		}
		if held := c.heldOf(t); len(held) > 0 {
			t.seldoms().held = held
		}
		switch {
		case t.mustOne && (t.form == prose || t.typed) && len(t.held()) == 0 && t.begin < t.end:
			take(c.leastOf(t))
		case t.form == frame && t.mustOne:
			base += c.gap
		}
		for _, i := range t.held() {
			if !t.kept[i] {
				t.kept[i] = true
				t.count++
				base += t.size(i)
			}
		}
	}
	c.keepBriefs(briefs, len(c.texts))
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

// heldOf returns the indices of the pieces of a text that the user protects.
func (c *choice) heldOf(t *text) []int {
	if c.Held == nil || t.form == thought {
		return nil
	}
	return c.Held(t.block, t.cut)
}

// shortAnswer is the most tokens of a paragraph that may represent an answer.
const shortAnswer = 60

// cutMarks matches the markers of an earlier run for parts of lines.
var cutMarks = lazyregexp.New(`\[[\d,]+ characters(?: #\d{6,9})? omitted\]`)

// leastOf returns the index of the item to keep of a text that must keep one: the short
// paragraph with the highest value, or else the sentence with the highest density. It
// prefers text that does more than announce. A second run chooses the same item.
func (c *choice) leastOf(t *text) int {
	best, most := -1, -1.0
	for g, first := range t.starts {
		x := c.items.at(t.begin + g)
		if v := c.value(x); v > most && !t.empty(first, t.groupEnd(g)) && c.announced(t, first, t.groupEnd(g)) == 1 && c.textTokens(strings.TrimSpace(cutMarks.ReplaceAllString(t.source(first, t.groupEnd(g)), ""))) <= shortAnswer {
			best, most = t.begin+g, v
		}
	}
	if best >= 0 {
		return best
	}
	density := -1.0
	try := func(i, piece int) {
		x := c.items.at(i)
		if v := allocate.Density(c.value(x), x.size+5); v > density && !t.empty(piece, piece+1) && c.announced(t, piece, piece+1) == 1 {
			best, density = i, v
		}
	}
	for g, first := range t.starts {
		if t.groupEnd(g) == first+1 {
			try(t.begin+g, first)
		}
	}
	for i := t.begin + len(t.starts); i < t.end; i++ {
		try(i, int(c.items.at(i).n))
	}
	if best >= 0 {
		return best
	}
	for i := t.begin + len(t.starts); i < t.end; i++ {
		if n := int(c.items.at(i).n); !t.marks(n, n+1) && !strings.HasPrefix(strings.TrimSpace(t.source(n, n+1)), "```") {
			return i
		}
	}
	for g, first := range t.starts {
		if !t.marks(first, t.groupEnd(g)) {
			return t.begin + g
		}
	}
	return t.begin
}

// empty reports whether the pieces in [from, to) mean nothing by themselves: they introduce
// the following text, or are headings, markers or code.
func (t *text) empty(from, to int) bool {
	text := strings.TrimRight(t.source(from, to), " \t\r\n*_`")
	return t.marks(from, to) || strings.HasPrefix(text, "```") || strings.HasSuffix(text, ":") || !strings.Contains(text, "\n") && strings.HasPrefix(text, "#")
}

// source returns the text of the pieces in [from, to).
func (t *text) source(from, to int) string {
	return t.cut.Source[t.cut.Pieces[from].Start:t.cut.Pieces[to-1].End]
}

// marks reports whether the pieces in [from, to) are blank or a marker of an earlier run.
func (t *text) marks(from, to int) bool {
	text := t.source(from, to)
	return strings.TrimSpace(text) == "" || subject.OnlyMarker(text)
}

// Limits for the results of the newest rounds, as shares of the tokens that are left then.
const (
	returnedPart = 0.12 // all but the last round
	lastPart     = 0.2  // the last round
	openPart     = 0.5  // the last round, while some of its calls wait for results
	mostShares   = 3    // number of equal shares of returnedPart that the newest results get
)

// keepRounds keeps the calls of the newest rounds as long as roundsPart of the budget holds
// them, and some regions of their results.
func (c *choice) keepRounds() {
	room, last, open := float64(c.Left*returnedPart), float64(c.Left*lastPart), float64(c.Left*openPart)
	finals, others := c.resultsOf(c.keepCalls(float64(c.Left * roundsPart)))
	if slices.ContainsFunc(finals, func(t *text) bool { return c.open[t.ref().Msg] }) {
		last = open
	}
	for i, t := range finals {
		fill := c.fillSome
		if t.standAlone() {
			fill = c.fillLines
		}
		last -= fill(t, last/float64(len(finals)-i))
	}
	for i, t := range others {
		fill := c.fillSome
		if c.severe && t.standAlone() {
			fill = c.fillLines
		}
		room -= fill(t, room/float64(min(max(2, len(others)-i), mostShares)))
	}
}

// keepCalls keeps the calls of the newest rounds for no more than left tokens, and returns
// their steps, the newest first. Under a small budget, it keeps rounds of one turn, up to a
// call with long arguments.
func (c *choice) keepCalls(left float64) (newest []*step) {
	begun := false // a step stays, or a record describes it
	for i, rounds, unit := len(c.seq)-1, 0, int32(-1); i >= 0; i-- {
		e := &c.seq[i]
		if e.kind != stepElement {
			continue
		}
		if e.unit != unit {
			rounds++
			unit = e.unit
		}
		s := &c.steps[e.at]
		switch {
		case rounds > newestRounds, c.severe && begun && s.long && !s.real, c.severe && len(newest) > 0 && s.turn < newest[0].turn:
			return newest
		}
		begun = true
		if !s.real && !c.textOnly {
			cost := c.realCost(s)
			if cost > left && len(newest) == 0 && c.heavy { // a record describes it
				continue
			}
			if cost > left {
				break
			}
			left -= cost
			c.Take(int32(s.item), cost)
		}
		newest = append(newest, s)
	}
	return newest
}

// resultsOf returns the results of steps that can be shortened: finals are those after the call
// of the first step, which the model has not seen when the conversation ends.
func (c *choice) resultsOf(steps []*step) (finals, others []*text) {
	for _, s := range steps {
		for _, k := range s.texts {
			t := &c.texts[k]
			switch {
			case t.form != result || t.fixed:
			case !c.heavy && c.Conv.Position(t.ref().Msg) >= c.Conv.Position(steps[0].msg):
				finals = append(finals, t)
			default:
				others = append(others, t)
			}
		}
	}
	return finals, others
}

// fill keeps the densest paragraphs or regions of a text for no more than most tokens in total, and
// returns their cost. It skips paragraphs that only announce the next step, lines that clients wrote, and
// those of a file that the result of its edit shows.
func (c *choice) fill(t *text, most float64) (spent float64) {
	return c.FillRange(t.begin, t.begin+len(t.starts), most, func(i int32) bool {
		first, end := t.starts[c.item(i).n], t.groupEnd(int(c.item(i).n))
		return t.idle(first) && t.idle(end-1) || t.echoes(first) || t.form == prose && c.announces(c.item(i))
	})
}

// announces reports whether a paragraph or a sentence only announces the next step.
func (c *choice) announces(x *item) bool {
	t, first, end := &c.texts[x.at], int(x.n), int(x.n)+1
	if x.kind == groupItem {
		first, end = t.starts[x.n], t.groupEnd(int(x.n))
	}
	return c.toneOf(t, t.source(first, end)) < 1
}

// fillLines keeps the densest single lines of a result for no more than most tokens in total, and
// returns their cost. It skips those of a file that the result of its edit shows.
func (c *choice) fillLines(t *text, most float64) (spent float64) {
	return c.FillRange(t.begin+len(t.starts), t.end, most, func(i int32) bool { return t.echoes(int(c.item(i).n)) })
}

// fillSome is fill or, where no region of a result fits, fillLines.
func (c *choice) fillSome(t *text, most float64) (spent float64) {
	if spent = c.fill(t, most); spent == 0 {
		spent = c.fillLines(t, most)
	}
	return spent
}

// reserve keeps items that matter even if no later message mentions their facts: constraints,
// the beginning of instructions, text of the last turn, closing answers, lines of records
// and errors.
func (c *choice) reserve() {
	c.keepStatements(c.Left)
	c.instructions(float64(c.Left * framingPart))
	if c.textOnly {
		c.clientRules(float64(c.Left * framingPart))
	}
	c.options(float64(c.Left*optionShare), float64(c.Left*consentShare))
	rest := c.closings(float64(c.Left * closingShare))
	c.openProse(float64(c.Left*openShare) + float64(rest*openRest))
	c.labels(float64(c.Left * labelShare))
	c.signals(float64(c.Left * signalShare))
}

// takeItem keeps an item that costs no more than most tokens. It returns the cost, and reports
// whether it kept the item.
func (c *choice) takeItem(i int, most float64) (spent float64, ok bool) {
	_, cost, ok := c.offer(int32(i))
	if !ok || cost > most {
		return 0, false
	}
	c.Take(int32(i), cost)
	return cost, true
}

// instructions keeps constraints, first those of projects, then those of applications, then those that Codex
// states for itself, in clientPart of left. It spends the rest on the beginning of the text of an application.
func (c *choice) instructions(left float64) {
	ofClients := float64(left * clientPart)
	left -= c.constraints(left, func(t *text) bool { return !c.isSystem(t) })
	left -= c.constraints(left, func(t *text) bool { return c.isSystem(t) && !t.isOfCodex() })
	ofClients = min(left, ofClients)
	forGit := c.rulesForGit(ofClients / 2)
	left -= forGit + c.constraints(ofClients-forGit, func(t *text) bool { return c.isSystem(t) && t.isOfCodex() })
	for k := range c.texts {
		t := &c.texts[k]
		if t.form != frame || !c.isSystem(t) || t.isOfCodex() {
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

// constraints keeps the constraints of the instructions that in reports, as long as left lasts. It returns the cost.
func (c *choice) constraints(left float64, in func(*text) bool) (spent float64) {
	for k := range c.texts {
		t := &c.texts[k]
		if t.form != frame || !in(t) {
			continue
		}
		for i := t.begin + len(t.starts); i < t.end; i++ {
			if slices.Contains(t.demands(), int(c.items.at(i).n)) {
				cost, _ := c.takeItem(i, left-spent)
				spent += cost
			}
		}
	}
	return spent
}

// gitRule matches a line about commits, branches and pull requests.
var gitRule = lazyregexp.New(`(?i)\b(?:branch|commit|pushing|pull request)\b`)

// rulesForGit keeps the lines of what Codex states for itself that say how to commit: the end of most tasks needs them,
// and few of the others. It keeps them for no more than left tokens, and returns their cost.
func (c *choice) rulesForGit(left float64) (spent float64) {
	for k := range c.texts {
		t := &c.texts[k]
		if t.form != frame || !c.isSystem(t) || !t.isOfCodex() {
			continue
		}
		for i := t.begin + len(t.starts); i < t.end; i++ {
			if n := int(c.items.at(i).n); gitRule.MatchString(t.source(n, n+1)) {
				cost, _ := c.takeItem(i, left-spent)
				spent += cost
			}
		}
	}
	return spent
}

// isSystem reports whether a text belongs to a message of the system.
func (c *choice) isSystem(t *text) bool {
	return c.Conv.Message(t.ref().Msg).Role == transcript.System
}

// ofCodex matches instructions that Codex gives to a model for itself: what its sandbox, its modes and its window
// allow, and which skills, apps and plug-ins there are. The names are those of codex-rs/protocol and of its desktop app.
var ofCodex = lazyregexp.New(`^\s*<(?:permissions instructions|app-context|collaboration_mode|apps_instructions|` +
	`skills_instructions|plugins_instructions|personality_spec|model_switch|realtime_conversation)>`)

// isOfCodex reports whether a text of the system is one of those.
func (t *text) isOfCodex() bool { return ofCodex.MatchString(t.block.Text()) }

// ration is the most tokens of each closing answer that closings keeps in its first pass.
const ration = 150

// closings keeps paragraphs of closing answers, the densest first. The first pass keeps a
// few of each answer. The second pass starts with the newest answer; one that is longer than
// half of left gets at most that half. It returns what is left then.
func (c *choice) closings(left float64) float64 {
	var list []*text
	for k := len(c.texts) - 1; k >= 0; k-- {
		if t := &c.texts[k]; t.closing {
			list = append(list, t)
		}
	}
	each := min(ration, left/float64(max(1, len(list)+max(0, c.briefs))))
	for _, t := range list {
		left -= c.fill(t, each)
	}
	for _, t := range list {
		room := left
		if whole := float64(t.perByte * float64(len(t.cut.Source))); whole > left/2 {
			room = left / 2
		}
		if c.disputed.has(t.ref()) {
			room = 0
		}
		left -= c.fill(t, room)
	}
	return left
}

// openProse keeps text of the model in the last turn: its findings and decisions determine the next steps. The
// newest get newestProse of left, and those with the most facts the rest, since a long turn has decisions
// from its beginning.
func (c *choice) openProse(left float64) {
	newest, first, end := float64(left*newestProse), 0, 0 // the items of these texts are in [first, end)
	for k := len(c.texts) - 1; k >= 0; k-- {
		if t := &c.texts[k]; c.isOpen(t) {
			newest -= c.fill(t, newest)
			first, end = t.begin, max(end, t.end)
		}
	}
	c.FillRange(first, end, float64(left*(1-newestProse))+newest, func(i int32) bool {
		x := c.item(i)
		return x.kind != groupItem && x.kind != pieceItem || !c.isOpen(&c.texts[x.at]) || c.announces(x)
	})
}

// isOpen reports whether a text is what the model said in the last turn, before a closing answer.
func (c *choice) isOpen(t *text) bool { return t.form == prose && t.last && !t.closing }

// labels keeps lines of records, the newest first, for no more than left tokens: of open tasks and of calls that the user
// did not allow, of calls that close tasks, of the newest change of each file, and of other changes. The other calls only
// share what labelShare leaves.
func (c *choice) labels(left float64) {
	rest := left * otherLabels
	left -= c.keepLabels(func(s *step) bool { return s.open || s.refused() }, left)
	left -= c.keepLabels(func(s *step) bool { return !s.open && !s.superseded && s.also().task != "" }, left*closedLabels)
	left -= c.keepLabels(c.newestChanges(), left)
	left -= c.keepLabels(func(s *step) bool { return s.changes && !s.open }, left)
	c.keepLabels(func(s *step) bool { return !s.changes && !s.open }, min(left, rest))
}

// keepLabels keeps the lines of the steps that are due, the newest first, for no more than left tokens,
// and returns their cost.
func (c *choice) keepLabels(due func(*step) bool, left float64) (spent float64) {
	for k := len(c.steps) - 1; k >= 0; k-- {
		if s := &c.steps[k]; due(s) {
			cost, _ := c.takeItem(s.item+1, left-spent)
			spent += cost
		}
	}
	return spent
}
