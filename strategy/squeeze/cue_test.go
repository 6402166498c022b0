package squeeze

import (
	"slices"
	"strings"
	"testing"
)

func TestWordCue(t *testing.T) {
	tests := []struct {
		line string
		want float32
	}{
		{"error: no rule to make target", message},
		{"Error: (none)", none},
		{"error=null", none},
		{"error: nonexistent gate", message},
		{"fatal: not a git repository", message},
		{"2026-01-01 ERROR db: gone", message},
		{"ValueError: x", message},
		{"src/a.ts(1,2): error TS2345: no", message},
		{"hall.asm(3): error A2008: syntax", message},
		{"b.sql(3): error Z12: syntax", message},
		{"make: *** [all] Error 2", message},
		{"the error Axel saw", outline},
		{"bash: foo: command not found", outline},
		{"cat: a: No such file or directory", outline},
		{"Process exited with code 127", outline},
		{"Process exited with code 0", none},
		{"0 errors, 0 warnings", none},
		{"Failures: 0", none},
		{"errors=0", none},
		{"no errors", none},
		{"compiled errors.go", none},
		{"--fail-fast", none},
		{"wrote /var/err/out", none},
		{"handle_error(x)", none},
		{"this talks about an error in passing", outline},
		{"warning: unused", context},
		{"  ✗ adds", message},
		{"\x1b[31merror\x1b[0m: gone", message},
		{"\x1b[0K\x1b[1mFAILED\x1b[0m", message},
		{"Fehler: Datei fehlt", message},
		{"致命的なエラー", message},
		{"all is well", none},
		{"", none},
	}
	for _, tt := range tests {
		if got := wordCue(tt.line); got != tt.want {
			t.Errorf("%q: %v, want %v", tt.line, got, tt.want)
		}
	}
}

// TestEmphatic checks where a word for a failure is the message of one: in capitals, before a colon or a code, or as the
// first word.
func TestEmphatic(t *testing.T) {
	for line, want := range map[string]float32{
		"an ERROR occurred": message, "an Error occurred": outline, "it failed here": outline, "it Failed here": outline, "an error: it": message, "the error[E0308] it": message, "x [error] it": message,
		"error it": message, "  error it": message, "12 error it": message, "* error it": message, "the error 5": message, "the error 0": outline, "the error TS2": message,
		"the error A2:": message, "the error AB": outline, "the error ABC": outline, "é error it": outline, "\x1b[1merror it": message, "\x1b[1mthe error it": outline,
	} {
		if got := wordCue(line); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// TestInName checks that a word for a failure in a name is none.
func TestInName(t *testing.T) {
	for want, lines := range map[float32][]string{
		none: {"a_error: x", "/error: x", "\\error: x", ".error: x", "-error: x", "$error: x", "@error: x", "9error: x", "error_x: y", "error/x: y", "error\\x: y", "error9: y", "error.go: y",
			"error-9: y", "error(x): y", "error( x", "no error: x", "without error: x", "0 error: x", "error: 0", "error = 0", "error:0 x"},
		message: {"error(s): x", "error(5): x", "error. It", "error- x", "error: 0x5", "error: 0.5", "error: 01", "error: 10", "10 error: x", "1.0 error: x", "piano error: x"},
	} {
		for _, line := range lines {
			if got := wordCue(line); got != want && !(want == message && got == outline) {
				t.Errorf("%q: %v, want %v", line, got, want)
			}
		}
	}
	for line, want := range map[string]float32{
		"not found": outline, "it was found": none, "no such file": outline, "such a file": none, "exit code 1": outline, "exit code: 0": none, "exit status=2": outline, "exit (code 3)": outline, "exit, 5": none, "exit" + " code code code code code" + " 5": none,
	} {
		if got := min(wordCue(line), outline); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
}

// TestEscape checks the lengths of control sequences, and lines without them at their ends.
func TestEscape(t *testing.T) {
	for s, want := range map[string]int{"": 0, "\x1b": 0, "x": 0, "\x1b[": 2, "\x1b[m": 3, "\x1b[1;31mx": 7, "\x1b[2Kx": 4, "\x1b]0;x": 0, "\x1b[12": 4, "\x1b[@x": 3} {
		if got := escape(s); got != want {
			t.Errorf("%q begins with %d bytes of a sequence, want %d", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"": "", " a b ": "a b", "\x1b[31m a \x1b[0m": "a", "\x1b[1m\x1b[31ma\x1b[0m\x1b[0m": "a", "a\x1b[0mb": "a\x1b[0mb", "\x1b[31m": "", "a\x1b": "a\x1b",
	} {
		if got := uncoloured(s); got != want {
			t.Errorf("%q without colours is %q, want %q", s, got, want)
		}
	}
}

// TestCueInStrings checks that the words of a string in a long line of saved data are no error, and that
// those of a long line of a log are.
func TestCueInStrings(t *testing.T) {
	fill := strings.Repeat("gate 12 of the trail is open; ", 10)
	for line, want := range map[string]bool{
		fill + "Error: the gate at depth 3 failed, and the crew went home":                        true,
		fill + `Error: the gate failed\n\treturn \"stuck\"\n` + strings.Repeat("crew ", 9) + `\n`: false,
	} {
		cut := Cut("a.jsonl:1: "+line+"\n", Hint{Command: "rg gate ."})
		severe := slices.ContainsFunc(cut.Pieces, func(p Piece) bool { return p.Cue >= 1 && strings.Contains(cut.Source[p.Start:p.End], "Error") })
		if severe != want {
			t.Errorf("%q: an error: %t", line, severe)
		}
	}
}
