package squeeze

import "strings"

// What commands print: logs, test runs, compilers, stack traces, and several of
// these one after the other, as a shell gives them. All are cut by lines, and a
// line says by itself what it is.

// role is what a line does in the output of a command.
type role uint8

const (
	plainLine role = iota
	passLine       // a test that passed, a step that went well
	failLine       // a test that failed
	sumLine        // counts at the end
	headLine       // a heading that what follows belongs to
	diagLine       // a diagnostic, by place and severity
	frameLine      // a frame of a stack trace
	farLine        // a frame in a library
	moreLine       // details of the line before: indented under a failure or a diagnostic
)

// cutRun cuts the output of a command.
func (t *Text) cutRun() {
	shapes := shapes{t: t, first: map[uint64]int32{}}
	lead, framed := int32(None), false // the line that details belong to; the last line was a frame
	t.each(func(start, end int) {
		line := t.Source[start:end]
		what, cue := judge(line, lead != None, framed)
		framed = what == frameLine || what == farLine || what == moreLine && framed
		under := int32(None)
		switch what {
		case frameLine, farLine, moreLine:
			under = lead
		case plainLine:
			if cue < message {
				lead = None
			}
		}
		marks := len(t.marks)
		i := t.add(start, end, cue, under)
		if len(t.marks) > marks {
			return // an earlier run has been at it
		}
		for k := int(i); k < len(t.Pieces); k++ {
			switch p := t.Pieces[k]; {
			case what == passLine || what == farLine:
				shapes.class(int32(k), what)
			case p.Cue < message:
				shapes.line(int32(k), t.Source[p.Start:p.End])
			}
		}
		switch {
		case what == failLine, what == diagLine, what == headLine, cue == message && what != moreLine:
			lead = i
		}
	})
	if t.Kind != Binary {
		t.edges()
	}
}

// judge says what a line is, and its cue; led tells that the lines before are a
// failure and its details, framed that the last of them was a frame of a trace.
func judge(line string, led, framed bool) (role, float32) {
	text := strings.TrimSpace(line)
	if timed(text) { // a line of a log is nothing else
		return plainLine, wordCue(text)
	}
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	if what := frame(text, indent); what != plainLine {
		if what == farLine {
			return what, none
		}
		return what, context
	}
	if led {
		if what, cue := follows(text, indent, framed); what != plainLine {
			return what, cue
		}
	}
	if what, cue := testLine(text, indent); what != plainLine {
		return what, cue
	}
	cue := wordCue(text)
	if place, severity := diagnostic(text); place {
		return diagLine, max(severity, cue)
	}
	if framed && indent == 0 && raised(text) {
		return plainLine, message
	}
	return plainLine, cue
}

// follows judges a line that may be a detail of the failure or diagnostic above.
func follows(text string, indent int, framed bool) (role, float32) {
	switch {
	case strings.HasPrefix(text, "E   "): // pytest
		return moreLine, message
	case hasAny(text, ">   ", "-->", "> "), indent > 0 && detail(text):
		return moreLine, outline
	case strings.HasPrefix(text, "goroutine "), calls(text) && (indent == 0 || framed):
		return moreLine, none
	case strings.HasPrefix(text, "|"), snippet(text):
		return moreLine, max(min(wordCue(text), outline), context/2)
	case indent > 0:
		if what, cue := testLine(text, indent); what != plainLine {
			return what, cue
		}
		if place, _ := diagnostic(text); place {
			return plainLine, none
		}
		if cue := wordCue(text); cue < message {
			return moreLine, max(cue, context/2)
		}
	}
	return plainLine, none
}

// calls tells whether a line names a function of a Go trace: pkg.F(0x1, …).
func calls(text string) bool {
	name, _, ok := strings.Cut(text, "(")
	return ok && strings.HasSuffix(text, ")") && strings.Contains(name, ".") && !strings.Contains(name, " ")
}

// snippet tells whether a line is quoted source: "40 | return x".
func snippet(text string) bool {
	n := numberLen(text)
	return n > 0 && hasAny(text[n:], " |", "|", " │")
}

// raised tells whether a line that follows frames is the exception: its name, with
// a colon and a message or alone.
func raised(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case letter(c) || c == '.' || c == '_' || digit(c):
		default:
			return i > 0 && c == ':' && letter(text[0])
		}
	}
	return text != "" && letter(text[0])
}

// detail tells whether an indented line says what was wrong, as assertions do.
func detail(text string) bool {
	for _, word := range [...]string{"expected", "Expected", "received", "Received", "actual", "Actual", "got", "want", "assert", "left:", "right:", "- ", "+ ", "E  ", "> "} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}

// testLine knows the lines of test runners.
func testLine(text string, indent int) (role, float32) {
	if text == "" {
		return plainLine, none
	}
	if !digit(text[0]) && strings.IndexByte("-FEnt=o?P_Tew\xe2\xc3", text[0]) < 0 && !strings.Contains(text, "::") {
		if tally(text) {
			return sumLine, max(outline, wordCue(text))
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
		return sumLine, max(outline, wordCue(text))
	}
	if hasAny(text, "====", "----") && hasSuffixAny(text, "====", "----") { // a ruler, with or without a heading
		return sumLine, context
	}
	return plainLine, none
}

// numbered tells whether a text begins as an item of a numbered list: "1) ".
func numbered(text string) bool {
	i := 0
	for i < len(text) && i < 4 && digit(text[i]) {
		i++
	}
	return i > 0 && strings.HasPrefix(text[i:], ") ")
}

// tally tells whether a line counts the outcomes of a run: a number beside a word for one.
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
		if i+1 < len(text) && text[i] == ' ' && strings.IndexByte("pfstewav", text[i+1]) >= 0 && hasAny(text[i+1:], "passed", "failed", "passing", "failing", "pending", "skipped", "tests", "test,", "examples",
			"errors", "error,", "error ", "error(s)", "problem", "warning", "failure", "assertions", "files changed", "file changed", "vulnerabilities", "pass", "fail") {
			return true
		}
		last := start - 1
		for last >= 0 && (text[last] == ' ' || text[last] == ':' || text[last] == '=') {
			last--
		}
		if last < 0 || last == start-1 || strings.IndexByte("sdln", text[last]) < 0 {
			continue
		}
		if hasSuffixAny(text[:last+1], "Tests", "Test Suites", "Test Files", "Failures", "Errors", "tests run", "Tests run",
			"Passed", "Failed", "# pass", "# fail", "# tests", "Snapshots") {
			return true
		}
	}
	return strings.HasPrefix(text, "test result: ") || text == "PASS" || text == "FAIL" || text == "OK"
}

func hasAny(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func hasSuffixAny(s string, suffixes ...string) bool {
	for _, p := range suffixes {
		if strings.HasSuffix(s, p) {
			return true
		}
	}
	return false
}

// diagnostic tells whether a line is what a compiler or linter found at a place
// (a.go:12:3: …, a.ts(12,3): …, 12:3 error …), and how severe it says it is.
func diagnostic(text string) (place bool, severity float32) {
	if hasAny(text, "error: ", "error[", "fatal error: ") {
		return true, message
	} else if hasAny(text, "warning: ", "warning[") {
		return true, context
	}
	i := strings.IndexByte(text, ' ')
	if i < 0 || i+1 == len(text) || len(text) > scanned {
		return false, none
	}
	head := text[:i]
	if !strings.HasSuffix(head, ":") {
		if !position(head) || len(text) < i+6 {
			return false, none
		}
		rest := strings.TrimLeft(text[i:], " ")
		switch {
		case strings.HasPrefix(rest, "error"):
			return true, message
		case strings.HasPrefix(rest, "warn"):
			return true, context
		}
		return false, none
	}
	head = strings.TrimSuffix(head, ":")
	if c := strings.IndexAny(head, ":("); c <= 0 || c+1 >= len(head) || !digit(head[c+1]) || !position(strings.TrimSuffix(head[c+1:], ")")) {
		return false, none
	}
	rest := text[i+1:]
	if !letter(rest[0]) && rest[0] != '[' && rest[0] != '\'' && rest[0] != '"' && rest[0] != '`' {
		return false, none // indented: lines of code that a search found
	}
	if hasAny(rest, "warning", "note", "info", "hint", "help", "style", "W") {
		return true, context
	}
	return true, message
}

// position tells whether s is a line number, alone or with a column.
func position(s string) bool {
	seen := false
	for i := range len(s) {
		switch c := s[i]; {
		case digit(c):
			seen = true
		case (c == ':' || c == ',') && seen && i+1 < len(s):
		default:
			return false
		}
	}
	return seen
}

// edges gives a little weight to the first and the last lines of an output.
func (t *Text) edges() {
	for _, i := range [...]int{0, 1, len(t.Pieces) - 3, len(t.Pieces) - 2, len(t.Pieces) - 1} {
		if i >= 0 && i < len(t.Pieces) && t.Pieces[i].Like == None {
			t.Pieces[i].Cue = max(t.Pieces[i].Cue, context)
		}
	}
}
