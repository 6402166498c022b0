package cmd

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"condense/transcript/format"
)

// TestFormatErrors checks the exit codes and hints for errors of the library, which
// have no exit codes and name no flags.
func TestFormatErrors(t *testing.T) {
	const chat = `{"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]}`
	decode := func(src, name string) error {
		_, err := format.Decode([]byte(src), name)
		return err
	}
	with := func(o format.Options) error {
		file, err := format.Decode([]byte(chat), "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = file.With(o)
		return err
	}
	rename := func() error {
		file, err := format.Decode([]byte(chat), "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = file.Rename("x")
		return err
	}
	for _, tt := range []struct {
		err  error
		code int
		hint string
	}{
		{decode("", ""), exitInput, ""},
		{decode("{", ""), exitInput, "the file was cut off"},
		{decode(`{"a": 1}`, ""), exitInput, "--format NAME says which it is"},
		{decode(`{"a": 1}`, "claude-code"), exitInput, "condense formats lists them"},
		{decode(chat, "claude-code"), exitInput, "leave --format out, or use --format openai"},
		{decode(chat, "nosuch"), exitUsage, "formats: claude-code, qwen-code, codex, "},
		{with(format.Options{Tag: true}), exitUsage, "only tasks of Roo Code take --tag"},
		{rename(), exitUsage, ""},
	} {
		if code := exitCode(t.Context(), &namedError{"a.json", tt.err}); code != tt.code {
			t.Errorf("%v: exit code %d, want %d", tt.err, code, tt.code)
		}
		if hint := errorHint(tt.err); !strings.Contains(hint, tt.hint) || tt.hint == "" && hint != "" {
			t.Errorf("%v: hint %q, want %q", tt.err, hint, tt.hint)
		}
	}
}

// TestErrorsAreBounded checks that an error quotes only the beginning of a long argument.
func TestErrorsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for _, args := range [][]string{{"run", "-", "--format", long}, {"run", "-", "--target", long}, {"run", long}, {long}} {
		_, printed, code := run([]byte(`[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]`), args...)
		if code == exitOK || len(printed) > 5000 || !strings.Contains(printed, "xxx") {
			t.Errorf("%.60q: exit code %d, %d bytes: %.300s", args, code, len(printed), printed)
		}
	}
}

// TestPrintedNamesAreBounded checks that what commands print of a call stays short if its id and its name are long.
func TestPrintedNamesAreBounded(t *testing.T) {
	src := fmt.Sprintf(`[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"%s","type":"function","function":{"name":"%s","arguments":"{}"}}]},{"role":"user","content":"b"}]`,
		strings.Repeat("i", 100_000), strings.Repeat("n", 100_000))
	for _, args := range [][]string{{"repair", "-", "-n"}, {"stats", "-"}, {"validate", "-"}, {"run", "-", "-n", "-v", "-t", "1"}, {"explain", "-", "-t", "1"}} {
		out, printed, _ := run([]byte(src), args...)
		if n := len(out) + len(printed); n == 0 || n > 8000 {
			t.Errorf("%q prints %d bytes: %.300s", args, n, out)
		}
	}
}

// TestRepeatedKeys checks that a run warns if it changes a file with two members of one key.
func TestRepeatedKeys(t *testing.T) {
	const note = `line 2: an object has two members \"content\"; the last one counts`
	long := strings.Repeat("A line of the log that nobody needs. ", 300)
	for _, content := range []string{`"content":"` + long + `"`, `"content":"a","content":"` + long + `"`} {
		src := `[{"role":"user","content":"go on"},` + "\n" + `{"role":"assistant",` + content + `},{"role":"user","content":"thanks"},{"role":"assistant","content":"Done."}]`
		_, printed, code := run([]byte(src), "run", "-", "-s", "truncate", "-t", "10%", "--report-format", "json")
		if code != exitOK || strings.Contains(printed, note) != strings.Contains(content, `"a"`) {
			t.Errorf("exit code %d: %.600s", code, printed)
		}
	}
}

// TestNewWarningIsNoted checks that a report has the warnings of condense validate that only the output has.
func TestNewWarningIsNoted(t *testing.T) {
	for name, want := range map[string]bool{"gemini/request.json": true, "anthropic/request.json": false} {
		src, err := os.ReadFile("../testdata/sessions/" + name)
		if err != nil {
			t.Fatal(err)
		}
		_, printed, code := run(src, "run", "-", "-s", "truncate", "-t", "20%", "--report-format", "json")
		if got := strings.Contains(printed, "condense validate has a new warning: message"); code != exitOK || got != want {
			t.Errorf("%s: exit code %d, noted %v, want %v:\n%.900s", name, code, got, want, printed)
		}
	}
}
