package cmd

import (
	"os"
	"path/filepath"

	"condense/cmd/ui"
)

// checkFormats are the forms of findings.
var checkFormats = []string{"text", "json", "jsonl", "github", "gitlab", "sarif", "junit", "tap"}

// showGate prints what was found, and a summary for people.
func (a *app) showGate(o *checkOptions, g *ui.Gate) error {
	form := o.outputFormat
	if form == "" {
		form = "text"
		if a.env("GITHUB_ACTIONS") == "true" {
			form = "github"
		}
	}
	if err := a.writeGate(form, o, g); err != nil {
		return &outputError{err}
	}
	if form == "github" {
		if err := a.writeJobSummary(g); err != nil {
			return err
		}
	}
	if o.quiet {
		return nil
	}
	return ui.WriteGateSummary(a.err, g, ui.TextOptions{
		Color: ui.UseColor(o.color, a.err, a.env), Width: ui.Width(a.err), Verbose: o.verbose,
	})
}

func (a *app) writeGate(form string, o *checkOptions, g *ui.Gate) error {
	switch form {
	case "json":
		return ui.JSON(a.out, g)
	case "jsonl":
		return ui.GateLines(a.out, g)
	case "github":
		return ui.GateGitHub(a.out, g, a.rooted)
	case "gitlab":
		return ui.GateGitLab(a.out, g, a.rooted)
	case "sarif":
		return ui.GateSARIF(a.out, g, a.rooted)
	case "junit":
		return ui.GateJUnit(a.out, g, a.rooted)
	case "tap":
		return ui.GateTAP(a.out, g, a.rooted)
	}
	return ui.WriteGate(a.out, g, a.screen(o.color, o.verbose))
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
func (a *app) writeJobSummary(g *ui.Gate) error {
	path := a.env("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return &unwritable{"GITHUB_STEP_SUMMARY", err}
	}
	err = ui.GateMarkdown(f, g, a.rooted)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return &unwritable{"GITHUB_STEP_SUMMARY", err}
	}
	return nil
}
