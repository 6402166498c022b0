package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"condense/cmd/batch"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript/format"
)

// Exit codes. They are part of the interface: scripts rely on them.
const (
	exitOK          = 0
	exitPolicy      = 1 // a demand is not met, or the output was refused
	exitUsage       = 2
	exitInput       = 3   // the input is unreadable or not a transcript
	exitBackend     = 4   // the model backend failed and no fallback was allowed
	exitOutput      = 5   // the output could not be written, or the source changed while condense ran
	exitInterrupted = 130 // 128 + SIGINT, as in shells
)

// exitCodes lists the codes with their meanings, in lines for the help and the README.
var exitCodes = []struct {
	code    int
	meaning string
}{
	{exitOK, "done, or nothing to do"},
	{exitPolicy, "a demand is not met: check or validate found errors, diff found differences,\n" +
		"--strict, --min-retention, or --diff with changes; or an output was refused, a\n" +
		"conversation failed, restore found no original, grep found no match"},
	{exitUsage, "wrong usage or configuration"},
	{exitInput, "the input is unreadable or not a transcript"},
	{exitBackend, "the model failed, and --fallback fail was given"},
	{exitOutput, "the output could not be written, or the source changed while condense ran"},
	{exitInterrupted, "interrupted"},
}

// exitHelp returns the text of the help about exit codes, a paragraph for each.
func exitHelp() string {
	var text strings.Builder
	for _, c := range exitCodes {
		fmt.Fprintf(&text, "  %-4d %s\n", c.code, strings.ReplaceAll(c.meaning, "\n", "\n       "))
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// usageError reports an error in the command line or the configuration.
type usageError struct {
	err  error
	hint string // "" refers to the help of the running command
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }
func (e *usageError) ExitCode() int { return exitUsage }
func (e *usageError) Hint() string  { return e.hint }

// usage returns a usage error that refers to the help of the running command.
func usage(format string, args ...any) error { return &usageError{err: fmt.Errorf(format, args...)} }

// policyError reports that a run did its work, but missed a demand. An empty problem prints
// nothing, because the report shows it.
type policyError struct{ problem string }

func (e *policyError) Error() string { return e.problem }
func (e *policyError) ExitCode() int { return exitPolicy }

// printedError sets the exit code for errors that are printed already.
type printedError struct{ code int }

func (e *printedError) Error() string { return "" }
func (e *printedError) ExitCode() int { return e.code }

// refusedError reports an output that was not written, because it would have broken a promise.
type refusedError struct {
	err    error
	damage string // the first fault of the source, "" if condense is at fault
}

func (e *refusedError) Error() string {
	return (&condense.RefusedError{Err: e.err, Damage: e.damage}).Error()
}

func (e *refusedError) Unwrap() error { return e.err }
func (e *refusedError) ExitCode() int { return exitPolicy }
func (e *refusedError) Hint() string {
	if e.damage != "" {
		return "nothing was written; condense validate lists the faults of the file, and condense repair corrects those that it can"
	}
	return "nothing was written; this is a bug in condense, please report it with the file if you can"
}

// namedError adds the name of a file to an error.
type namedError struct {
	name string
	err  error
}

func (e *namedError) Error() string { return e.name + ": " + e.err.Error() }
func (e *namedError) Unwrap() error { return e.err }

// unwritable reports a file or folder that cannot be written or created.
type unwritable struct {
	where string // the flag or the variable that names it, or its path
	err   error
}

func (e *unwritable) Error() string { return e.where + ": " + e.err.Error() }
func (e *unwritable) Unwrap() error { return e.err }
func (e *unwritable) ExitCode() int { return exitOutput }

// errorHint returns the advice of an error, with the names of flags; "" if it has none.
func errorHint(err error) string {
	var hinting interface{ Hint() string }
	if errors.As(err, &hinting) {
		return hinting.Hint()
	}
	var unread *format.Error
	if errors.As(err, &unread) {
		return unreadHint(unread)
	}
	var unknown *format.UnknownDialect
	if errors.As(err, &unknown) {
		return "formats: " + strings.Join(unknown.Known, ", ")
	}
	var unsupported *format.UnsupportedError
	if errors.As(err, &unsupported) && unsupported.Option == "Tag" {
		return "only tasks of Roo Code take --tag; without it, messages are removed"
	}
	return ""
}

// unreadHint returns advice about a source that cannot be read.
func unreadHint(e *format.Error) string {
	switch {
	case e.Like != "":
		return "leave --format out, or use --format " + e.Like
	case e.Named != "" && e.Known != nil:
		return "name the right format; condense formats lists them"
	case e.Known != nil:
		return "known formats are " + strings.Join(e.Known, ", ") + "; --format NAME says which it is"
	}
	return e.Advice
}

// exitCode returns the code of a run that ended with err. Most errors have a method ExitCode.
func exitCode(ctx context.Context, err error) int {
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	var coded interface{ ExitCode() int }
	if errors.As(err, &coded) {
		return coded.ExitCode()
	}
	var unread *format.Error
	if errors.As(err, &unread) {
		return exitInput
	}
	if code, known := fileCode(err); known {
		return code
	}
	var backend *strategy.AskError
	if errors.As(err, &backend) {
		return exitBackend
	}
	var stage *strategy.StageError
	if errors.As(err, &stage) {
		return exitPolicy
	}
	return exitUsage
}

// fileCode returns the code of an error of package batch, and whether err is one.
func fileCode(err error) (code int, known bool) {
	var unlisted *batch.WalkError
	var place *batch.PlaceError
	var taken *batch.TakenError
	var manifest *batch.ManifestError
	switch {
	case errors.As(err, &unlisted):
		return exitInput, true
	case errors.As(err, &place), errors.As(err, &taken):
		return exitOutput, true
	case errors.As(err, &manifest) && manifest.Kind == batch.Unwritable:
		return exitOutput, true
	case errors.As(err, &manifest) && manifest.Kind == batch.Unreadable:
		return exitInput, true
	}
	return 0, false
}

// interruptedError reports that work on many conversations was interrupted.
type interruptedError struct{ problem, hint string }

func (e *interruptedError) Error() string { return e.problem }

func (e *interruptedError) ExitCode() int { return exitInterrupted }

func (e *interruptedError) Hint() string { return e.hint }
