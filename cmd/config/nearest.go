package config

import (
	"errors"
	"strings"
)

// DidYouMean returns the beginning of a hint if an error in the chain of err is about a name
// that does not exist, and an existing name resembles it. Otherwise it returns "".
func DidYouMean(err error) string {
	var missing interface {
		Unknown() (name string, known []string)
	}
	if !errors.As(err, &missing) {
		return ""
	}
	if near := nearest(missing.Unknown()); near != "" {
		return "did you mean " + near + "? "
	}
	return ""
}

// UnknownName reports a name that does not exist, such as that of a command or a flag.
type UnknownName struct {
	err   error
	name  string
	known []string
}

// Unknown wraps err, which is about a name that does not exist. known lists the existing names.
func Unknown(err error, name string, known []string) error { return &UnknownName{err, name, known} }

func (e *UnknownName) Error() string { return e.err.Error() }
func (e *UnknownName) Unwrap() error { return e.err }

// Unknown returns the name and the existing names.
func (e *UnknownName) Unknown() (name string, known []string) { return e.name, e.known }

// nearest returns the name that most resembles s. It returns "" if more than half of the bytes
// of every name would have to change.
func nearest(s string, names []string) string {
	s = strings.ToLower(s)
	best, least := "", 0
	for _, name := range names {
		if d := distance(s, name); d <= len(name)/2 && (best == "" || d < least) {
			best, least = name, d
		}
	}
	return best
}

// distance returns the number of bytes to insert, delete or replace to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal
			} else {
				row[j+1] = 1 + min(diagonal, above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}
