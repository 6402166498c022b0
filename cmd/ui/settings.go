package ui

import (
	"fmt"
	"io"

	"condense/cmd/report"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
)

// writeSettings writes a table of settings for a person.
func writeSettings(w io.Writer, s *report.Settings, o Options) error {
	p := newPage(w, o)
	t := content.Table{Columns: []content.ColumnKind{content.Words, content.Words, content.Aside}, Head: []string{"key", "value", "from"}}
	for _, x := range s.List {
		t.Add(escape.Line(x.Key), escape.Line(x.Value), escape.Line(x.From))
	}
	p.table(t)
	if s.Defaults > 0 {
		p.blank()
		p.line(content.Faint, fmt.Sprintf("%d have their defaults: --all lists them.", s.Defaults))
	}
	return p.Flush()
}

// ConfigPlaces writes a line for each place: what it is, whether it is there, its path. Paths are
// whole, however wide the screen is: they are what was asked for.
func ConfigPlaces(w io.Writer, places []report.ConfigPlace, o Options) error {
	p := newPage(w, o)
	for _, at := range places {
		state := "missing"
		if at.Exists {
			state = "read"
		}
		fmt.Fprintf(p, "%-8s %-8s %s\n", at.What, state, escape.Line(at.Path))
	}
	return p.Flush()
}
