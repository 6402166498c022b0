package content

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"condense/cmd/report"
)

// A ColumnKind is the layout of the cells of a column.
type ColumnKind int

const (
	Words   ColumnKind = iota // aligned left
	Figures                   // aligned right
	Saving                    // percent, aligned right, coloured by sign
	Aside                     // aligned left, faint
)

// Limits of the width of a table's columns, in columns of a screen. The first column often holds a
// path, and numbers follow it. A wider cell is written whole, but does not widen the other rows.
const (
	WidestFirst = 100
	Widest      = 60
	LeastLong   = 12 // least width of a shortened column
)

// A Table holds rows of cells. Each cell is one line, escaped for its form. If a row has fewer cells
// than the table has columns, its last cell is an aside that spans the rest.
type Table struct {
	Columns []ColumnKind
	Head    []string
	Rows    [][]string
	Long    int // column to shorten when a table is wider than the screen; 0 for none
	Sums    int // rows at the end that stand for others, such as a total: they stay there when rows are sorted
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// AddSum appends a row that stands for others.
func (t *Table) AddSum(cells ...string) {
	t.Add(cells...)
	t.Sums++
}

// AlignsRight reports whether the cells of a column are aligned right.
func (c ColumnKind) AlignsRight() bool { return c == Figures || c == Saving }

// CellTone returns the tone of a cell.
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

// Bar draws the part that is left and the part that was removed, on the scale of the largest.
func Bar(c report.Change, largest int) string {
	const width = 20
	if largest <= 0 {
		return ""
	}
	cells := func(n int) int { return (min(n, largest)*width + largest - 1) / largest }
	kept := cells(c.After)
	return strings.Repeat("█", kept) + strings.Repeat("░", max(0, cells(c.Before)-kept))
}

// Width returns the width of the table in columns of a screen.
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

// Without removes the column with the given head.
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
