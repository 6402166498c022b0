package strategy

import (
	"context"

	"condense/strategy/chronicle"
	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

// chronicled shortens a conversation in place and in order: see package chronicle.
func chronicled(_ context.Context, in *Input) (Proposal, error) {
	if in.Budget == 0 { // nothing at all would fit
		return Skip(noTarget), nil
	}
	survey := fact.Of(in.Conv)
	d := divider{in: in}
	s := chronicle.Source{
		Conv: in.Conv, Budget: in.Budget, Tokens: in.Tokens, Survey: survey, Worth: factValues(survey), Hint: d.hint,
		Held: func(b *transcript.Block, text *squeeze.Text) []int {
			held := protected(text, in.Opts.Protect)
			for _, m := range in.Opts.Tags.kept(b, text.Source) {
				held = append(held, piecesIn(text, m.from, m.to)...)
			}
			return held
		},
	}
	edits := s.Edits()
	if len(edits) == 0 {
		return Skip(allKept), nil
	}
	return Proposal{Edits: edits}, nil
}
