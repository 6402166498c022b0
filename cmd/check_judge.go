package cmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"condense/cmd/report/gate"
	"condense/cmd/ui"
	"condense/strategy"
	"condense/transcript/format"
	"condense/transcript/token"
)

// unread returns the result for a file that cannot be read.
func unread(path string, err error) gate.Gated {
	b := gate.Breach{Demand: "read", Rule: "condense/read", Severity: "error", Path: path, Text: err.Error()}
	var at *format.Error
	if errors.As(err, &at) {
		b.Line, b.Text = at.Line, at.Reason
	}
	b.Text = strings.TrimPrefix(b.Text, path+": ")
	b.Fix = errorHint(err)
	return gate.Gated{Input: path, Findings: []gate.Breach{b}}
}

// checkFile checks one file against its demands.
func (a *app) checkFile(ctx context.Context, o *checkOptions, counter *token.Counter, before *baseline, path string) (gate.Gated, error) {
	in, err := a.open(ctx, path)
	if err != nil {
		return gate.Gated{}, err
	}
	file, err := format.Decode(in.Data, o.run.format)
	if err != nil {
		return gate.Gated{}, &namedError{in.Name, err}
	}
	fitted, _, err := o.run.fitted(counter, file.Convs)
	if err != nil {
		return gate.Gated{}, err
	}
	d := &o.demands
	j := &judge{d: d, file: file, counter: fitted, gated: gate.Gated{Input: path, Format: file.Dialect.Name, Demands: d.names()}}
	j.maxTokens()
	if d.maxGrowth != nil && !o.updateBaseline {
		j.maxGrowth(before)
	}
	j.valid()
	if !d.condenses() {
		return j.gated, nil
	}
	c, err := condenseFile(ctx, file, o.run, counter, noEvents())
	var refused *refusedError
	var broken *strategy.StageError
	switch {
	case errors.As(err, &refused), errors.As(err, &broken):
		j.refused(err)
		return j.gated, nil
	case err != nil:
		return gate.Gated{}, &namedError{in.Name, err}
	}
	for _, i := range c.Left() {
		j.refused(explained(c.Conversations[i].Err))
	}
	report := newReport(in, o.run, c)
	j.outcome(report)
	if d.expect {
		err = j.expect(ctx, o, in, c.Out)
	}
	return j.gated, err
}

// showGate prints the findings, and a summary for people. In GitHub Actions the default form
// is github.
func (a *app) showGate(ctx context.Context, o *checkOptions, g *gate.Gate) error {
	if o.reportFormat == "" && !o.json && a.env("GITHUB_ACTIONS") == "true" {
		o.reportFormat = "github"
	}
	screen := a.screen(o.color, o.verbose)
	screen.Root = a.rooted
	if err := a.show(ctx, &o.showing, g, screen); err != nil {
		return err
	}
	if o.reportFormat == "github" {
		if err := a.writeJobSummary(g); err != nil {
			return err
		}
	}
	if o.quiet {
		return nil
	}
	return ui.GateSummary(a.err, g, ui.Options{
		Color: ui.UseColor(o.color, a.err, a.env), Width: ui.Width(a.err), Verbose: o.verbose,
	})
}

// rooted returns a path with slashes, relative to the root of the checkout. If no variable of
// a CI host names that root, it is relative to the working folder. A path outside of the root
// stays absolute.
func (a *app) rooted(path string) string {
	if path == "-" {
		return path
	}
	root := a.env("GITHUB_WORKSPACE")
	if root == "" {
		root = a.env("CI_PROJECT_DIR")
	}
	if root == "" {
		root = "."
	}
	from, errFrom := filepath.Abs(root)
	abs, err := filepath.Abs(path)
	if errFrom != nil || err != nil {
		return filepath.ToSlash(path)
	}
	if rel, err := filepath.Rel(from, abs); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(abs)
}

// writeJobSummary appends a table to the file of GITHUB_STEP_SUMMARY, if that is set.
func (a *app) writeJobSummary(g *gate.Gate) error {
	path := a.env("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return &unwritable{"GITHUB_STEP_SUMMARY", err}
	}
	err = ui.Write(f, "markdown", g, ui.Options{Root: a.rooted})
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return &unwritable{"GITHUB_STEP_SUMMARY", err}
	}
	return nil
}
