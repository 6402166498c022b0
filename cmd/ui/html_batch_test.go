package ui

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/ui/html"
)

// manyFiles returns a batch of n files with every status and one tokenizer.
func manyFiles(n int) *survey.Batch {
	b := &survey.Batch{
		Condense: "0.1.0", Sum: &survey.Summary{Version: survey.SummaryVersion}, Notes: []string{"2 of them were done before"},
		Tokenizers: []survey.TokenizerUse{{Tokenizer: report.Tokenizer{Name: "o200k_base", Method: "exact", Factor: 1}, Files: n}},
	}
	for i := range n {
		f := survey.BatchFile{
			Input: fmt.Sprintf("sessions/2026-%02d/project-%04d/5c1b2f0e-session.jsonl", 1+i%12, i), Status: "condensed",
			Tokens: report.Change{Before: 1000 + 10*i, After: (1000 + 10*i) * (i % 11) / 11}, Before: i%5 == 1,
		}
		switch i % 7 {
		case 3:
			f.Status, f.Tokens.After = "unchanged", f.Tokens.Before
		case 4:
			f.Status, f.Tokens, f.Why = "not-a-transcript", report.Change{}, "it is the package.json of an npm package"
		case 5:
			f.Status, f.Tokens.After, f.Why = "refused", f.Tokens.Before, "output refused: it holds 0.31 of the facts at their place, not 0.9"
		case 6:
			f.Status, f.Why = "missed-target", "the target was not reached"
		}
		b.Files = append(b.Files, f)
		b.Sum.Add(&survey.Summary{Files: 1, Conversations: 1, Tokens: f.Tokens, Bytes: report.Change{Before: 40 * f.Tokens.Before, After: 40 * f.Tokens.After}})
		b.Sum.Count(f.Status, 1)
	}
	return b
}

// hostileBatch has the string s wherever a Batch has one.
func hostileBatch(s string) *survey.Batch {
	b := manyFiles(8)
	fill(reflect.ValueOf(b).Elem(), s)
	b.Manifest = s
	return b
}

// batchHTML renders a batch as a page.
func batchHTML(b *survey.Batch) func(io.Writer) error {
	return func(w io.Writer) error { return html.Batch(w, b, Options{}) }
}

// everyBatch returns a batch of each shape.
func everyBatch() map[string]*survey.Batch {
	unlike := manyFiles(3)
	unlike.Tokenizers = survey.AddUse(unlike.Tokenizers, report.Tokenizer{Name: "chars", Method: "estimate", Factor: 1})
	return map[string]*survey.Batch{
		"some": manyFiles(14), "one": manyFiles(1), "none": {Sum: &survey.Summary{}}, "unlike": unlike, "many": manyFiles(1500),
		"hostile": hostileBatch(nasty), "wide": hostileBatch(strings.Repeat("日本語 ", 40)), "long": hostileBatch(strings.Repeat("x", 500)),
	}
}

func TestBatchPageGolden(t *testing.T) {
	page := rendered(t, batchHTML(manyFiles(14)))
	golden(t, "batch.html", []byte(inside(page, "main")))
}

// TestBatchPage checks that the page shows the sums, and every file with its status and its reason.
// The page does not depend on the order in which workers finish files.
func TestBatchPage(t *testing.T) {
	b := manyFiles(30)
	b.Files[0].Tokens = report.Change{Before: 90000, After: 10}
	page := string(rendered(t, batchHTML(b)))
	for _, f := range b.Files {
		if !strings.Contains(page, f.Input) || f.Why != "" && !strings.Contains(page, f.Why) {
			t.Errorf("%s or its reason is not on the page", f.Input)
		}
	}
	_, files, _ := strings.Cut(page, "most saved first</h2>")
	first := strings.Index(files, b.Files[0].Input)
	for _, f := range b.Files[1:] {
		if at := strings.Index(files, f.Input); at < first {
			t.Fatalf("%s comes before the file that saved most", f.Input)
		}
	}
	slices.Reverse(b.Files)
	if string(rendered(t, batchHTML(b))) != page {
		t.Error("the page depends on the order in which files were finished")
	}
	for b, want := range map[*survey.Batch]string{
		everyBatch()["unlike"]: "counted by 2 tokenizers", manyFiles(14): "failed or short of a demand: 6 files",
	} {
		if !strings.Contains(string(rendered(t, batchHTML(b))), want) {
			t.Errorf("no %q", want)
		}
	}
}

// TestBatchPageSize checks that a page of 10,000 files stays below 2 MB, names what it omits, and
// refers to the file that has it.
func TestBatchPageSize(t *testing.T) {
	b := manyFiles(10000)
	b.Manifest = "done.jsonl"
	page := string(rendered(t, batchHTML(b)))
	t.Logf("%d bytes for %d files", len(page), len(b.Files))
	if len(page) > 2<<20 {
		t.Errorf("%d bytes", len(page))
	}
	for _, want := range []string{"And 9,000 more: the manifest done.jsonl has a line for each.", "And 3,284 more: the manifest"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}
