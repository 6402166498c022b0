// Package ui writes results for people and programs. The variable forms lists all forms. This package
// writes text and Markdown, ui/html HTML pages, ui/ci the forms of CI hosts, and package report JSON.
// Package ui/content holds what several forms share.
//
// # Safety
//
// Strangers write parts of a transcript: web pages, tools, models. None of its bytes may act on the
// reader's terminal or page. This holds for every string of a result, file names included:
//   - text contains it as [escape.Text] or [escape.Line] returns it;
//   - Markdown shows it as code, where no markup, link or mention works;
//   - pages escape it once more and run only their own script;
//   - JSON contains the dangerous runes as \u escapes.
//
// # Terminals
//
// No renderer reads the environment or inspects its stream. The caller decides with [UseColor] and
// [Width] for each stream that it writes to, so that `2>log` or `| less` gets no colour by mistake.
// Lines are cut and long runs shortened only on a terminal; a pipe or a file gets every character.
package ui

import (
	"fmt"
	"io"
	"slices"

	"condense/cmd/report"
	"condense/cmd/ui/ci"
	"condense/cmd/ui/content"
	"condense/cmd/ui/html"
)

// Options describe the reader's screen and the requested parts of a result.
type Options = content.Options

// A resultForm is a form of results: text for a person, JSON for a program, a page for a browser.
// Most forms show results of some types only.
type resultForm struct {
	Name    string // value of --report-format
	writers []writer
}

// forms lists all forms in the order of the help. A new form needs a line here and a file with a
// function that writes results of one type.
var forms = []*resultForm{
	{"text", []writer{
		of(writeReport), of(writeGate), of(writeComparison), of(writeStats), of(writeBatch), of(writeSummary), of(writeFindings),
		of(writeMending), of(writeDifference), of(writeExplanation), of(writeRestored), of(writeRemoved), of(writeCollected),
		of(writeStashList), of(writeUndone), of(writePurged), of(writeTokens), of(writeModels), of(writeFormats), of(writeStrategies), of(writeSettings), of(writeVersion), of(writeView), of(writeSessions),
	}},
	{"json", []writer{of(func(w io.Writer, result any, _ Options) error { return report.JSON(w, result) })}},
	{"jsonl", []writer{of(gateLines)}},
	{"markdown", []writer{of(reportMarkdown), of(comparisonMarkdown), of(gateMarkdown), of(viewMarkdown)}},
	{"html", []writer{of(html.Report), of(html.Comparison), of(html.Stats), of(html.Batch), of(html.View)}},
	{"github", []writer{of(ci.GitHub)}},
	{"gitlab", []writer{of(ci.GitLab)}},
	{"sarif", []writer{of(ci.SARIF)}},
	{"junit", []writer{of(ci.JUnit)}},
	{"tap", []writer{of(ci.TAP)}},
}

// A writer returns the function that writes a result, or nil for a result of another type.
type writer func(result any) func(io.Writer, Options) error

// of returns a writer of results of type T.
func of[T any](write func(io.Writer, T, Options) error) writer {
	return func(result any) func(io.Writer, Options) error {
		own, ok := result.(T)
		if !ok {
			return nil
		}
		return func(w io.Writer, o Options) error { return write(w, own, o) }
	}
}

// shows returns the function that writes a result in the form, or nil if the form does not show it.
func (f *resultForm) shows(result any) func(io.Writer, Options) error {
	for _, w := range f.writers {
		if write := w(result); write != nil {
			return write
		}
	}
	return nil
}

// FormNames lists the forms that show results of the type of result.
func FormNames(result any) (names []string) {
	for _, f := range forms {
		if f.shows(result) != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// Write writes a result in the form with this name. It returns an error if there is no such form, or
// if the form does not show such results.
func Write(w io.Writer, name string, result any, o Options) error {
	at := slices.IndexFunc(forms, func(f *resultForm) bool { return f.Name == name })
	if at < 0 {
		return fmt.Errorf("unknown form %q", name)
	}
	write := forms[at].shows(result)
	if write == nil {
		return fmt.Errorf("%s shows no %T", name, result)
	}
	return write(w, o)
}
