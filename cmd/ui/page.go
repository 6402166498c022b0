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

// Rules of this file: Callers pass text escaped and on one line, so that the only escape codes on a
// page are the colours of this file. Widths are columns of a terminal, not bytes or runes. The
// buffer keeps an error of the writer until Flush returns it.

// A page writes lines for a person.
type page struct {
	*bufio.Writer
	Options
	styles  map[content.Tone]lipgloss.Style
	started bool // set after the first output
}

// newPage returns a page that writes to w after Flush.
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

// terminal reports whether the page is written to a terminal.
func (p *page) terminal() bool { return p.Width > 0 }

// paint returns text in the colour of its tone if colour is on.
func (p *page) paint(t content.Tone, text string) string {
	if !p.Color || t == content.Plain || text == "" {
		return text
	}
	return p.styles[t].Render(text)
}

// cut shortens a text to max columns; "…" stands for the rest.
func (p *page) cut(text string, max int) string {
	if !p.terminal() || len(text) <= max {
		return text
	}
	return content.Cut(text, max)
}

// named returns the name of a file for the beginning of a line. On a terminal a long path loses its
// middle, so that the base name stays.
func (p *page) named(name string) string {
	return p.paint(content.Strong, p.cut(name, max(content.LeastLong, 2*p.Width/3))+":")
}

// line writes one line, cut to the terminal.
func (p *page) line(t content.Tone, text string) {
	p.started = true
	p.WriteString(p.paint(t, p.cut(text, p.Width)))
	p.WriteByte('\n')
}

// blank writes an empty line, unless the page is still empty.
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

// table writes t in aligned columns after an empty line, and nothing for a table without rows.
func (p *page) table(t content.Table) {
	if len(t.Rows) == 0 {
		return
	}
	p.blank()
	rows := append([][]string{t.Head}, t.Rows...)
	if t.Long > 0 && p.terminal() && t.Width() > p.Width {
		for _, row := range rows {
			row[t.Long] = p.cut(row[t.Long], max(content.LeastLong, p.Width/3))
		}
	}
	widths := make([]int, len(t.Columns))
	for _, row := range rows {
		row[0] = p.cut(row[0], p.Width/3) // leave room for the numbers
		for i, cell := range row {
			if i == len(t.Columns)-1 || i < len(row)-1 {
				limit := content.Widest
				if i == 0 {
					limit = content.WidestFirst
				}
				widths[i] = min(limit, max(widths[i], ansi.StringWidth(cell)))
			}
		}
	}
	for n, row := range rows {
		p.row(t, row, widths, n == 0)
	}
}

// row writes one row. The space between two cells is written with the second, so that no line
// ends in space.
func (p *page) row(t content.Table, row []string, widths []int, head bool) {
	var b strings.Builder
	space := 0
	for i, cell := range row {
		c := t.Columns[i]
		if i == len(row)-1 {
			c = t.Columns[len(t.Columns)-1]
		}
		pad := max(0, widths[i]-ansi.StringWidth(cell))
		if c.AlignsRight() {
			space += pad
		}
		if cell != "" {
			b.WriteString(strings.Repeat(" ", space))
			b.WriteString(p.paint(content.CellTone(c, cell, head), cell))
			space = 0
		}
		if !c.AlignsRight() {
			space += pad
		}
		space += 2
	}
	p.line(content.Plain, b.String())
}
