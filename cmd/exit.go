package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"condense/cmd/batch"
	"condense/cmd/config"
	"condense/cmd/ui/escape"
	"condense/strategy"
	"condense/transcript/format"
)

// Exit codes. They are part of the interface: scripts rely on them.
const (
	exitOK          = 0
	exitPolicy      = 1 // a policy is not met, or the output was refused
	exitUsage       = 2
	exitInput       = 3   // the input is unreadable or not a transcript
	exitBackend     = 4   // the model backend failed and no fallback was allowed
	exitOutput      = 5   // the output could not be written, or the source changed underneath
	exitInterrupted = 130 // 128 + SIGINT, as shells have it
)

// exitCodes are the codes and what they mean, in lines for the help and for the README.
var exitCodes = []struct {
	code    int
	meaning string
}{
	{exitOK, "done, or nothing to do"},
	{exitPolicy, "policy not met: findings of check, differences of diff, --strict,\n" +
		"--min-retention, --diff with changes, errors that validate found, an output that\n" +
		"was refused, a conversation that failed, no way back for restore, no match for grep"},
	{exitUsage, "usage or configuration"},
	{exitInput, "the input is unreadable or not a transcript"},
	{exitBackend, "the model backend failed, and --fallback fail was given"},
	{exitOutput, "the output could not be written, or the source changed underneath"},
	{exitInterrupted, "interrupted"},
}

// exitHelp is a paragraph for each exit code.
func exitHelp() string {
	var text strings.Builder
	for _, c := range exitCodes {
		fmt.Fprintf(&text, "  %-4d %s\n", c.code, strings.ReplaceAll(c.meaning, "\n", "\n       "))
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// usageError is a command line with an error.
type usageError struct {
	err  error
	hint string // "": see the help of the command that runs
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }
func (e *usageError) ExitCode() int { return exitUsage }
func (e *usageError) Hint() string  { return e.hint }

// usage is a usage error of the command that runs.
func usage(format string, args ...any) error { return &usageError{err: fmt.Errorf(format, args...)} }

// policyError is a run that did its work, but missed a demand. An empty problem prints nothing,
// because the report has it.
type policyError struct{ problem string }

func (e *policyError) Error() string { return e.problem }
func (e *policyError) ExitCode() int { return exitPolicy }

// saidError is a failure whose message is printed already.
type saidError struct{ code int }

func (e *saidError) Error() string { return "" }
func (e *saidError) ExitCode() int { return e.code }

// refusedError is an output that was not written because it would have broken a promise.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return "output refused: " + e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }
func (e *refusedError) ExitCode() int { return exitPolicy }
func (e *refusedError) Hint() string {
	return "nothing was written; this is a fault of condense, please report it with the file if you can"
}

// namedError is an error about a file.
type namedError struct {
	name string
	err  error
}

func (e *namedError) Error() string { return e.name + ": " + e.err.Error() }
func (e *namedError) Unwrap() error { return e.err }

// unwritable is a place for output that cannot be written or created.
type unwritable struct {
	where string // the flag or the variable that names it, or its path
	err   error
}

func (e *unwritable) Error() string { return e.where + ": " + e.err.Error() }
func (e *unwritable) Unwrap() error { return e.err }
func (e *unwritable) ExitCode() int { return exitOutput }

// exit prints an error, as one line and a hint, and returns its exit code. Errors
// have codes themselves; an error without one is a fault of the program.
func (a *app) exit(ctx context.Context, err error) int {
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		fmt.Fprintln(a.err, "condense: interrupted, nothing was written")
		return exitCode(ctx, err)
	}
	if text := err.Error(); text != "" {
		fmt.Fprintf(a.err, "condense: %s\n", escape.Line(text))
	}
	if hint := config.DidYouMean(err) + a.hint(err); hint != "" {
		fmt.Fprintf(a.err, "  hint: %s\n", escape.Line(hint))
	}
	return exitCode(ctx, err)
}

// exitAll prints errors that do not end the work, and returns the highest of their exit codes.
func (a *app) exitAll(ctx context.Context, errs []error) (code int) {
	for _, err := range errs {
		code = max(code, a.exit(ctx, err))
	}
	return code
}

// hint returns what to do about an error; "" for nothing.
func (a *app) hint(err error) string {
	if hint := errorHint(err); hint != "" {
		return hint
	}
	var wrong *usageError
	var value *config.ValueError
	if !errors.As(err, &wrong) && !errors.As(err, &value) {
		return ""
	}
	command := "condense"
	if a.running != nil {
		command = a.running.CommandPath()
	}
	return "see " + command + " --help"
}

// errorHint returns what an error says is to be done, in the words of the command
// line; "" for nothing.
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
		return "--tag is for the tasks of Roo Code; without it, messages are removed"
	}
	return ""
}

// unreadHint returns what to do about a source that cannot be read.
func unreadHint(e *format.Error) string {
	switch {
	case e.Like != "":
		return "leave --format out, or say --format " + e.Like
	case e.Named != "" && e.Known != nil:
		return "name the format that it is in; condense formats lists them"
	case e.Known != nil:
		return "known formats are " + strings.Join(e.Known, ", ") + "; --format NAME says which it is"
	}
	return e.Advice
}

// exitCode is the code of a run that ended with err.
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

// fileCode is the code of an error about the files of a batch.
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
