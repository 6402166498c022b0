// Package marker reads and writes the ids of removed texts in markers and records:
//
//	[12 lines #482193 omitted]
//	[condensed: Read src/a.go (214 lines); 3 commands #482193]
//
// An id has 6 to 9 decimal digits. Of the forms that were measured, decimal digits with a sign cost the
// fewest tokens for the same number of texts: with 6 digits always 3 in o200k_base and cl100k_base, and
// 4 to 5 hexadecimal digits cost up to 6.
package marker

import "strings"

// MinID is the least number of digits of an id, and maxID the most.
const (
	MinID = 6
	maxID = 9
)

// omitted ends every marker.
const omitted = " omitted]"

// Sign returns an id as it stands in a marker or a record, behind text: " #482193". Behind a line
// break there is no space, because a space begins a quoted line of a record.
func Sign(id, text string) string {
	if strings.HasSuffix(text, "\n") {
		return "#" + id
	}
	return " #" + id
}

// CutID returns a marker or the last line of a record without the id of the removed text, and the
// id. It also takes the line without its closing bracket. The id is "" if the line has none.
func CutID(line string) (plain, id string) {
	inside, end := strings.TrimSuffix(line, "]"), ""
	if len(inside) < len(line) {
		end = "]"
		if short, ok := strings.CutSuffix(line, omitted); ok {
			inside, end = short, omitted
		}
	}
	at := strings.LastIndexByte(inside, '#')
	if at < 0 || !IsID(inside[at+1:]) || at > 0 && inside[at-1] != ' ' {
		return line, ""
	}
	return strings.TrimSuffix(inside[:at], " ") + end, inside[at+1:]
}

// CutRecordID returns a record without the line break after it and without the id of the removed
// text, and the id. The id is "" if the record has none.
func CutRecordID(record string) (plain, id string) {
	record = strings.TrimRight(record, "\n")
	line := strings.LastIndexByte(record, '\n') + 1
	plain, id = CutID(record[line:])
	return record[:line] + plain, id
}

// IsID reports whether text has the form of an id.
func IsID(text string) bool {
	return MinID <= len(text) && len(text) <= maxID && strings.Trim(text, "0123456789") == ""
}
