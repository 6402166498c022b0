package ui

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files under testdata")

// golden compares got with testdata/NAME.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test ./cmd/ui -update writes it)", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test ./cmd/ui -update rewrites it); got:\n%s", path, got)
	}
}

// rendered is what render writes.
func rendered(t *testing.T, render func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := render(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func text(r *Report, o TextOptions) func(io.Writer) error {
	return func(w io.Writer) error { return Text(w, r, o) }
}

func diff(r *Report, o TextOptions) func(io.Writer) error {
	return func(w io.Writer) error { return Diff(w, r, o) }
}

func markdown(r *Report) func(io.Writer) error {
	return func(w io.Writer) error { return Markdown(w, r) }
}

func asJSON(r *Report) func(io.Writer) error {
	return func(w io.Writer) error { return JSON(w, r) }
}

func TestGolden(t *testing.T) {
	screen := TextOptions{Color: true, Width: 80}
	for name, render := range map[string]func(io.Writer) error{
		"text.txt":             text(session(), TextOptions{}),
		"text-verbose.txt":     text(session(), TextOptions{Verbose: 1}),
		"text-explained.txt":   text(several(3), TextOptions{Explain: true}),
		"text-explained.ansi":  text(hostile(nasty), TextOptions{Explain: true, Color: true, Width: 80}),
		"text-terminal.ansi":   text(session(), screen),
		"text-narrow.txt":      text(belowFloor(), TextOptions{Width: 50, Verbose: 1}),
		"text-several.txt":     text(several(14), TextOptions{}),
		"text-several.ansi":    text(several(14), screen),
		"text-several-all.txt": text(several(14), TextOptions{Verbose: 1}),
		"text-unchanged.txt":   text(unchangedRun(), TextOptions{}),
		"text-floor.txt":       text(belowFloor(), TextOptions{}),
		"text-estimate.txt":    text(estimated(), TextOptions{}),
		"text-calibrated.txt":  text(calibrated(), TextOptions{}),
		"text-tagged.txt":      text(tagged(), TextOptions{Verbose: 1}),
		"text-hostile.txt":     text(hostile(nasty), TextOptions{Verbose: 1}),
		"text-hostile.ansi":    text(hostile(nasty), TextOptions{Color: true, Width: 80, Verbose: 1}),
		"text-empty.txt":       text(&Report{}, TextOptions{Verbose: 1}),

		"text-program.txt":    text(byProgram(), TextOptions{}),
		"text-left-alone.txt": text(leftAlone(), TextOptions{}),
		"report-program.json": asJSON(byProgram()),
		"text-model.txt":      text(byModel(), TextOptions{}),
		"report-model.json":   asJSON(byModel()),

		"diff.txt":         diff(session(), TextOptions{}),
		"diff.ansi":        diff(session(), screen),
		"diff-several.txt": diff(several(3), TextOptions{}),
		"diff-tagged.txt":  diff(tagged(), TextOptions{}),
		"diff-hostile.txt": diff(hostile(nasty), TextOptions{}),

		"report.md":            markdown(session()),
		"report-several.md":    markdown(several(14)),
		"report-unchanged.md":  markdown(unchangedRun()),
		"report-floor.md":      markdown(belowFloor()),
		"report-tagged.md":     markdown(tagged()),
		"report-calibrated.md": markdown(calibrated()),
		"report-hostile.md":    markdown(hostile(nasty)),

		"report.json":         asJSON(session()),
		"report-hostile.json": asJSON(hostile(nasty)),
		"report-empty.json":   asJSON(&Report{Version: ReportVersion}),
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, rendered(t, render)) })
	}
}
