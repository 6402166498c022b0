// Package content holds what people read about results: numbers, sentences and
// tables. Each form of a report lays them out in its own way.
//
// Strings of a result can come from strangers. A function that puts them into a
// sentence or a cell takes an escaper, which makes them safe there.
package content

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"
)

// Options describe the reader's screen and the requested parts of a result. The zero value fits a
// pipe.
type Options struct {
	Color   bool // set to write colours
	Width   int  // columns of the terminal; 0 for no terminal, which cuts and shortens nothing
	Verbose int  // 1 lists every edit and every fault
	Explain bool // set to list every edit in a table
	Rows    int  // rows of each list of statistics
	Brief   bool // set to list differences without their texts
	Full    bool // set to show all lines of a view, also on a terminal and in Markdown
	Columns bool // set to show two files of a view side by side, whatever the width is

	// Root returns the path of a file from the root of its repository, with slashes. If it is nil,
	// paths are only converted to slashes.
	Root func(path string) string

	// Command is the command line that made the result, and Date the time of it. Only pages show them;
	// "" and the zero time show nothing.
	Command string
	Date    time.Time
}

// Rooted returns the path of a file for the forms of CI hosts.
func (o Options) Rooted(path string) string {
	if o.Root == nil {
		return filepath.ToSlash(path)
	}
	return o.Root(path)
}

const (
	contextLines = 3 // unchanged lines around a change
	RunEnds      = 5 // lines shown at each end of a long run
)

// Diff compares two texts line by line. It ignores whether the last line ends in a line feed, which
// blocks rarely have.
func Diff(before, after string) (udiff.UnifiedDiff, error) {
	from, to := ended(before), ended(after)
	return udiff.ToUnifiedDiff("", "", from, udiff.Lines(from, to), contextLines)
}

// ended returns text with a line feed at its end, unless text is empty.
func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
