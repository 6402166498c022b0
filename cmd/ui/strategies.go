package ui

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Strategy is one way to make a conversation smaller. The names of its members in
// JSON are part of the interface.
type Strategy struct {
	Name    string   `json:"name"`           // as given to --strategy
	Doc     string   `json:"description"`    // what it does
	Loses   string   `json:"loses"`          // what its output has no longer
	Aims    bool     `json:"aims"`           // works towards the target, half of the tokens when none is given; others do all they can
	Asks    bool     `json:"asks_model"`     // asks a language model when one is to be asked
	Needs   bool     `json:"needs_model"`    // can do nothing without a model: none yet
	Options []string `json:"options"`        // flags that say how it works, beside those for all
	Stages  []string `json:"runs,omitempty"` // of a preset: the strategies that it runs, in this order
}

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

// StrategiesJSON writes strategies for programs: an array of objects.
func StrategiesJSON(w io.Writer, list []Strategy) error { return writeJSON(w, list) }
