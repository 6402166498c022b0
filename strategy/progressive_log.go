package strategy

import (
	"regexp"
	"strings"
	"unicode"

	"condense/strategy/squeeze"
	"condense/transcript"
)

// logLines is how many lines stay of a log at least; of more, those in the middle
// that say an error stay too (SYSTEMS §3.2).
const logLines = 48

// A run of lines that differ in numbers only is progress. It takes this many.
const (
	similarRun  = 3
	similarLine = 5 // bytes of the shortest line that counts
)

// escapes match the control sequences of terminals: CSI, OSC, single characters,
// and what is left of a broken one.
var escapes = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[@-Z\\\\-_])?")

// cleanLog takes out of a log what says nothing: control sequences, repeated
// lines, progress, and the middle when more than max lines are left, but for the
// lines that say what failed. JSON is no log: its lines repeat for a reason.
func cleanLog(text string, max int) string {
	text = escapes.ReplaceAllLiteralString(text, "")
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[{") {
		return text
	}
	lines := middle(collapse(repeats(strings.Split(text, "\n"))), max)
	return strings.Join(collapse(repeats(lines)), "\n") // lines that came together may be alike
}

// repeats puts a line with the number in place of equal lines in a row where
// that is shorter.
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
		note := transcript.Marker("the same line " + plural(len(again), "more time"))
		if says(again[0]) && len(strings.Join(again, "\n")) > len(note) {
			again = []string{note}
		}
		kept = append(kept, again...)
	}
	return kept
}

// says reports whether a line has letters or digits: braces and rules repeat because
// of what stands around them.
func says(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// collapse keeps the first and the last of lines in a row that differ in their
// numbers only, blank ones between them not counted, where that is shorter.
func collapse(lines []string) (kept []string) {
	for i := 0; i < len(lines); {
		last, n := alike(lines, i)
		note := ""
		if n >= similarRun {
			note = transcript.Marker(plural(n-2, "similar line"))
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

// alike finds the lines like the one at i behind it: the last of them, and how
// many they are with it.
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

// sameButNumbers reports whether two lines are equal when each run of digits is
// taken for one number.
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

// failureCue is what squeeze.Cue gives a word of failure wherever it stands in a line;
// a warning has less, and so have names and counts of none.
const failureCue = .5

// saysFailure reports whether a line of the middle of a log stays.
func saysFailure(line string) bool {
	return squeeze.Cue(line) >= failureCue || strings.HasPrefix(line, "Traceback")
}

// middle keeps the first half of max lines, the last half, and what failed in
// between; a line tells how many went.
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
	note := transcript.Marker(plural(gone, "line") + " between")
	if size <= len(note) {
		return lines
	}
	kept[at] = note
	return append(kept, lines[tail:]...)
}
