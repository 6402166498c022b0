package condense

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/strategy"
	"condense/transcript"
)

// long returns a chat in the format of OpenAI: a request, a result of many lines for each of n
// calls, and an answer.
func long(n int) []byte {
	type call struct {
		ID       string            `json:"id"`
		Type     string            `json:"type"`
		Function map[string]string `json:"function"`
	}
	type message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
		Calls   []call `json:"tool_calls,omitempty"`
		Call    string `json:"tool_call_id,omitempty"`
	}
	list := []message{{Role: "user", Content: "Find what slows the tests of the cache down."}}
	for i := range n {
		var text strings.Builder
		for k := range 60 {
			fmt.Fprintf(&text, "%d: func step%d_%d(limit int) error { return check(%d, limit) }\n", k, i, k, i*k)
		}
		id := fmt.Sprintf("call_%d", i)
		run := call{id, "function", map[string]string{"name": "read", "arguments": fmt.Sprintf(`{"path":"src/file%d.go"}`, i)}}
		list = append(list, message{Role: "assistant", Content: fmt.Sprintf("I read file %d.", i), Calls: []call{run}}, message{Role: "tool", Call: id, Content: text.String()})
	}
	list = append(list, message{Role: "assistant", Content: "Step 7 waits for a lock that step 3 holds."})
	out, err := json.Marshal(map[string]any{"messages": list})
	if err != nil {
		panic(err)
	}
	return out
}

// TestMaxBytes checks that an output has at most MaxBytes, beside every other target, and nearly as
// many where bytes are the only target.
func TestMaxBytes(t *testing.T) {
	src := long(40)
	half := strategy.Target{Share: 0.5}
	for _, limit := range []int{len(src), len(src) / 2, len(src) / 5} {
		for _, o := range []strategy.Options{{}, {Target: half}, {Target: strategy.Target{Tokens: 300}}, {Window: 1 << 20}} {
			all := Defaults()
			all.Target, all.Window, all.MaxBytes = o.Target, o.Window, limit
			out, err := Condense(t.Context(), src, all)
			if err != nil {
				t.Fatal(err)
			}
			r := out.Conversations[0].Result
			name := fmt.Sprintf("%d bytes, target %q, window %d", limit, o.Target, o.Window)
			switch {
			case len(out.Out) > limit || out.Least != 0:
				t.Errorf("%s: %d bytes, at least %d", name, len(out.Out), out.Least)
			case o.Target.Tokens > 0 && r.Budget != o.Target.Tokens:
				t.Errorf("%s: the budget is %d", name, r.Budget)
			case o.Target == half && (!r.Reached() || r.Budget != r.Before/2):
				t.Errorf("%s: %d tokens of %d, with a budget of %d", name, r.After, r.Before, r.Budget)
			case o.Target == strategy.Target{} && limit == len(src) && !bytes.Equal(out.Out, src):
				t.Errorf("%s: the output differs from an input that fits", name)
			case o.Target == strategy.Target{} && len(out.Out) < limit*8/10:
				t.Errorf("%s: only %d bytes are left", name, len(out.Out))
			}
		}
	}
}

// TestMaxBytesMissed checks that the output is that of the target alone where no budget leads to
// MaxBytes, and that the outcome has the bytes of the smallest output.
func TestMaxBytesMissed(t *testing.T) {
	src := long(10)
	o := Defaults()
	o.Target = strategy.Target{Share: 0.5}
	want, err := Condense(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	o.MaxBytes = 100
	out, err := Condense(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Out, want.Out) || out.Least <= o.MaxBytes || out.Least > len(want.Out) {
		t.Errorf("%d bytes, want %d; at least %d", len(out.Out), len(want.Out), out.Least)
	}
}

// TestMaxBytesUneven checks that the search goes on with a smaller budget where the latest results have most
// of the bytes and few of the tokens, so that the budget that it tries first leaves too many bytes.
func TestMaxBytesUneven(t *testing.T) {
	src := long(40)
	o := Defaults()
	o.Pipeline, o.Target, o.MaxBytes = []*strategy.Strategy{&strategy.Truncate}, strategy.Target{}, len(src)/2
	o.Tokens = func(b *transcript.Block) int {
		if strings.Contains(b.Text(), "func step3") { // the last ten files, and the fourth
			return len(b.Text()) / 4
		}
		return len(b.Text()) * 4
	}
	out, err := Condense(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(out.Out); n > o.MaxBytes || n < o.MaxBytes*8/10 || out.Least != 0 {
		t.Errorf("%d bytes are left of %d that fit, at least %d", n, o.MaxBytes, out.Least)
	}
}

// TestMaxBytesCanceled checks that the end of its context ends a search in each of its runs.
func TestMaxBytesCanceled(t *testing.T) {
	src := long(40)
	for last := 1; ; last++ {
		ctx, cancel := context.WithCancel(t.Context())
		runs := 0
		o := Defaults()
		o.Pipeline, o.Target, o.MaxBytes = []*strategy.Strategy{&strategy.Truncate}, strategy.Target{}, len(src)/2
		o.Watch = func(int, string) func(*strategy.Stage) {
			if runs++; runs == last {
				cancel()
			}
			return func(*strategy.Stage) {}
		}
		out, err := Condense(ctx, src, o)
		cancel()
		if runs < last { // the search was over before
			if last < 4 {
				t.Errorf("the search had %d runs", runs)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || out != nil {
			t.Errorf("canceled in run %d: %v", last, err)
		}
	}
}

// TestMaxBytesConflicts checks the options that MaxBytes does not go with.
func TestMaxBytesConflicts(t *testing.T) {
	for _, change := range []func(o *Options){
		func(o *Options) { o.Hide, o.Pipeline = true, []*strategy.Strategy{&strategy.Truncate} },
		func(o *Options) { o.Training = true },
	} {
		o := Defaults()
		o.MaxBytes = 1
		change(&o)
		var conflict *ConflictError
		if err := o.Validate(); !errors.As(err, &conflict) || conflict.Field != "MaxBytes" {
			t.Errorf("got %v", err)
		}
	}
	o := Defaults()
	o.MaxBytes = -1
	var invalid *strategy.OptionError
	if err := o.Validate(); !errors.As(err, &invalid) {
		t.Errorf("got %v", err)
	}
}

// TestFixturesAreWritten checks that no fixture is refused with options whose outputs once broke a promise,
// and that no conversation of it is left alone for a fault of this program.
func TestFixturesAreWritten(t *testing.T) {
	var tools strategy.Glob
	if err := tools.UnmarshalText([]byte("*")); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(sessions + "/*/*")
	if err != nil || len(paths) < 100 {
		t.Fatal(len(paths), err)
	}
	summarize := []*strategy.Strategy{&strategy.Summarize}
	for name, set := range map[string]func(o *Options){
		"images":     func(o *Options) { o.Images.Limited = true },
		"only tools": func(o *Options) { o.Only = []strategy.Glob{tools} },
		"tools, 5 %": func(o *Options) {
			o.Only, o.Pipeline, o.Target = []strategy.Glob{tools}, summarize, strategy.Target{Share: .05}
		},
		"fresh layout": func(o *Options) {
			o.Layout, o.Pipeline, o.Target = strategy.LayoutFresh, summarize, strategy.Target{Share: .1}
		},
		"90 %": func(o *Options) { o.Pipeline, o.Target = summarize, strategy.Target{Share: .9} },
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range paths {
				src, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				o := Defaults()
				o.Tokens = nil
				set(&o)
				out, err := Condense(t.Context(), src, o)
				if err != nil {
					t.Errorf("%s: %v", path, err)
					continue
				}
				for i, c := range out.Conversations {
					if c.Err != nil {
						t.Errorf("%s, conversation %d: %v", path, i, c.Err)
					}
				}
			}
		})
	}
}
