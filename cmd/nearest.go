package cmd

import (
	"errors"
	"strings"
)

// didYouMean is what a hint begins with when an error in the chain of err is
// about a name that does not exist and one that does resembles it.
func didYouMean(err error) string {
	var unknown interface {
		Unknown() (name string, known []string)
	}
	if !errors.As(err, &unknown) {
		return ""
	}
	if near := nearest(unknown.Unknown()); near != "" {
		return "did you mean " + near + "? "
	}
	return ""
}

// unknownName is a command or a flag that does not exist.
type unknownName struct {
	error
	name  string
	known []string
}

func (e *unknownName) Unknown() (name string, known []string) { return e.name, e.known }

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
