package strategy

import (
	"regexp"
	"strings"
	"unicode"

	"condense/strategy/squeeze"
	"condense/transcript"
)

// logLines is the number of lines of a log that stay at least, as in Antigravity
// Manager. Of longer logs, lines in the middle that report an error stay, too.
const logLines = 48

// Lines in a row that differ only in numbers are progress, from this number on.
const (
	similarRun  = 3
	similarLine = 5 // bytes of the shortest line that is compared
)

// escapes matches the control sequences of terminals: CSI, OSC, single characters, and
// rests of broken ones.
var escapes = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[@-Z\\\\-_])?")

// cleanLog removes noise from a log: control sequences, repeated lines, progress, and
// the middle when more than max lines are left, except lines that report a failure.
// JSON is not a log: its lines repeat for a reason.
func cleanLog(text string, max int) string {
	text = escapes.ReplaceAllLiteralString(text, "")
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[{") {
		return text
	}
	lines := middle(collapse(repeats(strings.Split(text, "\n"))), max)
	return strings.Join(collapse(repeats(lines)), "\n") // lines that came together may be alike
}

// repeats replaces equal lines in a row by the first and a marker with their number,
// where that is shorter.
func repeats(lines []string) (kept []string) {
	for i := 0; i < len(lines); {
		n := i + 1
		for n < len(lines) && lines[n] == lines[i] {
			n++
		}
		kept = append(kept, lines[i])
		again := lines[i+1 : n]
		i = n
		if len(again) == 0 {
			continue
		}
		note := transcript.Marker("the same line " + transcript.Plural(len(again), "more time"))
		if says(again[0]) && len(strings.Join(again, "\n")) > len(note) {
			again = []string{note}
		}
		kept = append(kept, again...)
	}
	return kept
}

// says reports whether a line has letters or digits. Braces and rules repeat because of
// the lines around them.
func says(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// collapse keeps the first and the last of lines in a row that differ only in numbers,
// where that is shorter. Blank lines between them do not count.
func collapse(lines []string) (kept []string) {
	for i := 0; i < len(lines); {
		last, n := alike(lines, i)
		note := ""
		if n >= similarRun {
			note = transcript.Marker(transcript.Plural(n-2, "similar line"))
		}
		if note == "" || len(strings.Join(lines[i+1:last], "\n")) <= len(note) {
			kept = append(kept, lines[i])
			i++
			continue
		}
		kept = append(kept, lines[i], note, lines[last])
		i = last + 1
	}
	return kept
}

// alike returns the last line in a row with the line at i that differs only in numbers,
// and the number of such lines, the first included.
func alike(lines []string, i int) (last, n int) {
	last, n = i, 1
	if len(lines[i]) < similarLine || !strings.ContainsAny(lines[i], digits) || transcript.IsMarker(lines[i]) {
		return last, n
	}
	for j := i + 1; j < len(lines); j++ {
		switch {
		case strings.TrimSpace(lines[j]) == "":
		case sameButNumbers(lines[i], lines[j]):
			last, n = j, n+1
		default:
			return last, n
		}
	}
	return last, n
}

const digits = "0123456789"

// sameButNumbers reports whether two lines are equal when every run of digits counts as
// one number.
func sameButNumbers(a, b string) bool {
	for {
		i, j := strings.IndexAny(a, digits), strings.IndexAny(b, digits)
		if i < 0 || j < 0 {
			return i == j && a == b
		}
		if a[:i] != b[:j] {
			return false
		}
		a, b = strings.TrimLeft(a[i:], digits), strings.TrimLeft(b[j:], digits)
	}
}

// failureCue is the cue that squeeze assigns to a word of failure anywhere in a line. A
// warning has less, and so have names and counts of zero.
const failureCue = .5

// saysFailure reports whether a line in the middle of a log stays.
func saysFailure(line string) bool {
	return squeeze.Cue(line) >= failureCue || strings.HasPrefix(line, "Traceback")
}

// middle keeps the first half of max lines, the last half, and failures in between. A
// line has the number of lines that are gone.
func middle(lines []string, max int) []string {
	if len(lines) <= max {
		return lines
	}
	head, tail := max/2, len(lines)-(max-max/2)
	kept := append([]string{}, lines[:head]...)
	at, gone, size := len(kept), 0, 0
	kept = append(kept, "")
	for _, line := range lines[head:tail] {
		if saysFailure(line) || transcript.IsMarker(line) {
			kept = append(kept, line)
			continue
		}
		gone++
		size += len(line) + 1
	}
	note := transcript.Marker(transcript.Plural(gone, "line") + " between")
	if size <= len(note) {
		return lines
	}
	kept[at] = note
	return append(kept, lines[tail:]...)
}
