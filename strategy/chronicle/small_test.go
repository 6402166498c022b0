package chronicle

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/transcripttest"
)

// TestBriefAnswers checks that the edits are the same whether brief answers are laid out as texts or not:
// with calls before and after them, which become records beside them, and with records of an earlier run.
func TestBriefAnswers(t *testing.T) {
	briefs, edited := 0, 0
	for seed := range uint64(300) {
		tokens := func(b *transcript.Block) int { return (len(b.Text()) + 3) / 4 }
		for _, share := range []float64{.9, .5, .2, .01} {
			c := transcripttest.Conversation(chatOf(rand.New(rand.NewPCG(seed, 1)))...)
			survey := fact.Of(c)
			s := Source{
				Conv: c, Budget: int(share * float64(total(c))), Tokens: tokens, Survey: survey, Value: slices.Repeat([]float64{1}, survey.Len()),
				Hint: func(transcript.Ref, *transcript.Block, int) squeeze.Hint { return squeeze.Hint{} }, Unpinned: seed%5 == 0,
			}
			want, got := s.edits(false), s.edits(true)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, %g: %s", seed, share, difference(got, want))
			}
			edited += len(got)
			d := newDraft(&s)
			d.briefs = 0
			d.layOut()
			briefs += d.briefs
			next, err := c.Apply(got)
			if err != nil {
				t.Fatal(err)
			}
			c = transcript.New("", next.Messages) // with the records of this run
			s.Conv, s.Survey, s.Budget = c, fact.Of(c), int(.5*float64(total(c)))
			s.Value = slices.Repeat([]float64{1}, s.Survey.Len())
			if want, got := s.edits(false), s.edits(true); !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, %g, again: %s", seed, share, difference(got, want))
			}
		}
	}
	if briefs < 1000 || edited < 1000 {
		t.Errorf("%d brief answers, %d edits", briefs, edited)
	}
}

// chatOf returns a random chat of short questions and answers, with calls between them.
func chatOf(r *rand.Rand) (msgs []*transcript.Message) {
	answers := []string{"ok", "Done.", "Yes, done.", "It is gauge_3.", "Use gauge_4 and tide.go.", "No. It failed.", "It is in /src/tide.go.", "I look at it:", "ok\n\nThe rest follows in a moment, once the tests have run.", "# Done", "```\nx\n```"}
	pin := func(m *transcript.Message) *transcript.Message {
		m.Blocks[0].Pin = []transcript.Pin{transcript.Unpinned, transcript.Present, transcript.Verbatim}[min(r.IntN(8), 2)]
		return m
	}
	for range 3 + r.IntN(12) {
		question := transcripttest.User([]string{"go on", "Please mend the reader of tides.", "thanks"}[r.IntN(3)])
		question.Blocks[0].Pin = transcript.Verbatim
		msgs = append(msgs, question)
		for range r.IntN(3) {
			if r.IntN(3) == 0 {
				msgs = append(msgs, transcripttest.Model(answers[r.IntN(len(answers))]))
			}
			id := fmt.Sprint("c", len(msgs))
			msgs = append(msgs, transcripttest.Model(transcripttest.Call(id, "Bash", fmt.Sprintf("command=cat part_%d.go", len(msgs)))),
				transcripttest.Tool(id, fmt.Sprintf("line %d of the reader\nerror: gauge_%d is missing\n", len(msgs), r.IntN(9))))
		}
		if r.IntN(6) > 0 {
			msgs = append(msgs, pin(transcripttest.Model(answers[r.IntN(len(answers))])))
		}
	}
	last := msgs[len(msgs)-1]
	for _, b := range last.Blocks {
		b.Pin = max(b.Pin, transcript.Present)
	}
	return msgs
}

// difference returns the first edits that differ.
func difference(got, want []transcript.Edit) string {
	for i := range min(len(got), len(want)) {
		if !reflect.DeepEqual(got[i], want[i]) {
			return fmt.Sprintf("edit %d is\n%+v, want\n%+v", i, got[i], want[i])
		}
	}
	return fmt.Sprintf("%d edits, want %d", len(got), len(want))
}
