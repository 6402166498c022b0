package source

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode"
)

// Causes that errors.Is finds in an [*Error]. A third is fs.ErrExist, when [Create] refuses to
// overwrite.
var (
	// ErrChanged reports that the file was changed or replaced after it was read.
	ErrChanged = errors.New("the source changed while condense ran")
	// ErrLocked reports that another process is working on the same file.
	ErrLocked = errors.New("in use by another process")
)

// Exit codes of an Error.
const (
	exitUsage  = 2 // the command is wrong
	exitInput  = 3 // a source could not be read
	exitOutput = 5 // an output could not be written, or the source changed
)

// Error reports that a file could not be read or written, or that writing it was refused.
type Error struct {
	Name    string // the file as the user named it
	Problem string // the failure, for people
	Err     error  // the cause; nil if Problem includes it

	hint string
	exit int
}

// Error returns one line with the name of the file, such as "session.jsonl: cannot be read:
// permission denied".
func (e *Error) Error() string {
	text := printable(e.Name) + ": " + e.Problem
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Hint returns one sentence of advice.
func (e *Error) Hint() string { return e.hint }

// ExitCode returns the exit code for the process: 2, 3 or 5.
func (e *Error) ExitCode() int { return e.exit }

func usageError(name, problem, hint string) error {
	return &Error{Name: name, Problem: problem, hint: hint, exit: exitUsage}
}

func inputError(name, problem, hint string, err error) error {
	return &Error{Name: name, Problem: problem, Err: bare(err), hint: hint, exit: exitInput}
}

func outputError(name, problem, hint string, err error) error {
	return &Error{Name: name, Problem: problem, Err: bare(err), hint: hint, exit: exitOutput}
}

// writeFailed returns the error for a failure of the operating system.
func writeFailed(name string, err error) error {
	return outputError(name, "could not be written",
		"check space and permissions there, or write elsewhere with -o FILE", err)
}

// changed returns the error for a source that was changed after it was read.
func changed(name string) error {
	return outputError(name, "not replaced",
		"nothing was written; run again when no other program writes to the file", ErrChanged)
}

// vanished returns the error for a file that could be read before.
func vanished(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return changed(name)
	}
	return writeFailed(name, err)
}

// bare returns err without the operation and the path that package os adds, because an Error
// has the name of the file.
func bare(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// printable returns a file name, quoted if it has characters that act on a terminal or end the
// line.
func printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}
