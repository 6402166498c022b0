// Package content is what people read about results, in pieces that every form sets in its own
// way: numbers, sentences and tables. Text, Markdown and pages say the same because they take it
// from here.
//
// Strings of a result come from strangers. Every function that puts them into a sentence or a cell
// takes an [Escaper], which makes them safe for the place where the form puts them.
package content

import "path/filepath"

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
