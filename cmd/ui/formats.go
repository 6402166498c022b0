package ui

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Formats writes a table of formats for a person: what each is, and below it
// where its files are found.
func Formats(w io.Writer, list []Format, o TextOptions) error {
	p := newPage(w, o)
	t := table{
		columns: []column{words, words, words, words},
		head:    []string{"name", "hidden", "mirrors", "files"},
	}
	left := 0 // of the last column
	for _, f := range list {
		left = max(left, ansi.StringWidth(f.Name)+len("  hidden  mirrors  "))
	}
	for _, f := range list {
		name, hidden, mirrors := EscapeLine(f.Name), mark(f.Hidden), mark(f.Mirrors)
		for _, text := range []string{f.Doc, f.Where} {
			for line := range strings.SplitSeq(p.wrapped(EscapeLine(text), left), "\n") {
				t.add(name, hidden, mirrors, line)
				name, hidden, mirrors = "", "", ""
			}
		}
	}
	p.table(t)
	return p.Flush()
}

func mark(yes bool) string {
	if yes {
		return "yes"
	}
	return "–"
}

// wrapped breaks a text between its words where it would reach over the edge of a terminal.
func (p *page) wrapped(text string, left int) string {
	if !p.terminal() {
		return text
	}
	return ansi.Wordwrap(text, max(20, p.Width-left), "")
}
