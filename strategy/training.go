package strategy

import (
	"fmt"
	"slices"
	"strings"

	"condense/strategy/squeeze"
	"condense/transcript"
)

// Purpose says what a condensed conversation is for.
type Purpose string

// ForTraining is the purpose of conversations that are rows of a training set: a model
// learns to write the messages of the assistant, which are its labels. Only results and
// injected text may change, and unlearned text of the model. What a label repeats from
// them stays, since a model that is trained without it learns to invent.
const ForTraining Purpose = "training"

// UnmarshalText parses training.
func (p *Purpose) UnmarshalText(text []byte) error {
	if Purpose(text) != ForTraining {
		return fmt.Errorf("expected %s", ForTraining)
	}
	*p = ForTraining
	return nil
}

// training holds the state of a run with [ForTraining].
type training struct {
	conv *transcript.Conversation
	// quoted holds, for each block that may change, the pieces of its text that a later
	// label repeats.
	quoted map[transcript.Ref][]string
}

// newTraining returns nil unless the run is for training.
func newTraining(c *transcript.Conversation, o *Options) *training {
	if o.For != ForTraining {
		return nil
	}
	return &training{conv: c, quoted: quotedLater(c)}
}

// pin raises the pins of a conversation: all is verbatim except the blocks that may
// change. Those are present, so that rows keep their messages; with a piece that a label
// repeats they get the pin lines.
func (t *training) pin(pins map[transcript.Ref]transcript.Pin, lines transcript.Pin) {
	if t == nil {
		return
	}
	for ref, b := range t.conv.Blocks() {
		pin := transcript.Verbatim
		if unlearned(t.conv.Message(ref.Msg), b) {
			pin = transcript.Present
			if len(t.quoted[ref]) > 0 {
				pin = max(pin, lines)
			}
		}
		pins[ref] = max(pins[ref], pin)
	}
}

// unlearned reports whether a block may change in a training set: results of tools,
// text that clients added, and text of the model without weight.
func unlearned(m *transcript.Message, b *transcript.Block) bool {
	switch {
	case m.Learned(), m.Role == transcript.System, b.Origin == transcript.Typed:
		return false
	case b.Kind == transcript.ToolResult:
		return true
	case b.Kind == transcript.Text:
		return b.Origin == transcript.Injected || b.Origin == transcript.ByModel
	}
	return false
}

// quotes returns the pieces that stay of the blocks of c, by block; nil without any.
func (t *training) quotes(c *transcript.Conversation) map[*transcript.Block][]string {
	if t == nil {
		return nil
	}
	of := make(map[*transcript.Block][]string, len(t.quoted))
	for ref, texts := range t.quoted {
		if b := c.Block(ref); b != nil {
			of[b] = texts
		}
	}
	return of
}

// held returns the pieces of a text that the user protects, or that a label of a
// training set repeats.
func (in *Input) held(b *transcript.Block, text *squeeze.Text) []int {
	pieces := held(in.Opts, b, text)
	for _, quote := range in.quotes[b] {
		if at := strings.Index(text.Source, quote); at >= 0 {
			pieces = append(pieces, piecesIn(text, at, at+len(quote))...)
		}
	}
	return pieces
}

// whyUnfit returns why the row of a training set is left alone; "" when it is within
// the budget.
func (r *Result) whyUnfit(o *Options) string {
	if o.For != ForTraining || r.Reached() {
		return ""
	}
	return fmt.Sprintf("the row does not fit: %s of its %s tokens would be left, more than the target of %s",
		transcript.Number(r.After), transcript.Number(r.Before), transcript.Number(r.Budget))
}

// Unfit reports whether the conversation is a row of a training set that is left alone
// because it cannot be brought to its budget.
func (r *Result) Unfit() bool { return r.Decision.Rule == RuleUnfit }

// quotedLater returns the pieces of unlearned blocks that a later label repeats, where
// nothing that stays says the same before the label.
func quotedLater(c *transcript.Conversation) map[transcript.Ref][]string {
	e := &evidence{wanted: map[uint64]bool{}, stated: map[uint64]bool{}, where: map[uint64][]int32{}}
	for m := range c.Visible() {
		if m.Learned() {
			for _, b := range m.Blocks {
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
			eachPart(b, func(p *transcript.Part) { e.label(p, b) })
		}
		if m.Role != transcript.Assistant && !unlearned(m, b) {
			eachPart(b, func(p *transcript.Part) {
				claims(p.Text, func(claim uint64) { e.stated[claim] = e.stated[claim] || e.wanted[claim] })
			})
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

// evidence finds for each claim of a label a piece in front of it that states it.
type evidence struct {
	wanted map[uint64]bool    // claims of any label
	stated map[uint64]bool    // wanted claims that stand in what stays
	pieces []statement        // of unlearned blocks, oldest first
	where  map[uint64][]int32 // by wanted claim: the newest pieces that state it
}

// statement is a piece of an unlearned block with wanted claims.
type statement struct {
	ref    transcript.Ref
	text   string
	claims []uint64 // wanted ones
	kept   bool
}

// mostWhere is the number of pieces that are compared for one claim: the newest.
const mostWhere = 24

// offer adds the pieces of a part.
func (e *evidence) offer(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block, i int) {
	p := &b.Parts[i]
	if p.Media != nil {
		return
	}
	body := p.Text[p.Head:]
	cut := squeeze.Cut(body, hint(c, ref, b, i))
	for _, piece := range cut.Pieces {
		s := statement{ref: ref, text: body[piece.Start:piece.End]}
		claims(s.text, func(claim uint64) {
			if e.wanted[claim] && !slices.Contains(s.claims, claim) {
				s.claims = append(s.claims, claim)
			}
		})
		if len(s.claims) == 0 {
			continue
		}
		for _, claim := range s.claims {
			at := append(e.where[claim], int32(len(e.pieces)))
			e.where[claim] = at[max(0, len(at)-mostWhere):]
		}
		e.pieces = append(e.pieces, s)
	}
	// The head of a result stays.
	claims(p.Text[:p.Head], func(claim uint64) { e.stated[claim] = e.stated[claim] || e.wanted[claim] })
}

// label keeps pieces until every claim of a label that stands in front of it stands in
// what stays.
func (e *evidence) label(p *transcript.Part, b *transcript.Block) {
	open := map[uint64]bool{}
	gain := map[int32]int{} // by piece: its open claims
	labelClaims(p, b, func(claim uint64) {
		if open[claim] || e.stated[claim] || len(e.where[claim]) == 0 {
			return
		}
		open[claim] = true
		for _, i := range e.where[claim] {
			gain[i]++
		}
	})
	for len(open) > 0 {
		best := e.best(gain)
		s := &e.pieces[best]
		s.kept = true
		for _, claim := range s.claims {
			e.stated[claim] = true
			if open[claim] {
				delete(open, claim)
				for _, i := range e.where[claim] {
					gain[i]--
				}
			}
		}
		delete(gain, best)
	}
}

// leastStatement is added to the bytes of a piece: what a piece costs beside its text.
const leastStatement = 60

// best returns the piece with the most open claims for its size, the newest of equals.
func (e *evidence) best(gain map[int32]int) int32 {
	best, most := int32(-1), 0.0
	for i, n := range gain {
		d := float64(n) / float64(len(e.pieces[i].text)+leastStatement)
		if n > 0 && (d > most || d == most && i > best) {
			best, most = i, d
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
