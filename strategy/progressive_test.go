package strategy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// layered runs progressive and returns the conversation, and for each layer the reason why
// it was skipped.
func layered(t *testing.T, c *transcript.Conversation, o Options) (*transcript.Conversation, []string) {
	t.Helper()
	r, err := Run(t.Context(), c, []*Strategy{&Progressive}, &o, Env{Tokens: words})
	if err != nil {
		t.Fatal(err)
	}
	var skipped []string
	for _, s := range r.Stages {
		skipped = append(skipped, s.Skipped)
	}
	return r.Conv, skipped
}

// thinker returns a turn of a user and a model that thinks first.
func thinker(n int) []*transcript.Message {
	return []*transcript.Message{user(fmt.Sprint("Q", n)), model(thinking(fmt.Sprint("thought ", n)), fmt.Sprint("A", n))}
}

// TestThinkingCases tests CX2 and CX3 of .github/CONFORMANCE.md.
func TestThinkingCases(t *testing.T) {
	always := Options{Window: 1, ProgressiveOptions: ProgressiveOptions{L1: 99, L3: 99}}
	never := Options{Window: 1, ProgressiveOptions: ProgressiveOptions{L1: 99, L2: 99, L3: 99}}
	six := func() *transcript.Conversation { return conv(concat(thinker(0), thinker(1), thinker(2))...) }
	tests := []struct {
		name string
		conv *transcript.Conversation
		opts Options
		want string
	}{
		// There, the model begins; here the user does.
		{"CX2", six(), always, "0:Q0 | 1:A0 | 2:Q1 | 3:?thought 1 & A1 | 4:Q2 | 5:?thought 2 & A2"},
		{"CX2, the current turn is longer than the last messages", conv(concat(
			thinker(0), []*transcript.Message{user("go")},
			[]*transcript.Message{model(thinking("now"), call("1", "Read", "path=a")), user(result("1", "x"))},
			[]*transcript.Message{model(thinking("and now"), call("2", "Read", "path=b")), user(result("2", "y")), model("done")},
		)...), always, "0:Q0 | 1:A0 | 2:go | 3:?now & +1 | 4:-1 x | 5:?and now & +2 | 6:-2 y | 7:done"},
		{"CX2, no more than needed", conv(concat(thinker(0), thinker(1), thinker(2), thinker(3), thinker(4))...),
			Options{Window: 18, ProgressiveOptions: ProgressiveOptions{L1: 99, L2: 1, L3: 99}},
			"0:Q0 | 1:A0 | 2:Q1 | 3:?thought 1 & A1 | 4:Q2 | 5:?thought 2 & A2 | 6:Q3 | 7:?thought 3 & A3 | 8:Q4 | 9:?thought 4 & A4"},
		{"CX2, four messages are all fresh", conv(concat(thinker(0), thinker(1))...), always, show(conv(concat(thinker(0), thinker(1))...))},
		{"CX2, not over the share", six(), never, show(six())},
		{"CX2, --thinking keep", six(), Options{Window: 1, ProgressiveOptions: ProgressiveOptions{L1: 99, L3: 99}, PrepareOptions: PrepareOptions{Thinking: ThinkingKeep}}, show(six())},
		// The aggressive mode there is ThinkingDrop here, which drops thinking of any size.
		{"CX3", conv(model(thinking("t"), "a")), Options{Window: 9, ProgressiveOptions: ProgressiveOptions{L1: 99, L3: 99}, PrepareOptions: PrepareOptions{Thinking: ThinkingDrop}}, "0:a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := layered(t, tt.conv, tt.opts)
			if show(got) != tt.want {
				t.Errorf("got  %s\nwant %s", show(got), tt.want)
			}
		})
	}
}

// TestThinkingLeavesNoEmptyMessage checks that a message with only thinking is removed
// together with the thinking.
func TestThinkingLeavesNoEmptyMessage(t *testing.T) {
	c := conv(concat([]*transcript.Message{user("a"), model(thinking("t"))}, thinker(1), thinker(2))...)
	got, _ := layered(t, c, Options{Window: 1, ProgressiveOptions: ProgressiveOptions{L1: 99, L3: 99}})
	if want := "0:a | 2:Q1 | 3:?thought 1 & A1 | 4:Q2 | 5:?thought 2 & A2"; show(got) != want {
		t.Errorf("got  %s\nwant %s", show(got), want)
	}
}

func TestProgressiveThresholds(t *testing.T) {
	c := conv(append(append([]*transcript.Message{user("begin")}, rounds(4)...), user("end"))...) // 4 × 78 words and 2
	size := total(c)
	within := func(share, window string) string {
		return size3(size) + " tokens are within " + share + " of the window of " + window
	}
	tests := []struct {
		name string
		opts Options
		want []string
	}{
		{"no layer", Options{Window: 1000, ProgressiveOptions: ProgressiveOptions{L1: 0.4, L2: 0.55, L3: 0.7}},
			[]string{within("40%", "1,000"), within("40%", "1,000"), within("55%", "1,000"), within("70%", "1,000"), within("70%", "1,000")}},
		{"exactly the share", Options{Window: size, ProgressiveOptions: ProgressiveOptions{L1: 1, L2: 1, L3: 1}},
			slices.Repeat([]string{within("100%", size3(size))}, 5)},
		{"the first only", Options{Window: 500, ProgressiveOptions: ProgressiveOptions{L1: 0.4, L2: 0.55, L3: 0.7}},
			[]string{"no tool result can be compacted", "", "158 tokens are within 55% of the window of 500", "158 tokens are within 70% of the window of 500", "158 tokens are within 70% of the window of 500"}},
		{"the third alone", Options{Window: 400, KeepRounds: 10, ProgressiveOptions: ProgressiveOptions{L1: 9, L2: 9, L3: 0.7}},
			[]string{within("900%", "400"), within("900%", "400"), within("900%", "400"), "280 of 314 tokens may stay, a summary is for less than a third", ""}},
		{"the first keeps rounds, the second finds nothing", Options{Window: 100, KeepRounds: 10, ProgressiveOptions: ProgressiveOptions{L1: 0.4, L2: 0.55, L3: 0.7}},
			[]string{"no tool result can be compacted", "4 tool rounds, the last 10 are kept", "there is no thinking before the current turn and the last 4 messages",
				"empty summary: what stays word for word leaves 42 tokens for one", ""}},
		{"neither a window nor a target", Options{TruncateOptions: TruncateOptions{Fraction: 0.5}},
			slices.Repeat([]string{noWindow}, 5)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, skipped := layered(t, c, tt.opts)
			if got, want := strings.Join(skipped, "\n"), strings.Join(tt.want, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

const noWindow = "neither a window nor a target says how large the conversation may be"

func size3(n int) string { return transcript.Number(n) }

// TestProgressiveGoal checks that a layer saves down to the target, or without a target
// down to its share.
func TestProgressiveGoal(t *testing.T) {
	c := conv(append(append([]*transcript.Message{user("begin")}, rounds(4)...), user("end"))...)
	size := total(c)
	one := (size - 2) / 4
	tests := []struct {
		name string
		opts Options
		want int // rounds that go
	}{
		{"to the share", Options{Window: 2 * size, ProgressiveOptions: ProgressiveOptions{L1: 0.4, L2: 9, L3: 9}}, 1},
		{"to the target", Options{Window: 2 * size, Target: Target{Tokens: size - 2*one}, ProgressiveOptions: ProgressiveOptions{L1: 0.4, L2: 9, L3: 9}}, 2},
		{"within the share, over the target", Options{Window: 9 * size, Target: Target{Tokens: 1}, ProgressiveOptions: ProgressiveOptions{L1: 0.4, L2: 9, L3: 9}}, 0},
		{"the target stands in for the window", Options{Target: Target{Tokens: size - 3*one}, ProgressiveOptions: ProgressiveOptions{L1: 0.4, L2: 9, L3: 9}}, 3},
		{"half the tokens without either", Options{ProgressiveOptions: ProgressiveOptions{L1: 0.4, L2: 9, L3: 9}}, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := layered(t, c, tt.opts)
			if gone := (size - total(got)) / one; gone != tt.want {
				t.Errorf("%d rounds were removed, want %d", gone, tt.want)
			}
		})
	}
}

// TestProgressiveBudget checks that with a window and without a target there is no budget,
// unless another stage aims at one.
func TestProgressiveBudget(t *testing.T) {
	for _, tt := range []struct {
		stages []*Strategy
		opts   Options
		want   int
	}{
		{[]*Strategy{&Progressive}, Options{}, 50},
		{[]*Strategy{&Progressive}, Options{Window: 70}, 0},
		{[]*Strategy{&Progressive}, Options{Window: 70, Target: Target{Tokens: 30}}, 30},
		{[]*Strategy{&Progressive, &Truncate}, Options{Window: 70}, 50},
		{[]*Strategy{&Mask}, Options{Window: 70}, 0},
	} {
		if got := budget(tt.stages, &tt.opts, 100); got != tt.want {
			t.Errorf("%+v: %d, want %d", tt.opts, got, tt.want)
		}
	}
}

// TestDropRounds checks that layer 1 removes whole rounds, except pinned blocks and typed
// text beside the results. The last rounds and work in progress stay.
func TestDropRounds(t *testing.T) {
	beside := []*transcript.Message{
		user("begin"),
		model("I look.", call("1", "Read", "path=a")), user(result("1", "x x x"), "no, the other one"),
		model(call("2", "Read", "path=b")), tool("2", "y y y"),
		model("words between"),
		model(call("3", "Read", "path=c")), tool("3", "z z z"),
		user("end"),
	}
	tests := []struct {
		name string
		conv *transcript.Conversation
		opts Options
		want string
	}{
		{"typed text stays", conv(beside...), Options{KeepRounds: 1}, "0:begin | 2:no, the other one | 5:words between | 6:+3 | 7:-3 z z z | 8:end"},
		{"no round is kept", conv(beside...), Options{}, "0:begin | 2:no, the other one | 5:words between | 8:end"},
		{"a result with words of the user stays", conv(user("a"), model(call("1", "Ask")), user(quoting(result("1", "yes"))), user("b")), Options{},
			"0:a | 1:+1 | 2:-1 yes | 3:b"},
		{"work in progress", conv(user("a"), model(call("1", "Read", "path=a"))), Options{}, "0:a | 1:+1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.opts.Window, tt.opts.L1, tt.opts.L2, tt.opts.L3 = 1, 0, 99, 99
			got, _ := layered(t, tt.conv, tt.opts)
			if show(got) != tt.want {
				t.Errorf("got  %s\nwant %s", show(got), tt.want)
			}
		})
	}
}

// TestFoldTurns tests layer 3 alone.
func TestFoldTurns(t *testing.T) {
	long := strings.Repeat("word ", 40)
	first := []*transcript.Message{
		user("begin"),
		model(thinking("hm"), "I look.", call("1", "Read", "path=a.go")), tool("1", long),
		model(call("2", "Bash", "command=go test")), user(failing(withImage(result("2", long)))),
		model("It is done."),
	}
	const line = "[Read a.go, Bash go test (failed), 2 texts, 1 image omitted]"
	pure := []*transcript.Message{user("begin"), model(call("1", "Read", "path=a.go")), tool("1", long)}
	tests := []struct {
		name   string
		conv   *transcript.Conversation
		window int
		want   string
	}{
		{"a turn that is over leaves a marker", conv(append(first, user("next"), model("ok"))...), 1, "0:begin | 1:" + line + " | 6:next | 7:ok"},
		{"a turn that continues leaves none", conv(append(first, model("more"))...), 1, "0:begin | 6:more"},
		{"a turn of which something stays leaves none", conv(append(first, user("next"), model("ok"))...), 110, "0:begin | 3:+2 | 4:-2 " + long + " | 5:It is done. | 6:next | 7:ok"},
		{"a turn without text leaves none", conv(append(pure, user("next"), model("ok"))...), 1, "0:begin | 3:next | 4:ok"},
		{"a marker would save nothing", conv(user("begin"), model("ok"), user("next"), model("end")), 1, "0:begin | 2:next | 3:end"},
		{"a pinned round stays in its place", conv(user("begin"), model("so "+long), model(call("1", "TodoWrite", "todos=x")), tool("1", "ok"), model("and "+long), user("next"), model("ok")), 1,
			"0:begin | 2:+1 | 3:-1 ok | 4:[1 text omitted] | 5:next | 6:ok"},
		{"nothing may go", conv(user("begin"), user("next")), 1, "0:begin | 1:next"},
		{"nothing", conv(), 1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{Window: tt.window, ProgressiveOptions: ProgressiveOptions{L1: 999, L2: 999, L3: 1}}
			got, _ := layered(t, tt.conv, o)
			if show(got) != tt.want {
				t.Errorf("got  %s\nwant %s", show(got), tt.want)
			}
			if again, _ := layered(t, got, o); show(again) != show(got) {
				t.Errorf("a second run changes it to %s", show(again))
			}
		})
	}
}

// TestSummarizeState tests layer 3 if turns would leave only markers. One summary takes the
// place of texts and calls, and the result is within the share.
func TestSummarizeState(t *testing.T) {
	c := conv(append(story(40).Messages, user("end"))...)
	const window = 1000
	got, skipped := layered(t, c, Options{Window: window, ProgressiveOptions: ProgressiveOptions{L1: 9, L2: 9, L3: 0.7}})
	if !strings.HasPrefix(shape(got), "u:do step 0 | u:S | u:do step 38") || !strings.HasSuffix(shape(got), "u:end") {
		t.Errorf("%s (%q)", shape(got), skipped)
	}
	if n := total(got); n > 700 {
		t.Errorf("%d tokens, 700 may stay", n)
	}
	text := ""
	for _, m := range got.Messages {
		if isSummaryText(m.Blocks[0].Text()) {
			text = m.Blocks[0].Text()
		}
	}
	if !strings.Contains(text, "ErrStuck") {
		t.Errorf("the summary has no facts of the removed turns: %s", text)
	}
}

// TestDropped checks that a marker names each call once, and only as many as it has room
// for.
func TestDropped(t *testing.T) {
	var msgs []*transcript.Message
	for i := range 20 {
		msgs = append(msgs, round(fmt.Sprint(i), "Read", fmt.Sprintf("path=%s%d.go", strings.Repeat("long/", 10), i/2), "x")...)
	}
	c := conv(msgs...)
	var drops []transcript.Edit
	for ref := range c.Blocks() {
		drops = append(drops, transcript.Edit{At: ref, Op: transcript.Drop})
	}
	got := transcript.Marker(dropped(c, drops))
	if n := strings.Count(got, "Read long/"); n != 4 || !strings.HasSuffix(got, ", 12 other calls omitted]") {
		t.Errorf("%d calls named: %s", n, got)
	}
}

// TestLayerNames checks the names and descriptions of layers, which reports and help show.
func TestLayerNames(t *testing.T) {
	for _, l := range Progressive.Layers {
		if !strings.HasPrefix(l.Name, Progressive.Name+"/") || !strings.HasPrefix(l.Doc, "layer ") || l.Run == nil {
			t.Errorf("%+v", l)
		}
		if p, err := l.Run(t.Context(), inputFor(conv(), Options{}, 0)); err != nil || p.Skipped == "" || p.Edits != nil {
			t.Errorf("%s: %+v, %v, want a skip", l.Name, p, err)
		}
	}
}

// TestProgressiveEditsNoText checks that layers remove texts of the user and the model only
// whole, code blocks included, and never if they are pinned. In Antigravity Manager this
// is optional.
func TestProgressiveEditsNoText(t *testing.T) {
	const code = "I changed this:\n```go\nfunc main() {\n\n\n\tprintln(1) // " + "the same line\n\tprintln(1) // the same line\n}\n```"
	c := conv(concat(
		thinker(0), msgs(user("write it"), model(code)), rounds(4), msgs(model("Built.\n"+lines(30))), thinker(1), thinker(2), thinker(3),
	)...)
	for _, tt := range []struct {
		pin  []string
		left bool // the code block
	}{{nil, false}, {[]string{"```"}, true}} {
		o := Defaults()
		o.Target, o.Aggression, o.KeepRounds = Target{Tokens: 1}, 1, 0
		o.Pin = patterns(tt.pin...)
		got, _ := layered(t, c, o)
		if left := strings.Contains(all(got), code); left != tt.left {
			t.Errorf("pin %q: code block left %v", tt.pin, left)
		}
		for ref, b := range c.Blocks() {
			now := got.Block(ref)
			if b.Kind == transcript.Text && now != nil && now.Text() != b.Text() && !transcript.IsMarker(now.Text()) {
				t.Errorf("pin %q: %s became %q", tt.pin, ref, now.Text())
			}
		}
	}
}
