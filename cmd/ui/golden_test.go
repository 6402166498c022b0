package ui

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/transcript/transcripttest"
)

var update = flag.Bool("update", false, "rewrite the golden files under testdata")

// golden compares got with testdata/NAME.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	transcripttest.FrozenText(t, filepath.Join("testdata", name), *update, string(got))
}

// rendered returns the output of render.
func rendered(t *testing.T, render func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := render(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// text renders a report as text.
func text(r *report.Report, o Options) func(io.Writer) error {
	return func(w io.Writer) error { return writeReport(w, r, o) }
}

// diff renders a report as a diff.
func diff(r *report.Report, o Options) func(io.Writer) error {
	return func(w io.Writer) error { return Diff(w, r, o) }
}

// markdown renders a report as Markdown.
func markdown(r *report.Report) func(io.Writer) error {
	return func(w io.Writer) error { return reportMarkdown(w, r, Options{}) }
}

// asJSON renders a report as JSON.
func asJSON(r *report.Report) func(io.Writer) error {
	return func(w io.Writer) error { return report.JSON(w, r) }
}

func TestGolden(t *testing.T) {
	screen := Options{Color: true, Width: 80}
	for name, render := range map[string]func(io.Writer) error{
		"text.txt":             text(session(), Options{}),
		"text-verbose.txt":     text(session(), Options{Verbose: 1}),
		"text-explained.txt":   text(several(3), Options{Explain: true}),
		"text-explained.ansi":  text(hostile(nasty), Options{Explain: true, Color: true, Width: 80}),
		"text-terminal.ansi":   text(session(), screen),
		"text-narrow.txt":      text(belowFloor(), Options{Width: 50, Verbose: 1}),
		"text-several.txt":     text(several(14), Options{}),
		"text-several.ansi":    text(several(14), screen),
		"text-several-all.txt": text(several(14), Options{Verbose: 1}),
		"text-unchanged.txt":   text(unchangedRun(), Options{}),
		"text-floor.txt":       text(belowFloor(), Options{}),
		"text-estimate.txt":    text(estimated(), Options{}),
		"text-calibrated.txt":  text(calibrated(), Options{}),
		"text-tagged.txt":      text(tagged(), Options{Verbose: 1}),
		"text-hostile.txt":     text(hostile(nasty), Options{Verbose: 1}),
		"text-hostile.ansi":    text(hostile(nasty), Options{Color: true, Width: 80, Verbose: 1}),
		"text-empty.txt":       text(&report.Report{}, Options{Verbose: 1}),

		"text-program.txt":    text(byProgram(), Options{}),
		"text-left-alone.txt": text(leftAlone(), Options{}),
		"report-program.json": asJSON(byProgram()),
		"text-model.txt":      text(byModel(), Options{}),
		"report-model.json":   asJSON(byModel()),

		"diff.txt":         diff(session(), Options{}),
		"diff.ansi":        diff(session(), screen),
		"diff-several.txt": diff(several(3), Options{}),
		"diff-tagged.txt":  diff(tagged(), Options{}),
		"diff-hostile.txt": diff(hostile(nasty), Options{}),

		"report.md":            markdown(session()),
		"report-several.md":    markdown(several(14)),
		"report-unchanged.md":  markdown(unchangedRun()),
		"report-floor.md":      markdown(belowFloor()),
		"report-tagged.md":     markdown(tagged()),
		"report-calibrated.md": markdown(calibrated()),
		"report-hostile.md":    markdown(hostile(nasty)),

		"report.json":         asJSON(session()),
		"report-hostile.json": asJSON(hostile(nasty)),
		"report-empty.json":   asJSON(&report.Report{Version: report.ReportVersion}),
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, rendered(t, render)) })
	}
}

// TestShortReport checks that a report without -v has at most eight lines before the next steps.
func TestShortReport(t *testing.T) {
	for i, r := range []*report.Report{
		session(), several(14), unchangedRun(), belowFloor(), estimated(), calibrated(), tagged(), hostile(nasty), byProgram(), leftAlone(), byModel(), {},
	} {
		text, _, _ := strings.Cut(string(rendered(t, text(r, Options{}))), "\n\n")
		if n := strings.Count(strings.TrimSpace(text), "\n") + 1; n > 8 {
			t.Errorf("report %d has %d lines:\n%s", i, n, text)
		}
	}
}

// TestBriefKeeps checks that a short report says in any case where the output is, what it retained and
// what was saved: of many warnings and notes it counts those without room.
func TestBriefKeeps(t *testing.T) {
	r := session()
	r.Labels = &report.Change{Before: 12, After: 12}
	r.Tokenizer = report.Tokenizer{Name: "o200k_base", Model: "x-1", Named: true, Method: "estimate"}
	for i := range 6 {
		r.Notes = append(r.Notes, fmt.Sprint("note ", i))
		r.Conversations[0].Stages = append(r.Conversations[0].Stages, report.Stage{Name: "tidy", Refusals: []string{fmt.Sprint("refused ", i)}})
	}
	var b strings.Builder
	if err := Write(&b, "text", r, Options{Width: 120}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"written to ", "training: 12 of 12 labels unchanged", "dialogue: ", "retained: ", "saved: ", "2 faults in the input, copied as they are; 6 more warnings, 8 more notes: -v"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	r = session()
	r.Notes = append(r.Notes, "second", "third")
	b.Reset()
	if err := Write(&b, "text", r, Options{Width: 120}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "retained: ") || !strings.Contains(b.String(), "saved: ") || !strings.Contains(b.String(), "\n2 faults in the input, copied as they are; 2 more notes: -v\n") {
		t.Errorf("got\n%s", b.String())
	}
}
