package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"condense/cmd/ui/content"
)

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
