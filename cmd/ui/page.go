package ui

import (
	"bufio"
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"condense/cmd/ui/content"
)

// Rules of this file: text comes in escaped and on one line, so that the only escape codes on a
// page are the colours given here; widths are columns as a terminal shows them, not bytes or
// runes; an error of the writer is kept by the buffer and comes out of Flush.

// page writes lines for a person.
type page struct {
	*bufio.Writer
	Options
	styles  map[content.Tone]lipgloss.Style
	started bool // something was written
}

func newPage(w io.Writer, o Options) *page {
	r := lipgloss.NewRenderer(w)
	r.SetColorProfile(termenv.ANSI) // the 16 colours that follow the reader's theme
	style := func() lipgloss.Style { return r.NewStyle().TabWidth(lipgloss.NoTabConversion) }
	return &page{
		Writer:  bufio.NewWriter(w),
		Options: o,
		styles: map[content.Tone]lipgloss.Style{
			content.Strong: style().Bold(true),
			content.Good:   style().Foreground(lipgloss.Color("2")),
			content.Warn:   style().Foreground(lipgloss.Color("3")),
			content.Bad:    style().Foreground(lipgloss.Color("1")),
			content.Faint:  style().Faint(true),
		},
	}
}

// terminal reports whether a person looks at the page.
func (p *page) terminal() bool { return p.Width > 0 }

// paint gives text the colour of its tone, where there is colour.
func (p *page) paint(t content.Tone, text string) string {
	if !p.Color || t == content.Plain || text == "" {
		return text
	}
	return p.styles[t].Render(text)
}

// cut shortens a text that is wider than max columns; "…" says so.
func (p *page) cut(text string, max int) string {
	if !p.terminal() || len(text) <= max {
		return text
	}
	return ansi.Truncate(text, max, "…")
}

// line writes one line, cut to the terminal.
func (p *page) line(t content.Tone, text string) {
	p.started = true
	p.WriteString(p.paint(t, p.cut(text, p.Width)))
	p.WriteByte('\n')
}

// blank separates what follows from what is there.
func (p *page) blank() {
	if p.started {
		p.WriteByte('\n')
	}
}

// fold writes words on one line, or on as many lines as the terminal needs, all but the first
// indented.
func (p *page) fold(t content.Tone, words ...string) {
	if !p.terminal() {
		p.line(t, strings.Join(words, " "))
		return
	}
	const indent = "  "
	text, columns := "", 0
	for i, word := range words {
		width := ansi.StringWidth(word)
		switch {
		case i == 0:
		case columns+1+width > p.Width:
			p.line(t, text)
			text, columns = indent, len(indent)
			word = strings.TrimLeft(word, " ")
		default:
			text, columns = text+" ", columns+1
		}
		text, columns = text+word, columns+width
	}
	p.line(t, text)
}

// sentence writes a text that may be long, folded between its words.
func (p *page) sentence(t content.Tone, text string) { p.fold(t, strings.Split(text, " ")...) }
