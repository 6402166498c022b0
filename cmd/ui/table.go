package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// table writes t in aligned columns after an empty line, and nothing for a table without rows.
func (p *page) table(t table) {
	if len(t.rows) == 0 {
		return
	}
	p.blank()
	rows := append([][]string{t.head}, t.rows...)
	if t.long > 0 && p.terminal() && t.width() > p.Width {
		for _, row := range rows {
			row[t.long] = p.cut(row[t.long], max(leastLong, p.Width/3))
		}
	}
	widths := make([]int, len(t.columns))
	for _, row := range rows {
		row[0] = p.cut(row[0], p.Width/3) // leave room for the numbers
		for i, cell := range row {
			if i == len(t.columns)-1 || i < len(row)-1 {
				limit := widest
				if i == 0 {
					limit = widestFirst
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
func (p *page) row(t table, row []string, widths []int, head bool) {
	var b strings.Builder
	space := 0
	for i, cell := range row {
		c := t.columns[i]
		if i == len(row)-1 {
			c = t.columns[len(t.columns)-1]
		}
		pad := max(0, widths[i]-ansi.StringWidth(cell))
		if c.right() {
			space += pad
		}
		if cell != "" {
			b.WriteString(strings.Repeat(" ", space))
			b.WriteString(p.paint(cellTone(c, cell, head), cell))
			space = 0
		}
		if !c.right() {
			space += pad
		}
		space += 2
	}
	p.line(plain, b.String())
}
