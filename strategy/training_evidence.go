package strategy

import (
	"slices"
	"strings"

	"condense/strategy/squeeze"
	"condense/transcript"
)

// quotedLater returns, by block, the pieces of unlearned blocks that a later label
// repeats. Of several statements of the same thing, it returns the newest in front of the
// label, or none when the newest is in a text that stays.
func quotedLater(c *transcript.Conversation) map[transcript.Ref][]string {
	e := &evidence{wanted: map[uint64]bool{}, newest: map[uint64][]int32{}}
	for m := range c.Visible() {
		for _, b := range m.Blocks {
			if m.Learned() {
				eachPart(b, func(p *transcript.Part) { labelClaims(p, b, func(claim uint64) { e.wanted[claim] = true }) })
			}
		}
	}
	for ref, b := range c.Blocks() {
		m := c.Message(ref.Msg)
		switch {
		case unlearned(m, b):
			for i := range b.Parts {
				e.offer(c, ref, b, i)
			}
		case m.Learned():
			eachPart(b, func(p *transcript.Part) { e.support(p, b) })
		}
		if m.Role != transcript.Assistant && !unlearned(m, b) {
			eachPart(b, func(p *transcript.Part) { e.stays(p.Text) })
		}
	}
	return e.kept()
}

// eachPart calls do for the texts of a block.
func eachPart(b *transcript.Block, do func(*transcript.Part)) {
	for i := range b.Parts {
		if b.Parts[i].Media == nil {
			do(&b.Parts[i])
		}
	}
}

// evidence finds for each claim of a label the piece in front of it that states it.
type evidence struct {
	wanted map[uint64]bool // claims of any label
	pieces []statement     // of unlearned blocks, oldest first
	// newest holds, by claim, the pieces of the newest block that states it; none when
	// that block stays.
	newest map[uint64][]int32
}

// statement is a piece of an unlearned block with wanted claims.
type statement struct {
	ref    transcript.Ref
	text   string
	claims []uint64 // wanted ones
	kept   bool
}

// offer adds the pieces of a part. The head of the part stays.
func (e *evidence) offer(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block, i int) {
	p := &b.Parts[i]
	if p.Media != nil {
		return
	}
	body := p.Text[p.Head:]
	for _, piece := range squeeze.Cut(body, hint(c, ref, b, i)).Pieces {
		s := statement{ref: ref, text: body[piece.Start:piece.End]}
		said := s.text
		if transcript.IsMarker(said) { // the numbers of a marker are of what is missing
			_, said, _ = strings.Cut(said, "\n")
		}
		claims(said, func(claim uint64) {
			if e.wanted[claim] && !slices.Contains(s.claims, claim) {
				s.claims = append(s.claims, claim)
			}
		})
		for _, claim := range s.claims {
			list := e.newest[claim]
			if len(list) > 0 && e.pieces[list[0]].ref != ref {
				list = nil
			}
			e.newest[claim] = append(list, int32(len(e.pieces)))
		}
		e.pieces = append(e.pieces, s)
	}
	e.stays(p.Text[:p.Head])
}

// stays notes a text that does not change.
func (e *evidence) stays(text string) {
	claims(text, func(claim uint64) { delete(e.newest, claim) })
}

// support keeps pieces until each claim of a part of a label is stated in front of it, as
// far as it was in the original.
func (e *evidence) support(p *transcript.Part, b *transcript.Block) {
	open := map[uint64]bool{}
	gain := map[int32]int{} // by piece: its open claims
	labelClaims(p, b, func(claim uint64) {
		if open[claim] || slices.ContainsFunc(e.newest[claim], func(i int32) bool { return e.pieces[i].kept }) {
			return
		}
		for _, i := range e.newest[claim] {
			open[claim] = true
			gain[i]++
		}
	})
	for len(open) > 0 {
		best := e.best(gain)
		s := &e.pieces[best]
		s.kept = true
		for _, claim := range s.claims {
			if open[claim] && slices.Contains(e.newest[claim], best) {
				delete(open, claim)
				for _, i := range e.newest[claim] {
					gain[i]--
				}
			}
		}
	}
}

// pieceCost is the cost in bytes of keeping a piece, without its text.
const pieceCost = 60

// best returns the piece with the most open claims for its size, the newest of equals.
func (e *evidence) best(gain map[int32]int) int32 {
	best, most := int32(-1), 0.0
	for i, n := range gain {
		density := float64(n) / float64(len(e.pieces[i].text)+pieceCost)
		if n > 0 && (density > most || density == most && i > best) {
			best, most = i, density
		}
	}
	return best
}

// kept returns the texts of the pieces that are kept, by block.
func (e *evidence) kept() map[transcript.Ref][]string {
	of := map[transcript.Ref][]string{}
	for i := range e.pieces {
		if s := &e.pieces[i]; s.kept {
			of[s.ref] = append(of[s.ref], s.text)
		}
	}
	return of
}
