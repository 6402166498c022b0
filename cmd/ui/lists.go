package ui

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"condense/cmd/report/inventory"
	"condense/cmd/report/survey"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
	"condense/transcript"
	"condense/transcript/token"
)

// writeVersion writes the version of a build for a person.
func writeVersion(w io.Writer, v inventory.Version, _ Options) error {
	_, err := fmt.Fprintln(w, "condense", v.Version)
	return err
}

// writeFormats writes a table of formats for a person: what each is, and below it
// where its files are found.
func writeFormats(w io.Writer, list []inventory.Format, o Options) error {
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
			known(m.Window != 0, transcript.Number(m.Window)), known(m.Output != 0, transcript.Number(m.Output)), escape.Line(m.Images))
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

// writeSettings writes a table of settings for a person.
func writeSettings(w io.Writer, s *inventory.Settings, o Options) error {
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
func ConfigPlaces(w io.Writer, places []inventory.ConfigPlace, o Options) error {
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

// writeStrategies writes a table of strategies for a person: what each does, and below it the options
// that say how.
func writeStrategies(w io.Writer, list []inventory.Strategy, o Options) error {
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

// writeTokens writes counts as wc does: the number alone for one text, else a line
// with number and name for each, and a total. Tokens that were asked for stand on
// a line for each text instead. Texts that were counted in several ways have no total, and
// each line says how.
func writeTokens(w io.Writer, t *survey.Tokens, _ Options) error {
	ids := t.ShowIDs
	var b strings.Builder
	width := 0
	for _, f := range t.Files {
		width = max(width, len(strconv.Itoa(f.Tokens)))
	}
	if t.Total != nil {
		width = len(strconv.Itoa(*t.Total))
	}
	for _, f := range t.Files {
		switch {
		case ids:
			b.WriteString(strings.Trim(fmt.Sprint(f.IDs), "[]") + "\n")
		case len(t.Files) == 1:
			fmt.Fprintln(&b, f.Tokens)
		case f.Tokenizer != nil:
			fmt.Fprintf(&b, "%*d %s [%s]\n", width, f.Tokens, escape.Line(f.Input), content.TokenizerName(f.Tokenizer))
		default:
			fmt.Fprintf(&b, "%*d %s\n", width, f.Tokens, escape.Line(f.Input))
		}
	}
	if !ids && len(t.Files) > 1 && t.Total != nil {
		fmt.Fprintf(&b, "%*d total\n", width, *t.Total)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
