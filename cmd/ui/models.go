package ui

import (
	"io"

	"condense/transcript/token"
)

// Models writes a table of models for a person: how each counts, and what it
// takes. as is the day of the table.
func Models(w io.Writer, list token.Models, as string, o TextOptions) error {
	p := newPage(w, o)
	t := table{
		columns: []column{words, words, figures, figures, words, figures, figures, words},
		head:    []string{"names from", "tokenizer", "factor", "±", "method", "window", "output", "images"},
	}
	for _, m := range list {
		t.add(EscapeLine(m.Name), EscapeLine(m.Tokenizer), factor(m.Factor), known(m.Band != 0, factor(m.Band)+" %"), m.Method,
			known(m.Window != 0, number(m.Window)), known(m.Output != 0, number(m.Output)), EscapeLine(m.Images))
	}
	p.table(t)
	p.blank()
	p.line(faint, "The longest name that fits decides. As of "+as+".")
	return p.Flush()
}

// known is a dash for what is not.
func known(is bool, text string) string {
	if !is {
		return "–"
	}
	return text
}
