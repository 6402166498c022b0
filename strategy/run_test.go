package strategy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"condense/transcript"
)

// run condenses a conversation, counted by words. The run must not fail.
func run(t *testing.T, c *transcript.Conversation, o Options, stages ...*Strategy) *Result {
	t.Helper()
	o.UnpinLast = true // the pin of the last answer has tests of its own
	r, err := Run(t.Context(), c, stages, &o, Env{Tokens: words})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// proposing returns a strategy that always proposes these edits.
func proposing(edits ...transcript.Edit) *Strategy {
	return returning(Proposal{Edits: edits})
}

// failingWith returns a strategy that fails and ends the run.
func failingWith(err error) *Strategy {
	return &Strategy{Name: "test", Run: func(context.Context, *Input) (Proposal, error) { return Proposal{}, err }}
}

// returning returns a strategy with a given proposal.
func returning(p Proposal) *Strategy {
	return &Strategy{Name: "test", Run: func(context.Context, *Input) (Proposal, error) { return p, nil }}
}

// failed returns a strategy that fails, and does not end the run.
func failed() *Strategy {
	return returning(Proposal{Skipped: "failed: no model answers", Failed: true})
}

func drop(msg, block int) transcript.Edit {
	return transcript.Edit{At: transcript.Ref{Msg: msg, Block: block, Part: transcript.Whole}, Op: transcript.Drop}
}

func rewrite(msg, block int, text string) transcript.Edit {
	return transcript.Edit{At: transcript.Ref{Msg: msg, Block: block, Part: transcript.Whole}, Op: transcript.Rewrite, Text: text}
}

func insert(before int, m *transcript.Message) transcript.Edit {
	return transcript.Edit{At: transcript.At(before), Op: transcript.Insert, New: m}
}

// group puts edits into a group.
func group(n int, edits ...transcript.Edit) []transcript.Edit {
	for i := range edits {
		edits[i].Group = n
	}
	return edits
}

// TestRunRatchet checks that only edits that save something are applied.
func TestRunRatchet(t *testing.T) {
	nothing := &transcript.Block{Kind: transcript.Opaque, Origin: transcript.ByModel, Opaque: 10}
	tests := []struct {
		name  string
		edits []transcript.Edit
		kept  []int // indices of edits
	}{
		{"rewrite to less", msgsOf(rewrite(1, 0, "one two")), []int{0}},
		{"rewrite to as much", msgsOf(rewrite(1, 0, "1 2 3 4")), nil},
		{"rewrite to more", msgsOf(rewrite(1, 0, "1 2 3 4 5")), nil},
		{"less tokens for more bytes", msgsOf(rewrite(1, 0, strings.Repeat("x", 50))), nil},
		{"drop", msgsOf(drop(1, 0)), []int{0}},
		{"drop of a block without tokens", msgsOf(drop(3, 0)), []int{0}},
		{"insert", msgsOf(insert(1, model("x"))), nil},
		{"insert of nothing", msgsOf(insert(1, nil)), nil},
		{"unknown address", msgsOf(rewrite(1, 7, "x"), rewrite(77, 0, "x"), part(rewrite(1, 0, "x"), 5)), nil},
		{"edits without a group", msgsOf(rewrite(1, 0, "one"), rewrite(2, 0, "a b c d e f g"), drop(3, 0)), []int{0, 2}},

		{"a group that saves", group(1, insert(1, model("x y")), drop(1, 0), drop(2, 0)), []int{0, 1, 2}},
		{"a group that saves nothing", group(1, insert(1, model("a b c d e f g")), drop(1, 0), drop(2, 0)), nil},
		{"a group that saves tokens for bytes", group(1, insert(1, model(strings.Repeat("x", 50))), drop(1, 0), drop(2, 0)), nil},
		{"a member that saves nothing, in a group that saves", group(1, rewrite(1, 0, "1 2 3 4"), rewrite(2, 0, "f")), []int{0, 1}},
		{"a member that adds bytes, in a group that saves", group(1, rewrite(2, 0, "five-six-seven-"), rewrite(1, 0, "one")), []int{0, 1}},
		{"a member that saves, in a group that does not", group(1, rewrite(1, 0, "1 2 3 4 5 6 7"), rewrite(2, 0, "f")), nil},
		{"a group of drops", group(1, drop(2, 0), drop(3, 0)), []int{0, 1}},
		{"two groups", slices.Concat(group(1, insert(1, model("a b c d e")), drop(1, 0)), group(2, insert(2, model("a")), drop(2, 0))), []int{2, 3}},
		{"no group is not a group", group(0, rewrite(1, 0, "1 2 3 4 5 6"), rewrite(2, 0, "f")), []int{1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			copied := *nothing
			c := conv(user("first"), model("one two three four"), model("five six seven"), model(&copied), user("last"))
			var want []transcript.Edit
			for _, i := range tt.kept {
				want = append(want, tt.edits[i])
			}
			stage := run(t, c, Options{}, proposing(tt.edits...)).Stages[0]
			wantEdits(t, stage.Edits, showEdits(want)...)
			if refused := len(tt.edits) - len(want); stage.Refused != refused {
				t.Errorf("%d refused, want %d", stage.Refused, refused)
			}
			if want == nil && stage.Skipped != "nothing that it could do saves tokens" {
				t.Errorf("skipped: %q", stage.Skipped)
			}
		})
	}
}

func msgsOf(edits ...transcript.Edit) []transcript.Edit { return edits }

func part(e transcript.Edit, n int) transcript.Edit {
	e.At.Part = n
	return e
}

// TestRunBlames checks the errors of stages, and that they end the run.
func TestRunBlames(t *testing.T) {
	boom := errors.New("boom")
	tests := []struct {
		name  string
		stage *Strategy
		want  string
	}{
		{"an error of the stage", failingWith(boom), "strategy test: boom"},
		{"half a pair", proposing(drop(2, 0)), "strategy test: drop message 2 block 0 refused: its other half at message 1 block 1 would stay alone"},
		{"typed text", proposing(drop(0, 0)), "strategy test: drop message 0 block 0 refused: the block is pinned"},
		{"unknown address", proposing(drop(9, 0)), "strategy test: drop message 9 block 0 refused: no such message"},
		{"nothing to insert", proposing(group(1, insert(1, nil), drop(3, 0))...), "strategy test: insert message 1 refused: nothing to insert"},
		{"new fault", proposing(rewrite(3, 0, "\n")), "strategy test: it would break the conversation: message 3 block 0: a text block is empty (any/text-empty)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(user("q"), model("x", call("1", "T")), tool("1", "long result"), model("so be it"), user("r"))
			before := show(c)
			ran := false
			next := &Strategy{Name: "next", Run: func(context.Context, *Input) (Proposal, error) { ran = true; return Proposal{}, nil }}
			r, err := Run(t.Context(), c, []*Strategy{tt.stage, next}, &Options{UnpinLast: true}, Env{Tokens: words})
			var stage *StageError
			if !errors.As(err, &stage) || stage.Stage != "test" || err.Error() != tt.want || r != nil {
				t.Errorf("got %v, %v, want %s", r, err, tt.want)
			}
			if ran || show(c) != before {
				t.Error("the run continued")
			}
		})
	}
	_, err := Run(t.Context(), conv(), []*Strategy{failingWith(boom)}, &Options{}, Env{Tokens: words})
	if !errors.Is(err, boom) {
		t.Errorf("%v does not wrap its cause", err)
	}
	_, err = Run(t.Context(), conv(user("q"), model("a"), user("b")), []*Strategy{proposing(drop(0, 0))}, &Options{}, Env{Tokens: words})
	var edit *transcript.EditError
	if !errors.As(err, &edit) || edit.Edit.At.Msg != 0 {
		t.Errorf("%v does not wrap the *EditError", err)
	}
}

// TestRunFaultsOfTheInput checks that a rule that the input breaks is reported, and is no
// error of a stage.
func TestRunFaultsOfTheInput(t *testing.T) {
	c := conv(user("q"), user(result("x", "orphan of three")), model("a b c"), user("r"))
	r := run(t, c, Options{}, proposing(drop(2, 0)))
	if len(r.Faults) != 1 || r.Faults[0].Rule != "any/tool-result-orphan" || len(r.Stages[0].Edits) != 1 {
		t.Errorf("faults %v, stage %+v", r.Faults, r.Stages[0])
	}
}

func TestRunSkips(t *testing.T) {
	c := conv(user("q"), model("a b c d e"), user("r"))
	tests := []struct {
		name  string
		stage *Strategy
		opts  Options
		want  string
	}{
		{"by the stage", returning(Skip("nothing here")), Options{}, "nothing here"},
		{"no edits", proposing(), Options{}, "nothing that it could do saves tokens"},
		{"at the target", proposing(drop(1, 0)), Options{Target: Target{Tokens: 7}}, "7 tokens are within the target of 7"},
		{"under the target", proposing(drop(1, 0)), Options{Target: Target{Tokens: 20000}}, "7 tokens are within the target of 20,000"},
		{"over the target", proposing(drop(1, 0)), Options{Target: Target{Tokens: 6}}, ""},
	}
	for _, tt := range tests {
		r := run(t, c, tt.opts, tt.stage)
		s := r.Stages[0]
		if s.Skipped != tt.want || s.Name != "test" || s.Before != 7 || (tt.want == "") != (len(s.Edits) > 0) {
			t.Errorf("%s: got %+v, want skipped %q", tt.name, s, tt.want)
		}
		if tt.want != "" && (s.After != 7 || r.After != 7 || show(r.Conv) != show(c)) {
			t.Errorf("%s: skipped, but changed: %+v", tt.name, s)
		}
	}
}

func TestRunCancelled(t *testing.T) {
	c := conv(user("q"), model("a b c d e"), user("r"))
	tests := []struct {
		name  string
		stage func(cancel func()) ([]transcript.Edit, error)
	}{
		{"before", nil},
		{"in a stage that fails then", func(cancel func()) ([]transcript.Edit, error) { cancel(); return nil, errors.New("interrupted") }},
		{"in a stage that ignores it", func(cancel func()) ([]transcript.Edit, error) { cancel(); return msgsOf(drop(1, 0)), nil }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			first := &Strategy{Name: "first", Run: func(context.Context, *Input) (Proposal, error) {
				edits, err := tt.stage(cancel)
				return Proposal{Edits: edits}, err
			}}
			if tt.stage == nil {
				cancel()
			}
			second := &Strategy{Name: "second", Run: func(context.Context, *Input) (Proposal, error) {
				t.Error("the next stage ran")
				return Proposal{}, nil
			}}
			r, err := Run(ctx, c, []*Strategy{first, second}, &Options{}, Env{Tokens: words})
			if err != context.Canceled || r != nil {
				t.Errorf("got %v, %v, want the context's error as it is", r, err)
			}
		})
	}
}

func TestRunBudget(t *testing.T) {
	c := conv(user("q"), model(strings.Repeat("word ", 98)), user("r")) // 100 words
	share := Options{Target: Target{Share: 0.3}}
	tests := []struct {
		name   string
		stages []*Strategy
		opts   Options
		want   int
	}{
		{"none if no stage aims at one", []*Strategy{&Dedupe, &Mask}, Options{}, 0},
		{"half if one does", []*Strategy{&Dedupe, &Truncate}, Options{}, 50},
		{"half in hybrid", Hybrid, Options{}, 50},
		{"tokens", []*Strategy{&Dedupe}, Options{Target: Target{Tokens: 70}}, 70},
		{"more tokens than there are", Hybrid, Options{Target: Target{Tokens: 7000}}, 7000},
		{"share", []*Strategy{&Mask}, share, 30},
		{"share in hybrid", Hybrid, share, 30},
		{"none with a fraction", Hybrid, Options{TruncateOptions: TruncateOptions{Fraction: 0.5}}, 0},
		{"a target and a fraction", Hybrid, Options{Target: Target{Share: 0.3}, TruncateOptions: TruncateOptions{Fraction: 0.5}}, 30},
	}
	for _, tt := range tests {
		var got *Input
		probe := &Strategy{Name: "probe", Run: func(_ context.Context, in *Input) (Proposal, error) {
			got = in
			return Proposal{}, nil
		}}
		r := run(t, c, tt.opts, append([]*Strategy{probe}, tt.stages...)...)
		need := 0
		if tt.want > 0 {
			need = 100 - tt.want
		}
		if r.Budget != tt.want || got != nil && (got.Budget != tt.want || got.Need != need) {
			t.Errorf("%s: budget %d, stage saw %+v, want %d", tt.name, r.Budget, got, tt.want)
		}
	}
}

func TestRunReached(t *testing.T) {
	for _, tt := range []struct {
		budget, after int
		want          bool
	}{{0, 100, true}, {100, 100, true}, {100, 99, true}, {100, 101, false}} {
		if got := (&Result{Budget: tt.budget, After: tt.after}).Reached(); got != tt.want {
			t.Errorf("%d of %d: %v", tt.after, tt.budget, got)
		}
	}
}

// TestRunOrder checks that each stage sees the state that the one before left, and that
// stages are skipped once the budget is met.
func TestRunOrder(t *testing.T) {
	c := conv(user("q"), model("a a a a"), model("b b b b"), model("c c c c"), user("r")) // 14 words
	var saw []string
	dropping := func(msg int) *Strategy {
		return &Strategy{Name: fmt.Sprint(msg), Run: func(_ context.Context, in *Input) (Proposal, error) {
			saw = append(saw, fmt.Sprintf("%s, need %d", show(in.Conv), in.Need))
			return Proposal{Edits: msgsOf(drop(msg, 0))}, nil
		}}
	}
	r := run(t, c, Options{Target: Target{Tokens: 8}}, dropping(3), dropping(1), dropping(2))
	want := []string{"0:q | 1:a a a a | 2:b b b b | 3:c c c c | 4:r, need 6", "0:q | 1:a a a a | 2:b b b b | 4:r, need 2"}
	if !slices.Equal(saw, want) {
		t.Errorf("got %q, want %q", saw, want)
	}
	if got := show(r.Conv); got != "0:q | 2:b b b b | 4:r" || r.Before != 14 || r.After != 6 || !r.Reached() || r.Floor != nil {
		t.Errorf("left %s, %+v", got, r)
	}
	var stages []string
	for _, s := range r.Stages {
		stages = append(stages, fmt.Sprintf("%s: %d of %s, %d to %d %s", s.Name, len(s.Edits), show(s.From), s.Before, s.After, s.Skipped))
	}
	want = []string{
		"3: 1 of 0:q | 1:a a a a | 2:b b b b | 3:c c c c | 4:r, 14 to 10 ",
		"1: 1 of 0:q | 1:a a a a | 2:b b b b | 4:r, 10 to 6 ",
		"2: 0 of 0:q | 2:b b b b | 4:r, 6 to 6 6 tokens are within the target of 8",
	}
	if !slices.Equal(stages, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(stages, "\n"), strings.Join(want, "\n"))
	}
}

func TestRunFloor(t *testing.T) {
	c := conv(
		system("be good and kind"), // 4
		user("please fix it now"),  // 4, and the first unit
		user(summary("what was done")),
		user(summary(transcript.Marker("keep two turns"))),
		model("to be dropped"),
		model("hm", call("1", "TodoWrite", "todos=write more tests please")), tool("1", "noted it"), // 4 and 2
		model("keep me in"),
		model(call("2", "T"), "last words are these"), tool("2", "and a result of seven words here"), // 4 and 7
	)
	tests := []struct {
		name string
		opts Options
		want []FloorItem
	}{
		{"--unpin last", Options{UnpinLast: true}, []FloorItem{{"last unit", 11}, {"pinned", 6}, {"instructions", 4}, {"typed by the user", 4}, {"earlier summaries", 3}}},
		{"--pin", Options{Pin: patterns("keep"), UnpinLast: true}, []FloorItem{{"last unit", 11}, {"pinned", 9}, {"instructions", 4}, {"markers", 4}, {"typed by the user", 4}, {"earlier summaries", 3}}},
		{"the last answer", Options{UnpinLast: false}, []FloorItem{{"last unit", 7}, {"pinned", 6}, {"instructions", 4}, {"last answer", 4}, {"typed by the user", 4}, {"earlier summaries", 3}}},
		{"--unpin user", Options{UnpinUser: true, UnpinLast: true}, []FloorItem{{"last unit", 11}, {"pinned", 6}, {"first unit", 4}, {"instructions", 4}, {"earlier summaries", 3}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.opts.Target.Tokens = 5
			r, err := Run(t.Context(), c, []*Strategy{&Truncate}, &tt.opts, Env{Tokens: words})
			if err != nil {
				t.Fatal(err)
			}
			sum := 0
			for _, f := range r.Floor {
				sum += f.Tokens
			}
			if !slices.Equal(r.Floor, tt.want) || sum != r.After || r.Reached() {
				t.Errorf("%d tokens are left, %d of them kept: %v, want %v", r.After, sum, r.Floor, tt.want)
			}
		})
	}
	// Blocks that the pipeline did not change are not kept by rule.
	r := run(t, c, Options{Target: Target{Tokens: 5}}, &Dedupe)
	sum := 0
	for _, f := range r.Floor {
		sum += f.Tokens
	}
	if sum != 28 || r.After != 28+3+1+3+4 {
		t.Errorf("%d tokens are left, %d of them kept: %v", r.After, sum, r.Floor)
	}
	if r := run(t, c, Options{}, &Dedupe); r.Floor != nil {
		t.Errorf("without a budget: %v", r.Floor)
	}
}

// TestRunCounts checks that the sums of the runner are those of a new count. It must count
// no block of the input twice, and no block that is a copy of another.
func TestRunCounts(t *testing.T) {
	c := conv(concat(msgs(system("be good"), user("q", injected(env1))), rounds(4), msgs(hidden(model("h h h"))), rounds(4), msgs(user("more", injected(env1)), model("done")))...)
	for _, target := range []int{0, 1, 200, 400, 600} {
		var mu sync.Mutex
		times := map[*transcript.Block]int{}
		counting := func(b *transcript.Block) int {
			mu.Lock()
			defer mu.Unlock()
			times[b]++
			return words(b)
		}
		o := Options{KeepRounds: 1, Target: Target{Tokens: target}}
		r, err := Run(t.Context(), c, Hybrid, &o, Env{Tokens: counting})
		if err != nil {
			t.Fatal(err)
		}
		if r.Before != total(c) || r.After != total(r.Conv) {
			t.Errorf("target %d: from %d to %d tokens, want %d to %d", target, r.Before, r.After, total(c), total(r.Conv))
		}
		at := r.Before
		for i, s := range r.Stages {
			next := r.Conv
			if i+1 < len(r.Stages) {
				next = r.Stages[i+1].From
			}
			if s.Before != at || s.Before != total(s.From) || s.After != total(next) {
				t.Errorf("target %d: %s from %d to %d tokens, want %d to %d", target, s.Name, s.Before, s.After, total(s.From), total(next))
			}
			at = s.After
		}
		seen := map[string]bool{}
		for ref, b := range r.Stages[0].From.Blocks() {
			want, text := 1, b.Text()
			if len(text) >= minCopied && seen[b.Tool+text] {
				want = 0
			}
			seen[b.Tool+text] = true
			if times[b] != want {
				t.Errorf("target %d: %s was counted %d times, want %d", target, ref, times[b], want)
			}
		}
	}
}

// BenchmarkRun shows that the time is linear in the number of messages.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{2500, 10_000} {
		c := session(n)
		for _, target := range []string{"90%", "50%", "1%"} {
			b.Run(fmt.Sprintf("%d messages/%s", n, target), func(b *testing.B) {
				o := Defaults()
				o.Target, _ = parseTarget(target)
				for b.Loop() {
					if _, err := Run(b.Context(), c, Hybrid, &o, Env{Tokens: words}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/message")
			})
		}
	}
}

// session returns a session of an agent in n messages: prompts, reads that repeat or fail,
// environment details, and todo lists.
func session(n int) *transcript.Conversation {
	list := msgs(system("be good"))
	for i := 1; len(list) < n; i++ {
		id, file := fmt.Sprint(i), fmt.Sprintf("path=src/%d.go", i%50)
		res := result(id, version(fmt.Sprint(i%75)))
		switch i % 10 {
		case 0:
			list = append(list, user(fmt.Sprintf("now do %d", i), injected(env1)), model("I will."))
		case 5:
			list = append(list, model(call(id, "TodoWrite", "todos="+lines(5))), user(result(id, "ok")))
		case 7:
			res = failing(res)
			fallthrough
		default:
			list = append(list, model(thinking("let me see"), fmt.Sprintf("step %d", i), call(id, "Read", file)), user(res))
		}
	}
	return conv(list[:n]...)
}

// TestNothing checks the reason for which all stages skip a conversation without tokens.
func TestNothing(t *testing.T) {
	for name, c := range map[string]*transcript.Conversation{"no messages": conv(), "no words": conv(user("")), "hidden": hiding(conv(user("q")))} {
		for _, s := range run(t, c, Defaults(), Hybrid...).Stages {
			if want := "0 tokens are within the target of 1"; s.Skipped != want {
				t.Errorf("%s: %s is skipped: %s, want %s", name, s.Name, s.Skipped, want)
			}
		}
	}
}

// hiding hides the messages of a conversation.
func hiding(c *transcript.Conversation) *transcript.Conversation {
	for _, m := range c.Messages {
		m.Hidden = true
	}
	return c
}
