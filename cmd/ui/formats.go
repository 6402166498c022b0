package ui

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Format is one way of saving conversations that condense knows. The names of
// its members in JSON are part of the interface.
type Format struct {
	Name    string `json:"name"`           // as given to --format
	Doc     string `json:"description"`    // what writes such files
	Where   string `json:"where"`          // where such files are found
	Read    bool   `json:"read"`           // can be read
	Write   bool   `json:"write"`          // is written back in its own form
	Rules   string `json:"rules"`          // the profile that validate and repair go by
	Hidden  bool   `json:"hidden_history"` // files can hold history that the model does not see
	Mirrors bool   `json:"mirrors"`        // files repeat texts beside the messages
}

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

// FormatsJSON writes formats for programs: an array of objects.
func FormatsJSON(w io.Writer, list []Format) error { return writeJSON(w, list) }
