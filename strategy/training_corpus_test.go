package strategy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"condense/strategy"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/format"
	"condense/transcript/token"
)

// trainingSets are files of the corpus that people train models on.
var trainingSets = []struct{ name, pattern string }{
	{"tool rows", "openai-ft-jsonl/*reason_tool_use*"},
	{"weighted rows", "openai-ft-jsonl/*v1_sft*"},
	{"SWE-agent", "swe-agent-traj/*"},
	{"mini-SWE", "mini-swe-agent-traj/*"},
	{"tau-bench", "openai-chat/*tau-bench*"},
	{"SWE-smith", "openai-chat/*swe-*"},
}

// TestTrainingCorpus measures runs for training on public training sets: the rows within
// the target, and the facts of labels that still stand in front of their label.
func TestTrainingCorpus(t *testing.T) {
	counter, err := token.New("bytes4")
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range trainingSets {
		files, _ := filepath.Glob("../../shared/corpus/" + set.pattern)
		if len(files) == 0 {
			t.Logf("%s: not measured, the files are absent", set.name)
			continue
		}
		var convs []*transcript.Conversation
		for _, path := range files {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if f, err := format.Decode(src, ""); err == nil {
				convs = append(convs, f.Convs...)
			}
		}
		for _, share := range []float64{0.75, 0.5, 0.25} {
			m := measureTraining(t, convs, share, counter.Block)
			t.Logf("%-14s %2.0f%%: %4d rows, %d with less text that must stay, %d within the target (%.2f), %d left alone; tokens of those within %.2f; %d of %d facts of labels supported (%.4f)",
				set.name, 100*share, m.rows, m.could, m.fit, float64(m.fit)/float64(m.rows), m.rows-m.fit, float64(m.after)/float64(max(1, m.before)), m.held, m.facts, float64(m.held)/float64(max(1, m.facts)))
			if float64(m.held) < 0.99*float64(m.facts) {
				t.Errorf("%s at %.0f%%: %d of %d facts of labels are supported", set.name, 100*share, m.held, m.facts)
			}
		}
	}
}

// trainingMeasure counts rows and their facts.
type trainingMeasure struct {
	rows, fit     int // rows in all, and within the target
	could         int // rows with less text that must stay than the target
	before, after int // tokens of the rows within the target
	facts, held   int // facts of the labels of these rows, and those that still stand in front
}

func measureTraining(t *testing.T, convs []*transcript.Conversation, share float64, tokens func(*transcript.Block) int) (m trainingMeasure) {
	t.Helper()
	for _, c := range convs {
		o := strategy.Defaults()
		o.Training, o.Target.Share = true, share
		r, err := strategy.Run(t.Context(), c, strategy.Hybrid, &o, strategy.Env{Tokens: tokens})
		if err != nil {
			t.Fatal(err)
		}
		labelsHold(t, c, r.Conv)
		m.rows++
		stays := 0
		for ref, b := range c.Blocks() {
			if !mayChange(c.Message(ref.Msg), b) {
				stays += tokens(b)
			}
		}
		if stays < r.Budget {
			m.could++
		}
		if r.Unfit() {
			if r.After != r.Before {
				t.Errorf("%s: an unfit row has changed", c.ID)
			}
			continue
		}
		m.fit++
		m.before += r.Before
		m.after += r.After
		all, held := supported(c, r.Conv)
		m.facts += all
		m.held += held
	}
	return m
}

// labelsHold demands that a run for training changes nothing but results, injected
// text, and text of the model that it does not learn.
func labelsHold(t *testing.T, before, after *transcript.Conversation) {
	t.Helper()
	if len(before.Messages) != len(after.Messages) {
		t.Errorf("%s: %d messages became %d", before.ID, len(before.Messages), len(after.Messages))
	}
	for _, m := range before.Messages {
		for _, b := range m.Blocks {
			now := after.Block(transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole})
			if !mayChange(m, b) && (now == nil || now.Text() != b.Text() || len(now.Parts) != len(b.Parts)) {
				t.Errorf("%s: message %d: the %s %s has changed", before.ID, m.ID, m.Role, b.Kind)
			}
		}
	}
}

// mayChange reports whether a run for training may change a block.
func mayChange(m *transcript.Message, b *transcript.Block) bool {
	return !m.Learned() && m.Role != transcript.System && b.Origin != transcript.Typed &&
		(b.Kind == transcript.ToolResult || b.Kind == transcript.Text && b.Origin != transcript.Generated)
}

// supported returns the facts of labels that stand in front of their label in a text
// that the model did not write, and how many of them still stand there.
func supported(before, after *transcript.Conversation) (all, held int) {
	was, is := map[string]bool{}, map[string]bool{}
	for m := range before.Visible() {
		for _, b := range m.Blocks {
			if !m.Learned() {
				testFacts(b.Text(), func(f string) { was[f] = true })
				if now := after.Block(transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}); now != nil {
					testFacts(now.Text(), func(f string) { is[f] = true })
				}
				continue
			}
			seen := map[string]bool{}
			testFacts(b.Text(), func(f string) {
				if was[f] && !seen[f] {
					seen[f] = true
					all++
					if is[f] {
						held++
					}
				}
			})
		}
	}
	return all, held
}

// nameOrNumber matches names, numbers and words in quotation marks.
var nameOrNumber = regexp.MustCompile(`\b(?:[A-Z][a-z]+(?: [A-Z][a-z]+)+|\d[\d.,:/-]*\d)\b`)

// testFacts calls yield for the facts, names, numbers and long lines of a text.
func testFacts(text string, yield func(string)) {
	fact.Each(text, func(_ int, key string) { yield(key) })
	for _, name := range nameOrNumber.FindAllString(text, -1) {
		yield(name)
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); len(line) >= 20 {
			yield("line " + line)
		}
	}
}
