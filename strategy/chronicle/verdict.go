package chronicle

import (
	"strings"
	"unicode/utf8"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/lazyregexp"
)

// verdict returns the last line of an output that states the outcome of a command, such as
// "3 passed, 1 failed" or "main -> main", or "".
func verdict(text string) string {
	if counts := squeeze.Counts(text); counts != "" {
		return cleanLines(counts)
	}
	end := text[max(0, len(text)-1_500):]
	for range verdictLines {
		end = strings.TrimRight(end, "\r\n")
		at := strings.LastIndexByte(end, '\n') + 1
		if line := end[at:]; maySum(line) && statesOutcome(line) {
			if packages := passedPackages(text); packages > 1 && strings.HasPrefix(line, passedPackage) {
				return "ok, " + transcript.Plural(packages, "package")
			}
			return line
		}
		end = end[:at]
	}
	return ""
}

// passedPackage begins a line of go test for a package that passed.
const passedPackage = "ok  \t"

// passedPackages returns the number of packages that passed in the output of go test, or 0 if one failed.
func passedPackages(text string) (passed int) {
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, passedPackage):
			passed++
		case strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- FAIL"):
			return 0
		}
	}
	return passed
}

// verdictLines is the number of lines at the end of an output that verdict examines.
const verdictLines = 12

// summing matches a line that states the outcome of a command by its words.
var summing = lazyregexp.New(`(?i)\b(?:passed|failed|passing|failing|success(?:ful(?:ly)?)?|succeeded|(?:no|0) issues|files? changed|built in|compiled|created|updated|deleted|up to date|up-to-date|switched to|set up to track|added \d+|nothing to commit|done)\b| -> |^ok\s|^\[\S+ [0-9a-f]{7,}\]|https?://\S+/pull/\d+`)

// sums reports whether a line that states an outcome may have a word. Each such line has one of these words,
// or other characters that maySum finds.
func sums(word string) bool {
	switch word {
	case "passed", "failed", "passing", "failing", "success", "successful", "successfully", "succeeded", "issues", "error", "errors",
		"changed", "built", "compiled", "created", "updated", "deleted", "up", "switched", "set", "added", "nothing", "ok", "pull", "done":
		return true
	}
	return false
}

// maySum reports whether statesOutcome may be true for a line. It excludes most lines without the regular
// expression, which is slow.
func maySum(line string) bool {
	var low [len("successfully")]byte
	n := 0 // letters of the present word
	for i := 0; i <= len(line); i++ {
		c := byte(' ')
		if i < len(line) {
			c = line[i]
		}
		if 'a' <= c|0x20 && c|0x20 <= 'z' {
			if n < len(low) {
				low[n] = c | 0x20
			}
			n++
			continue
		}
		if c >= utf8.RuneSelf || c == '>' || c == '[' && i == 0 {
			return true
		}
		if n <= len(low) && sums(string(low[:n])) && sumsAt(string(low[:n]), line, i) {
			return true
		}
		n = 0
	}
	return false
}

// sumsAt reports whether a line may state an outcome by a word for which sums is true, and which ends at end.
func sumsAt(word, line string, end int) bool {
	rest := line[end:]
	before := func(next string) bool { return len(rest) > len(next) && strings.EqualFold(rest[1:1+len(next)], next) }
	switch word {
	case "error", "errors":
		return besideNumber(line, end-len(word), end)
	case "up", "switched", "nothing":
		return before("to")
	case "set":
		return before("up")
	case "built":
		return before("in")
	case "added":
		return len(rest) > 1 && rest[1]-'0' < 10
	case "ok":
		return end == len(word)
	}
	return true
}

// errorWord matches the word beside a number of errors.
var errorWord = lazyregexp.New(`(?i)\berrors?\b`)

// statesOutcome reports whether a line states the outcome of a command: by the words that summing matches, or by a
// number of errors.
func statesOutcome(line string) bool {
	if summing.MatchString(line) {
		return true
	}
	for _, at := range errorWord.FindAllStringIndex(line, -1) {
		if besideNumber(line, at[0], at[1]) {
			return true
		}
	}
	return false
}

// besideNumber reports whether a number that can be a count stands before or behind line[start:end], as in
// "3 errors" and "error: 3".
func besideNumber(line string, start, end int) bool {
	if start >= 2 && line[start-1] == ' ' && line[start-2]-'0' < 10 {
		if squeeze.Alone(line, len(strings.TrimRight(line[:start-1], "0123456789,")), start-1) {
			return true
		}
	}
	rest := strings.TrimPrefix(line[end:], ":")
	if len(rest) < 2 || rest[0] != ' ' || rest[1]-'0' >= 10 {
		return false
	}
	from := len(line) - len(rest) + 1
	return squeeze.Alone(line, from, from+len(rest[1:])-len(strings.TrimLeft(rest[1:], "0123456789,")))
}
