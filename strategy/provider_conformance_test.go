package strategy

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"condense/strategy/notes"
	"condense/transcript"
)

// The cases of .github/CONFORMANCE.md about strategies, with the names that they have
// there. Comments say where the outcome differs.

// TestDuplicatesLD tests files that are read again.
func TestDuplicatesLD(t *testing.T) {
	long := strings.Repeat("words of it ", 84)[:1000]
	again := "[repeated later: 20 lines omitted]"
	tests := []struct {
		name string
		conv []*transcript.Message
		want []string
	}{
		{"LD1", msgs(user("hello"), model("good day")), nil},
		// Here, a reference names the call of the newer result, if it is another call.
		{"LD2", concat(read("1", "a.go", version("x")), read("2", "a.go", version("x"))), []string{"1.0 " + again}},
		{"LD2, of another call", concat(read("1", "a.go", version("x")), round("2", "Bash", "command=cat a.go", version("x"))),
			[]string{"1.0 [repeated later by Bash cat a.go: 20 lines omitted]"}},
		{"LD3", concat(read("1", "a.go", guttered(version("x"))), read("2", "a.go", guttered(version("x")))), []string{"1.0 " + again}},
		{"LD4", concat(read("1", "a.go", long), read("2", "a.go", long), read("3", "a.go", long)),
			[]string{"1.0 [repeated later: 1,000 bytes omitted]", "3.0 [repeated later: 1,000 bytes omitted]"}},
		{"LD5", concat(read("1", "a.go", version("x")), read("2", "b.go", version("y"))), nil},
		{"LD6", concat(read("1", "a.go", version("x")), read("2", "b.go", version("y")), read("3", "a.go", version("x")), read("4", "b.go", version("y"))),
			[]string{"1.0 " + again, "3.0 " + again}},
		{"LD7", msgs(user(version("x")), model("a"), user(version("x")), model("b")), nil},
		{"LD8", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(append(tt.conv, model("done"))...)
			if tt.conv == nil {
				c = conv()
			}
			edits := propose(t, &Dedupe, inputFor(c, Options{}, 0))
			wantEdits(t, edits, tt.want...)
			if tt.name == "LD4" && 2*total(apply(t, c, edits)) > total(c) {
				t.Errorf("%d of %d tokens are left", total(apply(t, c, edits)), total(c))
			}
		})
	}
}

// guttered returns a text with line numbers, as tools that read files write it.
func guttered(text string) string {
	var out strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fmt.Fprintf(&out, "%6d\t%s\n", i+1, line)
	}
	return out.String()
}

// TestConsolidationLC tests results that are equal in part. Here, results are not
// grouped: a marker takes the place of repeated lines in the older result, and the newer
// one stays word for word.
func TestConsolidationLC(t *testing.T) {
	listing := func(id, more string) []*transcript.Message {
		return round(id, "LS", "path=src", lines(20)+more)
	}
	tests := []struct {
		name string
		conv []*transcript.Message
		gone bool // lines of the older result are removed
	}{
		{"LC1", concat(listing("1", "one more file\n"), listing("2", "and another file\n")), true},
		{"LC2", concat(round("1", "Grep", "pattern=line", lines(20)), round("2", "Grep", "pattern=this", lines(20))), true},
		{"LC3", concat(read("1", "a.go", version("x")), round("2", "Write", "path=a.go", "written"), round("3", "Edit", "path=a.go", "edited")), false},
		{"LC4", concat(round("1", "LS", "path=src", lines(20)), round("2", "LS", "path=lib", version("y"))), false},
		{"LC5", concat(round("1", "LS", "path=src", ""), msgs(model(call("2", "LS")), user(empty("2")))), false},
		{"LC6", msgs(model(lines(3)), user("a"), model(lines(3))), false},
		{"LC7", concat(failedRead("1", "a.go", "no such file"), failedRead("2", "b.go", "no such file")), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(append(tt.conv, model("done"))...)
			after := apply(t, c, propose(t, &Dedupe, inputFor(c, Options{}, 0)))
			if got := show(after) != show(c); got != tt.gone {
				t.Errorf("changed: %v, want %v\n%s", got, tt.gone, show(after))
			}
			for _, line := range strings.Split(all(c), "\n") {
				if !strings.Contains(all(after), line) {
					t.Errorf("%q is gone", line)
				}
			}
			for ref, b := range c.Blocks() {
				if after.Block(ref).Error != b.Error {
					t.Errorf("%s: the error flag changed", ref)
				}
			}
		})
	}
}

// TestTruncationTS checks that the oldest messages are removed first, and a call with its
// result. Unlike there, truncate does not choose by type; the pipeline mask,truncate
// removes results first (TS4, TS5).
func TestTruncationTS(t *testing.T) {
	talk := func(n int) *transcript.Conversation {
		var list []*transcript.Message
		for i := range n / 2 {
			list = append(list, user(fmt.Sprint("ask ", i)), model(fmt.Sprint("answer ", i, " ", lines(5))))
		}
		return conv(list...)
	}
	truncated := func(c *transcript.Conversation, stages []*Strategy, target int, set func(*Options)) *transcript.Conversation {
		o := Defaults()
		o.Target.Tokens = target
		if set != nil {
			set(&o)
		}
		r, err := Run(t.Context(), c, stages, &o, Env{Tokens: words})
		if err != nil {
			t.Fatal(err)
		}
		return r.Conv
	}
	only := []*Strategy{&Truncate}
	t.Run("TS1", func(t *testing.T) {
		if c := talk(10); show(truncated(c, only, total(c), nil)) != show(c) {
			t.Error("a conversation within the target was changed")
		}
	})
	t.Run("TS2, TS3, TS6", func(t *testing.T) {
		c := talk(20)
		after := truncated(c, only, 1, func(o *Options) { o.KeepLast, o.UnpinUser = 5, true })
		if after.Message(c.Messages[0].ID) == nil || len(after.Messages) != 6 {
			t.Errorf("left: %s", show(after))
		}
	})
	results := conv(concat(msgs(user("go")), rounds(6), msgs(model("a longer answer to it all"), user("end")))...)
	one := func(o *Options) { o.KeepRounds = 1 }
	t.Run("TS4", func(t *testing.T) {
		after := truncated(results, []*Strategy{&Mask, &Truncate}, 220, one)
		if len(after.Messages) != len(results.Messages) || strings.Count(all(after), "lines omitted]") == 0 {
			t.Errorf("not results first: %s", show(after))
		}
	})
	t.Run("TS5", func(t *testing.T) { // the order of the pipeline is the order in which things go
		after := truncated(results, []*Strategy{&Truncate, &Mask}, 220, one)
		if len(after.Messages) >= len(results.Messages) || strings.Contains(all(after), "lines omitted]") {
			t.Errorf("not messages first: %s", show(after))
		}
	})
	t.Run("TS7", func(t *testing.T) {
		for _, c := range []*transcript.Conversation{conv(), conv(user("alone"))} {
			if after := truncated(c, only, 1, nil); show(after) != show(c) {
				t.Errorf("left: %s", show(after))
			}
		}
	})
	t.Run("TS8", func(t *testing.T) {
		c := conv(concat(msgs(user("go")), rounds(10), msgs(user("end")))...)
		if after := truncated(c, only, total(c)/2, nil); 2*total(after) > total(c) {
			t.Errorf("%d of %d tokens are left", total(after), total(c))
		}
	})
}

// TestPassesSM tests passes, which are stages here. Each stage has its conditions, and
// edits the parts of a message.
func TestPassesSM(t *testing.T) {
	capped := func(body string, most int) string {
		o := Defaults()
		o.Caps = []Cap{{Tool: globs(t, "*")[0], Tokens: most}}
		c := conv(concat(msgs(user("go")), round("1", "Bash", "command=make", body), msgs(user("end")))...)
		r, err := Run(t.Context(), c, nil, &o, Env{Tokens: words})
		if err != nil {
			t.Fatal(err)
		}
		return r.Conv.Messages[2].Blocks[0].Text()
	}
	t.Run("SM3, SM4", func(t *testing.T) { // whole lines stay, and a marker has the number of the others
		if got := capped(lines(50), 24); !strings.Contains(got, "lines omitted]") || len(strings.Split(strings.TrimSpace(got), "\n")) > 6 {
			t.Errorf("left:\n%s", got)
		}
	})
	t.Run("SM5", func(t *testing.T) {
		if got := capped(lines(3), 24); got != lines(3) {
			t.Errorf("left:\n%s", got)
		}
	})
	t.Run("SM2, SM7", func(t *testing.T) { // the pair, its ids and a marker stay
		c := conv(append(rounds(20), user("end"))...)
		after := apply(t, c, propose(t, &Mask, inputFor(c, Options{KeepRounds: 5}, 0)))
		if n := strings.Count(show(after), "20 lines omitted]"); n != 15 || strings.Count(show(after), "+") != 20 {
			t.Errorf("%d results of 20 processed", n)
		}
	})
	t.Run("SM8", func(t *testing.T) { // 70 percent of the messages go: an even number of those after the first
		var talk []*transcript.Message
		for i := range 50 {
			talk = append(talk, user(fmt.Sprint("ask ", i)), model(fmt.Sprint("answer ", i)))
		}
		o := Options{UnpinUser: true, TruncateOptions: TruncateOptions{Fraction: 0.7}}
		after := run(t, conv(talk...), o, &Truncate).Conv
		if n := len(after.Messages); n != 32 || after.Messages[0].ID != 0 || after.Messages[1].ID != 69 {
			t.Errorf("%d of 100 are left: %s", n, show(after))
		}
	})
	t.Run("SM9", func(t *testing.T) { // a pass with a condition runs only over its threshold
		c := conv(append(rounds(6), user("end"))...)
		for tokens, runs := range map[int]bool{total(c) - 1: true, total(c): false} {
			o := Options{Window: tokens, KeepRounds: 1, ProgressiveOptions: ProgressiveOptions{L1: 1, L2: 9, L3: 9}}
			if after := run(t, c, o, &Progressive).Conv; (show(after) != show(c)) != runs {
				t.Errorf("%d tokens, threshold %d: %s", total(c), tokens, show(after))
			}
		}
	})
	dropping := proposing(drop(1, 0))
	t.Run("SM10", func(t *testing.T) { // a pass that meets the target ends the run
		c := conv(user("q"), model("a b c d e"), model("f g"), user("r"))
		second := proposing(drop(2, 0))
		for target, edits := range map[int]int{4: 0, 3: 1} {
			r := run(t, c, Options{Target: Target{Tokens: target}}, dropping, second)
			if len(r.Stages[0].Edits) != 1 || len(r.Stages[1].Edits) != edits {
				t.Errorf("target %d: %+v", target, r.Stages)
			}
		}
	})
	t.Run("SM11", func(t *testing.T) { // a result below the least size of its kind is left alone
		if got := capped(lines(6), 24); got != lines(6) {
			t.Errorf("24 words became\n%s", got)
		}
		if got := capped(lines(6)+"more\n", 24); !strings.Contains(got, "lines omitted]") {
			t.Errorf("25 words stay:\n%s", got)
		}
	})
	t.Run("SM12", func(t *testing.T) {
		c := conv(user("q"), model("a b c d e"), user("r"))
		r := run(t, c, Options{Target: Target{Tokens: 1}}, failed(), dropping)
		if s := r.Stages[0]; !s.Failed || s.After != 7 || len(r.Stages[1].Edits) != 1 {
			t.Errorf("%+v", r.Stages)
		}
	})
}

// TestBaseBP tests the cases for every provider.
func TestBaseBP(t *testing.T) {
	c := conv(user("q"), model("a b c d e"), user("r"))
	t.Run("BP1", func(t *testing.T) { // edits that the conversation cannot have end the run, and it stays as it is
		before := show(c)
		for name, bad := range map[string]transcript.Edit{"no such message": drop(9, 0), "no such block": drop(1, 7)} {
			r, err := Run(t.Context(), c, []*Strategy{proposing(bad)}, &Options{}, Env{Tokens: words})
			var stage *StageError
			if !errors.As(err, &stage) || r != nil || show(c) != before {
				t.Errorf("%s: got %v, %v", name, r, err)
			}
		}
	})
	t.Run("BP2", func(t *testing.T) {
		before := show(c)
		r, err := Run(t.Context(), c, []*Strategy{failingWith(errors.New("broken"))}, &Options{}, Env{Tokens: words})
		var stage *StageError
		if !errors.As(err, &stage) || r != nil || show(c) != before {
			t.Errorf("got %v, %v", r, err)
		}
	})
	t.Run("BP3", func(t *testing.T) {
		if r := run(t, c, Options{}, proposing(rewrite(1, 0, "a b c d f"))); r.After != 7 || r.Stages[0].Skipped == "" {
			t.Errorf("%+v", r.Stages[0])
		}
	})
}

// TestManagerCM tests the list of strategies.
func TestManagerCM(t *testing.T) {
	t.Run("CM2", func(t *testing.T) {
		var unknown *UnknownStrategy
		if _, err := Parse("none"); !errors.As(err, &unknown) {
			t.Errorf("got %v", err)
		}
	})
}

// TestSyntheticSY tests SY1 to SY7. There, calls without a result get an invented one,
// because an API would refuse them. Here the model gets calls and results as text, and
// nothing is invented.
func TestSyntheticSY(t *testing.T) {
	use := func(ids ...string) *transcript.Message {
		var content []any
		for _, id := range ids {
			content = append(content, call(id, "Read", "path=a.go"))
		}
		return model(content...)
	}
	tests := []struct {
		name           string
		conv           []*transcript.Message
		calls, results int
	}{
		{"SY1", msgs(use("1"), tool("1", "x")), 1, 1},
		{"SY2", msgs(use("1"), user("never mind")), 1, 0},
		{"SY3", msgs(use("1", "2"), user("never mind")), 2, 0},
		{"SY4", msgs(use("1", "2"), tool("1", "x"), user("never mind")), 2, 1},
		{"SY5", msgs(user("a"), model("b")), 0, 0},
		{"SY6", nil, 0, 0},
		{"SY7", msgs(use("1", "2"), tool("1", "x"), tool("2", "y")), 2, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked string
			o := Defaults()
			o.Target.Tokens, o.UnpinUser, o.Layout = 400, true, LayoutFresh
			env := Env{Tokens: words, Ask: func(_ context.Context, p notes.Prompt) (notes.Reply, error) {
				asked = p.Text
				return notes.Reply{}, errors.New("gone")
			}}
			c := conv(concat(tt.conv, msgs(model(lines(200)), model(lines(200)), user("end")))...)
			if _, err := Run(t.Context(), c, []*Strategy{&Summarize}, &o, env); err != nil {
				t.Fatal(err)
			}
			calls, results := strings.Count(asked, "[Tool Use: "), strings.Count(asked, "[Tool Result]")
			if asked == "" || calls != tt.calls || results != tt.results {
				t.Errorf("%d calls, %d results in\n%.500s", calls, results, asked)
			}
		})
	}
}
