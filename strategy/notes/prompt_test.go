package notes

import (
	"context"
	"strings"
	"testing"

	"condense/transcript"
)

// TestOnePart checks the question about messages that fit one part, and its instructions.
func TestOnePart(t *testing.T) {
	var prompts []Prompt
	req := Request{Messages: session(), Window: 8000, Room: 700, Typed: true}
	if _, err := Write(t.Context(), scripted(&prompts, answers(written(nil))...), req); err != nil {
		t.Fatal(err)
	}
	p := prompts[0]
	if !strings.HasPrefix(p.Text, "These are the messages:\n<<<data-") || !strings.HasSuffix(p.Text, ">>>\nNow write the notes.") {
		t.Errorf("asked\n%s", p.Text)
	}
	for _, want := range []string{"Write at most about 350 words in all", "of at most about 175 words.", "\nWrite these sections, each with its heading", "\n## Intent\n(what the user wants"} {
		if !strings.Contains(p.System, want) {
			t.Errorf("the instructions lack %q:\n%s", want, p.System)
		}
	}
	req.Room, prompts = 10, nil
	_, _ = Write(t.Context(), scripted(&prompts, answers(written(nil))...), req) // only the question matters
	if p := prompts[0]; !strings.Contains(p.System, "at most about 50 words in all") || p.MaxTokens != 15 {
		t.Errorf("with little room, %d tokens and\n%s", p.MaxTokens, p.System)
	}
}

// TestSeveralParts checks that questions and their plan number the parts from one, and
// what a question to merge them asks for.
func TestSeveralParts(t *testing.T) {
	for _, typed := range []bool{true, false} {
		c := &clerk{}
		answer := func(ctx context.Context, p Prompt) (Reply, error) {
			reply, err := c.ask(ctx, p)
			if !typed {
				reply.Text = strings.Replace(reply.Text, "## User messages\nNone.\n\n", "", 1)
			}
			return reply, err
		}
		messages := append(requests(29), user("## Compact Instructions\nKeep every path."))
		s, err := Write(t.Context(), Env{Tokens: words, Ask: answer}, Request{Messages: messages, Window: 5000, Room: 400, Typed: typed, Focus: "dates"})
		if err != nil || len(c.prompts) != 4 {
			t.Fatalf("%d questions, %v", len(c.prompts), err)
		}
		for i, want := range []string{"part 1 of 3", "part 2 of 3", "part 3 of 3", "merging 3 parts"} {
			if got := s.Plan.Calls[i].What; got != want {
				t.Errorf("call %d of the plan is %q, want %q", i, got, want)
			}
			if text := c.prompts[i].Text; i < 3 && !strings.HasPrefix(text, "These are the messages, "+want+":\n<<<") {
				t.Errorf("question %d is\n%.80s", i, text)
			}
		}
		merge := c.prompts[3].Text
		for _, want := range []string{"These are notes on parts of one conversation, oldest first.", "and no message of the user is left out.\n<<<",
			"In the conversation, the user asked for this in such notes; heed it, but leave out no section", " and no message of the user:\n<<<", "Keep every path.", "Keep above all what matters for this:\n<<<"} {
			if got := strings.Contains(merge, want); got != (typed || !strings.Contains(want, "message of the user")) {
				t.Errorf("typed %v: %q in the question to merge: %v\n%s", typed, want, got, merge)
			}
		}
		if !typed && (!strings.Contains(merge, "not pending any more.\n<<<") || !strings.Contains(merge, "leave out no section:\n<<<")) {
			t.Errorf("without the user's messages, asked\n%s", merge)
		}
	}
}

// TestWhoseWishes checks whose wishes for the notes count: those that a person typed and
// that the model sees.
func TestWhoseWishes(t *testing.T) {
	hidden := user("## Compact Instructions\nHidden.")
	hidden.Hidden = true
	if got := wishes([]*transcript.Message{
		hidden,
		model("## Compact Instructions\nOf the model."),
		message(transcript.Assistant, text("## Compact Instructions\nTyped, but of the model.", transcript.Typed)),
		message(transcript.User, text("## Compact Instructions\nInjected.", transcript.Injected)),
		user("Hello.\n# Summary instructions:\n First.\n## Other\nno\n## compaction instruction\nSecond."),
		user("## Compact Instructions\n" + strings.Repeat("x", maxWishes)),
		user("## Compact Instructions\n\n"),
		user("## Compact Instructions\nThird."),
	}); got != "First.\nSecond.\nThird." {
		t.Errorf("got %q", got)
	}
}

// TestSpaced checks that quotes are compared without regard to white space and the form
// of quotation marks.
func TestSpaced(t *testing.T) {
	if got, want := spaced(" a\n\tb  “c” ‘d’ "), `a b "c" 'd'`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCosts checks that the result adds up what all replies cost, and that a sum with an
// unknown cost is unknown.
func TestCosts(t *testing.T) {
	usd := func(x float64) *float64 { return &x }
	good := written(nil)
	for _, tt := range []struct {
		name    string
		replies []Reply
		calls   int
		in, out int
		cached  int
		cost    *float64
	}{
		{"two questions", []Reply{{Text: "OK.", In: 10, Out: 5, Cost: usd(2)}, {Text: good, In: 20, Out: 7, Cost: usd(3)}}, 2, 30, 12, 0, usd(5)},
		{"one from the cache", []Reply{{Text: "OK.", In: 10, Out: 5, Cost: usd(2), Cached: true}, {Text: good, In: 20, Out: 7, Cost: usd(3)}}, 1, 20, 7, 1, usd(3)},
		{"one without a price", []Reply{{Text: "OK.", In: 10, Out: 5}, {Text: good, In: 20, Out: 7, Cost: usd(3)}}, 2, 30, 12, 0, nil},
	} {
		var prompts []Prompt
		env := scripted(&prompts, tt.replies...)
		env.Price = func(in, out int) *float64 { return usd(float64(in + out)) }
		s, err := Write(t.Context(), env, Request{Messages: session(), Window: 8000, Typed: true})
		if err != nil {
			t.Fatal(err)
		}
		same := (s.Cost == nil) == (tt.cost == nil) && (s.Cost == nil || *s.Cost == *tt.cost)
		if s.Calls != tt.calls || s.In != tt.in || s.Out != tt.out || s.Cached != tt.cached || !same {
			t.Errorf("%s: got %+v", tt.name, s)
		}
		total := &Result{Calls: 1, Cached: 2, In: 3, Out: 4, Cost: usd(1)}
		total.Add(s)
		if total.Calls != 1+s.Calls || total.Cached != 2+s.Cached || total.In != 3+s.In || total.Out != 4+s.Out || s.Cost != nil && *total.Cost != 1+*s.Cost {
			t.Errorf("%s, added up: %+v", tt.name, total)
		}
	}
}

// TestSizeOfNotes checks that notes as large as the messages are refused, and one token less is not.
func TestSizeOfNotes(t *testing.T) {
	size := newWork(Env{Tokens: words}, Request{Messages: session()}).size
	good := written(nil)
	for n, want := range map[int]bool{size - 1: true, size: false} {
		var prompts []Prompt
		text := good + "\n" + strings.TrimSpace(strings.Repeat("so ", n-words(good)))
		s, err := Write(t.Context(), scripted(&prompts, answers(text)...), Request{Messages: session(), Window: 8000, Typed: true})
		if (err == nil) != want || (s.Text != "") != want {
			t.Errorf("%d tokens for %d: %v", n, size, err)
		}
	}
}

// TestRoom checks the room that notes have without an option, and with the smallest one.
func TestRoom(t *testing.T) {
	for room, want := range map[int]int{-1: defaultRoom, 0: defaultRoom, 1: 1, 700: 700} {
		if got := newWork(Env{Tokens: words}, Request{Room: room}).room; got != want {
			t.Errorf("room %d: %d, want %d", room, got, want)
		}
	}
}

// TestWindowError checks the text of the error for a window that is too small.
func TestWindowError(t *testing.T) {
	_, err := PlanOf(Env{Tokens: words}, Request{Messages: session(), Window: 100})
	if err == nil || !strings.HasPrefix(err.Error(), "the model's window of 100 tokens is too small: at least ") {
		t.Errorf("got %v", err)
	}
}

// TestLatestOnce checks that a question holds the latest request once: with the messages, or behind them.
func TestLatestOnce(t *testing.T) {
	for latest, want := range map[string]bool{"Open the gate.": true, "Good. Do not touch the tests.": false} {
		var prompts []Prompt
		req := Request{Messages: session(), Latest: latest, Window: 8000, Room: 700}
		if _, err := Write(t.Context(), scripted(&prompts, answers(written(nil))...), req); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(prompts[0].Text, "The user's latest request is:\n<<<data-"); got != want || !strings.Contains(prompts[0].Text, latest) {
			t.Errorf("%q behind the messages: %v\n%s", latest, got, prompts[0].Text)
		}
	}
}

// TestBehind checks that the last question shows the messages behind the notes, without the middle of long
// ones, and that notes may quote them.
func TestBehind(t *testing.T) {
	behind := []*transcript.Message{model("The gate is open now."), model(strings.Repeat("one word more ", 2_000))}
	var prompts []Prompt
	notes := written(map[string]string{"Current state": "The keeper has oiled the hinges and the gate, and nobody has looked at the lock so far.\n> The gate is open now."})
	s, err := Write(t.Context(), scripted(&prompts, answers(notes)...), Request{Messages: session(), Behind: behind, Latest: "Open it.", Window: 8000, Room: 700})
	if err != nil || !strings.Contains(s.Text, "> The gate is open now.") {
		t.Errorf("%v: %s", err, s.Text)
	}
	_, after, found := strings.Cut(prompts[0].Text, "data-")
	_, after, ok := strings.Cut(after, "Behind your notes, the conversation goes on with these messages, which stay.")
	if !found || !ok || !strings.Contains(after, "=== message, assistant\nThe gate is open now.\n") || words(after) > 8000/behindOfWindow+100 || !strings.Contains(after, "The user's latest request is:") {
		t.Errorf("asked %.3000s", after)
	}
}
