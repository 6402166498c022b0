package strategy

import (
	"fmt"
	"strings"

	"condense/transcript"
)

// Landing is close enough when less than a closeth of the budget is unused, or
// after that many corrections upwards: costs are estimates, and what is written
// is counted.
const (
	closeth     = 200
	corrections = 6
)

// land gives the edits that bring the conversation to the budget.
func (a *allocation) land() []transcript.Edit {
	before := 0
	for _, b := range a.in.Conv.Blocks() {
		before += a.in.Tokens(b)
	}
	a.open()
	a.reserve()
	var edits []transcript.Edit
	a.meet(a.in.Budget, func() int {
		var added int
		edits, added = a.edits()
		return before + added
	})
	return edits
}

// meet fills what is left until the tokens that count finds are close to the budget
// and not above it; or until there is nothing more to take, or to take back.
func (a *allocation) meet(budget int, count func() int) {
	for try := 1; ; try++ {
		a.fill()
		slack := budget - count()
		switch {
		case slack < 0 && len(a.trail) > 0:
			a.undo(float64(try * -slack))
		case slack <= budget/closeth || len(a.queue) == 0 || try >= corrections:
			return
		default:
			a.left = float64(slack)
		}
	}
}

// undo takes back what was taken last, until that many tokens are free.
func (a *allocation) undo(tokens float64) {
	for tokens > 0 && len(a.trail) > 0 {
		i := int(a.trail[len(a.trail)-1])
		a.trail = a.trail[:len(a.trail)-1]
		if i >= 0 {
			p := &a.excerpts[a.pieces[i].of]
			a.set(p, i, false)
			tokens -= a.cost(p, i)
			continue
		}
		u := &a.units[^i]
		u.in = false
		a.mention(u.facts, -1)
		tokens -= a.least(u)
	}
	a.left = 0
}

// edits returns the edits that the choice amounts to, and the tokens they add.
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

// reason says of a shortened text how much of it was kept, for people.
func (p *excerpt) reason() string {
	switch {
	case p.count == 0:
		return "least needed"
	case p.whole:
		return "kept"
	}
	return fmt.Sprintf("%s of %s pieces kept", thousands(p.count), thousands(p.pieces))
}
