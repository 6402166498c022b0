package ui

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"condense/cmd/report"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
)

// writeStrategies writes a table of strategies for a person: what each does, and below it the options
// that say how.
func writeStrategies(w io.Writer, list []report.Strategy, o Options) error {
	p := newPage(w, o)
	t := content.Table{
		Columns: []content.ColumnKind{content.Words, content.Words, content.Words, content.Words},
		Head:    []string{"name", "aims", "model", "what it does"},
	}
	left := 0 // of the last column
	for _, s := range list {
		left = max(left, ansi.StringWidth(s.Name)+len("  aims  model  "))
	}
	for _, s := range list {
		texts := []string{s.Doc}
		if len(s.Options) > 0 {
			texts = append(texts, "--"+strings.Join(s.Options, " --"))
		}
		name, aims, model := escape.Line(s.Name), mark(s.Aims), mark(s.Asks)
		for _, text := range texts {
			for line := range strings.SplitSeq(p.wrapped(escape.Line(text), left), "\n") {
				t.Add(name, aims, model, line)
				name, aims, model = "", "", ""
			}
		}
	}
	p.table(t)
	return p.Flush()
}
