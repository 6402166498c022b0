package ui

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"condense/cmd/report"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
)

// writeFormats writes a table of formats for a person: what each is, and below it
// where its files are found.
func writeFormats(w io.Writer, list []report.Format, o Options) error {
	p := newPage(w, o)
	t := content.Table{
		Columns: []content.ColumnKind{content.Words, content.Words, content.Words, content.Words},
		Head:    []string{"name", "hidden", "mirrors", "files"},
	}
	left := 0 // of the last column
	for _, f := range list {
		left = max(left, ansi.StringWidth(f.Name)+len("  hidden  mirrors  "))
	}
	for _, f := range list {
		name, hidden, mirrors := escape.Line(f.Name), mark(f.Hidden), mark(f.Mirrors)
		for _, text := range []string{f.Doc, f.Where} {
			for line := range strings.SplitSeq(p.wrapped(escape.Line(text), left), "\n") {
				t.Add(name, hidden, mirrors, line)
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
