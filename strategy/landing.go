package strategy

import (
	"fmt"
	"strings"

	"condense/transcript"
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
	a.Meet(a.in.Budget, func() int {
		var added int
		edits, added = a.edits()
		return before + added
	})
	return edits
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
