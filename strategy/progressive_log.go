package strategy

import (
	"strings"
	"unicode"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/lazyregexp"
)

// logLines is the number of lines at the start and the end of a log that stay, as in
// Antigravity Manager. Lines between them stay if they report an error.
const logLines = 48

// Limits for adjacent lines that differ only in numbers, such as those of a progress bar.
const (
	similarRun  = 3 // the smallest number of lines that are collapsed
	similarLine = 5 // bytes of the shortest line that is compared
)

// escapes matches the control sequences of terminals: CSI, OSC, those of one character,
// and the escape characters of broken ones.
var escapes = lazyregexp.New("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[@-Z\\\\-_])?")

// cleanLog removes noise from a log: control sequences, repeated lines and progress. If
// more than max lines are left, it also removes the middle, except lines that report a
// failure. It leaves the lines of JSON, which repeat for a reason.
func cleanLog(text string, max int) string {
	text = escapes.ReplaceAllLiteralString(text, "")
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[{") {
		return text
	}
	lines := middle(collapse(repeats(strings.Split(text, "\n"))), max)
	return strings.Join(collapse(repeats(lines)), "\n") // lines that have become adjacent may be alike
}

// repeats replaces adjacent equal lines by the first one and a marker with the number of
// the others, if that is shorter.
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
		if hasWords(again[0]) && len(strings.Join(again, "\n")) > len(note) {
			again = []string{note}
		}
		kept = append(kept, again...)
	}
	return kept
}

// hasWords reports whether a line has letters or digits. Other lines, such as braces and
// rules, repeat because of the lines around them.
func hasWords(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// collapse replaces adjacent lines that differ only in numbers by the first and the last
// of them and a marker, if that is shorter. Blank lines between them do not count.
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

// alike returns the last of the lines after line i that differ from it only in numbers,
// and the number of such lines, with line i. Blank lines between them do not count.
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

// sameButNumbers reports whether two lines are equal apart from the digits of their
// numbers.
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

// failureCue is the least cue that package squeeze assigns to a line that reports a
// failure. Warnings, names and counts of zero have less.
const failureCue = .5

// reportsFailure reports whether a line of a log reports a failure.
func reportsFailure(line string) bool {
	return squeeze.Cue(line) >= failureCue || strings.HasPrefix(line, "Traceback")
}

// middle shortens a text to its first and its last max/2 lines, and the failures and
// markers between them. A marker has the number of lines that are removed.
func middle(lines []string, max int) []string {
	if len(lines) <= max {
		return lines
	}
	head, tail := max/2, len(lines)-(max-max/2)
	kept := append([]string{}, lines[:head]...)
	at, gone, size := len(kept), 0, 0
	kept = append(kept, "")
	for _, line := range lines[head:tail] {
		if reportsFailure(line) || transcript.IsMarker(line) {
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
