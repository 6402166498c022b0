package ui

import (
	"io"

	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
	"condense/transcript/token"
)

// writeModels writes a table of models for a person: how each counts, and what it
// takes.
func writeModels(w io.Writer, list token.Models, o Options) error {
	p := newPage(w, o)
	t := content.Table{
		Columns: []content.ColumnKind{content.Words, content.Words, content.Figures, content.Figures, content.Words, content.Figures, content.Figures, content.Words},
		Head:    []string{"names from", "tokenizer", "factor", "±", "method", "window", "output", "images"},
	}
	for _, m := range list {
		t.Add(escape.Line(m.Name), escape.Line(m.Tokenizer), content.Factor(m.Factor), known(m.Band != 0, content.Factor(m.Band)+" %"), m.Method,
			known(m.Window != 0, content.Number(m.Window)), known(m.Output != 0, content.Number(m.Output)), escape.Line(m.Images))
	}
	p.table(t)
	p.blank()
	p.line(content.Faint, "The longest name that fits decides. As of "+token.ModelsDate+".")
	return p.Flush()
}

// known is a dash for what is not.
func known(is bool, text string) string {
	if !is {
		return "–"
	}
	return text
}
