package strategy

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"condense/strategy/digest"
	"condense/transcript"
)

// How many tokens a model's notes may have: at least what their sections with a
// sentence in each take, at most what anyone reads, and no more than an eighth of the
// model's window, which has to hold what they are about as well.
const (
	leastNotes     = 120
	mostNotes      = 4_000
	notesOfAWindow = 8
)

// notedText returns the text of a digest with notes of a model, which must be smaller
// than below tokens to be of use; "" without notes. skip and the error are those of
// [Input.Notes].
func notedText(ctx context.Context, in *Input, s *digest.Source, below int) (text, skip string, err error) {
	frame, _ := s.Noted("")
	room := min(s.Budget, below) - in.textTokens(frame)
	if room < leastNotes {
		skip, err = in.without(fmt.Errorf("there is room for %s tokens of notes, and they need %d", thousands(max(0, room)), leastNotes))
		return "", skip, err
	}
	room = min(room, mostNotes)
	if window := in.Model.Window; window > 0 {
		room = min(room, max(leastNotes, window/notesOfAWindow))
	}
	messages, previous := notedMessages(in, s.Gone)
	made, skip, err := in.Notes(ctx, messages, previous, room)
	if made == nil {
		return "", skip, err
	}
	noted, left := s.Noted(made.Text)
	if left > 0 {
		made.Notes = append(made.Notes, fmt.Sprintf("there is no room for %s of instructions that go", plural(left, "rule")))
	}
	return noted, "", nil
}

// notedMessages are those that a model writes its notes on: from the first to the
// last of which something goes. What stays in between is among them, because the rest
// makes no sense without what the user asked for; instructions are not. Earlier
// summaries of ours are no messages, but what the notes are to carry on.
func notedMessages(in *Input, gone map[transcript.Ref]bool) (messages []*transcript.Message, previous string) {
	last := 0
	var earlier []string
	for m := range in.Conv.Visible() {
		if m.Role == transcript.System {
			continue
		}
		told := *m
		told.Blocks = nil
		goes := false
		for _, b := range m.Blocks {
			goes = goes || gone[transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}]
			switch notes := digest.Notes(b.Text()); {
			case b.Kind == transcript.Text && m.Role == transcript.User && notes != "":
				earlier = append(earlier, notes)
			case b.Text() != acknowledgement:
				told.Blocks = append(told.Blocks, b)
			}
		}
		messages = append(messages, &told)
		if goes {
			last = len(messages)
		}
	}
	messages = slices.DeleteFunc(messages[:last], func(m *transcript.Message) bool { return len(m.Blocks) == 0 })
	return messages, strings.Join(earlier, "\n\n")
}
