package strategy

import (
	"fmt"
	"slices"
	"strings"

	"condense/strategy/allocate"
	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

// allocation offers the pieces and units of a conversation to an [allocate.Chooser].
// The value of a piece is marginal: a fact that is kept elsewhere counts little. A unit
// that may go comes in only when it is worth its own cost. Pieces are items by their
// index, units by the complement (^) of theirs.
type allocation struct {
	allocate.Chooser
	in       *Input
	values   *allocate.Marginal[fact.ID]
	units    []candidate
	excerpts []excerpt
	pieces   []piece
	facts    []fact.ID    // of all pieces
	kept     []bool       // by piece
	best     [looked]gain // room for entry
	gap      float64      // tokens that the marker of an omission takes
}

// piece is the part of an excerpt's piece that does not change.
type piece struct {
	extra    float64 // value besides facts
	size     float64 // its own tokens, by its share of the bytes of its text
	from, to int32   // its facts
	of       int32   // its excerpt
	under    int32   // the piece that it needs, or squeeze.None; known once the unit ends
}

// candidate is a unit: its cost, and the facts that it mentions without anything
// optional.
type candidate struct {
	unit     transcript.Unit
	from, to int  // excerpts
	in       bool // it stays, or was taken
	tokens   float64
	facts    []fact.ID
}

// excerpt is a text or a block that need not be kept whole.
type excerpt struct {
	// The fields that the price of a piece needs come first, and so are close together.
	begin  int // first piece
	pieces int
	count  int // pieces that are kept
	tokens int
	unit   int  // index in units
	whole  bool // kept or removed as one
	drops  bool // nothing stays, not even a marker, when no piece is kept

	ref         transcript.Ref
	cut         *squeeze.Text // nil when whole
	head        int           // bytes in front of the text that always stay
	marker      string        // takes the place of a whole one that is removed
	frames      bool          // belongs to the instructions
	constraints []int32       // pieces, by number, with a constraint
	answer      bool          // closes a turn
	signals     bool          // belongs to a result, whose cues report failures
	tokenValue  float64       // value per token, whatever the text mentions
	cue         float64       // value of a cue of 1

	stale bool             // wrote has to be made again
	wrote *transcript.Edit // the edit by what is kept; nil when all stays
	adds  int              // tokens that wrote adds
}

func newAllocation(in *Input, values []float64) *allocation {
	a := &allocation{in: in, values: allocate.NewMarginal[fact.ID](values, again)}
	a.Chooser = allocate.Chooser{Offer: a.price, Needs: a.above, Keep: a.keep, Drop: a.drop, Left: float64(in.Budget)}
	a.gap = float64(in.Tokens(&transcript.Block{Parts: []transcript.Part{{Text: "[12 lines omitted]\n"}}}))
	return a
}

// expect makes room for units, excerpts, pieces and mentions. There may be more.
func (a *allocation) expect(units, excerpts, pieces, mentions int) {
	a.units, a.excerpts = slices.Grow(a.units, units), slices.Grow(a.excerpts, excerpts)
	a.pieces, a.kept = slices.Grow(a.pieces, pieces), slices.Grow(a.kept, pieces)
	a.facts = slices.Grow(a.facts, mentions)
	a.Grow(pieces)
}

// begin starts a unit; with stays it cannot be removed.
func (a *allocation) begin(u transcript.Unit, stays bool) {
	a.units = append(a.units, candidate{unit: u, in: stays, from: len(a.excerpts)})
}

// fixed adds tokens that the unit always has, and their mentions.
func (a *allocation) fixed(tokens int, mentions []fact.Mention) {
	u := &a.units[len(a.units)-1]
	u.tokens += float64(tokens)
	for _, m := range mentions {
		u.facts = append(u.facts, m.Fact)
	}
}

// piece adds a piece to the excerpt that the next offer ends.
func (a *allocation) piece(mentions []fact.Mention, extra float64) {
	from := len(a.facts)
	for _, m := range mentions {
		a.facts = append(a.facts, m.Fact)
	}
	slices.Sort(a.facts[from:])
	a.facts = a.facts[:from+len(slices.Compact(a.facts[from:]))]
	a.pieces = append(a.pieces, piece{extra: allocate.Exact(extra), from: int32(from), to: int32(len(a.facts)), of: int32(len(a.excerpts))})
	a.kept = append(a.kept, false)
}

// offer ends an excerpt, after its pieces.
func (a *allocation) offer(p excerpt) {
	if n := len(a.excerpts); n > 0 {
		p.begin = a.excerpts[n-1].begin + a.excerpts[n-1].pieces
	}
	p.unit, p.pieces = len(a.units)-1, len(a.pieces)-p.begin
	for i := range p.pieces {
		a.pieces[p.begin+i].size = p.size(i)
	}
	p.stale = true
	a.excerpts = append(a.excerpts, p)
}

// size returns a piece's own tokens.
func (p *excerpt) size(i int) float64 {
	if p.whole {
		return float64(p.tokens)
	}
	perByte := float64(p.tokens) / float64(len(p.cut.Source)+p.head)
	return float64(float64(len(p.cut.Body(i))) * perByte)
}

// hold makes piece i of the last excerpt a fixed part of its unit.
func (a *allocation) hold(i int) {
	p, u := &a.excerpts[len(a.excerpts)-1], &a.units[len(a.units)-1]
	i += p.begin
	if a.kept[i] {
		return
	}
	u.tokens += a.pieces[i].size
	u.facts = append(u.facts, a.mentions(i)...)
	a.kept[i] = true
	p.count++
}

// end ends the unit.
func (a *allocation) end() {
	u := &a.units[len(a.units)-1]
	u.to = len(a.excerpts)
	for j := u.from; j < u.to; j++ {
		p := &a.excerpts[j]
		for i := range p.pieces {
			under := int32(squeeze.None)
			if !p.whole && p.cut.Pieces[i].Under != squeeze.None {
				under = int32(p.begin) + p.cut.Pieces[i].Under
			}
			a.pieces[p.begin+i].under = under
		}
	}
	slices.Sort(u.facts)
	u.facts = slices.Compact(u.facts)
}

func (a *allocation) mentions(i int) []fact.ID { return a.facts[a.pieces[i].from:a.pieces[i].to] }

// open puts everything that can be taken into the queue, after the units that stay.
func (a *allocation) open() {
	for k := range a.units {
		if a.units[k].in {
			a.Left -= a.least(&a.units[k])
			a.enter(k)
		}
	}
	for k := range a.units {
		if !a.units[k].in {
			a.Push(int32(^k))
		}
	}
}

// enter takes a unit, and offers its pieces.
func (a *allocation) enter(k int) {
	u := &a.units[k]
	u.in = true
	a.values.Keep(u.facts)
	for j := u.from; j < u.to; j++ {
		p := &a.excerpts[j]
		for i := p.begin; i < p.begin+p.pieces; i++ {
			if !a.kept[i] {
				a.Push(int32(i))
			}
		}
	}
}

// admit takes a unit, unless it was taken.
func (a *allocation) admit(k int) {
	if !a.units[k].in {
		a.Take(int32(^k), a.least(&a.units[k]))
	}
}

// keep takes a unit or a piece. It offers the neighbours of a piece again, as they cost
// less now.
func (a *allocation) keep(item int32) {
	if item < 0 {
		a.enter(int(^item))
		return
	}
	i, p := int(item), &a.excerpts[a.pieces[item].of]
	a.kept[i], p.stale = true, true
	p.count++
	a.values.Keep(a.mentions(i))
	if i > p.begin && !a.kept[i-1] {
		a.Push(item - 1)
	}
	if i+1 < p.begin+p.pieces && !a.kept[i+1] {
		a.Push(item + 1)
	}
}

// drop undoes keep.
func (a *allocation) drop(item int32) (freed float64) {
	if item < 0 {
		u := &a.units[^item]
		u.in = false
		a.values.Drop(u.facts)
		return a.least(u)
	}
	i, p := int(item), &a.excerpts[a.pieces[item].of]
	a.kept[i], p.stale = false, true
	p.count--
	a.values.Drop(a.mentions(i))
	return a.cost(p, i)
}

// land returns the edits that bring the conversation to the budget.
func (a *allocation) land() []transcript.Edit {
	before := 0
	for _, b := range a.in.Conv.Blocks() {
		before += a.in.Tokens(b)
	}
	a.open()
	a.reserve()
	var edits []transcript.Edit
	a.Meet(a.in.Budget, func() int {
		var added int
		edits, added = a.edits()
		return before + added
	})
	return edits
}

// edits returns the edits that follow from the choice, and the tokens that they add.
func (a *allocation) edits() (edits []transcript.Edit, added int) {
	for k := range a.units {
		u := &a.units[k]
		if !u.in {
			for _, id := range u.unit.Msgs {
				e := transcript.Edit{At: transcript.At(id), Op: transcript.Drop, Group: k + 1, Why: "least needed"}
				edits = append(edits, e)
				added += a.in.delta(&e)
			}
			continue
		}
		for j := u.from; j < u.to; j++ {
			p := &a.excerpts[j]
			if p.stale {
				a.write(p)
			}
			if p.wrote != nil {
				edits = append(edits, *p.wrote)
				added += p.adds
			}
		}
	}
	return edits, added
}

// write makes the edit of an excerpt; none when all of it is kept or nothing is saved.
func (a *allocation) write(p *excerpt) {
	p.stale, p.wrote, p.adds = false, nil, 0
	e := transcript.Edit{At: p.ref, Op: transcript.Rewrite, Why: p.reason()}
	switch {
	case p.count == p.pieces:
		return
	case p.count == 0 && p.drops:
		e.Op = transcript.Drop
	case p.whole:
		e.Text = p.marker
	default:
		e.Text = p.cut.Render(a.kept[p.begin : p.begin+p.pieces])
		if e.Text == p.cut.Source || strings.TrimSpace(e.Text) == "" {
			return
		}
	}
	if adds := a.in.delta(&e); adds < 0 || adds == 0 && e.Op == transcript.Drop {
		p.wrote, p.adds = &e, adds
	}
}

// reason describes how much of a shortened text is kept, for people.
func (p *excerpt) reason() string {
	switch {
	case p.count == 0:
		return "least needed"
	case p.whole:
		return "kept"
	}
	return fmt.Sprintf("%s of %s pieces kept", transcript.Number(p.count), transcript.Number(p.pieces))
}
