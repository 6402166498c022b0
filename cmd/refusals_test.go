package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/cmd/report"
	"condense/transcript/token"
)

// TestRefusals checks command lines that are refused before anything is done, and their neighbours that
// are not.
func TestRefusals(t *testing.T) {
	chat, err := os.ReadFile("../testdata/sessions/openai/array.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.json": string(chat), "b.json": string(chat), "sub/a.json": string(chat), "taken": "a file", "want/x": ""} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	outside := filepath.Join(t.TempDir(), "c.json")
	if err := os.WriteFile(outside, chat, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		line string
		code int
		want string // in the messages
	}{
		{"explain --message 0 a.json", exitUsage, "messages are numbered from 1"},
		{"explain --message 1 a.json", exitOK, ""},
		{"diff - -", exitUsage, "only one of two files can be standard input"},
		{"diff a.json -", exitOK, ""},
		{"diff - a.json", exitOK, ""},
		{"diff --calibrate auto a.json b.json", exitUsage, "--calibrate auto would count the two files in different units"},
		{"config init one.yaml two.yaml", exitUsage, "config init takes [FILE], and was given 2 arguments"},
		{"config init one.yaml", exitOK, ""},
		{"batch --out-dir taken/below a.json", exitOutput, "--out-dir"},
		{"batch -q --out-dir fresh a.json", exitOK, ""},
		{"check --expect want -u " + outside, exitUsage, "is elsewhere"},
		{"check --expect want -u want/x", exitUsage, "lies in the folder of --expect"},
		{"check --expect want -u a.json sub/a.json", exitOK, ""},
		{"check --expect want " + strings.Repeat("a.json ", 2), exitOK, ""},
		{"run --exec-timeout 0s a.json", exitUsage, "--exec-timeout takes a time such as 30s, not 0s"},
		{"run --session-id x a.json", exitUsage, "expected a UUID, or new"},
		{"validate absent.json", exitInput, "absent.json"},
		{"validate a.json", exitOK, ""},
	} {
		_, printed, code := run(chat, strings.Fields(tt.line)...)
		if code != tt.code || !strings.Contains(printed, tt.want) {
			t.Errorf("condense %s: exit code %d, want %d with %q: %s", tt.line, code, tt.code, tt.want, printed)
		}
	}
}

// TestRowText checks the sentence about the rows of a training set that do not fit.
func TestRowText(t *testing.T) {
	for want, rows := range map[string]*report.Rows{
		"1 of 5 rows do not fit within the target and are left as they are":                {Fit: 4, Left: 1},
		"2 of 2 rows do not fit within the target and are left out":                        {Dropped: 2},
		"3 of 7 rows do not fit within the target; 2 are left out, 1 are left as they are": {Fit: 4, Left: 1, Dropped: 2},
		"1,001 of 1,002 rows do not fit within the target and are left out":                {Fit: 1, Dropped: 1001},
	} {
		if got := rowText(rows); got != want {
			t.Errorf("%+v: %q, want %q", *rows, got, want)
		}
	}
	if a, b := rowText(nil), rowText(&report.Rows{Fit: 4}); a != "" || b != "" {
		t.Errorf("when all fit: %q, %q", a, b)
	}
}

// TestUnit checks that a baseline names the factor of a tokenizer, so that counts with another factor are
// not compared with it.
func TestUnit(t *testing.T) {
	exact, err := token.New("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	scaled, err := token.ForModel("claude-opus-4-5")
	if err != nil {
		t.Fatal(err)
	}
	if got := unit(exact); got != "o200k_base" {
		t.Errorf("an exact tokenizer is %q", got)
	}
	if got, want := unit(scaled), fmt.Sprintf("%s × %g", scaled.Name(), scaled.Scale().Factor); got != want || scaled.Scale().Factor == 1 {
		t.Errorf("a scaled tokenizer is %q, want %q", got, want)
	}
}

// TestVerbatim checks how a help text becomes Markdown: its indented lines are code between blank lines,
// and the signs in other lines are escaped.
func TestVerbatim(t *testing.T) {
	for text, want := range map[string]string{
		"one <file>\ntwo":                     "one \\<file\\>\ntwo",
		"see:\n  condense run *.json\nand so": "see:\n\n      condense run *.json\n\nand so",
		"see:\n\n  one\n\n  two\n\nand so":    "see:\n\n      one\n\n      two\n\nand so",
		"  one\n  two":                        "      one\n      two",
	} {
		if got := verbatim(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
