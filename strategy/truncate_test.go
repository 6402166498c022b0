package strategy

import (
	"fmt"
	"testing"

	"condense/transcript"
)

// TR1 to TR9 of .github/CONFORMANCE.md test the sliding window. The cases here are about
// the messages that it removes.

func TestWindowCutHalf(t *testing.T) {
	want := []int{0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6}
	for i, n := range want {
		if got := windowCut(i+2, 0.5); got != n {
			t.Errorf("of %d messages: %d go, want %d", i+2, got, n)
		}
	}
}

func TestWindowCut(t *testing.T) {
	tests := []struct {
		name     string
		visible  int
		fraction float64
		want     int
	}{
		{"TR1", 3, 0.5, 0},
		{"TR2", 5, 0.5, 2},
		{"TR3", 7, 0.3, 0},
		{"TR4", 9, 0, 0},
		{"TR5", 4, 1, 2},
		{"TR6", 11, 0.5, 4},
		{"TR7", 12, 0.5, 4},
		{"TR8", 2, 0.5, 0},
		{"TR9", 3, 1, 2},
		{"nothing", 0, 1, 0},
		{"one", 1, 1, 0},
		{"all but the first", 101, 1, 100},
	}
	for _, tt := range tests {
		if got := windowCut(tt.visible, tt.fraction); got != tt.want {
			t.Errorf("%s: %v of %d messages: %d go, want %d", tt.name, tt.fraction, tt.visible, got, tt.want)
		}
	}
}

// chat returns n messages, m0, m1, …, of the user and the model in turn.
func chat(n int) (msgs []*transcript.Message) {
	for i := range n {
		by := user
		if i%2 == 1 {
			by = model
		}
		msgs = append(msgs, by(fmt.Sprintf("m%d", i)))
	}
	return msgs
}

func TestTruncateFraction(t *testing.T) {
	tests := []struct {
		name     string
		conv     *transcript.Conversation
		fraction float64
		want     string
	}{
		{"TR1", conv(chat(3)...), 0.5, "0:m0 | 1:m1 | 2:m2"},
		{"TR2", conv(chat(5)...), 0.5, "0:m0 | 3:m3 | 4:m4"},
		{"TR3", conv(chat(7)...), 0.3, "0:m0 | 1:m1 | 2:m2 | 3:m3 | 4:m4 | 5:m5 | 6:m6"},
		{"TR5", conv(chat(4)...), 1, "0:m0 | 3:m3"},
		{"TR6", conv(chat(11)...), 0.5, "0:m0 | 5:m5 | 6:m6 | 7:m7 | 8:m8 | 9:m9 | 10:m10"},
		{"TR7", conv(chat(12)...), 0.5, "0:m0 | 5:m5 | 6:m6 | 7:m7 | 8:m8 | 9:m9 | 10:m10 | 11:m11"},
		{"TR9, but the last unit is kept", conv(chat(3)...), 1, "0:m0 | 2:m2"},

		{"system prompts do not count", conv(append([]*transcript.Message{system("s")}, chat(5)...)...), 0.5,
			"0:s | 1:m0 | 4:m3 | 5:m4"},
		{"hidden messages do not count", conv(append([]*transcript.Message{hidden(user("h")), hidden(model("h"))}, chat(5)...)...), 0.5,
			"2:m0 | 5:m3 | 6:m4"},
		{"a round that ends at the cut", conv(user("q"), model(call("a", "T")), tool("a", "r"), model("x"), user("y")), 0.5,
			"0:q | 3:x | 4:y"},
		{"a round across the cut is removed whole", conv(user("q"), model("x"), model(call("a", "T")), tool("a", "r"), user("y")), 0.5,
			"0:q | 4:y"},
		{"a round with two results across the cut",
			conv(user("q"), model(call("a", "T"), call("b", "T")), tool("a", "r"), tool("b", "r"), user("y")), 0.5,
			"0:q | 4:y"},
		{"a late result is removed with its call", conv(user("q"), model(call("a", "T")), user("x"), model("y"), tool("a", "r"), user("z")), 0.5,
			"0:q | 3:y | 5:z"},
		{"the first unit is a round", conv(model(call("a", "T")), tool("a", "r"), user("x"), model("y"), user("z"), model("w")), 0.5,
			"0:+a | 1:-a r | 3:y | 4:z | 5:w"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := inputFor(tt.conv, Options{UnpinUser: true, TruncateOptions: TruncateOptions{Fraction: tt.fraction}}, 0)
			if got := show(apply(t, in.Conv, propose(t, &Truncate, in))); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestTruncateFractionKeepsPins(t *testing.T) {
	c := conv(chat(9)...)
	in := inputFor(c, Options{TruncateOptions: TruncateOptions{Fraction: 0.5}}, 0) // typed text is pinned, unlike on the command line
	if got, want := show(apply(t, in.Conv, propose(t, &Truncate, in))), "0:m0 | 2:m2 | 4:m4 | 5:m5 | 6:m6 | 7:m7 | 8:m8"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTruncateSkips(t *testing.T) {
	tests := []struct {
		name   string
		conv   *transcript.Conversation
		opts   Options
		budget int
		want   string
	}{
		{"all typed", conv(user("a b c"), user("d e f")), Options{}, 2, "every message is kept by rule"},
		{"all kept", conv(chat(20)...), Options{KeepFirst: 20}, 2, "every message is kept by rule"},
		{"all kept, fraction", conv(chat(20)...), Options{KeepFirst: 20, TruncateOptions: TruncateOptions{Fraction: 0.5}}, 0, "every message is kept by rule"},
		{"empty", conv(), Options{}, 0, "every message is kept by rule"},
		{"too few", conv(chat(4)...), Options{TruncateOptions: TruncateOptions{Fraction: 0.5}}, 0, "0.5 of 3 messages after the first is less than two"},
		{"none", conv(), Options{TruncateOptions: TruncateOptions{Fraction: 0.5}}, 0, "0.5 of 0 messages after the first is less than two"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wantSkip(t, &Truncate, inputFor(tt.conv, tt.opts, tt.budget), tt.want)
		})
	}
}

func TestTruncateBudget(t *testing.T) {
	// 27 words: four questions of two, three answers of five and one of four.
	talk := func() *transcript.Conversation {
		return conv(user("q one"), model("a b c d e"), user("q two"), model("f g h i j"), user("q three"), model("k l m n o"), user("q four"), model("p q r s"))
	}
	tests := []struct {
		name   string
		conv   *transcript.Conversation
		opts   Options
		budget int
		want   string
	}{
		{"oldest first", talk(), Options{}, 22,
			"0:q one | 2:q two | 3:f g h i j | 4:q three | 5:k l m n o | 6:q four | 7:p q r s"},
		{"stops when within", talk(), Options{}, 17,
			"0:q one | 2:q two | 4:q three | 5:k l m n o | 6:q four | 7:p q r s"},
		{"one token less", talk(), Options{}, 16,
			"0:q one | 2:q two | 4:q three | 6:q four | 7:p q r s"},
		{"typed text and the last unit stay", talk(), Options{}, 1,
			"0:q one | 2:q two | 4:q three | 6:q four | 7:p q r s"},
		{"unpinned, the first and the last unit stay", talk(), Options{UnpinUser: true}, 1,
			"0:q one | 7:p q r s"},
		{"unpinned, oldest first", talk(), Options{UnpinUser: true}, 20,
			"0:q one | 3:f g h i j | 4:q three | 5:k l m n o | 6:q four | 7:p q r s"},
		{"system prompts stay", conv(system("be good"), user("q"), model("a b c"), system("be better"), user("r"), model("d")), Options{}, 1,
			"0:be good | 1:q | 3:be better | 4:r | 5:d"},
		{"a summary stays", conv(user("q"), user(summary("what was done")), model("a b c"), user("r")), Options{}, 1,
			"0:q | 1:what was done | 3:r"},
		{"a marker is removed", conv(user("q"), user(summary("[Read a.go: 9 lines omitted]")), model("a b c"), user("r")), Options{}, 1,
			"0:q | 3:r"},
		{"hidden messages stay", conv(hidden(model("h h h")), user("q"), model("a b c"), model("x")), Options{}, 1,
			"1:q | 3:x"},

		{"a round is removed whole", conv(user("q"), model("hm", call("a", "T", "x=1")), tool("a", "r r r"), model("done"), user("thanks")), Options{}, 6,
			"0:q | 3:done | 4:thanks"},
		{"a round with thinking", conv(user("q"), model(thinking("hm")), model(call("a", "T")), tool("a", "r"), user("thanks")), Options{}, 1,
			"0:q | 4:thanks"},
		{"a round with typed text keeps only that text",
			conv(user("q"), model(call("a", "T", "x=1")), user(result("a", "r r r"), "no, wait", injected("<system-reminder>")), model("done")), Options{}, 1,
			"0:q | 2:no, wait | 3:done"},
		{"a result with words of the user keeps its call",
			conv(user("q"), model("may I?", call("a", "Ask", "x=1"), call("b", "T")), user(quoting(result("a", "yes")), result("b", "r")), model("done")), Options{}, 1,
			"0:q | 1:+a | 2:-a yes | 3:done"},
		{"the last todo list keeps its result",
			conv(user("q"), model(call("a", "TodoWrite", "t=1")), tool("a", "ok"), model(call("b", "TodoWrite", "t=2")), tool("b", "ok"), model("done")), Options{}, 1,
			"0:q | 3:+b | 4:-b ok | 5:done"},
		{"an open round stays",
			conv(user("q"), model("x x x"), model("hm", call("a", "T"), call("b", "T")), tool("a", "r r r")), Options{UnpinUser: true}, 1,
			"0:q | 2:hm & +a & +b | 3:-a r r r"},
		{"a complete round beside an open one stays", conv(user("q"), model("x"), model(call("a", "T")), model(call("b", "T")), user(result("a", "r r r"), "hm")), Options{}, 1,
			"0:q | 2:+a | 3:+b | 4:-a r r r & hm"},
		{"several open rounds stay", conv(user("q"), model("x"), model(call("a", "T")), model(call("b", "T"))), Options{UnpinUser: true}, 1,
			"0:q | 2:+a | 3:+b"},
		{"a call without a result is removed", conv(user("q"), model(call("a", "T", "x=1")), user("go on"), model("done")), Options{}, 1,
			"0:q | 2:go on | 3:done"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := inputFor(tt.conv, tt.opts, tt.budget)
			if got := show(apply(t, in.Conv, propose(t, &Truncate, in))); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestTruncateGroupsUnits(t *testing.T) {
	c := conv(user("q"), model("x"), model("hm", call("a", "T")), tool("a", "r"), model("done"))
	edits := propose(t, &Truncate, inputFor(c, Options{}, 1))
	wantEdits(t, edits, "drop 1.0", "drop 2.0", "drop 2.1", "drop 3.0")
	if g := edits[1].Group; g == 0 || g == edits[0].Group || edits[2].Group != g || edits[3].Group != g {
		t.Errorf("the edits of a unit are not one group of their own: %v", edits)
	}
}

// TestTruncateHides checks that with Hide a marker hides whole messages, and that the
// tokens of the marker count.
func TestTruncateHides(t *testing.T) {
	long := "a b c d e f g h i j k l" // the marker has 9 words
	talk := conv(user("q"), model(long), user("r"), model(long), user("s"), model("x"))
	mark := func(n int) string {
		return fmt.Sprintf(":[Sliding window truncation: %d messages hidden to save context]", n)
	}
	marker := func() *transcript.Message {
		m := user(summary("[Sliding window truncation: 2 messages hidden to save context]"))
		m.Hides = true
		return m
	}
	tests := []struct {
		name   string
		conv   *transcript.Conversation
		opts   Options
		budget int
		want   string
	}{
		{"the marker stands before the next unit", talk, Options{Hide: true}, 25,
			"0:q | 6" + mark(1) + " | 2:r | 3:" + long + " | 4:s | 5:x"},
		{"the marker is counted", talk, Options{Hide: true}, 24,
			"0:q | 2:r | 6" + mark(2) + " | 4:s | 5:x"},
		{"nothing is hidden if no unit can be hidden whole",
			conv(user("q"), model(call("a", "T", "x=1")), user(result("a", long), "no, wait"), model("x")), Options{Hide: true}, 1,
			"0:q | 1:+a | 2:-a " + long + " & no, wait | 3:x"},
		{"an earlier marker stays before the new one",
			conv(user("q"), model(long), marker(), user("r"), model("x")), Options{Hide: true, UnpinUser: true}, 1,
			"0:q | 2" + mark(2) + " | 5" + mark(2) + " | 4:x"},
		{"no marker among calls that wait for results",
			conv(user("q"), model(call("a", "T", "x=1")), model(call("b", "T", "x=1"), call("c", "T", "x=1")), user(result("a", long), result("b", "r"))),
			Options{Hide: true}, 1, "0:q | 1:+a | 2:+b & +c | 3:-a " + long + " & -b r"},
		{"TR12: an earlier marker does not count",
			conv(append(append([]*transcript.Message{user("q")}, marker()), chat(10)...)...), Options{UnpinUser: true, TruncateOptions: TruncateOptions{Fraction: 0.5}}, 0,
			"0:q | 1" + mark(2) + " | 6:m4 | 7:m5 | 8:m6 | 9:m7 | 10:m8 | 11:m9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := inputFor(tt.conv, tt.opts, tt.budget)
			edits := propose(t, &Truncate, in)
			if got := show(apply(t, in.Conv, edits)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			for _, e := range edits {
				if tt.opts.Hide && e.Group != edits[0].Group {
					t.Errorf("%s %s is not in the group of the marker", e.Op, e.At)
				}
			}
		})
	}

	t.Run("a marker that costs as much as it saves", func(t *testing.T) {
		c := conv(user("q"), model("a b c d e f g h i"), user("r"), model("x"))
		wantSkip(t, &Truncate, inputFor(c, Options{Hide: true}, 1), "the marker of what is hidden would take 9 tokens and save 9")
	})
}

// TestFractionInPipeline checks that Fraction sets no budget for other strategies. A budget
// of 0 would make them remove all that they can, typed text included.
func TestFractionInPipeline(t *testing.T) {
	o := Defaults()
	o.Fraction, o.UnpinUser = 0.5, true
	for _, stages := range [][]*Strategy{{&Dedupe, &Truncate}, {&Smart, &Truncate}} {
		c := conv(chat(12)...)
		r := run(t, c, o, stages...)
		if got, want := show(r.Conv), "0:m0 | 5:m5 | 6:m6 | 7:m7 | 8:m8 | 9:m9 | 10:m10 | 11:m11"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		for _, s := range r.Stages {
			if s.Name != Truncate.Name && s.Skipped == "" {
				t.Errorf("%s ran without a budget", s.Name)
			}
		}
	}
}
