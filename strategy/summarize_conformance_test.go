package strategy

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// The cases of .github/CONFORMANCE.md about summaries, without a model: cases about
// prompts, costs and handlers are tested elsewhere. Summaries here differ in three points:
//
//   - Typed text stays or is quoted.
//   - The summary is a message of the user in every layout, because clients expect it
//     there.
//   - The tail has whole units, so that no call is removed from its message, and none is
//     too far back (KT9).

// story returns a conversation of n messages, of the user and the model in turn.
func story(n int) *transcript.Conversation {
	var msgs []*transcript.Message
	for i := range n {
		if i%2 == 0 {
			msgs = append(msgs, user(fmt.Sprintf("do step %d", i)))
		} else {
			msgs = append(msgs, model(said(i)))
		}
	}
	return conv(msgs...)
}

// said returns a long answer with facts in its first sentence.
func said(i int) string {
	return fmt.Sprintf("The cause is in pkg/valve_%d.go, where openValve%d returns ErrStuck%d.\n", i, i, i) + lines(30)
}

// summarizing runs summarize and returns the stage and the conversation after it.
func summarizing(t *testing.T, c *transcript.Conversation, target int, set func(*Options)) (Stage, *transcript.Conversation) {
	t.Helper()
	o := Defaults()
	o.Target.Tokens = target
	o.UnpinLast = true // the systems of these cases keep no answer beside a summary
	if set != nil {
		set(&o)
	}
	res, err := Run(t.Context(), c, []*Strategy{&Summarize}, &o, Env{Tokens: words})
	if err != nil {
		t.Fatal(err)
	}
	return res.Stages[len(res.Stages)-1], res.Conv
}

func layout(l Layout) func(*Options) { return func(o *Options) { o.Layout = l } }

// shape returns the role and the first three words of each visible message, and S for a
// summary.
func shape(c *transcript.Conversation) string {
	var list []string
	for m := range c.Visible() {
		text := m.Blocks[0].Text()
		switch {
		case isSummaryText(text):
			text = "S"
		case text == acknowledgement:
			text = "ACK"
		default:
			text = strings.Join(strings.Fields(text)[:min(3, len(strings.Fields(text)))], " ")
		}
		list = append(list, string(m.Role.String()[0])+":"+text)
	}
	return strings.Join(list, " | ")
}

// typedIn returns the typed blocks of a message.
func typedIn(m *transcript.Message) string {
	var texts []string
	for _, b := range m.Blocks {
		if b.Origin == transcript.Typed {
			texts = append(texts, b.Text())
		}
	}
	return strings.Join(texts, "\n\n")
}

func TestSummarizeKeep(t *testing.T) {
	tests := []struct {
		name   string
		conv   *transcript.Conversation
		target int
		cause  string // the reason to skip, or
		want   string // the shape of the result
	}{
		{"V1", story(2), 10, notEnough, ""},
		{"KT5", story(3), 10, notEnough, ""},
		{"V2", conv(append(story(5).Messages, ours(summary(digestText)), model(said(7)))...), 200, condensedRecently, ""},
		{"V3", story(7), 250, "", "u:do step 0 | u:S | u:do step 4 | a:The cause is | u:do step 6"},
		{"V4", grown(), 150, contextGrew, ""},
		{"empty", conv(user("a"), model(thinking("hm")), user("b"), model(thinking("so")), user("c"), user("d"), model("e"), model("f")), 3, emptySummary, ""},
		{"V5", story(9), 260, "", "u:do step 0 | u:S | u:do step 6 | a:The cause is | u:do step 8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stage, after := summarizing(t, tt.conv, tt.target, nil)
			if tt.cause != "" {
				if !strings.HasPrefix(stage.Skipped, tt.cause+":") {
					t.Errorf("skipped because %q, want %q", stage.Skipped, tt.cause)
				}
				if got, want := shape(after), shape(tt.conv); got != want {
					t.Errorf("the conversation was changed: %s", got)
				}
				return
			}
			if got := shape(after); got != tt.want {
				t.Errorf("%s\ngot  %s\nwant %s", stage.Skipped, got, tt.want)
			}
			if got, before := total(after), total(tt.conv); got >= before || got > tt.target || stage.Before != before || stage.After != got {
				t.Errorf("%d tokens, before %d, target %d; the stage has %d and %d", got, before, tt.target, stage.After, stage.Before)
			}
		})
	}
}

// TestSummaryPlace checks that no summary stands between a call and its result, also if the
// first removed block is beside a result that stays.
func TestSummaryPlace(t *testing.T) {
	c := conv(user("do step 0"), model(call("t", "TodoWrite", "todos=x")), user(result("t", "ok"), injected(said(1))),
		model(said(2)), user("do step 3"), model(said(4)), user("a"), model("b"), user("c"))
	_, after := summarizing(t, c, 100, nil)
	if got, want := shape(after), "u:do step 0 | a:x | u:ok | u:S | u:a | a:b | u:c"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// grown returns a conversation with so little to summarise that a heading is longer.
func grown() *transcript.Conversation {
	return conv(user("a"), model("b pkg/x.go"), model("c pkg/y.go"), user("d"), model(lines(60)), model("f"))
}

const (
	digestText = opening + "\n" + notice + "\n\n" + digestLine
	digestLine = "[condensed: Read pkg/pump.go:\n func runPump() error\n]"
)

// TestNoSummaryFallsBack checks that the reason to skip begins with the cause, and that the
// next stage runs then.
func TestNoSummaryFallsBack(t *testing.T) {
	c := grown()
	p, err := summarize(context.Background(), inputFor(c, Defaults(), 150))
	if err != nil || !strings.HasPrefix(p.Skipped, contextGrew+": ") {
		t.Fatalf("got %q, %v, want %q", p.Skipped, err, contextGrew)
	}
	o := Defaults()
	o.Target.Tokens = 150
	res, err := Run(t.Context(), c, []*Strategy{&Summarize, &Truncate}, &o, Env{Tokens: words})
	if err != nil {
		t.Fatal(err)
	}
	if res.Stages[0].Skipped == "" || res.Stages[1].Skipped != "" {
		t.Errorf("summarize: %q, truncate: %q", res.Stages[0].Skipped, res.Stages[1].Skipped)
	}
	if got, want := show(res.Conv), "0:a | 3:d | 5:f"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestKeepTail tests KT1 to KT12, about the messages that stay at the end.
func TestKeepTail(t *testing.T) {
	use := func(ids ...string) *transcript.Message {
		content := []any{"look"}
		for _, id := range ids {
			content = append(content, call(id, "Read", "path=a.go"))
		}
		return model(content...)
	}
	answer := func(ids ...string) *transcript.Message {
		var content []any
		for _, id := range ids {
			content = append(content, result(id, "text"))
		}
		return user(content...)
	}
	early := []*transcript.Message{user("0"), model("1"), user("2"), model("3")}
	with := func(msgs ...*transcript.Message) *transcript.Conversation {
		return conv(append(slices.Clone(early), msgs...)...)
	}
	tests := []struct {
		name string
		conv *transcript.Conversation
		want []int
	}{
		{"KT1", with(use("a"), answer("a"), model("x"), user("y")), []int{4, 5, 6, 7}},
		{"KT2", with(user("w"), model("x"), user("y"), model("z")), []int{5, 6, 7}},
		{"KT3", with(use("a", "b"), answer("a", "b"), model("x"), user("y")), []int{4, 5, 6, 7}},
		{"KT4", with(model("w"), user("x"), model("y"), user("z")), []int{5, 6, 7}},
		{"KT5", conv(user("0"), model("1")), []int{0, 1}},
		{"KT6", with(use("a"), model("x"), answer("a"), user("y")), []int{4, 5, 6, 7}},
		{"KT7", with(use("a"), model("w"), model("x"), answer("a")), []int{4, 5, 6, 7}},
		{"KT8", with(use("a"), use("b"), answer("a"), answer("b"), user("y")), []int{4, 5, 6, 7, 8}},
		{"KT9", with(use("a"), user("p"), model("q"), user("r"), model("s"), user("t"), model("u"), answer("a")), []int{4, 9, 10, 11}},
		{"KT10", with(use("a"), answer("a"), use("a"), answer("a"), user("y")), []int{6, 7, 8}},
		{"KT11", with(model(thinking("hm")), use("a"), answer("a"), model("x"), user("y")), []int{4, 5, 6, 7, 8}},
		{"KT12", conv(), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := Defaults()
			o.KeepLast = 3
			in := inputFor(tt.conv, o, 10)
			var got []int
			for _, m := range tt.conv.Messages {
				if in.tail()[m.ID] {
					got = append(got, m.ID)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// TestSummarizeFresh tests the cases of SU, SS and EF that need no model.
func TestSummarizeFresh(t *testing.T) {
	const command = `<command name="deploy">ship
it</command> and then rest`
	t.Run("SU1", func(t *testing.T) {
		if stage, _ := summarizing(t, conv(user(said(1))), 20, layout(LayoutFresh)); !strings.HasPrefix(stage.Skipped, notEnough) {
			t.Errorf("skipped because %q", stage.Skipped)
		}
	})
	t.Run("SU2", func(t *testing.T) {
		stage, after := summarizing(t, story(7), 200, layout(LayoutFresh))
		if got, want := shape(after), "u:S"; got != want {
			t.Errorf("%s\ngot  %s\nwant %s", stage.Skipped, got, want)
		}
		if got, want := typedIn(after.Messages[0]), "do step 0\n\ndo step 2\n\ndo step 4\n\ndo step 6"; got != want {
			t.Errorf("quoted: %q", got)
		}
		if total(after) > 200 {
			t.Errorf("%d tokens", total(after))
		}
	})
	for name, first := range map[string][]any{
		"a command": {command}, "two commands": {command + "\n" + command}, "a command in the second text": {"first", command}, "SU10": {"a", "b"},
	} {
		t.Run(name, func(t *testing.T) {
			_, after := summarizing(t, conv(user(first...), model(said(1)), model(said(2))), 60, layout(LayoutFresh))
			if got := typedIn(after.Messages[0]); got != join(first) {
				t.Errorf("got %q, want %q", got, join(first))
			}
		})
	}
	t.Run("SU5", func(t *testing.T) {
		stage, _ := summarizing(t, conv(user(said(1)), ours(summary(digestText))), 20, layout(LayoutFresh))
		if !strings.HasPrefix(stage.Skipped, condensedRecently) {
			t.Errorf("skipped because %q", stage.Skipped)
		}
	})
	t.Run("SU11", func(t *testing.T) {
		_, after := summarizing(t, conv(user("go"), model(thinking(said(1)), said(2)), model(said(3))), 80, layout(LayoutFresh))
		for _, b := range after.Blocks() {
			if b.Kind != transcript.Text {
				t.Errorf("a block of kind %s is left", b.Kind)
			}
		}
	})
	t.Run("SS6, EF11", func(t *testing.T) { // the next summary has the content of the last, but not its text
		c := conv(ours(summary(digestText)), user("go on"), model(said(1)), model(said(2)))
		_, after := summarizing(t, c, 100, layout(LayoutFresh))
		text := after.Messages[0].Blocks[0].Text()
		if got, want := shape(after), "u:S"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if strings.Count(text, "## Conversation Summary") != 1 || strings.Count(text, digestLine) != 1 || typedIn(after.Messages[0]) != "go on" {
			t.Errorf("not merged:\n%s", text)
		}
	})
}

func join(content []any) string {
	var texts []string
	for _, c := range content {
		texts = append(texts, c.(string))
	}
	return strings.Join(texts, "\n\n")
}

// TestSummarizeLastAnswer checks that the last answer follows the summary word for word.
func TestSummarizeLastAnswer(t *testing.T) {
	c := conv(user("go"), model(said(1)), model(said(2)), model("It is the valve."),
		model(fixed(thinking("signed")), call("a", "Read", "path=a.go")), user(result("a", "text of it")))
	for l, want := range map[Layout]string{
		LayoutFresh: "u:S | a:It is the",
		LayoutFork:  "u:S | a:ACK | a:It is the | a:signed | u:text of it",
		LayoutKeep:  "u:go | u:S | a:It is the | a:signed | u:text of it",
	} {
		stage, after := summarizing(t, c, 100, func(o *Options) { o.Layout, o.UnpinLast = l, false })
		if got := shape(after); got != want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", l, stage.Skipped, got, want)
		}
	}
}

// TestSummarizeFork checks that a state, its acknowledgement and the last user message are
// left. If that message is a result, its call stays with the thinking before it.
func TestSummarizeFork(t *testing.T) {
	c := conv(user("go"), model(said(1)), model(said(2)),
		model(fixed(thinking("signed")), call("a", "Read", "path=a.go")), user(result("a", "text of it")))
	_, after := summarizing(t, c, 100, layout(LayoutFork))
	if got, want := shape(after), "u:S | a:ACK | a:signed | u:text of it"; got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
	state := after.Messages[0].Blocks[0].Text()
	if !strings.HasPrefix(state, "<state_snapshot>\n<notice>") || !strings.HasSuffix(state, "\n</state_snapshot>") {
		t.Errorf("no state:\n%s", state)
	}
	if last := c.Messages[3]; after.Message(last.ID).Blocks[0].Text() != "signed" {
		t.Error("the thinking of the last round is changed")
	}
	t.Run("again", func(t *testing.T) {
		stage, again := summarizing(t, after, 20, layout(LayoutFork))
		if !strings.HasPrefix(stage.Skipped, condensedRecently) || shape(again) != shape(after) {
			t.Errorf("skipped because %q: %s", stage.Skipped, shape(again))
		}
	})
	t.Run("typed last", func(t *testing.T) {
		_, after := summarizing(t, conv(user("go"), model(said(1)), model(said(2)), user("and now?")), 60, layout(LayoutFork))
		if got, want := shape(after), "u:S | a:ACK | u:and now?"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

// TestHiddenIsNotSummarized checks that summaries have nothing of hidden messages.
func TestHiddenIsNotSummarized(t *testing.T) {
	c := story(9)
	c.Messages[3].Hidden = true
	c = transcript.New("c", c.Messages)
	_, after := summarizing(t, c, 300, layout(LayoutFresh))
	at := slices.IndexFunc(after.Messages, func(m *transcript.Message) bool { return isSummary(m) })
	if text := all(after); at < 0 || strings.Contains(text, "valve_3") || !strings.Contains(text, "valve_1") {
		t.Errorf("the summary:\n%s", text)
	}
}

// TestCheckQuotes checks that a strategy that loses typed text is stopped.
func TestCheckQuotes(t *testing.T) {
	in := &Input{Conv: conv(user("one"), model("x"), user("two")), Opts: &Options{}}
	drops := []transcript.Edit{{At: transcript.At(0), Op: transcript.Drop}, {At: transcript.Ref{Msg: 2, Part: transcript.Whole}, Op: transcript.Drop}}
	insert := func(text string) transcript.Edit {
		return transcript.Edit{At: transcript.At(transcript.End), Op: transcript.Insert, New: written(transcript.User, text, transcript.Typed, transcript.Verbatim)}
	}
	for text, ok := range map[string]bool{"one\n\ntwo": true, "two\n\none": false, "one": false} {
		if err := checkQuotes(in, append(slices.Clone(drops), insert(text))); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestPinnedStays checks that pinned messages do not change in any layout, and that a later
// stage keeps the summary.
func TestPinnedStays(t *testing.T) {
	for _, l := range []Layout{LayoutKeep, LayoutFresh, LayoutFork} {
		t.Run(string(l), func(t *testing.T) {
			c := story(9)
			o := Defaults()
			o.Target.Tokens, o.Layout = 5, l
			o.Messages = Range{First: 4}
			res, err := Run(t.Context(), c, []*Strategy{&Summarize, &Smart, &Truncate}, &o, Env{Tokens: words})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range c.Messages[:3] {
				if got := res.Conv.Message(m.ID); got == nil || got.Blocks[0].Text() != m.Blocks[0].Text() {
					t.Errorf("message %d is changed", m.ID)
				}
			}
			if n := strings.Count(shape(res.Conv), ":S"); n != 1 {
				t.Errorf("%d summaries: %s", n, shape(res.Conv))
			}
		})
	}
}

// TestRoomBesideSummary checks that a new summary has only the tokens that an earlier one,
// of another program, leaves of the budget.
func TestRoomBesideSummary(t *testing.T) {
	c := conv(slices.Concat([]*transcript.Message{user(summary("What was done until now:\n" + lines(120)))}, story(20).Messages)...)
	const target = 760
	_, after := summarizing(t, c, target, nil)
	if got := total(after); got > target {
		t.Errorf("%d tokens of %d: %s", got, target, shape(after))
	}
}

// ending returns a story followed by short answers, which cannot be shortened.
func ending(answers int) *transcript.Conversation {
	msgs := slices.Clone(story(20).Messages)
	for i := range answers {
		msgs = append(msgs, model(fmt.Sprintf("Check %d of the valves is done and well now.", i)))
	}
	return conv(msgs...)
}

// TestSummarizeLands checks that a summary is written again, shorter, if the messages beside
// it need more than their part of the budget.
func TestSummarizeLands(t *testing.T) {
	tests := []struct {
		name   string
		kept   int // messages at the end
		target int
		reach  bool
	}{
		{"the rest fits", 4, 700, true},
		{"the rest is large", 40, 700, true},
		{"nothing but the summary is left to shorten", 40, 660, true},
		// A few lines are written all the same; the report says what stays.
		{"what stays is over the target", 40, 300, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, after := summarizing(t, ending(tt.kept), tt.target, func(o *Options) { o.KeepLast = tt.kept })
			if got := total(after); (got <= tt.target) != tt.reach {
				t.Errorf("%d tokens, target %d", got, tt.target)
			}
			if !strings.Contains(shape(after), ":S") || !strings.Contains(all(after), "ErrStuck") {
				t.Errorf("no summary: %s", shape(after))
			}
		})
	}
}
