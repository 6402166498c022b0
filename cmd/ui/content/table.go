package content

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"condense/cmd/report"
)

// ColumnKind is how the cells of one column are set.
type ColumnKind int

const (
	Words   ColumnKind = iota // to the left
	Figures                   // to the right
	Saving                    // percent, to the right, coloured by sign
	Aside                     // to the left, faint
)

// How many columns of a screen one column of a table may push the next away: the first, which
// often is a path and has the numbers behind it, and any other. A wider cell is whole, but the
// other rows do not follow it.
const (
	WidestFirst = 100
	Widest      = 60
	LeastLong   = 12 // of a column that gives way
)

// Table is rows of cells. Each cell is one line and escaped for where it goes. The last cell of a
// row that has fewer cells than the table has columns is an aside that spans the rest.
type Table struct {
	Columns []ColumnKind
	Head    []string
	Rows    [][]string
	Long    int // column that gives way where a screen has no room for all; 0: none does
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// AlignsRight reports whether the cells of a column end below each other.
func (c ColumnKind) AlignsRight() bool { return c == Figures || c == Saving }

// CellTone is how one cell is painted.
func CellTone(c ColumnKind, cell string, head bool) Tone {
	switch {
	case head, c == Aside:
		return Faint
	case c == Saving && strings.HasPrefix(cell, "−"):
		return Good
	case c == Saving && strings.HasPrefix(cell, "+"):
		return Bad
	}
	return Plain
}

// Bar draws what is left of what there was, on the scale of the largest.
func Bar(c report.Change, largest int) string {
	const width = 20
	if largest <= 0 {
		return ""
	}
	cells := func(n int) int { return (min(n, largest)*width + largest - 1) / largest }
	kept := cells(c.After)
	return strings.Repeat("█", kept) + strings.Repeat("░", max(0, cells(c.Before)-kept))
}

// Width is how many columns of a screen the table takes.
func (t *Table) Width() int {
	widths := make([]int, len(t.Columns))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		for i, cell := range row {
			if i < len(row)-1 || i == len(t.Columns)-1 {
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

// Without leaves a column out.
func (t *Table) Without(name string) {
	at := slices.Index(t.Head, name)
	if at < 0 {
		return
	}
	t.Columns, t.Head = slices.Delete(t.Columns, at, at+1), slices.Delete(t.Head, at, at+1)
	for i, row := range t.Rows {
		if at < len(row)-1 {
			t.Rows[i] = slices.Delete(row, at, at+1)
		}
	}
}
