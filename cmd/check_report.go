package cmd

import (
	"context"
	"os"
	"path/filepath"

	"condense/cmd/report"
	"condense/cmd/ui"
)

// showGate prints what was found, and a summary for people. Within GitHub Actions its form is
// github where none is named.
func (a *app) showGate(ctx context.Context, o *checkOptions, g *report.Gate) error {
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

// rooted is a path from the root of the checkout, as CI hosts say where that is, or
// else from the working folder, with slashes. Outside of both it stays absolute.
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

// writeJobSummary adds a table to the summary of a job of GitHub Actions, where there
// is one.
func (a *app) writeJobSummary(g *report.Gate) error {
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
