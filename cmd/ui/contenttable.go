package ui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// column is how the cells of one column are set.
type column int

const (
	words   column = iota // to the left
	figures               // to the right
	saving                // percent, to the right, coloured by sign
	aside                 // to the left, faint
)

// How many columns of a screen one column of a table may push the next away: the first, which
// often is a path and has the numbers behind it, and any other. A wider cell is whole, but the
// other rows do not follow it.
const (
	widestFirst = 100
	widest      = 60
	leastLong   = 12 // of a column that gives way
)

// table is rows of cells. Each cell is one line and escaped for where it goes. The last cell of a
// row that has fewer cells than the table has columns is an aside that spans the rest.
type table struct {
	columns []column
	head    []string
	rows    [][]string
	long    int // column that gives way where a screen has no room for all; 0: none does
}

// add appends a row.
func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// right reports whether the cells of a column end below each other.
func (c column) right() bool { return c == figures || c == saving }

// cellTone is how one cell is painted.
func cellTone(c column, cell string, head bool) tone {
	switch {
	case head, c == aside:
		return faint
	case c == saving && strings.HasPrefix(cell, "−"):
		return good
	case c == saving && strings.HasPrefix(cell, "+"):
		return bad
	}
	return plain
}

// bar draws what is left of what there was, on the scale of the largest.
func bar(c Change, largest int) string {
	const width = 20
	if largest <= 0 {
		return ""
	}
	cells := func(n int) int { return (min(n, largest)*width + largest - 1) / largest }
	kept := cells(c.After)
	return strings.Repeat("█", kept) + strings.Repeat("░", max(0, cells(c.Before)-kept))
}

// width is how many columns of a screen the table takes.
func (t *table) width() int {
	widths := make([]int, len(t.columns))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			if i < len(row)-1 || i == len(t.columns)-1 {
				widths[i] = max(widths[i], ansi.StringWidth(cell))
			}
		}
	}
	sum := 2 * (len(widths) - 1)
	for _, w := range widths {
		sum += w
	}
	return sum
}

// without leaves a column out.
func (t *table) without(name string) {
	at := slices.Index(t.head, name)
	if at < 0 {
		return
	}
	t.columns, t.head = slices.Delete(t.columns, at, at+1), slices.Delete(t.head, at, at+1)
	for i, row := range t.rows {
		if at < len(row)-1 {
			t.rows[i] = slices.Delete(row, at, at+1)
		}
	}
}
