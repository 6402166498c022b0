package strategy

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"condense/strategy/notes"
	"condense/transcript"
)

// notesOn answers with the same text always, and remembers what it was asked.
func notesOn(asked *[]notes.Prompt, text string) func(context.Context, notes.Prompt) (notes.Reply, error) {
	return func(_ context.Context, p notes.Prompt) (notes.Reply, error) {
		*asked = append(*asked, p)
		cost := 0.02
		return notes.Reply{Text: text, In: 300, Out: 20, Cost: &cost}, nil
	}
}

// noting runs summarize with a model that answers so.
func noting(t *testing.T, c *transcript.Conversation, text string, set func(*Options, *Env)) (*Result, []notes.Prompt) {
	t.Helper()
	var asked []notes.Prompt
	o := Defaults()
	o.Target.Tokens = 500
	free := 0.0
	env := Env{Tokens: words, Ask: notesOn(&asked, text), Model: Model{Price: func(int, int) *float64 { return &free }}}
	if set != nil {
		set(&o, &env)
	}
	res, err := Run(t.Context(), c, []*Strategy{&Summarize}, &o, env)
	if err != nil {
		t.Fatal(err)
	}
	return res, asked
}

const sections = "## Intent\nMend it.\n## Corrections\nNone.\n## Constraints\nNone.\n## Files and code\npkg/valve_1.go\n## Errors and fixes\nNone.\n## Decisions\nNone.\n## Pending\nNone.\n" +
	"## Current state\nThe first valves open again, the others are not looked at, and nothing is pushed so far; the tests of the pumps wait for it.\n## Next step\nNone."

// TestNotedSU: SU6 to SU13, V6 and V7 of .github/CONFORMANCE.md, as far as they are about
// what a strategy makes of a model's answer.
func TestNotedSU(t *testing.T) {
	t.Run("SU6", func(t *testing.T) { // the cost is reported; unlike there, a digest takes its place
		res, asked := noting(t, story(15), "  ", nil)
		s := res.Stages[0]
		if len(asked) != 2 || s.Asked == nil || *s.Asked.Cost != 0.04 || !strings.Contains(s.Fallback, "empty") || !strings.Contains(all(res.Conv), "of it, word for word") {
			t.Errorf("%d questions, %+v", len(asked), s)
		}
	})
	t.Run("SU7", func(t *testing.T) { // no model is no error: a digest needs none
		res, asked := noting(t, story(15), "", func(_ *Options, e *Env) { e.Ask = nil })
		if s := res.Stages[0]; len(asked) > 0 || s.Asked != nil || s.Fallback != "" || len(s.Edits) == 0 {
			t.Errorf("%+v", s)
		}
	})
	t.Run("SU8", func(t *testing.T) { // instructions of one's own are given as instructions, not as the last message
		res, asked := noting(t, story(15), "The first valve is mended in pkg/valve_1.go.", func(_ *Options, e *Env) { e.Model.Prompt = "In a line." })
		if len(asked) != 1 || !strings.Contains(asked[0].System, "In a line.") || !strings.Contains(all(res.Conv), "The first valve is mended in pkg/valve_1.go.") {
			t.Errorf("%d questions: %s", len(asked), show(res.Conv))
		}
	})
	t.Run("SU8, blank", func(t *testing.T) {
		_, asked := noting(t, story(15), sections, func(_ *Options, e *Env) { e.Model.Prompt = "  \n" })
		if len(asked) != 1 || !strings.Contains(asked[0].System, "## Intent") {
			t.Errorf("%d questions: %+v", len(asked), asked)
		}
	})
	for name, n := range map[string]int{"V3": 7, "V5": 9} { // the new size is that of the notes and of the messages that stay
		t.Run(name, func(t *testing.T) {
			c := story(n)
			res, asked := noting(t, c, sections, func(o *Options, _ *Env) { o.Target.Tokens, o.KeepLast, o.UnpinLast = total(c)-20, 3, true })
			at := slices.IndexFunc(res.Conv.Messages, isSummary)
			if len(asked) != 1 || at < 0 {
				t.Fatalf("%d questions, left %s", len(asked), show(res.Conv))
			}
			rest := slices.Delete(slices.Clone(res.Conv.Messages), at, at+1)
			if res.After >= res.Before || res.After != total(conv(res.Conv.Messages[at]))+total(conv(rest...)) || len(rest) < 4 {
				t.Errorf("%d tokens of %d, left %s", res.After, res.Before, show(res.Conv))
			}
		})
	}
	t.Run("SU9, V7", func(t *testing.T) { // the first message is among what is asked about; the question ends with what is wanted
		_, asked := noting(t, story(15), sections, nil)
		if !strings.Contains(asked[0].Text, "do step 0\n") || !strings.HasSuffix(asked[0].Text, "Now write the notes.") {
			t.Errorf("asked\n%s", asked[0].Text)
		}
	})
	t.Run("V6", func(t *testing.T) { // a tail of calls keeps them itself; the summary is one text of the user's
		c := conv(concat(story(14).Messages, rounds(1), msgs(user("go on"), model("ok")))...)
		res, _ := noting(t, c, sections, nil)
		at := slices.IndexFunc(res.Conv.Messages, isSummary)
		if m := res.Conv.Messages[at]; m.Role != transcript.User || len(m.Blocks) != 1 || !strings.Contains(show(res.Conv), "+1") {
			t.Errorf("left %s", show(res.Conv))
		}
	})
}

// TestNotesCarriedOn: a model gets the notes of an earlier summary apart and unchanged,
// with or without a model in it, and rules outlive both.
func TestNotesCarriedOn(t *testing.T) {
	const rule = "You must never push."
	c := conv(append(story(15).Messages, user(projectRules(rule)), model(said(99)), user("a"), model("b"), user("c"))...)
	for _, layout := range []Layout{LayoutKeep, LayoutFresh, LayoutFork} {
		t.Run(string(layout), func(t *testing.T) {
			o := func(o *Options, _ *Env) { o.Layout = layout }
			first, _ := noting(t, c, sections, o)
			more := goesOn(first.Conv)
			second, asked := noting(t, more, strings.Replace(sections, "Mend it.", "Go on.", 1), o)
			if len(asked) != 1 || !strings.Contains(asked[0].Text, "carried on in yours:\n<<<") || strings.Count(asked[0].Text, "Mend it.") != 1 || strings.Contains(asked[0].Text, acknowledgement) {
				t.Errorf("%q; asked\n%v", second.Stages[0].Skipped, asked)
			}
			text := all(second.Conv)
			if strings.Contains(text, "Mend it.") || strings.Count(text, "Go on.") != 1 || strings.Count(text, rule) != 1 {
				t.Errorf("left\n%s", text)
			}
			third := goesOn(second.Conv)
			without, _ := noting(t, third, "", func(o *Options, e *Env) { o.Layout, e.Ask = layout, nil })
			if text := all(without.Conv); !strings.Contains(text, rule) || !strings.Contains(text, "\npkg/valve_1.go\n") {
				t.Errorf("left\n%s", text)
			}
		})
	}
}

// goesOn is a conversation as a file with ids would have it, with more behind it.
func goesOn(c *transcript.Conversation) *transcript.Conversation {
	var list []*transcript.Message
	for m := range c.Visible() {
		again := &transcript.Message{Role: m.Role, Marked: m.Marked}
		for _, b := range m.Blocks {
			again.Blocks = append(again.Blocks, &transcript.Block{Kind: b.Kind, Parts: b.Parts, Origin: b.Origin})
		}
		list = append(list, again)
	}
	return conv(append(list, story(15).Messages...)...)
}

// TestNotesEndRuns: what a strategy is to pass on.
func TestNotesEndRuns(t *testing.T) {
	gone := errors.New("gone")
	failing := func(context.Context, notes.Prompt) (notes.Reply, error) { return notes.Reply{}, gone }
	for fallback, want := range map[Fallback]string{FallbackDigest: "", FallbackTruncate: "no summary: gone", FallbackFail: "gone"} {
		o := Defaults()
		o.Target.Tokens = 500
		res, err := Run(t.Context(), story(15), []*Strategy{&Summarize}, &o, Env{Tokens: words, Ask: failing, Model: Model{Fallback: fallback}})
		var failed *AskError
		switch {
		case fallback == FallbackFail:
			if !errors.As(err, &failed) || !errors.Is(err, gone) {
				t.Errorf("%s: %v", fallback, err)
			}
		case err != nil || res.Stages[0].Skipped != want || res.Stages[0].Fallback != "gone":
			t.Errorf("%s: %v, %+v", fallback, err, res)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	o := Defaults()
	o.Target.Tokens = 500
	_, err := Run(ctx, story(15), []*Strategy{&Summarize}, &o, Env{Tokens: words, Ask: func(context.Context, notes.Prompt) (notes.Reply, error) {
		cancel()
		return notes.Reply{}, gone
	}})
	if err != context.Canceled {
		t.Errorf("got %v, want the context's error as it is", err)
	}
}

// TestNotesRoom: how many tokens the notes may have.
func TestNotesRoom(t *testing.T) {
	for _, tt := range []struct{ target, window, want int }{
		{500, 0, 500}, {6000, 0, 4000}, {90_000, 0, 4000}, {90_000, 16_000, 2000}, {90_000, 8000, 1000},
	} {
		room := func(p notes.Prompt) int { return p.MaxTokens - min(800, p.MaxTokens/3) } // a draft has the rest
		long := strings.Replace(sections, "## Decisions\nNone.", "## Decisions\n"+strings.Repeat("The valves are opened by hand. ", 30), 1)
		_, asked := noting(t, story(1500), long, func(o *Options, e *Env) { o.Target.Tokens, e.Model.Window = tt.target, tt.window })
		if len(asked) == 0 || room(asked[0]) > tt.want || room(asked[0]) < tt.want/3 {
			t.Errorf("target %d, window %d: %+v", tt.target, tt.window, len(asked))
		} else if tt.target == 90_000 && room(asked[0]) != tt.want {
			t.Errorf("target %d, window %d: %d", tt.target, tt.window, room(asked[0]))
		}
	}
	res, asked := noting(t, story(9), sections, func(o *Options, _ *Env) { o.Target.Tokens = 60 })
	if s := res.Stages[0]; len(asked) > 0 || !strings.Contains(s.Fallback, "they need 120") || !slices.ContainsFunc(res.Conv.Messages, isSummary) {
		t.Errorf("%d questions, %+v", len(asked), s)
	}
}

// TestNotesBesideRest checks that the room for notes leaves the place of typed text, which stays whole, and
// of the last round, which becomes only a little shorter: notes that need all of it meet the target.
func TestNotesBesideRest(t *testing.T) {
	for _, rest := range [][]*transcript.Message{
		{user("Go on.")},
		{model("", call("9", "Write", "content="+strings.Repeat("open the valve ", 40))), tool("9", "ok")},
	} {
		c := conv(slices.Concat([]*transcript.Message{user(strings.Repeat("open each valve ", 60))}, story(24).Messages[1:], rest)...)
		var room int
		env := Env{Tokens: words, Ask: func(_ context.Context, p notes.Prompt) (notes.Reply, error) {
			room = p.MaxTokens * 2 / 3 // a draft has the rest
			if _, behind, ok := strings.Cut(p.Text, "Behind your notes"); !ok || !strings.Contains(behind, rest[0].Blocks[0].Text()) {
				t.Errorf("the question lacks the last messages: %s", p.Text)
			}
			fill := strings.Repeat(" valve", room-words(&transcript.Block{Parts: []transcript.Part{{Text: sections}}}))
			return notes.Reply{Text: strings.Replace(sections, "Mend it.", "Mend it"+fill+".", 1)}, nil
		}}
		o := Defaults()
		o.Target.Tokens = 800
		res, err := Run(t.Context(), c, []*Strategy{&Summarize}, &o, env)
		if err != nil || room < leastNotes || res.After > 800 || !strings.Contains(all(res.Conv), "Mend it valve") {
			t.Errorf("%v: %d tokens after notes of %d", err, res.After, room)
		}
	}
}

// TestRulesHaveNoRoom: rules that do not fit are counted.
func TestRulesHaveNoRoom(t *testing.T) {
	var many strings.Builder
	for i := range 200 {
		many.WriteString("You must never open valve_" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + " on a day " + strings.Repeat("y", i) + ".\n")
	}
	c := conv(append(story(15).Messages, user(projectRules(many.String())), model("a"), user("b"), model("c"), user("d"))...)
	res, _ := noting(t, c, sections, nil)
	if s := res.Stages[0]; !slices.ContainsFunc(s.Asked.Remarks, func(n string) bool { return strings.HasSuffix(n, "rules of instructions that go") }) {
		t.Errorf("said %q", s.Asked.Remarks)
	}
	if !isSummaryText(res.Conv.Messages[1].Blocks[0].Text()) || strings.Count(all(res.Conv), "You must never") < 5 {
		t.Errorf("left %s", show(res.Conv))
	}
}
