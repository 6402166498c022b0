package ui

import (
	"fmt"
	"io"
)

// Settings writes a table of settings for a person; defaults is how many were left out.
func Settings(w io.Writer, list []Setting, defaults int, o TextOptions) error {
	p := newPage(w, o)
	t := table{columns: []column{words, words, aside}, head: []string{"key", "value", "from"}}
	for _, s := range list {
		t.add(EscapeLine(s.Key), EscapeLine(s.Value), EscapeLine(s.From))
	}
	p.table(t)
	if defaults > 0 {
		p.blank()
		p.line(faint, fmt.Sprintf("%d have their defaults: --all lists them.", defaults))
	}
	return p.Flush()
}

// ConfigPlaces writes a line for each place: what it is, whether it is there, its path. Paths are
// whole, however wide the screen is: they are what was asked for.
func ConfigPlaces(w io.Writer, places []ConfigPlace, o TextOptions) error {
	p := newPage(w, o)
	for _, at := range places {
		state := "missing"
		if at.Exists {
			state = "read"
		}
		fmt.Fprintf(p, "%-8s %-8s %s\n", at.What, state, EscapeLine(at.Path))
	}
	return p.Flush()
}
