package strategy

import (
	"context"

	"condense/strategy/digest"
	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
)

// summaryText is the text that stands for the blocks in gone, about so many tokens of
// it; "" when there is none. All that a summary says beside what was typed is said
// here: by a model when there is one, whose notes have to be smaller than below
// tokens, else and when the model cannot be had by a digest. An error is one of
// [Input.Notes] that ends the stage.
func summaryText(ctx context.Context, in *Input, gone map[transcript.Ref]bool, tokens, below int) (string, error) {
	survey := fact.Of(in.Conv)
	s := digest.Source{
		Conv: in.Conv, Gone: gone, Untold: in.Opts.UnpinUser, Skip: acknowledgement, Subject: subject,
		Survey: survey, Worth: worths(survey), Again: again, Line: lineWorth(in.Conv),
		Signal: func(line string) bool { return squeeze.Cue(line) >= 1 },
		Tokens: in.textTokens, Budget: tokens, State: in.Opts.Layout == LayoutFork,
		PerByte: func(b *transcript.Block) float64 { return float64(in.Tokens(b)) / float64(max(1, bytes(b)-b.Opaque)) },
	}
	if in.Ask != nil {
		text, err := notedText(ctx, in, &s, below)
		if err == nil || endsWithout(ctx, err) {
			return text, err
		}
	}
	return s.Write(), nil
}

func (in *Input) textTokens(text string) int {
	return in.Tokens(&transcript.Block{Parts: []transcript.Part{{Text: text}}})
}

// lineWorth says what a line is worth besides its facts, as smart-compress has it.
func lineWorth(c *transcript.Conversation) func(transcript.Ref, string, float64) float64 {
	age := ages(c)
	return func(ref transcript.Ref, line string, tokens float64) float64 {
		worth, cue := worthOutput, 0.0
		switch b := c.Block(ref); {
		case b.Origin == transcript.ByModel, b.Origin == transcript.Generated:
			worth = worthSaid
		default:
			cue = float64(worthCue * squeeze.Cue(line))
		}
		return exact((float64(worth*tokens) + cue) * recency(age[ref.Msg]))
	}
}
