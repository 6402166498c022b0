package strategy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"condense/strategy/allocate"
	"condense/strategy/digest"
	"condense/strategy/squeeze"
	"condense/strategy/subject"
	"condense/transcript"
	"condense/transcript/fact"
)

// summaryText returns the text in the place of the gone blocks, of about tokens tokens,
// without typed text; "" when there is none. With a model it holds the model's notes,
// which have to be smaller than below tokens. Without one, or when it fails, it is a
// digest. skip and the error are those of [Input.Notes].
func summaryText(ctx context.Context, in *Input, gone map[transcript.Ref]bool, tokens, below int) (text, skip string, err error) {
	survey := fact.Of(in.Conv)
	s := digest.Source{
		Conv: in.Conv, Gone: gone, Typed: in.Opts.UnpinUser, Skip: acknowledgement, Subject: subject.Of,
		Survey: survey, Values: factValues(survey), Second: again, Line: lineValue(in.Conv),
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

// faults returns the pieces of a part of a result that report failures.
func (in *Input) faults(ref transcript.Ref, part int) (spans []digest.Span) {
	b := in.Conv.Block(ref)
	if !divisible(b, &b.Parts[part]) {
		return nil
	}
	head := b.Parts[part].Head
	for _, p := range squeeze.Cut(b.Parts[part].Text[head:], hint(in.Conv, ref, b, part)).Pieces {
		if p.Cue >= 1 && p.Like == squeeze.None {
			spans = append(spans, digest.Span{Start: head + p.Start, End: head + p.End})
		}
	}
	return spans
}

func (in *Input) textTokens(text string) int {
	return in.Tokens(&transcript.Block{Parts: []transcript.Part{{Text: text}}})
}

// lineValue returns the value of a line without its facts.
func lineValue(c *transcript.Conversation) func(transcript.Ref, string, float64) float64 {
	fades := map[int]float64{}
	for id, age := range ages(c) {
		fades[id] = recency(age)
	}
	return func(ref transcript.Ref, line string, tokens float64) float64 {
		value, cue := valueOfOutput, 0.0
		switch b := c.Block(ref); {
		case b.Origin == transcript.ByModel, b.Origin == transcript.Generated:
			value = valueOfProse
		default:
			cue = float64(valueOfCue * squeeze.Cue(line))
		}
		return allocate.Exact((float64(value*tokens) + cue) * fades[ref.Msg])
	}
}

// leastNotes is the number of tokens that notes need: those of the headings, and of a
// sentence below some of them.
const leastNotes = 120

// notedText returns the text of a digest with notes of a model, which has to be smaller
// than below tokens; "" without notes. skip and the error are those of [Input.Notes].
func notedText(ctx context.Context, in *Input, s *digest.Source, below int) (text, skip string, err error) {
	frame, _ := s.Noted("")
	room := min(s.Budget, below) - in.textTokens(frame)
	if room < leastNotes {
		skip, err = in.without(fmt.Errorf("there is room for %s tokens of notes, and they need %d", transcript.Number(max(0, room)), leastNotes))
		return "", skip, err
	}
	messages, previous := notedMessages(in, s.Gone)
	made, skip, err := in.Notes(ctx, messages, previous, room)
	if made == nil {
		return "", skip, err
	}
	noted, left := s.Noted(made.Text)
	if left > 0 {
		made.Remarks = append(made.Remarks, fmt.Sprintf("there is no room for %s of instructions that go", transcript.Plural(left, "rule")))
	}
	return noted, "", nil
}

// notedMessages returns the messages for a model's notes: from the first to the last
// with gone blocks. Messages between them that stay are included, because the others
// make no sense without the user's requests; instructions are not. previous is the text
// of earlier summaries, which the notes continue.
func notedMessages(in *Input, gone map[transcript.Ref]bool) (messages []*transcript.Message, previous string) {
	last := 0
	var earlier []string
	for m := range in.Conv.Visible() {
		if m.Role == transcript.System {
			continue
		}
		shown := *m
		shown.Blocks = nil
		goes := false
		for _, b := range m.Blocks {
			goes = goes || gone[transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}]
			switch notes := digest.Notes(b.Text()); {
			case b.Kind == transcript.Text && m.Role == transcript.User && notes != "":
				earlier = append(earlier, notes)
			case b.Text() != acknowledgement:
				shown.Blocks = append(shown.Blocks, b)
			}
		}
		messages = append(messages, &shown)
		if goes {
			last = len(messages)
		}
	}
	messages = slices.DeleteFunc(messages[:last], func(m *transcript.Message) bool { return len(m.Blocks) == 0 })
	return messages, strings.Join(earlier, "\n\n")
}
