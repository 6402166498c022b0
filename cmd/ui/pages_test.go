package ui

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/cmd/report/survey"
	"condense/cmd/ui/ci"
	"condense/cmd/ui/content"
	"condense/cmd/ui/html"
)

// fewTurns adds a turn of each kind to the conversations of a report.
func fewTurns(r *report.Report) *report.Report {
	for i := range r.Conversations {
		for n, kind := range contents {
			r.Conversations[i].Turns = append(r.Conversations[i].Turns, report.Turn{Message: n + 1, Role: "user", Kind: kind, Tokens: report.Change{Before: 100 * n, After: 60 * (n % 3)}})
		}
	}
	return r
}

// TestPagesGolden checks the body of a page of each kind.
func TestPagesGolden(t *testing.T) {
	unlike := everyBatch()["unlike"]
	var all strings.Builder
	for _, c := range []struct {
		name   string
		render func(io.Writer) error
	}{
		{"report", asPage(fewTurns(session()))},
		{"report of several conversations", asPage(fewTurns(several(2)))},
		{"report of an unchanged file", asPage(unchangedRun())},
		{"stats", func(w io.Writer) error { return html.Stats(w, usualStats(), Options{}) }},
		{"stats of several files", func(w io.Writer) error { return html.Stats(w, severalStats(), Options{}) }},
		{"comparison", func(w io.Writer) error { return html.Comparison(w, recalled(), Options{}) }},
		{"batch with several tokenizers", batchHTML(unlike)},
	} {
		page := rendered(t, c.render)
		all.WriteString("== " + c.name + ": " + inside(page, "title") + "\n" + inside(page, "main") + "\n")
	}
	golden(t, "pages.html", []byte(all.String()))
}

// TestGateGolden checks the whole text of each form for CI hosts.
func TestGateGolden(t *testing.T) {
	var all strings.Builder
	g := someGate("")
	g.Files[0].Findings[0].Path = "/abs/a.json"
	for _, form := range []struct {
		name   string
		render func(io.Writer) error
	}{
		{"SARIF", func(w io.Writer) error { return ci.SARIF(w, g, Options{}) }},
		{"JUnit", func(w io.Writer) error { return ci.JUnit(w, g, Options{}) }},
		{"JUnit, from a root", func(w io.Writer) error {
			return ci.JUnit(w, g, Options{Root: func(path string) string { return "root/" + path }})
		}},
	} {
		all.WriteString("== " + form.name + "\n" + string(rendered(t, form.render)))
	}
	golden(t, "gate.txt", []byte(all.String()))
}

// TestGateDemands checks that SARIF describes every demand in words of its own.
func TestGateDemands(t *testing.T) {
	described := map[string]bool{}
	for _, demand := range []string{"max-tokens", "min-savings", "max-growth", "min-retention", "expect", "read", "valid"} {
		g := &gate.Gate{Files: []gate.Gated{{Input: "a", Demands: []string{demand}, Findings: []gate.Breach{{Path: "a", Demand: demand, Rule: "x/" + demand, Severity: "error", Text: "t"}}}}}
		var log sarifLog
		if err := json.Unmarshal(rendered(t, func(w io.Writer) error { return ci.SARIF(w, g, Options{}) }), &log); err != nil {
			t.Fatal(err)
		}
		text := log.Runs[0].Tool.Driver.Rules[0].ShortDescription.Text
		if described[text] || len(text) < 30 || !strings.HasSuffix(text, ".") {
			t.Errorf("%s: %q", demand, text)
		}
		described[text] = true
	}
}

// TestGateWarnings checks that a demand with nothing but warnings has not failed.
func TestGateWarnings(t *testing.T) {
	finding := func(severity string) gate.Breach {
		return gate.Breach{Path: "a", Demand: "valid", Rule: "x/y", Severity: severity, Text: "of " + severity}
	}
	for _, c := range []struct {
		findings []gate.Breach
		want     string
	}{
		{[]gate.Breach{finding("warning")}, `failures="0"`},
		{[]gate.Breach{finding("warning"), finding("error")}, `message="of error"`},
		{nil, `failures="0"`},
	} {
		g := &gate.Gate{Files: []gate.Gated{{Input: "a", Demands: []string{"valid"}, Findings: c.findings}}}
		if out := string(rendered(t, func(w io.Writer) error { return ci.JUnit(w, g, Options{}) })); !strings.Contains(out, c.want) {
			t.Errorf("no %s in\n%s", c.want, out)
		}
	}
}

// remarks returns the texts of remarks.
func remarks(list []content.Remark) (texts []string) {
	for _, r := range list {
		texts = append(texts, r.Text)
	}
	return texts
}

func same(s string) string { return s }

// TestRemarks checks sentences that depend on the numbers of a report.
func TestRemarks(t *testing.T) {
	dry := &report.Report{DryRun: true, Conversations: []report.Conversation{{}}}
	if got := remarks(content.Outcomes(dry, same)); len(got) == 0 || !strings.HasPrefix(got[0], "dry run: nothing was written") || !strings.Contains(got[0], "; it is ") {
		t.Errorf("an unchanged dry run: %q", got)
	}
	dry.Changed = true
	if got := remarks(content.Outcomes(dry, same)); len(got) == 0 || strings.Contains(got[0], "; it is ") {
		t.Errorf("a dry run: %q", got)
	}
	for by, want := range map[string]string{"recall": "the largest recall", "": "the largest bound share"} {
		c := &survey.Comparison{Trials: []survey.Trial{{Best: true, BestBy: by, Valid: true, Reached: true, Target: "50%"}}}
		if got := remarks(content.ComparisonRemarks(c, same))[1:]; !strings.HasSuffix(got[0], want) || strings.HasPrefix(got[1], "!") || strings.HasPrefix(got[1], "–") {
			t.Errorf("best by %q: %q", by, got)
		}
		c.Trials = append(c.Trials, survey.Trial{Target: "", Recalled: &survey.Recalls{Over: 1}})
		if got := remarks(content.ComparisonRemarks(c, same))[1:]; !strings.HasPrefix(got[1], "! over the target at some cuts") || !strings.HasPrefix(got[2], "– no target") {
			t.Errorf("with a trial without a target: %q", got)
		}
	}
	s := usualStats()
	exact := remarks(content.StatsRemarks(s, same))
	s.Tokenizer = report.Tokenizer{Name: "u", Method: "calibrated", Factor: 1.5}
	if got := remarks(content.StatsRemarks(s, same)); slices.Equal(exact, got) || !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "u times 1.5") }) {
		t.Errorf("nothing about the tokenizer in %q", got)
	}
	if (content.Options{}).Rooted("a/b") != "a/b" {
		t.Error("a path without a root has changed")
	}
}

// TestLargest checks how the largest blocks of one file and of several are named.
func TestLargest(t *testing.T) {
	s := usualStats()
	one := content.LargestTable(s, same)
	if len(one.Rows) == 0 || !strings.HasPrefix(one.Rows[0][0], "message ") {
		t.Errorf("in one conversation: %q", one.Rows)
	}
	s = severalStats()
	s.Largest = usualStats().Largest
	several := content.LargestTable(s, same)
	if !strings.HasPrefix(several.Rows[0][0], s.Largest[0].Input+" message ") && !strings.HasPrefix(several.Rows[0][0], "conversation ") {
		t.Errorf("in several: %q", several.Rows)
	}
}

// TestTableWidth checks the width of a table: the last cell of a shorter row may run over.
func TestTableWidth(t *testing.T) {
	table := content.Table{Columns: []content.ColumnKind{content.Words, content.Words}, Head: []string{"a", "b"}}
	table.Add("long", "x")
	table.Rows = append(table.Rows, []string{"a sentence over both columns"})
	if got := table.Width(); got != 4+2+1 {
		t.Errorf("%d columns", got)
	}
}
