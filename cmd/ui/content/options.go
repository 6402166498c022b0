// Package content is what people read about results, in pieces that every form sets in its own
// way: numbers, sentences and tables. Text, Markdown and pages say the same because they take it
// from here.
//
// Strings of a result come from strangers. Every function that puts them into a sentence or a cell
// takes an escaper, which makes them safe for the place where the form puts them.
package content

import (
	"path/filepath"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Options say what the reader's screen can show and what of a result is asked for. The zero value
// is right for a pipe.
type Options struct {
	Color   bool // whether there is colour
	Width   int  // columns of the terminal; 0 for none, then nothing is cut or shortened
	Verbose int  // 1: every edit and every fault
	Explain bool // every edit, as a table
	Rows    int  // rows of lists of statistics
	Brief   bool // differences without their texts

	// Root returns the path of a file from the root of its repository, with slashes. nil: paths
	// are written as they are, with slashes.
	Root func(path string) string
}

// Rooted returns the path of a file as the forms of CI hosts write it.
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

// Diff compares two texts line by line. Blocks rarely end in a line feed; both texts get one,
// or every last line would differ from its like.
func Diff(before, after string) (udiff.UnifiedDiff, error) {
	from, to := ended(before), ended(after)
	return udiff.ToUnifiedDiff("", "", from, udiff.Lines(from, to), contextLines)
}

// ended is text with a line feed at its end, unless it is empty.
func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
