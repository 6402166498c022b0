// Package ui writes results for people and programs. forms is the one table of forms: text and
// Markdown are in this package, pages in ui/html, forms of CI hosts in ui/ci, JSON in package
// report. What several forms share is in ui/content.
//
// # Safety
//
// A transcript is written by strangers: web pages, tools, models. None of its bytes may act on the
// reader's terminal or page. Every string of a result, file names included, passes [escape.Text] or
// [escape.Line] before it is written as text; Markdown shows it as code, where no markup, link or
// mention works; pages escape it once more and may run only their own script; JSON has the same
// runes as \u escapes.
//
// # Terminals
//
// No function asks the environment or guesses from a stream. The caller decides with [UseColor] and
// [Width] for the one stream that it writes to, so that `2>log` or `| less` cannot put colour where
// it does not belong. Lines are cut, and long runs shortened, only where Width says that a person
// looks at them; a pipe or a file gets every character.
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

// Options say what the reader's screen can show and what of a result is asked for.
type Options = content.Options

// resultForm is a form in which results can be written: text for a person, JSON for a program, a page
// for a browser. Most forms show results of some types only.
type resultForm struct {
	Name    string // as --report-format takes it
	writers []writer
}

// forms are all forms, in the order of the help. A new one is a line here and a function that
// writes results of one type, in a file of its own.
var forms = []*resultForm{
	{"text", []writer{
		of(writeReport), of(writeGate), of(writeComparison), of(writeStats), of(writeBatch), of(writeSummary), of(writeFindings),
		of(writeMending), of(writeDifference), of(writeExplanation), of(writeRestored), of(writeRemoved), of(writeCollected),
		of(writeStashList), of(writeTokens), of(writeModels), of(writeFormats), of(writeStrategies), of(writeSettings), of(writeVersion),
	}},
	{"json", []writer{of(func(w io.Writer, result any, _ Options) error { return report.JSON(w, result) })}},
	{"jsonl", []writer{of(gateLines)}},
	{"markdown", []writer{of(reportMarkdown), of(comparisonMarkdown), of(gateMarkdown)}},
	{"html", []writer{of(html.Report), of(html.Comparison), of(html.Stats), of(html.Batch)}},
	{"github", []writer{of(ci.GitHub)}},
	{"gitlab", []writer{of(ci.GitLab)}},
	{"sarif", []writer{of(ci.SARIF)}},
	{"junit", []writer{of(ci.JUnit)}},
	{"tap", []writer{of(ci.TAP)}},
}

// writer returns the function that writes a result, or nil for a result of another type than its
// own.
type writer func(result any) func(io.Writer, Options) error

// of is the writer of results of type T.
func of[T any](write func(io.Writer, T, Options) error) writer {
	return func(result any) func(io.Writer, Options) error {
		own, ok := result.(T)
		if !ok {
			return nil
		}
		return func(w io.Writer, o Options) error { return write(w, own, o) }
	}
}

// shows returns the function that writes a result in the form, nil when there is none.
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

// Write writes a result in the form of this name. A form that does not show such results is an
// error.
func Write(w io.Writer, name string, result any, o Options) error {
	at := slices.IndexFunc(forms, func(f *resultForm) bool { return f.Name == name })
	if at < 0 {
		return fmt.Errorf("there is no form %q", name)
	}
	write := forms[at].shows(result)
	if write == nil {
		return fmt.Errorf("%s shows no %T", name, result)
	}
	return write(w, o)
}
