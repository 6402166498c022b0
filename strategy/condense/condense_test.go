package condense

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"condense/strategy"
	"condense/strategy/notes"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

const sessions = "../../testdata/sessions"

// read returns a fixture.
func read(t testing.TB, name string) []byte {
	data, err := os.ReadFile(filepath.Join(sessions, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestCondense checks that no fixture grows, and that outputs are in the format of the source.
func TestCondense(t *testing.T) {
	names, err := filepath.Glob(sessions + "/*/*.json*")
	if err != nil || len(names) < 50 {
		t.Fatal(len(names), err)
	}
	c, err := New(Defaults())
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup // all goroutines share one Condenser
	for _, name := range names {
		all.Go(func() {
			src, err := os.ReadFile(name)
			if err != nil {
				t.Error(err)
				return
			}
			out, err := c.Condense(t.Context(), src)
			var unread *format.Error
			switch {
			case errors.As(err, &unread):
				return
			case err != nil:
				t.Errorf("%s: %v", name, err)
				return
			case len(out.Left()) > 0:
				t.Errorf("%s: %v", name, out.Conversations[out.Left()[0]].Err)
			case len(out.Out) > len(src):
				t.Errorf("%s: %d bytes, not %d", name, len(out.Out), len(src))
			case out.Changed == bytes.Equal(out.Out, src):
				t.Errorf("%s: Changed is %t", name, out.Changed)
			}
			for i, conv := range out.Conversations {
				if conv.Result == nil || conv.Final == nil || conv.Result.From.ID != out.File.Convs[i].ID {
					t.Errorf("%s: conversation %d is incomplete", name, i)
				}
			}
		})
	}
	all.Wait()
}

// TestErrors checks the types of errors, and that their texts name fields, not flags.
func TestErrors(t *testing.T) {
	chat := read(t, "openai/array.json")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		src  []byte
		set  func(*Options)
		as   any // pointer to an error
		want string
	}{
		{"no number", nil, chat, func(o *Options) { o.KeepFirst = -1 }, new(*strategy.OptionError), "KeepFirst takes a number"},
		{"contradiction", nil, chat, func(o *Options) { o.DropHidden, o.Messages = true, strategy.Range{First: 1, Last: 2} },
			new(*ConflictError), "DropHidden does not go with Messages"},
		{"hides and more", nil, chat, func(o *Options) { o.Hide = true }, new(*strategy.OptionError), "Hide hides whole messages: dedupe does more than that"},
		{"hides and removes", nil, chat, func(o *Options) {
			o.Hide, o.Pipeline, o.DropHidden = true, []*strategy.Strategy{&strategy.Truncate}, true
		},
			new(*ConflictError), "Hide does not go with DropHidden"},
		{"no tags", nil, chat, func(o *Options) { o.Hide, o.Pipeline = true, []*strategy.Strategy{&strategy.Truncate} },
			new(*format.UnsupportedError), "the format openai has no messages that are hidden"},
		{"no session", nil, chat, func(o *Options) { o.SessionID = "new-id" }, new(*format.UnsupportedError), "has no session id"},
		{"recognised by its session id alone", nil, []byte(`{"info":{"id":"ses1","time":{}},"messages":[]}`), func(o *Options) { o.SessionID = "new-id" },
			new(*format.UnsupportedError), "the format opencode has no other sign in this file than its session id"},
		{"no such conversation", nil, chat, func(o *Options) { o.Select = "7" }, new(*SelectError), `no conversation "7" among 1`},
		{"no such format", nil, chat, func(o *Options) { o.Format = "x" }, new(*format.UnknownDialect), `unknown format "x"`},
		{"no transcript", nil, []byte("{}"), func(*Options) {}, new(*format.Error), "not a transcript"},
		{"canceled", canceled, chat, func(*Options) {}, &context.Canceled, "context canceled"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := Defaults()
			tt.set(&o)
			ctx := tt.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			out, err := Condense(ctx, tt.src, o)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "--") || out != nil {
				t.Fatalf("%v, expected %q", err, tt.want)
			}
			if !errors.As(err, tt.as) {
				t.Errorf("the error is a %T", err)
			}
		})
	}
}

// TestImplied checks the options that other options imply.
func TestImplied(t *testing.T) {
	counter, err := token.ForModel("claude-sonnet-4")
	if err != nil {
		t.Fatal(err)
	}
	window, _ := counter.Window()
	truncate := []*strategy.Strategy{&strategy.Dedupe, &strategy.Truncate}
	for _, tt := range []struct {
		name string
		set  func(*Options)
		want func(*strategy.Options)
	}{
		{"nothing", func(*Options) {}, func(*strategy.Options) {}},
		{"a share of the messages takes typed text", func(o *Options) { o.Fraction, o.Pipeline = 0.5, truncate },
			func(o *strategy.Options) { o.Fraction, o.UnpinUser = 0.5, true }},
		{"a share that no stage takes", func(o *Options) { o.Fraction, o.Pipeline = 0.5, truncate[:1] }, func(*strategy.Options) {}},
		{"the window of a model", func(o *Options) { o.Counter, o.Trigger.Threshold = counter, 0.8 },
			func(o *strategy.Options) { o.Window, o.Trigger.Threshold = window, 0.8 }},
		{"a window of its own", func(o *Options) { o.Counter, o.Trigger.Threshold, o.Window = counter, 0.8, 1000 },
			func(o *strategy.Options) { o.Window, o.Trigger.Threshold = 1000, 0.8 }},
		{"no option about a window", func(o *Options) { o.Counter = counter }, func(*strategy.Options) {}},
		{"no model", func(o *Options) { o.Trigger.Threshold = 0.8 }, func(o *strategy.Options) { o.Trigger.Threshold = 0.8 }},
	} {
		o, want := Defaults(), strategy.Defaults()
		tt.set(&o)
		tt.want(&want)
		if got := o.Implied(); window == 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, expected %+v", tt.name, got, want)
		}
	}
}

// TestCounter checks that a conversation within the counter's window is left alone.
func TestCounter(t *testing.T) {
	counter, err := token.ForModel("claude-sonnet-4")
	if err != nil {
		t.Fatal(err)
	}
	o := Defaults()
	o.Counter, o.Trigger.Threshold = counter, 0.8
	out, err := Condense(t.Context(), read(t, "anthropic/array.json"), o)
	if err != nil {
		t.Fatal(err)
	}
	if d := out.Conversations[0].Result.Decision; d.Rule != strategy.RuleFits || out.Changed {
		t.Errorf("decided by %q, changed %t", d.Rule, out.Changed)
	}
}

// TestModelError checks that a failing model fails the whole source.
func TestModelError(t *testing.T) {
	good := read(t, "anthropic/array.json")
	o := Defaults()
	o.Pipeline, o.Target = []*strategy.Strategy{&strategy.Summarize}, strategy.Target{Share: 0.3}
	offline := errors.New("no network")
	o.Ask = func(context.Context, notes.Prompt) (notes.Reply, error) { return notes.Reply{}, offline }
	o.Model = strategy.Model{Name: "a model", Fallback: strategy.FallbackFail}
	_, err := Condense(t.Context(), export(t, good, good), o)
	if !errors.As(err, new(*strategy.AskError)) || !errors.Is(err, offline) {
		t.Errorf("%v", err)
	}
}

// TestChoose checks that each conversation of a file has the stages that Choose returns for it.
func TestChoose(t *testing.T) {
	src := read(t, "sharegpt/calls.jsonl")
	o := Defaults()
	var formats []string
	o.Choose = func(_ context.Context, c *transcript.Conversation, format string) ([]*strategy.Strategy, error) {
		formats = append(formats, format)
		if len(formats) > 1 {
			return nil, nil
		}
		return []*strategy.Strategy{&strategy.Truncate}, nil
	}
	out, err := Condense(t.Context(), src, o)
	if err != nil || len(formats) < 2 || formats[0] != "sharegpt" || len(formats) != len(out.Conversations) {
		t.Fatal(formats, err)
	}
	if first, second := out.Conversations[0].Result.Stages, out.Conversations[1].Result.Stages; len(first) != 1 || first[0].Name != "truncate" || second[0].Name != "dedupe" {
		t.Errorf("%+v\n%+v", first, second)
	}
	stop := errors.New("no choice")
	o.Choose = func(context.Context, *transcript.Conversation, string) ([]*strategy.Strategy, error) {
		return nil, stop
	}
	if _, err := Condense(t.Context(), src, o); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}

// TestPick checks which conversations a name selects. An id takes precedence over a number.
func TestPick(t *testing.T) {
	convs := []*transcript.Conversation{transcript.New("a", nil), transcript.New("3", nil), transcript.New("b", nil), transcript.New("a", nil)}
	for name, want := range map[string][]bool{
		"": {true, true, true, true}, "a": {true, false, false, true}, "b": {false, false, true, false},
		"1": {true, false, false, false}, "3": {false, true, false, false}, "4": {false, false, false, true},
		"0": nil, "-1": nil, "5": nil, "c": nil, "1.0": nil,
	} {
		got, err := Pick(convs, name)
		if !slices.Equal(got, want) || (err != nil) != (want == nil) || err != nil && !errors.As(err, new(*SelectError)) {
			t.Errorf("%q: %v, %v", name, got, err)
		}
	}
}

// TestStageError checks that a failing strategy leaves only its conversation alone.
func TestStageError(t *testing.T) {
	good := read(t, "anthropic/array.json")
	broken := errors.New("it is the second")
	seen := 0
	o := Defaults()
	o.Pipeline = []*strategy.Strategy{{Name: "choosy", Run: func(context.Context, *strategy.Input) (strategy.Proposal, error) {
		if seen++; seen == 2 {
			return strategy.Proposal{}, broken
		}
		return strategy.Skip("there is nothing to do"), nil
	}}}
	src := export(t, good, good, good)
	out, err := Condense(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.Left(); !slices.Equal(got, []int{1}) || !errors.Is(out.Conversations[1].Err, broken) {
		t.Errorf("left alone: %v", got)
	}
	if seen != 3 {
		t.Errorf("%d of 3 conversations were decided", seen)
	}
	if out.Changed || !bytes.Equal(out.Out, src) {
		t.Error("the output differs from the source")
	}
}

// TestWatch checks that Watch is called for every stage of every conversation, in order.
func TestWatch(t *testing.T) {
	good := read(t, "anthropic/array.json")
	var got []string
	o := Defaults()
	o.Pipeline = []*strategy.Strategy{&strategy.Dedupe, &strategy.Mask}
	o.Watch = func(conv int, stage string) func(*strategy.Stage) {
		return func(s *strategy.Stage) { got = append(got, fmt.Sprint(conv, " ", stage, " ", stage == s.Name)) }
	}
	if _, err := Condense(t.Context(), export(t, good, good), o); err != nil {
		t.Fatal(err)
	}
	want := []string{"0 dedupe true", "0 mask true", "1 dedupe true", "1 mask true"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestSession checks that a new session id is written, and that the old one changes nothing.
func TestSession(t *testing.T) {
	src := read(t, "claude-code/session.jsonl")
	f, err := format.Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	const id = "0b6e1a52-7d0f-4c57-9a3e-5d1c2f8e4a90"
	o := Defaults()
	o.Pipeline, o.Target = []*strategy.Strategy{&strategy.Truncate}, strategy.Target{Share: 1}
	for _, tt := range []struct{ ask, want string }{{id, id}, {f.Convs[0].ID, ""}} {
		o.SessionID = tt.ask
		out, err := Condense(t.Context(), src, o)
		if err != nil {
			t.Fatal(err)
		}
		if out.SessionID != tt.want || out.Changed != (tt.want != "") || bytes.Contains(out.Out, []byte(id)) != out.Changed {
			t.Errorf("asked for %s: %q, changed is %t", tt.ask, out.SessionID, out.Changed)
		}
	}
}

// TestSessionNew checks that no record of a copy names the old session, new ones included, and that the
// same input and options lead to the same id.
func TestSessionNew(t *testing.T) {
	for _, name := range []string{
		"claude-code/session.jsonl", "codex/paginated.jsonl", "gemini-cli/session.json", "gemini-cli/log.jsonl", "pi/session.jsonl",
		"copilot-cli/session.jsonl", "opencode/session.json", "qwen-code/session.jsonl",
	} {
		src := read(t, name)
		f, err := format.Decode(src, "")
		if err != nil {
			t.Fatal(err)
		}
		old := f.Convs[0].ID
		ids := map[string]bool{old: true}
		for _, share := range []float64{1, 0.5, 0.5, 0.2} {
			o := Defaults()
			o.Pipeline, o.Target, o.SessionID = []*strategy.Strategy{&strategy.Summarize}, strategy.Target{Share: share}, "new"
			out, err := Condense(t.Context(), src, o)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if out.SessionID == "" || out.SessionID != out.Decoded.Convs[0].ID || bytes.Contains(out.Out, []byte(`"`+old+`"`)) || !out.Changed {
				t.Errorf("%s: session %s became %s, still named %d times", name, old, out.SessionID, bytes.Count(out.Out, []byte(old)))
			}
			ids[out.SessionID] = true
		}
		if len(ids) < 2 || len(ids) > 4 {
			t.Errorf("%s: the copies are called %v", name, ids)
		}
	}
}

// TestPrepared checks that a source whose only change is a repair has changed, and that another repair is listed, too.
func TestPrepared(t *testing.T) {
	o := Defaults()
	o.Target = strategy.Target{Share: 1}
	const tag = `,"condenseParent":"lost"`
	for n, src := range []string{
		`[{"role":"user","content":"go on","ts":1},{"role":"assistant","content":"ok","ts":2}]`,
		`[{"role":"user","content":"go on","ts":1` + tag + `},{"role":"assistant","content":"ok","ts":2}]`,
		`[{"role":"user","content":"go on","ts":1` + tag + `},{"role":"assistant","content":"ok","ts":2` + tag + `}]`,
	} {
		out, err := Condense(t.Context(), []byte(src), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Prepared) != n || out.Changed != (n > 0) || string(out.Out) != strings.ReplaceAll(src, tag, "") {
			t.Errorf("%d repairs: %v, changed is %t, written %s", n, out.Prepared, out.Changed, out.Out)
		}
	}
}

// TestDeterministic checks that the same source and options lead to the same output.
func TestDeterministic(t *testing.T) {
	src := read(t, "claude-code/session.jsonl")
	o := Defaults()
	o.Target = strategy.Target{Share: 0.25}
	var first []byte
	for range 4 {
		out, err := Condense(t.Context(), src, o)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = out.Out
		}
		if !bytes.Equal(out.Out, first) {
			t.Fatal("the outputs differ")
		}
	}
}

// FuzzCondense checks that any bytes are refused or lead to an output of the same format that is not
// larger.
func FuzzCondense(f *testing.F) {
	names, err := filepath.Glob(sessions + "/*/*.json*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(src) < 8<<10 {
			f.Add(src, uint8(20))
		}
	}
	f.Add(odd, uint8(1))
	f.Fuzz(func(t *testing.T, src []byte, percent uint8) {
		o := Defaults()
		o.Target.Share = float64(percent%100+1) / 100
		o.DropHidden = percent >= 128
		out, err := Condense(t.Context(), src, o)
		if err != nil {
			return
		}
		if len(out.Out) > len(src) || out.Changed == bytes.Equal(out.Out, src) {
			t.Errorf("changed is %t, %d bytes became %d", out.Changed, len(src), len(out.Out))
		}
		blocks := 0
		for _, c := range out.Conversations {
			for range c.Final.Blocks() {
				blocks++
			}
		}
		if blocks == 0 {
			return // without content, the format cannot be detected
		}
		again, err := format.Decode(out.Out, out.File.Dialect.Name)
		if err != nil || len(again.Convs) != len(out.Conversations) {
			t.Errorf("the output does not decode: %v", err)
		}
	})
}
