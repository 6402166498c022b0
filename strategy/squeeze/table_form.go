package squeeze

import (
	"strings"
	"unicode/utf8"
)

// tableSample is the number of bytes of a text that are examined to see whether it is
// a table.
const tableSample = 4096

// findTable returns the form of the table that a text begins with; ok is false without
// one.
func findTable(s string) (f tableForm, ok bool) {
	sample := s
	if len(s) > tableSample {
		sample = s[:strings.LastIndexByte(s[:tableSample], '\n')+1]
	}
	lines := strings.SplitAfter(strings.TrimRight(sample, "\r\n"), "\n")
	if len(lines) < 4 {
		return f, false
	}
	if f.body, f.sep = ruledHeader(lines); f.body > 0 {
		if f.sep == "" {
			return alignedTable(lines[0], lines[2:], f.body)
		}
		return f, most(lines, func(line string) bool {
			return strings.Contains(line, f.sep) || rule(line) || footer(line) > 0 && len(line) < 40
		})
	}
	for _, sep := range [...]string{"\t", ",", ";", "|"} {
		f = tableForm{body: len(lines[0]), sep: sep, quoted: sep == "," || sep == ";"}
		if f.delimited(lines) {
			return f, true
		}
	}
	if capitals(lines[0]) {
		return alignedTable(lines[0], lines[1:], len(lines[0]))
	}
	return f, false
}

// ruledHeader finds a header that is set off by a line of dashes, with or without a
// border above. It returns the number of lines before the rows, and the separator of
// cells.
func ruledHeader(lines []string) (body int, sep string) {
	at := 0
	if rule(lines[0]) && strings.Trim(lines[0], "-= \r\n") != "" {
		at = 1 // the upper border, with corners
	}
	if !rule(lines[at+1]) || rule(lines[at]) {
		return 0, ""
	}
	for _, line := range lines[:at+2] {
		body += len(line)
	}
	switch header := lines[at]; {
	case strings.Contains(header, "│"):
		return body, "│"
	case strings.Contains(header, "|"):
		return body, "|"
	case at == 0 && strings.Contains(strings.TrimSpace(lines[1]), " "):
		return body, ""
	}
	return 0, ""
}

// rule reports whether a line is a border: dashes with the corners of cells.
func rule(line string) bool {
	line = strings.TrimSpace(line)
	dashes := 0
	for _, c := range line {
		switch c {
		case '-', '=', '─', '━', '═':
			dashes++
		case '+', '|', ':', ' ', '┌', '┬', '┐', '├', '┼', '┤', '└', '┴', '┘', '│', '╒', '╤', '╕', '╞', '╪', '╡', '╘', '╧', '╛',
			'╔', '╦', '╗', '╠', '╬', '╣', '╚', '╩', '╝', '║', '┏', '┳', '┓', '┡', '╇', '┩', '╭', '╮', '╰', '╯':
		default:
			return false
		}
	}
	return dashes >= 2
}

// delimited reports whether all lines have the same number of cells with one
// separator, under a header of names.
func (f *tableForm) delimited(lines []string) bool {
	header := f.cells(nil, strings.TrimRight(lines[0], "\r\n"))
	if len(header) < 3 && (f.sep != "\t" || len(header) < 2) {
		return false
	}
	for _, name := range header {
		if !columnName(name) {
			return false
		}
	}
	sample := strings.Join(lines, "")
	rows, same, spaced := 0, 0, 0
	for start := f.body; start < len(sample); {
		end := f.rowEnd(sample, start)
		row := strings.TrimRight(sample[start:end], "\r\n")
		start = end
		rows++
		if len(f.cells(nil, row)) == len(header) {
			same++
		}
		if strings.Contains(row, f.sep+" ") && f.sep != "|" && !strings.Contains(row, `"`) || row != "" && strings.IndexByte("{};(,", row[len(row)-1]) >= 0 && !strings.HasSuffix(row, f.sep) {
			spaced++ // sentences and code
		}
	}
	return rows >= 3 && same*10 >= rows*9 && spaced*2 < rows
}

// columnName reports whether a text could be the name of a column.
func columnName(s string) bool {
	return s != "" && len(s) <= 40 && !digit(s[0]) && !strings.ContainsAny(s, "{}<>;=\"'`\t\\/") && utf8.ValidString(s)
}

// capitals reports whether a line is a header in capital letters, as docker and
// kubectl print it: CONTAINER ID IMAGE STATUS.
func capitals(line string) bool {
	words := strings.Fields(line)
	for _, w := range words {
		for i := range len(w) {
			if c := w[i]; 'a' <= c && c <= 'z' || digit(c) || c >= utf8.RuneSelf || strings.IndexByte(".:;,=<>[]{}'\"", c) >= 0 {
				return false
			}
		}
	}
	return len(words) >= 3 && letter(line[0])
}

// alignedTable finds the columns under a header whose names stand above their cells.
func alignedTable(header string, rows []string, body int) (f tableForm, ok bool) {
	header = strings.TrimRight(header, " \r\n")
	f = tableForm{body: body}
	for i := range len(header) {
		if header[i] != ' ' && (i == 0 || i > 1 && header[i-1] == ' ' && header[i-2] == ' ') {
			f.offsets = append(f.offsets, i)
		}
	}
	if len(f.offsets) < 2 {
		return f, false
	}
	return f, most(rows, func(row string) bool {
		for _, from := range f.offsets[1:] {
			if from < len(row) && row[from-1] != ' ' {
				return false
			}
		}
		return len(row) > f.offsets[1]
	})
}

// most reports whether like is true for at least nine of ten lines.
func most(lines []string, like func(line string) bool) bool {
	n := 0
	for _, line := range lines {
		if like(line) {
			n++
		}
	}
	return n*10 >= len(lines)*9
}
