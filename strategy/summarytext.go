package strategy

import (
	"context"

	"condense/strategy/allocate"
	"condense/strategy/digest"
	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

// summaryText is the text that stands for the blocks in gone, about so many tokens of
// it; "" when there is none. All that a summary says beside what was typed is said
// here: by a model when there is one, whose notes have to be smaller than below
// tokens, else and when the model cannot be had by a digest. skip and the error are
// those of [Input.Notes].
func summaryText(ctx context.Context, in *Input, gone map[transcript.Ref]bool, tokens, below int) (text, skip string, err error) {
	survey := fact.Of(in.Conv)
	s := digest.Source{
		Conv: in.Conv, Gone: gone, Untold: in.Opts.UnpinUser, Skip: acknowledgement, Subject: subject,
		Survey: survey, Worth: worths(survey), Again: again, Line: lineWorth(in.Conv),
		Faults: in.faults,
		Tokens: in.textTokens, Budget: tokens, State: in.Opts.Layout == LayoutFork,
		PerByte: func(b *transcript.Block) float64 { return float64(in.Tokens(b)) / float64(max(1, bytes(b)-b.Opaque)) },
	}
	if in.Ask != nil {
		text, skip, err := notedText(ctx, in, &s, below)
		if text != "" || skip != "" || err != nil {
			return text, skip, err
		}
	}
	return s.Write(), "", nil
}

// faults are the pieces of a part of a result that say what went wrong, as
// smart-compress has it.
func (in *Input) faults(ref transcript.Ref, part int) (spans []digest.Span) {
	b := in.Conv.Block(ref)
	if !divisible(b, &b.Parts[part]) {
		return nil
	}
	d := draft{in: in}
	head := b.Parts[part].Head
	for _, p := range squeeze.Cut(b.Parts[part].Text[head:], d.hint(ref, b, part)).Pieces {
		if p.Cue >= 1 && p.Like == squeeze.None {
			spans = append(spans, digest.Span{Start: head + p.Start, End: head + p.End})
		}
	}
	return spans
}

func (in *Input) textTokens(text string) int {
	return in.Tokens(&transcript.Block{Parts: []transcript.Part{{Text: text}}})
}

// lineWorth says what a line is worth besides its facts, as smart-compress has it.
func lineWorth(c *transcript.Conversation) func(transcript.Ref, string, float64) float64 {
	fades := map[int]float64{}
	for id, age := range ages(c) {
		fades[id] = recency(age)
	}
	return func(ref transcript.Ref, line string, tokens float64) float64 {
		worth, cue := worthOutput, 0.0
		switch b := c.Block(ref); {
		case b.Origin == transcript.ByModel, b.Origin == transcript.Generated:
			worth = worthSaid
		default:
			cue = float64(worthCue * squeeze.Cue(line))
		}
		return allocate.Exact((float64(worth*tokens) + cue) * fades[ref.Msg])
	}
}
