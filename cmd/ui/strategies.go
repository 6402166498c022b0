package ui

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Strategies writes a table of strategies for a person: what each does, and below it the options
// that say how.
func Strategies(w io.Writer, list []Strategy, o TextOptions) error {
	p := newPage(w, o)
	t := table{
		columns: []column{words, words, words, words},
		head:    []string{"name", "aims", "model", "what it does"},
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
		name, aims, model := EscapeLine(s.Name), mark(s.Aims), mark(s.Asks)
		for _, text := range texts {
			for line := range strings.SplitSeq(p.wrapped(EscapeLine(text), left), "\n") {
				t.add(name, aims, model, line)
				name, aims, model = "", "", ""
			}
		}
	}
	p.table(t)
	return p.Flush()
}
