package strategy_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/strategy"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

// TestRecordsInEveryFormat checks that records take the place of removed calls in every
// format that has calls. The decoded output must have no new calls and no other typed
// text.
func TestRecordsInEveryFormat(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("../testdata/sessions/*/*")
	if err != nil {
		t.Fatal(err)
	}
	called, recorded := map[string]bool{}, map[string]bool{} // formats
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := format.Decode(src, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, share := range []float64{0.4, 0.05} {
			next := smartly(t, file, share, counter)
			for i, c := range file.Convs {
				before, after := countCalls(c), countCalls(next[i])
				if after < before {
					called[file.Dialect.Name] = true
				}
				switch n := countRecords(next[i]) - countRecords(c); {
				case after > before:
					t.Errorf("%s, %.0f %%: %d calls, more than the %d of the input", path, 100*share, after, before)
				case after < before && n <= 0:
					t.Errorf("%s, %.0f %%: %d of %d calls are left, but there is no new record", path, 100*share, after, before)
				case n > 0:
					recorded[file.Dialect.Name] = true
				}
				if was, is := typedText(c), typedText(next[i]); was != is {
					t.Errorf("%s, %.0f %%: typed text is %q, was %q", path, 100*share, is, was)
				}
			}
		}
	}
	for name := range called {
		if !recorded[name] {
			t.Errorf("no output of format %s has a record", name)
		}
	}
	if len(recorded) < 20 {
		t.Errorf("only %d formats have records", len(recorded))
	}
}

// smartly runs smart-compress on all conversations of a file, and returns those of the
// decoded output.
func smartly(t *testing.T, file *format.File, share float64, counter *token.Counter) []*transcript.Conversation {
	t.Helper()
	o := strategy.Defaults()
	o.Target.Share = share
	var next []*transcript.Conversation
	for _, c := range file.Convs {
		r, err := strategy.Run(t.Context(), c, []*strategy.Strategy{&strategy.Smart}, &o, strategy.Env{Tokens: counter.Block})
		if err != nil {
			t.Fatal(err)
		}
		next = append(next, r.Conv)
	}
	var out bytes.Buffer
	if _, err := file.Encode(&out, next); err != nil {
		t.Fatal(err)
	}
	again, err := format.Decode(out.Bytes(), file.Dialect.Name)
	if err != nil {
		t.Fatal(err)
	}
	return again.Convs
}

func countCalls(c *transcript.Conversation) (n int) {
	for m := range c.Visible() {
		for _, b := range m.Blocks {
			if b.Kind == transcript.ToolCall {
				n++
			}
		}
	}
	return n
}

func countRecords(c *transcript.Conversation) (n int) {
	for m := range c.Visible() {
		for _, b := range m.Blocks {
			for _, p := range b.Parts {
				for range transcript.Records(p.Text[p.Head:]) {
					n++
				}
			}
		}
	}
	return n
}

// typedText returns the typed text, without markers. These may replace a text that a client
// put into the same string.
func typedText(c *transcript.Conversation) string {
	var s strings.Builder
	for m := range c.Visible() {
		for _, b := range m.Blocks {
			if b.Kind != transcript.Text || b.Origin != transcript.Typed {
				continue
			}
			for line := range strings.Lines(b.Text()) {
				if line = strings.TrimSpace(line); line != "" && !transcript.IsMarker(line) {
					s.WriteString(line + "\n")
				}
			}
		}
	}
	return s.String()
}
