package chronicle

import (
	"cmp"
	"slices"
	"strings"

	"condense/transcript"
)

// statement is a paragraph or sentence that a person typed, in a conversation that may
// lose typed text because the budget cannot hold it.
type statement struct {
	text     int // index in texts
	from, to int // its pieces
	source   string
	rank     rank
	stale    bool // a later statement replaces it
}

// rank is the order in which statements are kept.
type rank uint8

const (
	mention rank = iota // anything else
	stated              // a name, a value, a preference or the state of the work
	demand              // a rule or a limit, or text that the person labelled
)

// Lengths in bytes.
const (
	longStatement = 300   // a longer paragraph is judged sentence by sentence
	pasted        = 1_500 // labels in a longer text are those of pasted data
	shortTyped    = 600   // a text of at most this length is cut into paragraphs, whatever it looks like
)

// isFreeTyped reports whether a block is text that a person typed and that may be removed.
func (d *draft) isFreeTyped(m *transcript.Message, b *transcript.Block) bool {
	return d.Unpinned && m.Role == transcript.User && b.Kind == transcript.Text && b.Origin == transcript.Typed && b.Pin != transcript.Verbatim && plain(b)
}

// judgeTyped reports whether some typed text may be removed, and whether the budget cannot
// hold that text.
func (d *draft) judgeTyped() (free, loses bool) {
	typed, rest := 0, d.Budget
	for ref, b := range d.Conv.Blocks() {
		m := d.Conv.Message(ref.Msg)
		switch {
		case d.Stays[m.ID]:
		case d.open[m.ID] && b.Kind != transcript.ToolResult || stays(b):
			rest -= d.Tokens(b)
		case d.isFreeTyped(m, b):
			typed += d.Tokens(b)
		}
	}
	return typed > 0, typed > 0 && typed > rest
}

// typed adds a text that a person typed.
func (d *draft) typed(e element, m *transcript.Message, b *transcript.Block) {
	p := &b.Parts[0]
	e.kind, e.at = frameElement, int32(len(d.texts))
	d.seq = append(d.seq, e)
	d.texts = append(d.texts, text{
		form: frame, typed: true, msg: e.msg, within: transcript.Whole, block: b, from: int32(p.Head), to: int32(len(p.Text)), step: -1, age: d.ages[e.msg],
		last: int(d.turns[e.msg]) == d.lastTurn, mustOne: b.Pin != transcript.Unpinned || m.Shadows,
		perByte: float64(d.Tokens(b)) / float64(max(1, len(p.Text))),
	})
}

// judge finds the statements of typed texts, with their ranks, and those that a later one
// replaces.
func (d *draft) judge() {
	for k := range d.texts {
		t := &d.texts[k]
		if !t.typed {
			continue
		}
		t.seldoms().stale = make([]bool, len(t.cut.Pieces))
		for g, first := range t.starts {
			end := t.groupEnd(g)
			if s := t.source(first, end); len(s) <= longStatement {
				d.statements = append(d.statements, newStatement(k, first, end, s, len(t.cut.Source)))
				continue
			}
			for i := first; i < end; i++ {
				d.statements = append(d.statements, newStatement(k, i, i+1, t.source(i, i+1), len(t.cut.Source)))
			}
		}
	}
	supersede(d.statements)
	for i := range d.statements {
		s := &d.statements[i]
		for n := s.from; s.stale && n < s.to; n++ {
			d.texts[s.text].seldom.stale[n] = true
		}
	}
}

func newStatement(text, from, to int, source string, whole int) statement {
	s := statement{text: text, from: from, to: to, source: source}
	if len(source) <= longStatement {
		s.rank = rankOf(source, whole <= pasted)
	}
	return s
}

// isStale reports whether all pieces in [from, to) are of statements that later ones
// replace.
func (t *text) isStale(from, to int) bool {
	return t.seldom != nil && t.seldom.stale != nil && !slices.Contains(t.seldom.stale[from:to], false)
}

// keepStatements keeps the statements that rank above mention: the highest rank first, within
// a rank those with the least cost, and of these the newest. A statement in a request
// without an answer comes before all others.
func (c *choice) keepStatements(left float64) {
	answered := false
	for msg, block := range c.closing {
		answered = answered || block > 0 && int(c.turns[msg]) == c.lastTurn
	}
	order := slices.Clone(c.statements)
	slices.SortStableFunc(order, func(a, b statement) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(len(a.source), len(b.source)), cmp.Compare(b.text, a.text))
	})
	for _, open := range []bool{true, false} {
		for _, s := range order {
			t := &c.texts[s.text]
			if request := t.last && !answered; s.stale || request != open || s.rank == mention && !request {
				continue
			}
			if i, ok := c.itemOf(t, s.from, s.to); ok {
				spent, _ := c.takeItem(i, left)
				left -= spent
			}
		}
	}
}

// itemOf returns the item for the pieces of a text in [from, to): that of a group, or that
// of a piece.
func (c *choice) itemOf(t *text, from, to int) (item int, ok bool) {
	if g, found := slices.BinarySearch(t.starts, from); found && t.groupEnd(g) == to {
		return t.begin + g, true
	}
	for i := t.begin + len(t.starts); i < t.end; i++ {
		if int(c.items.at(i).n) == from {
			return i, true
		}
	}
	return 0, false
}

// supersede marks the statements that a later one replaces. The later one is the same with
// another value, or has another value for the same matter. Mentions replace nothing.
func supersede(list []statement) {
	newer := map[string]bool{}
	var later []matter
	for i := len(list) - 1; i >= 0; i-- {
		s := &list[i]
		key := strings.ToLower(strings.TrimSpace(s.source))
		if s.rank > mention {
			key = maskedKey(s.source)
		}
		if s.stale = newer[key]; s.stale || s.rank == mention {
			newer[key] = true
			continue
		}
		newer[key] = true
		own := matterOf(s.source)
		s.stale = slices.ContainsFunc(later, own.replacedBy)
		later = append(later, own)
	}
}
