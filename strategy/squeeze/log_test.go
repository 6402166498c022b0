package squeeze

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	tests := []struct {
		line string
		want role
		cue  float32
	}{
		{"--- FAIL: TestX (0.00s)", failLine, message},
		{"\x1b[31m--- FAIL: TestX\x1b[0m\n", failLine, message},
		{"not ok 3 - adds", failLine, message},
		{"ok 3 - adds", passLine, none},
		{"test tide::at ... ok", passLine, none},
		{"test tide::at ... FAILED", failLine, message},
		{"tests/test_a.py::test_b PASSED [ 50%]", passLine, none},
		{"tests/test_a.py::test_b FAILED [ 50%]", failLine, message},
		{"  ✓ adds (3 ms)", passLine, none},
		{"  ● Tide › rises", failLine, message},
		{"Tests:       1 failed, 4 passed, 5 total", sumLine, message},
		{"Tests run: 12, Failures: 0, Errors: 0", sumLine, outline},
		{"===== 12 passed in 0.3s =====", sumLine, outline},
		{"===== short test summary info =====", sumLine, context},
		{"a.go:12:3: undefined: x", diagLine, message},
		{"a.c:12:3: warning: unused", diagLine, context},
		{"a.py:12: [E501] line too long", diagLine, message},
		{"a.c:12:3: 5", plainLine, none},
		{"src/a.ts(12,3): error TS2322: no", diagLine, message},
		{"  12:5  error  'x' is not defined  no-undef", diagLine, message},
		{"  12:5  warning  Unexpected console  no-console", diagLine, outline},
		{"- [ts Error] Line 12: Property 'x' does not exist.", diagLine, message},
		{"- [eslint Warning] 12 | no-console : Unexpected console statement.", diagLine, outline},
		{"- [note] Line 12 is empty", plainLine, none},
		{"    at f (/app/a.js:1:2)", frameLine, context},
		{"    at f (/app/node_modules/x/a.js:1:2)", farLine, none},
		{"2026-01-02 10:00:00 ok 3 things", plainLine, none},
		{"Server listens at 8080", plainLine, none},
		{"", plainLine, none},
	}
	for _, tt := range tests {
		if got, cue := judge(tt.line, false, false); got != tt.want || cue != tt.cue {
			t.Errorf("%q: role %d, cue %v; want %d, %v", tt.line, got, cue, tt.want, tt.cue)
		}
	}
}

// TestTestName checks where the name of a failed test ends that has lines for its groups, as mocha writes it, with the
// first line of its error.
func TestTestName(t *testing.T) {
	for source, want := range map[string]string{
		"  1) Tide\n       rises:\n     Error: x\n     at f\n":                        "  1) Tide\n       rises:\n     Error: x\n",
		"  1) Tide\n       at noon\n         rises:\n\n     Error: x\n":               "  1) Tide\n       at noon\n         rises:\n\n     Error: x\n",
		"  1) Tide\n     rises\n":                                                     "  1) Tide\n",
		"  1) Tide\n  rises:\n     Error: x\n":                                        "  1) Tide\n",
		"  1) Tide\n\n       rises:\n     Error: x\n":                                 "  1) Tide\n",
		"  Tide\n       rises:\n     Error: x\n":                                      "  Tide\n",
		"  1) a\n   b\n    c\n     d\n      e\n       f\n        g:\nx\n":             "  1) a\n   b\n    c\n     d\n      e\n       f\n        g:\nx\n",
		"  1) a\n   b\n    c\n     d\n      e\n       f\n        g\n         h:\nx\n": "  1) a\n",
	} {
		text := &Text{Source: source}
		if got := source[:text.testName(0, text.lineEnd(0))]; got != want {
			t.Errorf("%q has the name %q, want %q", source, got, want)
		}
	}
}

// TestTestLines checks the lines of test runners in each language.
func TestTestLines(t *testing.T) {
	type result struct {
		role role
		cue  float32
	}
	fail, pass, head, sum := result{failLine, message}, result{passLine, none}, result{headLine, outline}, result{sumLine, outline}
	for want, lines := range map[result]string{
		fail:                "--- FAIL: X;FAIL\tx;FAIL x;FAILED x;FAIL: x;ERROR: test_x;not ok 1 x;● x;✕ x;✗ x;✘ x;× x;❌ x;test a::b ... FAILED;a.py::b FAILED",
		pass:                "=== RUN X;=== PAUSE X;=== CONT X;--- PASS: X;--- SKIP: X;ok  \tx;?   \tx;ok 1 x;✓ x;✔ x;√ x;PASS x;✅ x;test a ... ok;a.py::b PASSED;PASSED a.py",
		head:                "____ test_x ____;---- tide::x stdout ----",
		sum:                 "12 passed;PASS;Tests: 5;===== 12 passed =====",
		{sumLine, message}:  "1 failed, 2 passed;FAIL;Tests: 1 failed",
		{sumLine, context}:  "==== x ====;--------",
		{headLine, context}: "Traceback (most recent call last):",
		{plainLine, none}:   "failed;okay x;x FAILED;test it;__init__;==== x;1) a;the test a ... ok",
	} {
		for line := range strings.SplitSeq(lines, ";") {
			if role, cue := testLine(line, 0); (result{role, cue}) != want {
				t.Errorf("%q: %d, %v, want %+v", line, role, cue, want)
			}
		}
	}
	for line, want := range map[string]role{"1) a": headLine, "123) a": headLine, "1234) a": plainLine, "1. a": plainLine, ") a": plainLine} {
		if role, _ := testLine(line, 2); role != want {
			t.Errorf("%q, indented: %d, want %d", line, role, want)
		}
	}
}

// TestCounts checks that the counts of a test run are found wherever they stand, the last ones of several runs.
func TestCounts(t *testing.T) {
	for output, want := range map[string]string{
		"  ✔ a\n\n  89 passing (1s)\n  6 failing\n\n  1) b\n     Error: c\n":                 "  89 passing (1s)\n  6 failing\n",
		"=== 1 failed, 2 passed in 0.3s ===\n":                                               "=== 1 failed, 2 passed in 0.3s ===\n",
		" Test Files  1 failed (1)\n      Tests  2 failed | 3 passed (5)\n   Duration  1s\n": " Test Files  1 failed (1)\n      Tests  2 failed | 3 passed (5)\n",
		"3 passed\nagain\n4 passed":                                                          "4 passed",
		"3 files changed\n":                                                                  "",
		"":                                                                                   "",
	} {
		if got := Counts(output); got != want {
			t.Errorf("%q: got %q, want %q", output, got, want)
		}
	}
}

// TestFindings checks that a list of diagnostics keeps the path of every file, and that many diagnostics of one file
// do not hide those of another.
func TestFindings(t *testing.T) {
	var b strings.Builder
	b.WriteString("The content was saved to app/mocks.ts.\n\nNew problems detected after saving the file:\n")
	for _, file := range []string{"app/a.test.ts", "app/b.test.ts"} {
		b.WriteString(file + "\n")
		for i := range 9 {
			fmt.Fprintf(&b, "- [ts Error] Line %d: Property 'resolves' does not exist on type 'Stock'.\n", 10*i+3)
		}
		b.WriteString("\n")
	}
	text := Cut(b.String(), Hint{Tool: "write_to_file", Path: "app/mocks.ts"})
	if text.Kind != Compiler {
		t.Fatalf("the text is of kind %v", text.Kind)
	}
	cues := map[string][]float32{}
	file := ""
	for i, p := range text.Pieces {
		line := text.trimmed(i)
		if strings.HasSuffix(line, ".test.ts") {
			file = line
		}
		if file != "" {
			cues[file] = append(cues[file], p.Cue)
		}
	}
	want := []float32{message, message, message, message, message, message, context, context, context, context}
	for _, file := range []string{"app/a.test.ts", "app/b.test.ts"} {
		if got := cues[file]; !slices.Equal(got, want) {
			t.Errorf("%s: cues %v, want %v", file, got, want)
		}
	}
}

// TestFindingsWithoutPlace checks that diagnostics that name their file in another line keep their cues.
func TestFindingsWithoutPlace(t *testing.T) {
	var b strings.Builder
	for i := range 9 {
		fmt.Fprintf(&b, "error[E0%d]: cannot find value `a%d` in this scope\n --> src/f%d.rs:%d:5\n", 400+i, i, i, i+1)
	}
	b.WriteString("src/a.ts\n")
	for i := range 6 {
		fmt.Fprintf(&b, "  %d:5  error  'x%d' is not defined\n", i+3, i)
	}
	b.WriteString("error: script \"lint\" exited with code 1\n")
	text := Cut(b.String(), Hint{Command: "cargo build; bun run lint"})
	found := 0
	for i, p := range text.Pieces {
		if line := text.trimmed(i); strings.HasPrefix(line, "error") {
			if found++; p.Cue != message {
				t.Errorf("%q: cue %v", line, p.Cue)
			}
		}
	}
	if found != 10 {
		t.Errorf("%d errors", found)
	}
}

// TestCrowded checks that a text of very many tiny lines has few pieces, that a line that tells more than
// the others has a piece of its own, and that a text with fewer lines has a piece for each.
func TestCrowded(t *testing.T) {
	for _, line := range []string{"ok\n", "17\n"} {
		for _, lines := range []int{manyLines/2 - 1, manyLines} {
			source := strings.Repeat(line, lines) + "error: the sluice is shut\n" + strings.Repeat(line, lines)
			text := Cut(source, Hint{Tool: "Bash", Command: "cat build.log"})
			if crowded := lines == manyLines; crowded != (len(text.Pieces) < len(source)/mostCrowded*3/2) {
				t.Errorf("%q: %d lines have %d pieces", line, 2*lines, len(text.Pieces))
			}
			at, found := int32(0), false
			for _, p := range text.Pieces {
				if p.Start != at || p.End-p.Start > mostCrowded {
					t.Fatalf("%q: a piece is %v, after %d", line, p, at)
				}
				at = p.End
				found = found || source[p.Start:p.End] == "error: the sluice is shut\n" && p.Cue > 0
			}
			if int(at) != len(source) || !found {
				t.Errorf("%q: the pieces end at %d of %d, the error is found: %t", line, at, len(source), found)
			}
		}
	}
}
