package ui

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"condense/cmd/report"
)

// TestDiffApplies applies diffs as patch does, and compares the results with the texts after.
func TestDiffApplies(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	lines := func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = strconv.Itoa(rng.IntN(9)) + "\n"
		}
		return out
	}
	for range 500 {
		before := lines(rng.IntN(60))
		var after []string
		for _, l := range before {
			switch rng.IntN(12) {
			case 0: // deleted
			case 1:
				after = append(append(after, l), lines(rng.IntN(4))...)
			default:
				after = append(after, l)
			}
		}
		from, to := strings.Join(before, ""), strings.Join(after, "")
		e := report.Edit{Message: 1, Before: from, After: to}
		r := &report.Report{Conversations: []report.Conversation{{Edits: []report.Edit{e}}}}
		if got := patched(t, before, string(rendered(t, diff(r, Options{})))); got != to {
			t.Fatalf("the diff of %q applies as %q, want %q", from, got, to)
		}
	}
}

// patched applies the hunks of a diff and checks the numbers in their headers.
func patched(t *testing.T, before []string, diff string) string {
	t.Helper()
	var out []string
	var endOld, endNew int // where the current hunk must end
	at := 0
	check := func() {
		if endNew != 0 && (at != endOld || len(out) != endNew) {
			t.Fatalf("a hunk ends at line %d and %d, by its header at %d and %d:\n%s", at, len(out), endOld, endNew, diff)
		}
	}
	header := regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$`)
	for line := range strings.Lines(diff) {
		switch line[0] {
		case '@':
			check()
			var n [4]int
			for i, s := range header.FindStringSubmatch(line)[1:] {
				n[i] = 1
				if s != "" {
					n[i], _ = strconv.Atoi(s)
				}
			}
			first := n[0] - min(n[1], 1) // of the hunk, from 0
			out = append(out, before[at:first]...)
			at = first
			if first := n[2] - min(n[3], 1); len(out) != first {
				t.Fatalf("a hunk begins at new line %d, by its header at %d:\n%s", len(out), first, diff)
			}
			endOld, endNew = at+n[1], len(out)+n[3]
		case '-':
			at++
		case '+':
			out = append(out, line[1:])
		case ' ':
			out = append(out, line[1:])
			at++
		}
	}
	check()
	return strings.Join(append(out, before[at:]...), "")
}

func TestLongRunsAreWholeInAPipe(t *testing.T) {
	r := &report.Report{Conversations: []report.Conversation{{Edits: []report.Edit{{Message: 3, Block: 1, Op: "drop", Before: numbered(1, 224)}}}}}
	piped := string(rendered(t, diff(r, Options{Color: true})))
	if n := strings.Count(piped, "of the file"); n != 224 {
		t.Errorf("%d of 224 lines in a pipe", n)
	}
	screen := string(rendered(t, diff(r, Options{Width: 80})))
	if n := strings.Count(screen, "of the file"); n != 10 || !strings.Contains(screen, "\n… 214 more lines\n") {
		t.Errorf("%d lines on a terminal, want 10 and a note:\n%s", n, screen)
	}
}
