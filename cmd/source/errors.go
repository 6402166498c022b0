package source

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode"
)

// Causes that a caller may want to tell apart with errors.Is. The third is fs.ErrExist, when
// [Create] refuses to overwrite.
var (
	// ErrChanged: the file is not the one that was read any more, or holds something else.
	ErrChanged = errors.New("the source changed underneath")
	// ErrLocked: another process is at work on the same file.
	ErrLocked = errors.New("in use by another process")
)

// Exit codes of condense that an Error can ask for.
const (
	exitUsage  = 2 // the command asked for something that makes no sense
	exitInput  = 3 // a source could not be read
	exitOutput = 5 // an output could not be written, or the source changed underneath
)

// Error is a file that this package could not or would not read or write.
type Error struct {
	Name    string // the file as the user wrote it
	Problem string // what is wrong
	Err     error  // the cause, nil when Problem says it all

	hint string
	exit int
}

// Error is one line that names the file: "session.jsonl: cannot be read: permission denied".
func (e *Error) Error() string {
	text := printable(e.Name) + ": " + e.Problem
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Hint says in one sentence what to do next.
func (e *Error) Hint() string { return e.hint }

// ExitCode is the code that the process should end with: 2, 3 or 5.
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

// writeFailed is an outputError for whatever the operating system refused.
func writeFailed(name string, err error) error {
	return outputError(name, "could not be written",
		"check space and permissions there, or write elsewhere with -o FILE", err)
}

func changed(name string) error {
	return outputError(name, "not replaced",
		"nothing was written; run again when no other program writes to the file", ErrChanged)
}

// vanished is for a file that could be read before.
func vanished(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return changed(name)
	}
	return writeFailed(name, err)
}

// bare is err without the operation and the path that package os puts before it: an Error names
// the file already, in the user's words.
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

// printable quotes a file name that would disturb a terminal or spill over the line.
func printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}
