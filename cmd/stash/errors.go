package stash

import "fmt"

// Exit codes of condense that an Error can ask for.
const (
	exitPolicy = 1 // there is no way back
	exitUsage  = 2 // the command names what there is not
	exitInput  = 3 // an entry or the directory could not be read
	exitOutput = 5 // nothing could be put into the directory
)

// Error is what this package could not or would not do.
type Error struct {
	Problem string
	hint    string
	exit    int
	Err     error // the cause, nil when Problem says it all
}

// Error is one line.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Problem + ": " + e.Err.Error()
	}
	return e.Problem
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Hint says in one sentence what to do next.
func (e *Error) Hint() string { return e.hint }

// ExitCode is the code that the process should end with: 1, 2, 3 or 5.
func (e *Error) ExitCode() int { return e.exit }

func (s *Store) failed(problem string, err error) error {
	return &Error{s.Dir + ": " + problem, "check space and permissions there, or name another directory with --stash", exitOutput, bare(err)}
}

func (s *Store) damaged(name string, err error) error {
	return &Error{fmt.Sprintf("%s: the entry %s cannot be read", s.Dir, name), "get the directory from a copy of it; a backup (FILE.bak) has the original too", exitInput, bare(err)}
}
