package cmd

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/cmd/source"
	"condense/cmd/ui"
)

// Every command that reports takes the same flags: --report-format names the form, --report the
// file that the report goes to, and --json prints JSON to standard output. The forms are those of
// the table of package ui that show results of the command's type. A command whose results have two forms, text
// and JSON, has --json alone.

// reportOptions are the flags that say in which form a command reports, and where to.
type reportOptions struct {
	report       string // file; "": standard output, or standard error where that has the data
	reportFormat string
}

// defaultForm is the form of a report when no other is named.
const defaultForm = "text"

// addFlags adds the flags for results of the type of result; file says what --report does.
func (o *reportOptions) addFlags(fs *pflag.FlagSet, result any, file string) {
	fs.StringVar(&o.report, "report", "", file)
	fs.Var(oneOf(&o.reportFormat, ui.FormNames(result)), "report-format", "form of the report (default text)")
}

// form is the form that is asked for.
func (o *reportOptions) form() string {
	if o.reportFormat == "" {
		return defaultForm
	}
	return o.reportFormat
}

// addPageFlag adds --html FILE, the old spelling of --report FILE --report-format html.
func (o *reportOptions) addPageFlag(fs *pflag.FlagSet) { addOldFlag(fs, "html", &pageFlag{o: o}) }

// pageFlag is the value of --html.
type pageFlag struct {
	o    *reportOptions
	file string
}

func (f *pageFlag) Set(file string) error {
	f.file, f.o.report, f.o.reportFormat = file, file, "html"
	return nil
}

func (f *pageFlag) String() string { return f.file }
func (f *pageFlag) Type() string   { return "string" }

// addOldFlag adds a flag under a name that it had in earlier versions: help does not list it, and
// scripts and settings that have it go on working.
func addOldFlag(fs *pflag.FlagSet, name string, value pflag.Value) *pflag.Flag {
	f := fs.VarPF(value, name, "", "")
	f.Hidden, f.Annotations = true, map[string][]string{oldAnnotation: nil}
	return f
}

const oldAnnotation = "old"

// showing is the flags of a command whose result goes to standard output.
type showing struct {
	reportOptions
	json  bool
	force bool // overwrite the file of --report
}

// addFlags adds the flags for results of the type of result; json says what --json prints. They
// are one for all files of the command.
func (o *showing) addFlags(fs *pflag.FlagSet, result any, json string) {
	fs.BoolVar(&o.json, "json", false, json)
	config.WholeCommand(fs, "json")
	if len(ui.FormNames(result)) <= 2 {
		return
	}
	o.reportOptions.addFlags(fs, result, "write the report to this file instead of standard output")
	fs.BoolVarP(&o.force, "force", "f", false, "overwrite the report if it exists")
	config.WholeCommand(fs, "report", "report-format", "force")
}

// check refuses two forms on standard output.
func (o *showing) check() error {
	if o.json && o.report == "" && o.reportFormat != "" && o.reportFormat != "json" {
		return usage("--json and --report-format %s both want standard output", o.reportFormat)
	}
	return nil
}

// creatable asks before the work is done whether the file of --report can be written. It must not
// take the place of an input.
func (o *showing) creatable(inputs ...*source.Input) error {
	if o.report == "" {
		return nil
	}
	if len(inputs) == 0 {
		return source.Creatable(o.report, source.CreateOptions{Force: o.force})
	}
	for _, in := range inputs {
		if err := source.Creatable(o.report, source.CreateOptions{From: in, Force: o.force}); err != nil {
			return err
		}
	}
	return nil
}

// show writes a result where the flags say: to the file of --report, and to standard output when
// there is none or JSON is to go there.
func (a *app) show(ctx context.Context, o *showing, result any, screen ui.Options) error {
	form := o.form()
	if o.report != "" {
		if err := writeReport(ctx, o.report, form, result, screen, source.CreateOptions{Force: o.force}); err != nil {
			return err
		}
		if !o.json {
			return nil
		}
	}
	if o.json {
		form = "json"
	}
	if err := ui.Write(a.out, form, result, screen); err != nil {
		return &outputError{err}
	}
	return nil
}

// writeReport writes a result to a file, without colour and without a width.
func writeReport(ctx context.Context, path, form string, result any, o ui.Options, how source.CreateOptions) error {
	o.Color, o.Width = false, 0
	return source.Create(ctx, path, how, func(w io.Writer) error { return ui.Write(w, form, result, o) })
}

// sums refuses a form that does not show sums.
func (o *showing) sums(sum any) error {
	if names := ui.FormNames(sum); !slices.Contains(names, o.form()) {
		return &usageError{fmt.Errorf("--merge has no %s: sums have no detail", o.form()), "use one of " + strings.Join(names, ", ")}
	}
	return nil
}

// outputError is standard output that cannot be written to.
type outputError struct{ err error }

func (e *outputError) Error() string { return "standard output: " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }
func (e *outputError) ExitCode() int { return exitOutput }
