package cmd

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/transcript"
)

// agentSessions lists the fixtures that the comparison in the README is made of: sessions of coding
// agents with at least 2,000 tokens.
var agentSessions = []string{
	"anthropic/array.json", "anthropic/cline-hybrid.json", "anthropic/cline-old.json", "claude-code/compact.jsonl", "claude-code/parallel.jsonl",
	"claude-code/session.jsonl", "codex/seeds.jsonl", "codex/session.jsonl",
	"gemini-cli/session.json", "opencode/session.json", "openhands/events.json", "pi/ferry.jsonl",
}

// comparisonTable returns a table of what strategies leave of the bundled sessions at a quarter of
// their tokens.
func comparisonTable(t *testing.T) string {
	type sum struct{ answered, closing, user, present, bound float64 }
	sums := map[string]*sum{}
	for _, name := range agentSessions {
		var out, errs bytes.Buffer
		args := []string{"compare", "--json", "--config", "none", "--tokenizer", "o200k_base", "-t", "25%", filepath.Join("../testdata/sessions", name)}
		if code := Main(args, strings.NewReader(""), &out, &errs, func(string) string { return "" }); code != 0 {
			t.Fatalf("%s: exit code %d: %s", name, code, errs.String())
		}
		var c struct {
			Tokens int
			Trials []struct {
				Strategy, Target string
				Retained         *report.Retained
			}
		}
		if err := json.Unmarshal(out.Bytes(), &c); err != nil || c.Tokens < 2000 {
			t.Fatalf("%s: %d tokens, %v", name, c.Tokens, err)
		}
		for _, trial := range c.Trials {
			if trial.Target == "" {
				continue
			}
			s, r := sums[trial.Strategy], trial.Retained
			if s == nil {
				s = &sum{}
				sums[trial.Strategy] = s
			}
			s.answered += shareOf(r.Answered)
			s.closing += shareOf(r.Closing)
			s.user += r.User
			s.present += r.Present
			s.bound += r.Bound
		}
	}
	var b strings.Builder
	b.WriteString("| strategy | typed text | requests with an answer | closing answers | facts named | facts at their place |\n|---|---|---|---|---|---|\n")
	names := make([]string, 0, len(sums))
	for name := range sums {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if x, y := sums[a].bound, sums[b].bound; x != y {
			return map[bool]int{true: -1, false: 1}[x > y]
		}
		return strings.Compare(a, b)
	})
	n := float64(len(agentSessions))
	for _, name := range names {
		s := sums[name]
		fmt.Fprintf(&b, "| `%s` | %.0f %% | %.0f %% | %.0f %% | %.0f %% | %.0f %% |\n", name, 100*s.user/n, 100*s.answered/n, 100*s.closing/n, 100*s.present/n, 100*s.bound/n)
	}
	return b.String()
}

// shareOf returns the share that is left, 1 if there was nothing.
func shareOf(c report.Change) float64 {
	if c.Before == 0 {
		return 1
	}
	return float64(c.After) / float64(c.Before)
}

// TestReadmeFigures checks figures in the prose of the documents that the program computes.
func TestReadmeFigures(t *testing.T) {
	text := strings.Join(strings.Fields(readPages(t)), " ")
	for name, want := range map[string]string{
		"formats":             fmt.Sprintf("the %d formats", len(formats())),
		"a large saving pays": fmt.Sprintf("Condensing 150,000 tokens to 30,000 pays after %.0f turns", report.BreakEven(report.Change{Before: 150_000, After: 30_000}, 0)),
		"a small saving pays": fmt.Sprintf("condensing them to 112,000 after %.0f", report.BreakEven(report.Change{Before: 150_000, After: 112_000}, 0)),
		"room of a window":    fmt.Sprintf("%s tokens for `--window 100k`", transcript.Number(int(0.9*100_000)-8192)),
		"sessions compared":   fmt.Sprintf("the %d bundled sessions", len(agentSessions)),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s: no page says %q", name, want)
		}
	}
}
