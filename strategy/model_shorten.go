package strategy

import (
	"condense/strategy/allocate"
	"condense/transcript"
	"condense/transcript/fact"
)

// shortener returns the function that condenses a message for a model whose window is
// smaller: its texts keep the pieces with the most value, as under a [Cap]. Pins do not
// matter for it, because the message in the conversation stays as it is.
func (in *Input) shortener() func(m *transcript.Message, tokens int) *transcript.Message {
	var free *Input
	var survey *fact.Survey
	return func(m *transcript.Message, tokens int) *transcript.Message {
		if in.Conv.Message(m.ID) == nil {
			return nil
		}
		if free == nil { // no message was larger before
			copied := *in
			copied.Conv = in.Conv.WithPins(nil)
			free, survey = &copied, fact.Of(copied.Conv)
		}
		return free.shortened(m, survey, tokens)
	}
}

// aimBelow is the share of the tokens at which a shortened message aims, because a model
// may count more of them.
const aimBelow = 0.9

// shortened returns a message whose texts are shortened to the same share, or nil if none
// can be shortened.
func (in *Input) shortened(m *transcript.Message, survey *fact.Survey, tokens int) *transcript.Message {
	size := 0
	for _, b := range m.Blocks {
		size += in.Tokens(b)
	}
	if size == 0 {
		return nil
	}
	share := aimBelow * float64(tokens) / float64(size)
	var edits []transcript.Edit
	for _, b := range m.Blocks {
		ref := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
		if b = in.Conv.Block(ref); b == nil || b.Fixed || b.Kind == transcript.Thinking {
			continue
		}
		values := allocate.NewMarginal[fact.ID](factValues(survey), again)
		c := newCapped(in, survey, values, ref, int(share*float64(in.Tokens(b))))
		edits = append(edits, c.edits()...)
	}
	next, err := in.Conv.Apply(edits)
	if err != nil || len(edits) == 0 {
		return nil
	}
	shorter := *next.Message(m.ID)
	shorter.Blocks = nil
	for _, b := range m.Blocks { // m may lack blocks of the message
		if now := next.Block(transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}); now != nil {
			shorter.Blocks = append(shorter.Blocks, now)
		}
	}
	return &shorter
}
