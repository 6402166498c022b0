package condense

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"condense/strategy"
	"condense/strategy/notes"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/transcripttest"
)

// export returns a file of several conversations: rows of a fixture, with others between them.
func export(t *testing.T, rows ...[]byte) []byte {
	type row struct {
		Messages json.RawMessage `json:"messages"`
	}
	var list []row
	for _, r := range rows {
		list = append(list, row{r})
	}
	src, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// odd is a row that truncate cannot encode as decided: its result stands in front of its call, and is hidden
// without it.
var odd = []byte(`[{"role":"s","isSummary":true},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01"}]},` +
	`{"role":"assistant","content":[{"type":"tool_use","id":"toolu_01","name":"Bash","input":{"command":"python -m pytest -q tests/quote/test_zones.py"}}]},{"role":"assistant"}]`)

func oddOptions() Options {
	o := Defaults()
	o.Pipeline, o.KeepRounds = []*strategy.Strategy{&strategy.Mask, &strategy.Truncate}, 0
	o.Target = strategy.Target{Tokens: 1}
	return o
}

// TestOddRow checks that a row of an export that cannot be condensed does not affect the others.
func TestOddRow(t *testing.T) {
	good := read(t, "anthropic/array.json")
	src := export(t, good, odd, good)
	out, err := Condense(t.Context(), src, oddOptions())
	if err != nil {
		t.Fatal(err)
	}
	if got := out.Left(); !slices.Equal(got, []int{1}) {
		t.Fatalf("left alone are %v", got)
	}
	var refused *RefusedError
	if err := out.Conversations[1].Err; !errors.As(err, &refused) {
		t.Errorf("the reason is %v", err)
	}
	if !bytes.Contains(out.Out, odd) {
		t.Error("the odd row is not as it was")
	}
	for _, i := range []int{0, 2} {
		if c := out.Conversations[i]; c.Result.After >= c.Result.Before {
			t.Errorf("conversation %d has %d tokens, as before", i, c.Result.After)
		}
	}
	if c := out.Conversations[1]; c.Result.Before != c.Result.After || c.Final.Messages[1].Blocks == nil {
		t.Error("the odd row has no result")
	}

	strict := oddOptions()
	strict.Strict = true
	if _, err := Condense(t.Context(), src, strict); !errors.As(err, &refused) {
		t.Errorf("with Strict: %v", err)
	}
	if _, err := Condense(t.Context(), export(t, odd, odd), oddOptions()); !errors.As(err, &refused) {
		t.Errorf("odd rows alone: %v", err)
	}
	one := oddOptions()
	one.Select = "2"
	if _, err := Condense(t.Context(), src, one); !errors.As(err, &refused) {
		t.Errorf("the odd row alone: %v", err)
	}
	one.Select = "3"
	if out, err := Condense(t.Context(), src, one); err != nil || out.Conversations[0].Result != nil || len(out.Left()) > 0 {
		t.Errorf("a good row alone: %v", err)
	}
}

// TestManyOddRows checks that the search for conversations at fault is linear in the file.
func TestManyOddRows(t *testing.T) {
	good := read(t, "anthropic/array.json")
	var rows [][]byte
	for i := range 300 {
		if rows = append(rows, good); i%3 == 1 {
			rows[i] = odd
		}
	}
	r := encoded(t, export(t, rows...), oddOptions())
	out := r.outcome()
	if n := len(out.Left()); n != 100 {
		t.Errorf("%d conversations were left alone", n)
	}
	if r.tries > 1 {
		t.Errorf("the file was encoded %d times", r.tries+1)
	}
}

// first returns a strategy that rewrites the first text of the model.
func first(rewrite func(string) string) *strategy.Strategy {
	return &strategy.Strategy{
		Name: "first", Doc: "rewrites a text", Loses: "it",
		Run: func(_ context.Context, in *strategy.Input) (strategy.Proposal, error) {
			for ref, b := range in.Conv.Blocks() {
				if b.Kind == transcript.Text && b.Origin == transcript.ByModel && len(b.Text()) > 10 {
					ref.Part = 0
					edit := transcript.Edit{At: ref, Op: transcript.Rewrite, Text: rewrite(b.Text())}
					return strategy.Proposal{Edits: []transcript.Edit{edit}}, nil
				}
			}
			return strategy.Skip("there is none"), nil
		},
	}
}

// TestGate checks that outputs that break a guarantee are refused.
func TestGate(t *testing.T) {
	chat := read(t, "openai/array.json")
	// drop removes blocks of some kinds without regard to the others.
	drop := func(kinds ...transcript.Kind) *strategy.Strategy {
		return &strategy.Strategy{
			Name: "drop", Doc: "removes blocks", Loses: "them",
			Run: func(_ context.Context, in *strategy.Input) (p strategy.Proposal, err error) {
				for ref, b := range in.Conv.Blocks() {
					if slices.Contains(kinds, b.Kind) {
						p.Edits = append(p.Edits, transcript.Edit{At: ref, Op: transcript.Drop})
					}
				}
				return p, nil
			},
		}
	}
	answered := []byte(`[{"role":"user","content":"fix it"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"read","input":{}}]},` +
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"package a"}]},{"role":"assistant","content":"It is all done."}]`)
	space := first(func(string) string { return "done " })
	blank := first(func(string) string { return " " })
	for _, tt := range []struct {
		name string
		src  []byte
		by   *strategy.Strategy
		want string
	}{
		{"a result without its call", chat, drop(transcript.ToolCall), "strategy drop: "},
		{"a blank text", chat, blank, "strategy first: it would break the conversation"},
		{"a text that the API refuses", answered, space,
			"output refused: it would be invalid: message 3 block 0: the last message is the assistant's and ends in white space (anthropic/final-assistant-ws)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Defaults()
			o.Pipeline = []*strategy.Strategy{tt.by}
			o.KeepLast, o.UnpinLast = 0, true
			out, err := Condense(t.Context(), tt.src, o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%v, expected %q", err, tt.want)
			}
			if out != nil {
				t.Error("there is an output")
			}
		})
	}
}

// TestSameSize checks that an output of the size of the source is written if it has fewer tokens.
func TestSameSize(t *testing.T) {
	chat := read(t, "openai/array.json")
	o := Defaults()
	o.Pipeline = []*strategy.Strategy{first(func(s string) string { return strings.Repeat("a", len(s)) })}
	o.KeepLast, o.UnpinLast = 0, true
	out, err := Condense(t.Context(), chat, o)
	if err != nil || !out.Changed || len(out.Out) != len(chat) {
		t.Errorf("%v, changed: %t, %d bytes of %d", err, out.Changed, len(out.Out), len(chat))
	}
}

// TestWorse checks that a conversation of an output may have neither one finding more nor more
// tokens than that of the source.
func TestWorse(t *testing.T) {
	call, result := transcripttest.Model(transcripttest.Call("1", "Read", "path=a.go")), transcripttest.Tool("1", "package a")
	c := transcripttest.Conversation(transcripttest.User("Look."), call, result, transcripttest.Model("Well."))
	was, err := strategy.Run(t.Context(), c, nil, &strategy.Options{}, strategy.Env{Tokens: func(b *transcript.Block) int { return len(b.Text()) }})
	if err != nil {
		t.Fatal(err)
	}
	r := run{convs: []Conversation{{Result: was}}}
	for _, tt := range []struct {
		name string
		msgs []*transcript.Message
		want string
	}{
		{"the same", c.Messages, ""},
		{"a result without its call", []*transcript.Message{transcripttest.User("Look."), result, transcripttest.Model("Well.")}, "it would be invalid: "},
		{"more tokens", append(slices.Clip(c.Messages), transcripttest.User("And this?"), transcripttest.Model("Well, that is a longer story.")), "it has more tokens than the input: "},
	} {
		err := r.worse(0, &format.File{Convs: []*transcript.Conversation{transcript.New("c", tt.msgs)}})
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestOutputIsCounted checks that the tokens of an output are those of its texts as a reader cuts them: a
// reminder that is rewritten as several is read as more blocks.
func TestOutputIsCounted(t *testing.T) {
	o := Defaults()
	o.UnpinUser, o.KeepLast = true, 0
	o.Tokens = func(b *transcript.Block) int { return 100 + len(b.Text()) }
	reminders := strings.Repeat("<system-reminder>b</system-reminder>a", 3)
	o.Pipeline = []*strategy.Strategy{{
		Name: "cut", Doc: "rewrites a text and removes another", Loses: "them",
		Run: func(context.Context, *strategy.Input) (p strategy.Proposal, err error) {
			p.Edits = []transcript.Edit{
				{At: transcript.Ref{Msg: 2}, Op: transcript.Rewrite, Text: reminders}, {At: transcript.At(4), Op: transcript.Drop},
			}
			return p, nil
		},
	}}
	src := fmt.Sprintf(`{"system":"s","messages":[{"role":"user","content":"fix it"},{"role":"user","content":"<system-reminder>%s</system-reminder>"},`+
		`{"role":"assistant","content":"I will."},{"role":"user","content":"thanks"},{"role":"assistant","content":"Well."},`+
		`{"role":"user","content":"and now?"},{"role":"assistant","content":"ok"}],"max_tokens":9}`, strings.Repeat("The tide is low. ", 9))
	const want = "it has more tokens than the input: "
	var refused *RefusedError
	if _, err := Condense(t.Context(), []byte(src), o); !errors.As(err, &refused) || !strings.HasPrefix(refused.Err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// TestAnchorIsSoughtOnce checks that a run looks for an anchor once, and that it has none if the
// options of the conversation cannot be found.
func TestAnchorIsSoughtOnce(t *testing.T) {
	decided := func() *run {
		o := Defaults()
		o.Pipeline, o.Target = []*strategy.Strategy{&strategy.Truncate}, strategy.Target{Tokens: 1}
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		f, err := format.Decode(slices.Concat(signed[:len(signed)-1], []byte(`,{"role":"user","content":"and then?"},{"role":"assistant","content":"It is all done."}]`)), "")
		if err != nil {
			t.Fatal(err)
		}
		if o, err = c.counted(f.Convs); err != nil {
			t.Fatal(err)
		}
		r, err := start(&o, f)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.decide(t.Context()); err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := decided()
	if first, second := r.anchored(t.Context(), 0), r.anchored(t.Context(), 0); !first || second {
		t.Errorf("an anchor was found: %t, then %t", first, second)
	}
	r = decided()
	r.o.Choose = func(context.Context, *transcript.Conversation, string) ([]*strategy.Strategy, error) {
		return nil, errors.New("no choice")
	}
	if r.anchored(t.Context(), 0) {
		t.Error("an anchor was found without options")
	}
}

// TestRepliesAreRepeated checks that a second decision gets the replies of the model to the first one,
// errors included, before it asks for more.
func TestRepliesAreRepeated(t *testing.T) {
	asked := 0
	o := Defaults()
	o.Ask = func(context.Context, notes.Prompt) (notes.Reply, error) {
		if asked++; asked == 2 {
			return notes.Reply{}, errors.New("no network")
		}
		return notes.Reply{Text: fmt.Sprint("reply ", asked)}, nil
	}
	r := run{o: &o, file: &format.File{Dialect: format.Dialects[0]}, replies: make([][]reply, 1)}
	replies := func(env strategy.Env, n int) (list []string) {
		for range n {
			reply, err := env.Ask(t.Context(), notes.Prompt{})
			list = append(list, fmt.Sprint(reply.Text, err))
		}
		return list
	}
	before := replies(r.env(0), 3)
	after := replies(r.envAgain(0), 4)
	if !slices.Equal(after[:3], before) || asked != 4 || after[3] != "reply 4<nil>" {
		t.Errorf("%q, then %q after %d questions", before, after, asked)
	}
}

// TestUndone checks that an output which keeps every guarantee except one about the file is
// undone with a reason, and is no fault.
func TestUndone(t *testing.T) {
	quotes := first(func(s string) string { return strings.Repeat(`"`, len(s)) }) // twice as long once escaped
	lying := func(b *transcript.Block) int {
		if strings.HasPrefix(b.Text(), `""`) {
			return 1
		}
		return 1000
	}
	chat := read(t, "openai/array.json")
	plain := first(func(string) string { return "" })
	plain.Run = func(_ context.Context, in *strategy.Input) (p strategy.Proposal, err error) {
		for ref, b := range in.Conv.Blocks() {
			if b.Kind == transcript.ToolCall || b.Kind == transcript.ToolResult {
				p.Edits = append(p.Edits, transcript.Edit{At: ref, Op: transcript.Drop, Group: 1})
			}
		}
		return p, nil
	}
	last := first(func(string) string { return "" })
	last.Run = appends
	for _, tt := range []struct {
		name   string
		src    []byte
		by     *strategy.Strategy
		tokens func(*transcript.Block) int
		why    string
	}{
		{"larger, with a counter that lies", chat, quotes, lying, "the output would have 18,"},
		{"larger, because the format repeats texts", read(t, "claude-ai/conversations.json"), &strategy.Summarize, nil, "the output would have 14,"},
		{"a text that would be read as output", unanswered, last, nil, "a new message would be read as the output of a call"},
		{"a text that would be read as a call", twoNotations, &strategy.Smart, nil, "a text of the model would be read as a call"},
		{"another format, whatever stays", signed, plain, nil, "the output would be read as openai, not as anthropic"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Defaults()
			o.Pipeline, o.Tokens, o.Layout, o.UnpinLast = []*strategy.Strategy{tt.by}, tt.tokens, strategy.LayoutFresh, true
			o.Target.Share = .9
			out, err := Condense(t.Context(), tt.src, o)
			if err != nil || out.Changed || len(out.Left()) > 0 || !bytes.Equal(out.Out, tt.src) {
				t.Fatal(err, "the source was changed or left as faulty")
			}
			r := out.Conversations[0].Result
			if d := r.Decision; d.Act || d.Rule != strategy.RuleOutput || !strings.HasPrefix(d.Why, tt.why) || r.After != r.Before || r.Floor == nil {
				t.Errorf("decided %+v", d)
			}
		})
	}
}

// unanswered ends with a command without output, so the next text of a user would be its output.
var unanswered = fmt.Appendf(nil, `{"history":[{"role":"user","content":"show it","agent":"main","thought":""},{"role":"assistant","content":%q,"agent":"main"},`+
	`{"role":"user","content":%q},{"role":"assistant","content":%q,"agent":"main"}]}`,
	"I look.\n```\ncat tide.py\n```", strings.Repeat("def tide(level):\n    return level * 4 + moon / 9\n", 40), "I run it.\n```\npython tide.py\n```")

// appends is a strategy that replaces the first call and its result by a text at the end.
func appends(_ context.Context, in *strategy.Input) (p strategy.Proposal, err error) {
	p.Edits = append(p.Edits, transcript.Edit{
		At: transcript.Ref{Msg: transcript.End, Block: transcript.Whole, Part: transcript.Whole}, Op: transcript.Insert, Group: 1,
		New: &transcript.Message{Role: transcript.User, Blocks: []*transcript.Block{{Origin: transcript.Generated, Parts: []transcript.Part{{Text: "The file was shown."}}}}},
	})
	for _, m := range in.Conv.Messages[1:3] {
		p.Edits = append(p.Edits, transcript.Edit{At: transcript.At(m.ID), Op: transcript.Drop, Group: 1})
	}
	return p, nil
}

// TestMisplacedSpread checks that calls are compared over all messages, because a format may join two of them.
func TestMisplacedSpread(t *testing.T) {
	record, call := transcripttest.Model("[condensed: 2 reads]"), transcripttest.Model(transcripttest.Call("1", "Bash", "command=git push"))
	joined := transcripttest.Model("[condensed: 2 reads]", transcripttest.Call("1", "Bash", "command=git push"))
	for name, tt := range map[string]struct {
		found *transcript.Conversation
		fits  bool
	}{
		"joined":   {transcripttest.Conversation(transcripttest.User("Push it."), joined), true},
		"one more": {transcripttest.Conversation(transcripttest.User("Push it."), joined, transcripttest.Model(transcripttest.Call("2", "Bash", "command=ls"))), false},
	} {
		final := transcripttest.Conversation(transcripttest.User("Push it."), record, call)
		r := &run{file: &format.File{Convs: []*transcript.Conversation{final}}, convs: []Conversation{{Result: &strategy.Result{Conv: final}}}}
		if err := r.misplaced(0, &format.File{Convs: []*transcript.Conversation{tt.found}}); (err == nil) != tt.fits {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// twoNotations has a call in prose behind a text that would be one, in another notation, without that call.
var twoNotations = fmt.Appendf(nil, `{"messages":[{"role":"user"},{"role":"assistant","content":%q},{"role":"user","content":"s"}]}`,
	"The limit it<read_file><path>a.go</path></read_file>self is wrong. The tests should show both.\n\n<function=bash>\n<parameter=command>cd /repo/basin && python -m pytest -q</parameter>\n</function>")

// signed is a conversation that only a round shows to be one of Anthropic.
var signed = fmt.Appendf(nil, `[{"role":"user","content":"fix it"},{"role":"assistant","content":[{"type":"thinking","thinking":"I read it","signature":%q},`+
	`{"type":"tool_use","id":"toolu_1","name":"read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":%q}]},`+
	`{"role":"assistant","content":"Done."},{"role":"user","content":"thanks"},{"role":"assistant","content":"ok"}]`,
	strings.Repeat("ErICCkYI", 9), strings.Repeat("a line of the file\n", 40))

// TestSameFormat checks that detection finds in each output the dialect of the source.
func TestSameFormat(t *testing.T) {
	sources := map[string][]byte{"signed": signed}
	names, err := filepath.Glob(sessions + "/*/*")
	if err != nil || len(names) < 50 {
		t.Fatal(len(names), err)
	}
	for _, name := range names {
		if sources[name], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for name, src := range sources {
		all.Go(func() {
			f, err := format.Decode(src, "")
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			for _, pipeline := range append([]*strategy.Strategy{nil}, strategy.All...) {
				for _, unpinned := range []bool{false, true} {
					for _, layout := range []strategy.Layout{"", strategy.LayoutFresh} {
						o := Defaults()
						o.Target, o.Layout, o.UnpinUser, o.UnpinLast = strategy.Target{Tokens: 1}, layout, unpinned, unpinned
						if pipeline != nil {
							o.Pipeline = []*strategy.Strategy{pipeline}
						}
						sameFormat(t, name, f, o)
					}
				}
			}
		})
	}
	all.Wait()
}

func names(stages []*strategy.Strategy) (list []string) {
	for _, s := range stages {
		list = append(list, s.Name)
	}
	return list
}

func sameFormat(t *testing.T, name string, f *format.File, o Options) {
	c, err := New(o)
	if err != nil {
		t.Error(err)
		return
	}
	out, err := c.File(t.Context(), f)
	if err != nil || len(out.Left()) > 0 {
		t.Errorf("%s, after %v, unpinned %t, layout %s: %v", name, names(o.Pipeline), o.UnpinUser, o.Layout, err)
		return
	}
	again, err := format.Decode(out.Out, "")
	if err != nil || again.Dialect != f.Dialect {
		t.Errorf("%s, a %s file, is read as %v after %v, unpinned %t, layout %s: %v", name, f.Dialect.Name, again, names(o.Pipeline), o.UnpinUser, o.Layout, err)
	}
}

// TestAnchor checks that a round stays if it shows the format, and that a second run with
// the same target changes nothing.
func TestAnchor(t *testing.T) {
	src := slices.Concat(signed[:len(signed)-1], []byte(`,{"role":"user","content":"and then?"},{"role":"assistant","content":"It is all done, as you wanted it."}]`))
	o := Defaults()
	o.Pipeline, o.Target = []*strategy.Strategy{&strategy.Truncate}, strategy.Target{Tokens: 1}
	out, err := Condense(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	if !out.Changed || !bytes.Contains(out.Out, []byte("tool_use")) || bytes.Contains(out.Out, []byte("Done.")) {
		t.Errorf("got %s", out.Out)
	}
	again, err := Condense(t.Context(), out.Out, o)
	if err != nil || again.Changed {
		t.Errorf("a second run: %v\n%s\nbefore\n%s", err, again.Out, out.Out)
	}
}

// TestAnchorIsSmall checks that of the rounds which show the format the one with the fewest bytes stays.
func TestAnchorIsSmall(t *testing.T) {
	round := func(id string, lines int) string {
		return fmt.Sprintf(`,{"role":"assistant","content":[{"type":"thinking","thinking":"I read it","signature":%q},{"type":"tool_use","id":%q,"name":"read","input":{}}]},`+
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":%[2]q,"content":%q}]},{"role":"assistant","content":"Done."},{"role":"user","content":"thanks"}`,
			strings.Repeat("ErICCkYI", 9), id, strings.Repeat("a line of the file\n", lines))
	}
	o := Defaults()
	o.Pipeline, o.Target = []*strategy.Strategy{&strategy.Truncate}, strategy.Target{Tokens: 1}
	for _, small := range []int{0, 1, 2} {
		src := `[{"role":"user","content":"fix it"}`
		for i := range 3 {
			lines := 40 + i
			if i == small {
				lines = 20
			}
			src += round(fmt.Sprint("toolu_", i), lines)
		}
		src += `,{"role":"assistant","content":"It is all done, as you wanted it."}]`
		out, err := Condense(t.Context(), []byte(src), o)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(out.Out, []byte(`"tool_use"`)); n != 1 || !bytes.Contains(out.Out, fmt.Appendf(nil, `"toolu_%d"`, small)) {
			t.Errorf("of three rounds, round %d is the smallest, and %d are left:\n%s", small, n, out.Out)
		}
	}
}

// TestWhole checks that a damaged source is condensed without removing whole messages if a reader would
// find something else without one of them, and that it is left as it is if nothing can go then.
func TestWhole(t *testing.T) {
	run := func(id, content string) string {
		return fmt.Sprintf(`,{"role":"assistant","tool_calls":[{"id":%q,"function":{"name":"bash","arguments":"{}"}}]},{"role":"tool","tool_call_id":%q,"content":%q}`, id, id, content)
	}
	mini := func(more string) string { // without the result s, the text would be the output of the call
		return `{"messages":[{"role":"assistant","tool_calls":[{"function":{"arguments":"s"}}]},{"role":"tool","tool_call_id":"s"},` +
			`{"role":"user","content":"Keep this text."}` + more + `],"trajectory_format":"mini-swe-agent-1.1"}`
	}
	long := strings.Repeat("a line of the file\n", 80)
	for _, tt := range []struct {
		name, src string
		hidden    bool // is dropped
		target    int
		note, why string
	}{
		{"a text behind a result without its call", mini(run("c1", long) + run("c2", "a") + run("c3", "b") + run("c4", "done")), false, 1, "a typed text would be read as text of a tool or of the client", ""},
		{"the same, and nothing else to shorten", mini(""), false, 0, "", "a typed text would be read as text of a tool or of the client"},
		{"an event whose id is there twice", `{"history":[[{"action":"s","args":{}},{}],[{"action":"s","id":4},{"action":"s","id":4}],` +
			`[{"observation":"s","cause":4,"content":"Done."}],[{"action":"s"}]]}`, false, 1, "", ""},
		{"a hidden message that shows the format", `{"history":[{"role":"","content":"s","thought":"s","agent":"s"},{"role":"user","content":"s"}]}`, true, 0,
			"", "the output would not be read as swe-agent: "},
		{"hidden messages alone", `{"history":[{"role":"","content":"s","thought":"s","agent":"s"}]}`, true, 0, "", "an output without content would not be read as swe-agent"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Defaults()
			o.Pipeline, o.Target, o.KeepRounds, o.DropHidden = []*strategy.Strategy{&strategy.Progressive}, strategy.Target{Tokens: tt.target}, 3, tt.hidden
			out, err := Condense(t.Context(), []byte(tt.src), o)
			if err != nil || len(out.Left()) > 0 {
				t.Fatal(err)
			}
			r := out.Conversations[0].Result
			if notes := strings.Join(r.Notes, "\n"); !strings.Contains(notes, tt.note) || (tt.note == "") == strings.Contains(notes, "no message was removed whole") {
				t.Errorf("notes %q", notes)
			}
			if tt.note != "" && (len(out.Out) >= len(tt.src)-1000 || len(out.Conversations[0].Final.Messages) != len(r.From.Messages)) {
				t.Errorf("written %s", out.Out)
			}
			if tt.why != "" && (out.Changed || !strings.HasPrefix(r.Decision.Why, tt.why)) {
				t.Errorf("decided %+v", r.Decision)
			}
		})
	}
}

// TestQuotedStaysTyped checks that a summary is not written if a reader would take a typed text in it for one of
// the client.
func TestQuotedStaysTyped(t *testing.T) {
	const said = `{"message":{},"type":"assistant"}` + "\n"
	const line = `1\tdef step(curve, now):\n2\t    \"\"\"Returns the set point in degrees, and holds at quartz inversion.\"\"\"\n`
	src := said + `{"type":"user","message":{"content":[{"tool_use_id":"s","type":"tool_result","content":"` + strings.Repeat(line, 6) + `"}]}}` + "\n" +
		`{"attachment":{"type":"queued_command"},"type":"attachment","rendered":[{"content":"<system-reminder>\nWhile you worked, this came:\nThe door was open.\n</system-reminder>"}]}` + "\n" +
		`{"attachment":{},"type":"attachment","rendered":[{"content":"<system-reminder>\nA new glaze\n</system-reminder>"}]}` + "\n" +
		said + `{"attachment":{"type":"edited_text_file","snippet":"s"},"type":"attachment"}` + "\n" + said
	o := Defaults()
	o.Pipeline, o.Target = []*strategy.Strategy{&strategy.Summarize}, strategy.Target{Share: .5}
	out, err := Condense(t.Context(), []byte(src), o)
	if err != nil {
		t.Fatal(err)
	}
	const why = "a typed text would be read as text of a tool or of the client"
	if r := out.Conversations[0].Result; out.Changed || r.Decision.Why != why {
		t.Errorf("decided %+v, written %s", r.Decision, out.Out)
	}
}

// TestHiddenCall checks that hidden calls and their results can be dropped.
func TestHiddenCall(t *testing.T) {
	const first, last = `[{"role":"user","isSummary":true,"content":"So far."},`, `{"role":"user","content":"Go on."}]`
	o := Defaults()
	o.DropHidden = true
	out, err := Condense(t.Context(), []byte(first+`{"role":"","content":[{"type":"tool_use","id":"c"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c"}]},`+last), o)
	if err != nil || string(out.Out) != first+last {
		t.Errorf("%v: written %s", err, out.Out)
	}
}

// TestOnlyCalls checks that a call takes with it the thinking that Options.Only would keep,
// so that the output is valid.
func TestOnlyCalls(t *testing.T) {
	long := strings.Repeat("a line of the file\n", 40)
	thought := func(content string) []byte {
		return fmt.Appendf(nil, `[{"role":"user","content":"fix it"},{"role":"assistant",%s},`+
			`{"role":"tool","tool_call_id":"c1","content":%q},{"role":"assistant","content":"Done."},{"role":"user","content":"thanks"},{"role":"assistant","content":"ok"}]`,
			`"content":`+content+`,"reasoning_content":"I read the file first.","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]`, long)
	}
	var only strategy.Glob
	if err := only.UnmarshalText([]byte("*")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		src  []byte
		by   *strategy.Strategy
		gone string // in the source, not in the output
	}{
		{"null beside thinking", thought("null"), &strategy.Truncate, "I read the file"},
		{"an empty text beside thinking", thought(`""`), &strategy.Truncate, "I read the file"},
		{"thinking with a signature", fmt.Appendf(nil, `{"system":"s","messages":%s}`, signed), &strategy.Truncate, "ErICCkYI"},
		{"a reasoning item in a batch", read(t, "responses/batch.jsonl"), &strategy.Summarize, `"rs_1"`},
		{"a reasoning item in a request", read(t, "responses/request.json"), &strategy.Summarize, `"rs_1"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Defaults()
			o.Pipeline, o.Target, o.Only = []*strategy.Strategy{tt.by}, strategy.Target{Share: .05}, []strategy.Glob{only}
			out, err := Condense(t.Context(), tt.src, o)
			if err != nil || len(out.Left()) > 0 {
				t.Fatal(err, out)
			}
			if !bytes.Contains(tt.src, []byte(tt.gone)) || bytes.Contains(out.Out, []byte(tt.gone)) {
				t.Errorf("the thinking is still there:\n%s", out.Out)
			}
		})
	}
}

// TestFaultySource checks that faults of a source do not make its output count as faulty.
func TestFaultySource(t *testing.T) {
	for _, tt := range []struct{ name, src string }{
		{"a repeated id in a chain", `{"type":"message","message":{"role":"assistant"}}
{"type":"message","id":"e0ad5c1e","message":{"role":"toolResult","toolCallId":"x"}}
{"type":"message","message":{"role":"bashExecution","output":"1 "}}
{"type":"message","id":"e0ad5c1e","message":{"role":"toolResult"}}
`},
		{"calls without ids and without results", `{"events":[{"content":{"parts":[]}},{"content":{"parts":[{"function_call":{"args":{"customer_id":"123"}}}]}},` +
			`{"content":{"parts":[{"function_call":{"args":{"store_id":"x"},"name":"x"}}]}},{"content":{"parts":[]},"author":""}]}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, s := range strategy.All {
				o := Defaults()
				o.Pipeline, o.Target, o.KeepRounds = []*strategy.Strategy{s}, strategy.Target{Tokens: 1}, 0
				if out, err := Condense(t.Context(), []byte(tt.src), o); err != nil || len(out.Left()) > 0 {
					t.Errorf("%s: %v", s.Name, err)
				}
			}
		})
	}
}

// TestSearchStops checks that a search ends with the first error of fail, in either half.
func TestSearchStops(t *testing.T) {
	for _, bad := range []int{0, 7} {
		stop := errors.New("stop")
		s := search{
			try: func(list []int) (map[int]error, error) {
				if slices.Contains(list, bad) {
					return nil, errors.New("wrong")
				}
				return nil, nil
			},
			fail: func(int, error) error { return stop },
		}
		if err := s.add(t.Context(), []int{0, 1, 2, 3, 4, 5, 6, 7}); !errors.Is(err, stop) {
			t.Errorf("%d is at fault: %v", bad, err)
		}
	}
}

// TestSearch checks that unknown conversations at fault are found by halving.
func TestSearch(t *testing.T) {
	for _, tt := range []struct {
		n, most int
		bad     []int
	}{
		{1, 1, []int{0}}, {8, 8, []int{5}}, {1000, 60, []int{0, 501, 999}}, {1000, maxTries + 10, nil},
	} {
		t.Run(fmt.Sprint(tt.n, tt.bad), func(t *testing.T) {
			all := make([]int, tt.n)
			for i := range all {
				all[i] = i
			}
			bad := tt.bad
			if bad == nil {
				bad = all
			}
			var good, failed []int
			tries := 0
			s := search{
				try: func(list []int) (map[int]error, error) {
					for tries++; len(list) > 0; list = list[1:] {
						if slices.Contains(bad, list[0]) {
							return nil, errors.New("wrong")
						}
					}
					return nil, nil
				},
				fail: func(i int, _ error) error { failed = append(failed, i); return nil },
			}
			if err := s.add(t.Context(), all); err != nil {
				t.Fatal(err)
			}
			good = s.good
			slices.Sort(failed)
			if !slices.Equal(failed, bad) || len(good)+len(failed) != tt.n {
				t.Errorf("%d are good, %v at fault", len(good), failed)
			}
			if tries > tt.most {
				t.Errorf("%d tries", tries)
			}
		})
	}
}

// encoded returns the run of a source up to the encoding of its output.
func encoded(t *testing.T, src []byte, options Options) *run {
	t.Helper()
	f, err := format.Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	o, err := c.counted(f.Convs)
	if err != nil {
		t.Fatal(err)
	}
	r, err := start(&o, f)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.decide(t.Context()), r.encode(t.Context())); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestNewWarnings checks that a run lists the warnings that only its output has, and that such a warning does not refuse it.
func TestNewWarnings(t *testing.T) {
	o := Defaults()
	o.Pipeline, o.Target = []*strategy.Strategy{&strategy.Truncate}, strategy.Target{Tokens: 300}
	for name, want := range map[string]string{"gemini/request.json": "gemini/strict-alternation", "anthropic/request.json": ""} {
		out, err := Condense(t.Context(), read(t, name), o)
		if err != nil || !out.Changed {
			t.Fatalf("%s: %v, changed %v", name, err, out.Changed)
		}
		var got string
		if len(out.Warnings) > 0 {
			got = out.Warnings[0].Rule
		}
		if got != want {
			t.Errorf("%s: warnings %v, want %q", name, out.Warnings, want)
		}
		again, err := Condense(t.Context(), out.Out, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(again.Warnings) > 0 {
			t.Errorf("%s: the second run, whose source has the warnings, lists %v", name, again.Warnings)
		}
	}
}

// TestLargeSummaries checks that a summary of a session of Copilot CLI may have most of its tokens: as a record of its own, it
// once made the file larger, and was refused.
func TestLargeSummaries(t *testing.T) {
	for _, name := range []string{"session", "compacted", "no-dialogue"} {
		src := read(t, "copilot-cli/"+name+".jsonl")
		for _, share := range []float64{.8, .9, .95} {
			o := Defaults()
			o.Pipeline, o.Target = []*strategy.Strategy{&strategy.Summarize}, strategy.Target{Share: share}
			out, err := Condense(t.Context(), src, o)
			if err != nil || len(out.Out) > len(src) {
				t.Errorf("%s to %v: %v", name, share, err)
			}
		}
	}
}

// TestFirstRole checks that the messages behind a summary in front begin with the user where the API wants that.
func TestFirstRole(t *testing.T) {
	fixtures, err := filepath.Glob("../../testdata/sessions/anthropic/*.json*")
	if err != nil || len(fixtures) == 0 {
		t.Fatal(err, len(fixtures))
	}
	summaries := 0
	for _, path := range fixtures {
		for _, layout := range []strategy.Layout{strategy.LayoutFresh, strategy.LayoutFork} {
			for _, share := range []float64{.05, .2, .5} {
				o := Defaults()
				o.Pipeline, o.Layout, o.Target = []*strategy.Strategy{&strategy.Summarize}, layout, strategy.Target{Share: share}
				out, err := Condense(t.Context(), read(t, "anthropic/"+filepath.Base(path)), o)
				if err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				if !out.Changed {
					continue
				}
				summaries++
				for _, f := range out.Decoded.NewErrors(out.File.Dialect.Target(), out.File) {
					t.Errorf("%s, %s, %v: %s", path, layout, share, f)
				}
			}
		}
	}
	if summaries < 10 {
		t.Errorf("%d summaries", summaries)
	}
}
