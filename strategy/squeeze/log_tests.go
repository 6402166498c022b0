package squeeze

import (
	"regexp"
	"strings"
)

// testLine returns the role and the cue of a line of a test runner.
func testLine(text string, indent int) (role, float32) {
	if text == "" {
		return plainLine, none
	}
	if !digit(text[0]) && strings.IndexByte("-FEnt=o?P_Tew\xe2\xc3", text[0]) < 0 && !strings.Contains(text, "::") {
		if tally(text) {
			return sumLine, sumCue(text)
		}
		return plainLine, none
	}
	switch {
	case hasAny(text, "--- FAIL", "FAIL\t", "FAIL ", "FAILED ", "FAIL: ", "ERROR: test", "not ok ", "● ", "✕ ", "✗ ", "✘ ", "× ", "❌ "):
		return failLine, message
	case strings.HasPrefix(text, "test ") && strings.Contains(text, " ... "): // cargo test
		if strings.HasSuffix(text, "FAILED") {
			return failLine, message
		}
		return passLine, none
	case hasAny(text, "=== RUN", "=== PAUSE", "=== CONT", "--- PASS", "--- SKIP", "ok  \t", "?   \t", "ok ", "✓ ", "✔ ", "√ ", "PASS ", "✅ "):
		return passLine, none
	case strings.Contains(text, "PASSED") && (strings.Contains(text, "::") || strings.HasPrefix(text, "PASSED")):
		return passLine, none
	case strings.Contains(text, "FAILED") && strings.Contains(text, "::"):
		return failLine, message
	case strings.HasPrefix(text, "Traceback ("):
		return headLine, context
	case strings.HasPrefix(text, "____") && strings.HasSuffix(text, "____"), // pytest
		strings.HasPrefix(text, "---- ") && strings.HasSuffix(text, " ----"): // cargo test
		return headLine, outline
	case numbered(text) && indent > 0 && strings.IndexByte(text, ')') < 4: // mocha
		return headLine, outline
	}
	if tally(text) {
		return sumLine, sumCue(text)
	}
	if hasAny(text, "====", "----") && hasSuffixAny(text, "====", "----") { // a ruler, with or without a heading
		return sumLine, context
	}
	return plainLine, none
}

// sumCue returns the cue of the counts of a run: with failures among them, they are
// its message.
func sumCue(text string) float32 {
	if wordCue(text) >= outline {
		return message
	}
	return outline
}

// numbered reports whether a text begins like an item of a numbered list: "1) ".
func numbered(text string) bool {
	i := 0
	for i < len(text) && i < 4 && digit(text[i]) {
		i++
	}
	return i > 0 && strings.HasPrefix(text[i:], ") ")
}

// longestName is the most lines of the name of a test: its groups and the test.
const longestName = 6

// forgetProgress takes the cues from the lines so far but those of counts: mocha writes the failed
// tests after them again, each with its error.
func (t *Text) forgetProgress() {
	for i := range t.Pieces {
		p := &t.Pieces[i]
		if !tally(uncoloured(t.Source[p.Start:p.End])) {
			p.Cue = none
		}
	}
}

// testName returns the end of the name of a failed test whose first line is numbered, as mocha
// writes it, and of the first line of its error: each line of the name is a group in the one
// before, and the last one ends in a colon. It returns end if there is no such name.
func (t *Text) testName(start, end int) int {
	first := t.Source[start:end]
	if !numbered(uncoloured(first)) {
		return end
	}
	indent := len(first) - len(strings.TrimLeft(first, " \t"))
	at := end
	for range longestName {
		next := t.lineEnd(at)
		line := t.Source[at:next]
		deeper := len(line) - len(strings.TrimLeft(line, " \t"))
		text := uncoloured(line)
		if text == "" || deeper <= indent {
			return end
		}
		if at, indent = next, deeper; strings.HasSuffix(text, ":") {
			for next = t.lineEnd(at); next < len(t.Source) && strings.TrimSpace(t.Source[at:next]) == ""; next = t.lineEnd(next) {
			}
			return next
		}
	}
	return end
}

// tally reports whether a line counts the outcomes of a run: it has a number beside
// the name of an outcome.
func tally(text string) bool {
	if len(text) > 160 {
		return false
	}
	for i := 0; i < len(text); i++ {
		if !digit(text[i]) {
			continue
		}
		start := i
		for i < len(text) && (digit(text[i]) || text[i] == ',') {
			i++
		}
		if i+1 < len(text) && text[i] == ' ' && beginsOutcome(text[i+1]) && hasAny(text[i+1:], "passed", "failed", "passing", "failing", "pending", "skipped", "tests", "test,", "examples",
			"errors", "error,", "error ", "error(s)", "problem", "warning", "failure", "assertions", "files changed", "file changed", "vulnerabilities", "pass", "fail") && Alone(text, start, i) {
			return true
		}
		last := start - 1
		if last < 0 || text[last] != ' ' && text[last] != ':' && text[last] != '=' {
			continue
		}
		for last >= 0 && (text[last] == ' ' || text[last] == ':' || text[last] == '=') {
			last--
		}
		if last < 0 || strings.IndexByte("sdln", text[last]) < 0 {
			continue
		}
		if hasSuffixAny(text[:last+1], "Tests", "Test Suites", "Test Files", "Failures", "Errors", "tests run", "Tests run",
			"Passed", "Failed", "# pass", "# fail", "# tests", "Snapshots") && Alone(text, start, i) {
			return true
		}
	}
	return strings.HasPrefix(text, "test result: ") || text == "PASS" || text == "FAIL" || text == "OK"
}

// Alone reports whether the number text[from:to] can be a count: it is not a part of a time, a date, a version
// or a name. In "3/10 passed" both numbers can be.
func Alone(text string, from, to int) bool {
	switch {
	case to-from > 1 && text[from] == '0', from > 0 && isWord(text[from-1]), to < len(text) && isWord(text[to]):
		return false
	case from > 1 && glues(text[from-1]) && isWord(text[from-2]) && (text[from-1] != ':' || digit(text[from-2])):
		return false // "failed:3" is a count
	case to+1 < len(text) && glues(text[to]) && digit(text[to+1]):
		return false
	}
	return !dated.MatchString(text[max(0, from-len("2030/12/")):min(len(text), to+len("/12/2030"))])
}

// dated matches a date between slashes.
var dated = regexp.MustCompile(`\d/\d+/\d`)

func glues(c byte) bool { return c == ':' || c == '.' || c == '-' }

func isWord(c byte) bool { return digit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }

// beginsOutcome reports whether one of the words that tally finds behind a number begins with a byte.
func beginsOutcome(c byte) bool {
	switch c {
	case 'p', 'f', 's', 't', 'e', 'w', 'a', 'v':
		return true
	}
	return false
}

// mostCounts is the largest number of adjacent lines with counts that stay together.
const mostCounts = 4

// Counts returns the last lines of an output that count the outcomes of a test run, or "" when the
// output has none. Other lines may follow them, such as the details of the failed tests.
func Counts(output string) string {
	first, last, n := 0, 0, 0
	joins := false
	for at := 0; at < len(output); {
		end := at + len(output[at:])
		if i := strings.IndexByte(output[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if counts := countsTests(uncoloured(output[at:end])); counts && joins && n < mostCounts {
			last = end
			n++
		} else if counts {
			first, last, n, joins = at, end, 1, true
		} else {
			joins = false
		}
		at = end
	}
	return output[first:last]
}

// countsTests reports whether a line counts the outcomes of tests.
func countsTests(text string) bool {
	return tally(text) && (strings.Contains(text, "pass") || strings.Contains(text, "fail") || strings.Contains(text, "Fail") || strings.Contains(text, "Pass"))
}

func hasAny(s string, prefixes ...string) bool {
	if s == "" {
		return false
	}
	for _, p := range prefixes {
		if p[0] == s[0] && strings.HasPrefix(s, p) { // the first byte is nearly always another
			return true
		}
	}
	return false
}

func hasSuffixAny(s string, suffixes ...string) bool {
	if s == "" {
		return false
	}
	for _, p := range suffixes {
		if p[len(p)-1] == s[len(s)-1] && strings.HasSuffix(s, p) {
			return true
		}
	}
	return false
}
