package squeeze

import (
	"strconv"
	"strings"
)

// cutTable cuts a table into rows, which stand under its header, and reports whether
// the text is one: CSV and the like, Markdown, tables that databases draw, columns
// that are aligned under a header. The text must begin with the header.
func cutTable(t *Text) bool {
	f, ok := findTable(t.Source)
	if !ok {
		return false
	}
	t.Kind = Table
	var c census
	f.each(t.Source, func(_, _ int, cells []string) {
		if cells == nil || c.rows == maxRows {
			return
		}
		c.rows++
		for i, cell := range cells {
			c.count(strconv.Itoa(i), cellClass(cell), cell)
		}
	})
	header := t.add(0, f.body, outline, None)
	shapes := shapes{t: t, first: map[uint64]int32{}}
	f.each(t.Source, func(start, end int, cells []string) {
		row := t.Source[start:end]
		if cells == nil {
			if !t.blank(start, end) || !t.join(start, end) {
				t.add(start, end, max(wordCue(row), footer(row)), header)
			}
			return
		}
		marks := len(t.marks())
		i := t.add(start, end, rowCue(&c, cells, row), header)
		if len(t.marks()) == marks {
			shapes.note(i, rowShape(cells))
		}
	})
	return true
}

// rowShape returns a hash of the types of the cells of a row.
func rowShape(cells []string) uint64 {
	key := HashStart
	for _, cell := range cells {
		key = HashByte(key, byte(cellClass(cell)))
	}
	return key
}

// rowCue returns the cue of a row, by its cells and its words.
func rowCue(c *census, cells []string, row string) float32 {
	cue := wordCue(row)
	for i, cell := range cells {
		if failCell(cell) {
			return failCue
		}
		if c.oddValue(strconv.Itoa(i), cellClass(cell), cell) {
			cue = max(cue, oddCue)
		}
	}
	return cue
}

// failCell reports whether a cell states a failure: "FAILED", "Exited (1) 2 days ago".
func failCell(cell string) bool {
	if len(cell) > longest {
		return false
	}
	if failWord(cell) {
		return true
	}
	if code, ok := strings.CutPrefix(cell, "Exited ("); ok {
		return nonzero(code)
	}
	return false
}

// footer returns the cue of a line below a table, such as the number of rows.
func footer(line string) float32 {
	for i := range len(line) {
		if digit(line[i]) {
			return outline
		}
	}
	return 0
}

// cellClass returns the class of a cell, as census counts it.
func cellClass(cell string) class {
	if cell == "" || cell == "-" || cell == `""` || strings.EqualFold(cell, "null") || cell == "<none>" {
		return null
	}
	if digit(cell[0]) || cell[0] == '-' {
		if end, ok := scanNumber(cell, 0); ok && end == len(cell) {
			return number
		}
	}
	switch cell {
	case "true", "t", "yes":
		return yes
	case "false", "f", "no":
		return no
	}
	return text
}

// tableForm is the way a table is written.
type tableForm struct {
	body    int    // start of the rows
	sep     string // separator of cells; "" when they are aligned
	quoted  bool   // cells may be quoted, and may then hold line breaks
	offsets []int  // of aligned columns
}

// maxRowLines is the largest number of lines of a row with quoted cells.
const maxRowLines = 16

// each calls do for the rows with their cells, and without cells for other lines: a
// border, a blank line, the number of rows.
func (f *tableForm) each(s string, do func(start, end int, cells []string)) {
	var cells []string
	for start := f.body; start < len(s); {
		end := f.rowEnd(s, start)
		row := strings.TrimRight(s[start:end], " \r\n")
		if cells = f.cells(cells[:0], row); len(cells) > 1 && strings.Trim(row, "-+=| \t") != "" {
			do(start, end, cells)
		} else {
			do(start, end, nil)
		}
		start = end
	}
}

// rowEnd returns the end of the row that begins at start.
func (f *tableForm) rowEnd(s string, start int) int {
	first, quotes := 0, 0
	for end, lines := start, 0; lines < maxRowLines && end < len(s); lines++ {
		line := s[end:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		end += len(line)
		if lines == 0 {
			first = end
		}
		if f.quoted {
			quotes += strings.Count(line, `"`)
		}
		if quotes%2 == 0 {
			return end
		}
	}
	return first // a quote that is not closed
}

// cells splits a row. It returns one cell, or none, for a line that is not a row.
func (f *tableForm) cells(cells []string, row string) []string {
	if f.sep == "" {
		for i, from := range f.offsets {
			if from >= len(row) {
				break
			}
			to := len(row)
			if i+1 < len(f.offsets) {
				to = min(to, f.offsets[i+1])
			}
			cells = append(cells, strings.TrimSpace(row[from:to]))
		}
		return cells
	}
	if f.sep == "|" || f.sep == "│" {
		row = strings.TrimSpace(row)
		row = strings.TrimSuffix(strings.TrimPrefix(row, f.sep), f.sep)
	}
	for {
		quoted := 0 // bytes of a cell in quotes
		if f.quoted && strings.HasPrefix(row, `"`) {
			quoted = quotedCell(row)
		}
		cell, rest, more := strings.Cut(row[quoted:], f.sep)
		cells = append(cells, strings.Trim(row[:quoted+len(cell)], ` "`))
		if !more {
			return cells
		}
		row = rest
	}
}

// quotedCell returns the length of the quoted cell at the beginning of a row; quotes
// inside it are doubled.
func quotedCell(row string) int {
	for i := 1; i < len(row); i++ {
		if row[i] != '"' {
			continue
		}
		if byteAt(row, i+1) != '"' {
			return i + 1
		}
		i++
	}
	return len(row)
}
