package config

import (
	"errors"
	"strings"
)

// DidYouMean is what a hint begins with when an error in the chain of err is
// about a name that does not exist and one that does resembles it.
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

// UnknownName is a command or a flag that does not exist.
type UnknownName struct {
	err   error
	name  string
	known []string
}

// Unknown is the error err about a name that does not exist, beside those that do.
func Unknown(err error, name string, known []string) error { return &UnknownName{err, name, known} }

func (e *UnknownName) Error() string { return e.err.Error() }
func (e *UnknownName) Unwrap() error { return e.err }

// Unknown returns the name, and those that exist.
func (e *UnknownName) Unknown() (name string, known []string) { return e.name, e.known }

// nearest returns the name that most resembles s, or "" when none does: more than
// half of its letters would have to change.
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

// distance counts the bytes to insert, delete or replace to turn a into b.
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
