package chronicle_test

import (
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/strategy"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite testdata/outcomes.txt and testdata/sums.txt")

// TestOutcomes checks what is left of sessions of several formats at small targets, in full:
// which results become records and in which words, which texts and lines stay, and where
// typed text and answers go. A change of a rule shows in the file testdata/outcomes.txt.
func TestOutcomes(t *testing.T) {
	counter, err := token.New("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	const own = "../../strategy/chronicle/testdata/session.json" // reads, writes and tests of a few files, several times each
	for _, tt := range []struct {
		file   string
		stages []*strategy.Strategy
		share  float64
		unpin  bool
	}{
		{own, strategy.Hybrid, .6, false},
		{own, strategy.Hybrid, .45, false},
		{own, strategy.Hybrid, .3, false},
		{own, strategy.Hybrid, .2, true},
		{own, strategy.Hybrid, .1, true},
		{own, []*strategy.Strategy{&strategy.Summarize}, .4, false},
		{own, []*strategy.Strategy{&strategy.Summarize}, .2, false},
		{"claude-code/session.jsonl", strategy.Hybrid, .25, false},
		{"claude-code/session.jsonl", strategy.Hybrid, .5, false},
		{"claude-code/rewind.jsonl", strategy.Hybrid, .2, true},
		{"copilot-cli/session.jsonl", strategy.Hybrid, .4, false},
		{"openhands/output.jsonl", strategy.Hybrid, .4, false},
		{"openai/twice.json", strategy.Hybrid, .2, false},
		{"swe-agent/native.traj", strategy.Hybrid, .4, false},
		{"gemini-cli/session.json", strategy.Hybrid, .25, false},
		{"managed-agents/outcome.jsonl", strategy.Hybrid, .3, false},
		{"claude-code/parallel.jsonl", strategy.Hybrid, .1, false},
		{"claude-code/compact.jsonl", strategy.Hybrid, .3, true},
		{"codex/session.jsonl", strategy.Hybrid, .2, false},
		{"opencode/session.json", strategy.Hybrid, .15, false},
		{"openhands/events.json", strategy.Hybrid, .25, false},
		{"swe-agent/thought-action.traj", strategy.Hybrid, .2, false},
		{"anthropic/array.json", strategy.Hybrid, .3, false},
		{"anthropic/cline-old.json", strategy.Hybrid, .2, true},
		{"openai/array.json", strategy.Hybrid, .25, false},
		{"copilot-cli/session.jsonl", strategy.Hybrid, .1, false},
		{"chatgpt/conversations.json", strategy.Hybrid, .3, true},
		{"pi/session.jsonl", []*strategy.Strategy{&strategy.Summarize}, .3, false},
		{"claude-code/session.jsonl", []*strategy.Strategy{&strategy.Summarize}, .15, false},
		{"opencode/session.json", []*strategy.Strategy{&strategy.Summarize}, .2, false},
	} {
		src, err := os.ReadFile(filepath.Join("../../testdata/sessions", tt.file))
		if err != nil {
			t.Fatal(err)
		}
		f, err := format.Decode(src, "")
		if err != nil {
			t.Fatal(err)
		}
		o := strategy.Defaults()
		o.Target.Share, o.UnpinUser = tt.share, tt.unpin
		res, err := strategy.Run(t.Context(), f.Convs[0], tt.stages, &o, strategy.Env{Tokens: counter.Block})
		if err != nil {
			t.Fatal(tt.file, err)
		}
		fmt.Fprintf(&got, "== %s at %v by %s: %d of %d tokens\n", tt.file, tt.share, tt.stages[len(tt.stages)-1].Name, res.After, res.Before)
		for m := range res.Conv.Visible() {
			writeMessage(&got, m, f.Convs[0])
		}
	}
	transcripttest.FrozenText(t, "testdata/outcomes.txt", *update, got.String())
}

// TestOutcomesOfAll checks what is left of every fixture at several targets: tokens, and a checksum of the rest.
// A change of a rule shows in testdata/sums.txt by the fixtures that it concerns, and -update rewrites it.
func TestOutcomesOfAll(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/sessions/*/*")
	if err != nil || len(paths) < 100 {
		t.Fatal(len(paths), err)
	}
	var lines []string
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := format.Decode(src, "")
		if err != nil {
			continue
		}
		line := strings.TrimPrefix(filepath.ToSlash(path), "../../testdata/sessions/") + ":"
		for _, c := range f.Convs[:min(len(f.Convs), 3)] {
			for _, tt := range []struct {
				stages []*strategy.Strategy
				share  float64
				unpin  bool
			}{
				{strategy.Hybrid, .7, false}, {strategy.Hybrid, .5, false}, {strategy.Hybrid, .25, true}, {strategy.Hybrid, .1, false}, {strategy.Hybrid, .05, true},
				{[]*strategy.Strategy{&strategy.Summarize}, .3, false}, {[]*strategy.Strategy{&strategy.Summarize}, .1, true},
			} {
				o := strategy.Defaults()
				o.Target.Share, o.UnpinUser = tt.share, tt.unpin
				res, err := strategy.Run(t.Context(), c, tt.stages, &o, strategy.Env{Tokens: func(b *transcript.Block) int { return (len(b.Text()) + 3) / 4 }})
				if err != nil {
					t.Fatal(path, err)
				}
				var left strings.Builder
				for m := range res.Conv.Visible() {
					writeMessage(&left, m, c)
				}
				line += fmt.Sprintf(" %d %08x", res.After, crc32.ChecksumIEEE([]byte(left.String())))
			}
		}
		lines = append(lines, line)
	}
	const golden = "testdata/sums.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(data), "\n")
	for _, line := range lines {
		if !slices.Contains(want, line) {
			t.Errorf("now %s", line)
		}
	}
}

// writeMessage writes a message with the texts that differ from those of the session.
func writeMessage(to *strings.Builder, m *transcript.Message, before *transcript.Conversation) {
	fmt.Fprintf(to, "%d %s\n", m.ID, m.Role)
	for _, b := range m.Blocks {
		fmt.Fprintf(to, "  %s %s", b.Kind, b.Tool)
		if was := before.Block(transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}); was != nil && was.Text() == b.Text() {
			to.WriteString(" as it was\n")
			continue
		}
		to.WriteByte('\n')
		for line := range strings.Lines(b.Text()) {
			to.WriteString("    " + strings.TrimRight(line, "\n") + "\n")
		}
	}
}
