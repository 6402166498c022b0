package transcript

import "strings"

// RecordOpening begins a record: the bracketed lines that stand for removed calls. A record is one
// line, or several that end with a line of one closing bracket:
//
//	[condensed: Read src/a.go (214 lines); `git push`: main → main]
//
//	[condensed: Edit src/a.go ok:
//	 +func A() {
//	]
const RecordOpening = "[condensed: "

// recordLen returns the length in bytes of the record at the start of a text, with the line break
// behind it; 0 when there is none.
func recordLen(text string) int {
	if !strings.HasPrefix(text, RecordOpening) {
		return 0
	}
	line, rest, more := strings.Cut(text, "\n")
	end := len(line)
	if strings.HasSuffix(line, "]") {
		return end + breaks(more)
	}
	for more {
		line, rest, more = strings.Cut(rest, "\n")
		end += 1 + len(line)
		if line == "]" || strings.HasSuffix(line, "]") && !strings.HasPrefix(line, " ") {
			return end + breaks(more)
		}
	}
	return 0
}

// breaks returns the length of the line break at the end of a record.
func breaks(more bool) int {
	if more {
		return 1
	}
	return 0
}

// WithoutRecords returns a text without its records.
func WithoutRecords(text string) string {
	if !strings.Contains(text, RecordOpening) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		if n := recordLen(text); n > 0 {
			text = text[n:]
			continue
		}
		_, rest, _ := strings.Cut(text, "\n")
		b.WriteString(text[:len(text)-len(rest)])
		text = rest
	}
	return b.String()
}
