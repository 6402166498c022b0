package transcript

import (
	"iter"
	"strings"
)

// RecordOpening begins a record: bracketed lines that stand for removed calls. A record
// is one line, or several lines that end with a line of one closing bracket:
//
//	[condensed: Read src/a.go (214 lines); `git push`: main → main]
//
//	[condensed: Edit src/a.go ok:
//	 +func A() {
//	]
const RecordOpening = "[condensed: "

// recordLen returns the length in bytes of the record at the start of a text, including
// the line break after it; 0 when there is none. In a record of several lines, the first
// line of each call ends with a colon, and the other lines begin with a space. Any other
// line shows that the text is not a record.
func recordLen(text string) int {
	if !strings.HasPrefix(text, RecordOpening) {
		return 0
	}
	end := 0
	for rest, more := text, true; more; {
		var line string
		line, rest, more = strings.Cut(rest, "\n")
		quoted := end > 0 && strings.HasPrefix(line, " ")
		end += len(line)
		switch {
		case !quoted && strings.HasSuffix(line, "]"):
			return end + breaks(more)
		case !quoted && !strings.HasSuffix(line, ":"):
			return 0
		}
		end += breaks(more)
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

// Records returns the places of the records of a text, in bytes: where each begins, and
// where the line break after it ends.
func Records(text string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		if !strings.Contains(text, RecordOpening) {
			return
		}
		for at := 0; at < len(text); {
			if n := recordLen(text[at:]); n > 0 {
				if !yield(at, at+n) {
					return
				}
				at += n
				continue
			}
			n := strings.IndexByte(text[at:], '\n') + 1
			if n == 0 {
				return
			}
			at += n
		}
	}
}

// WithoutRecords returns a text without its records.
func WithoutRecords(text string) string {
	var b strings.Builder
	at := 0
	for from, to := range Records(text) {
		b.WriteString(text[at:from])
		at = to
	}
	if at == 0 {
		return text
	}
	b.WriteString(text[at:])
	return b.String()
}
