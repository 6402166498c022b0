package cmd

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"condense/cmd/batch"
	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/strategy"
)

// writeAll writes files into the current folder.
func writeAll(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// broken is an output that takes nothing.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("the pipe is closed") }

// TestBrokenOutput checks that a command whose output cannot be written says so, and exits with 5.
func TestBrokenOutput(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	one := `[{"role": "user", "content": "Say hello."}, {"role": "assistant", "content": "Hello."}]`
	two := strings.Replace(one, "Hello.", "Hello, you.", 1)
	writeAll(t, map[string]string{"a.json": one, "b.json": two, "rows.jsonl": `{"messages": ` + one + "}\n", "condense.yaml": "strategy: nothing\n"})
	for _, line := range []string{
		"run -q a.json", "filter -q rows.jsonl", "diff -q a.json b.json", "diff -q --stat a.json b.json", "diff --json a.json b.json",
		"stats a.json", "tokens a.json", "view a.json", "explain a.json", "compare -q a.json", "validate --json a.json",
		"check -q --max-tokens 1 a.json", "repair --json -n a.json", "formats", "strategies", "models", "config check condense.yaml", "config show",
		"ls", "man", "version",
	} {
		var printed bytes.Buffer
		env := func(name string) string { return map[string]string{"HOME": home, "CONDENSE_CONFIG": "none"}[name] }
		code := Main(strings.Fields(line), strings.NewReader(""), broken{}, &printed, env)
		if code != exitOutput || !strings.Contains(printed.String(), "the pipe is closed") {
			t.Errorf("condense %s: exit code %d: %s", line, code, printed.String())
		}
	}
}

// TestBrokenErrors checks that a command whose result goes to standard error exits with 5 if it cannot be written.
func TestBrokenErrors(t *testing.T) {
	env := func(string) string { return "" }
	args := []string{"stash", "gc", "--stash", t.TempDir()}
	var printed bytes.Buffer
	if code := Main(args, strings.NewReader(""), &printed, &printed, env); code != exitOK || printed.Len() == 0 {
		t.Fatalf("exit code %d: %s", code, printed.String())
	}
	if code := Main(args, strings.NewReader(""), &printed, broken{}, env); code != exitOutput {
		t.Errorf("exit code %d", code)
	}
}

// untouched is an input from which nothing may be read.
type untouched struct{ t *testing.T }

func (u untouched) Read([]byte) (int, error) {
	u.t.Error("the input was read")
	return 0, io.EOF
}

// TestTakenOutput checks that a filter which cannot write its output takes nothing from a pipe.
func TestTakenOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	writeAll(t, map[string]string{"taken.jsonl": "a file\n"})
	var printed bytes.Buffer
	code := Main([]string{"filter", "-o", "taken.jsonl"}, untouched{t}, &printed, &printed, func(string) string { return "" })
	if code != exitOutput || !strings.Contains(printed.String(), "taken.jsonl") {
		t.Errorf("exit code %d: %s", code, printed.String())
	}
}

// TestQuiet checks that -q leaves standard error empty where nothing is wrong.
func TestQuiet(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	chat := `[{"role": "user", "content": "Say hello."}, {"role": "tool", "tool_call_id": "c1", "content": "x"}, {"role": "assistant", "content": "Hello."}]`
	writeAll(t, map[string]string{"torn.json": chat, "rows.jsonl": `{"messages": [{"role": "user", "content": "Say hello."}]}` + "\n"})
	for _, line := range []string{
		"filter -q rows.jsonl", "run -q rows.jsonl", "batch -q --out-dir to rows.jsonl", "check -q --max-tokens 1k rows.jsonl", "diff -q rows.jsonl rows.jsonl",
		"compare -q rows.jsonl", "repair -q -w torn.json", "undo -q torn.json",
	} {
		if code, _, printed := atHome(home, strings.Fields(line)...); code != exitOK || printed != "" {
			t.Errorf("condense %s: exit code %d, %q", line, code, printed)
		}
	}
	if got, err := os.ReadFile("torn.json"); err != nil || string(got) != chat {
		t.Errorf("%q was not put back: %v", got, err)
	}
	if _, _, printed := atHome(home, "repair", "-w", "torn.json"); !strings.Contains(printed, "condense undo torn.json puts the old content back\n") {
		t.Errorf("without -q: %q", printed)
	}
	if _, _, printed := atHome(home, "filter", "absent.jsonl"); strings.Contains(printed, "0 conversations") || !strings.Contains(printed, "absent.jsonl") {
		t.Errorf("a filter that has not begun has no counts: %q", printed)
	}
}

// TestSettingsOfOneFile checks that wrong settings for one of several files are refused, and that settings for
// single files are checked like the flags of the command.
func TestSettingsOfOneFile(t *testing.T) {
	t.Chdir(t.TempDir())
	chat := `[{"role": "user", "content": "Say hello."}]`
	writeAll(t, map[string]string{"a.json": chat, "odd/b.json": chat, "count/c.json": chat})
	for _, tt := range []struct {
		settings, line string
		code           int
		want           string
	}{
		{"files:\n  'odd/**': {format: nonsense}\n", "diff a.json odd/b.json", exitUsage, "nonsense"},
		{"files:\n  'odd/**': {format: nonsense}\n", "diff odd/b.json a.json", exitUsage, "nonsense"},
		{"files:\n  'odd/**': {format: nonsense}\n", "diff a.json count/c.json", exitOK, ""},
		{"files:\n  'odd/**': {calibrate: auto}\n", "diff a.json odd/b.json", exitUsage, "--calibrate auto would count"},
		{"files:\n  'odd/**': {calibrate: auto}\n", "diff odd/b.json a.json", exitUsage, "--calibrate auto would count"},
		{"files:\n  'odd/**': {min-savings: 200%}\n", "check --max-tokens 1k a.json odd/b.json", exitUsage, "--min-savings is a share, not more than 100%"},
		{"files:\n  'odd/**': {min-savings: 200%}\n", "check --max-tokens 1k a.json count/c.json", exitOK, ""},
		{"files:\n  'count/**': {calibrate: 1.5}\n", "check --max-tokens 1k a.json count/c.json", exitUsage, "its settings count tokens in another way"},
	} {
		writeAll(t, map[string]string{"condense.yaml": tt.settings})
		if _, printed, code := run(nil, strings.Fields(tt.line)...); code != tt.code || !strings.Contains(printed, tt.want) {
			t.Errorf("%s with %q: exit code %d, want %d with %q: %s", tt.line, tt.settings, code, tt.code, tt.want, printed)
		}
	}
}

// TestConfigCheckTrust checks that the user's own file may start programs, and that of a project must not,
// when condense config check finds the two itself.
func TestConfigCheckTrust(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	check := func() (code int, out, printed string) {
		var stdout, stderr bytes.Buffer
		env := func(name string) string {
			return map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "own")}[name]
		}
		code = Main([]string{"config", "check"}, strings.NewReader(""), &stdout, &stderr, env)
		return code, stdout.String(), stderr.String()
	}
	starts := "strategy: exec:./mine\n"
	writeAll(t, map[string]string{"own/condense/condense.yaml": starts, "project/.git/HEAD": "", "project/condense.yaml": "target: 50%\n"})
	t.Chdir("project")
	if code, out, printed := check(); code != exitOK || printed != "2 files, nothing wrong\n" {
		t.Errorf("exit code %d: %s%s", code, out, printed)
	}
	writeAll(t, map[string]string{"condense.yaml": starts})
	if code, out, printed := check(); code != exitUsage || strings.Count(out, "\n") != 1 ||
		!strings.Contains(out, "project/condense.yaml:1: strategy is not allowed in project files") {
		t.Errorf("exit code %d: %s%s", code, out, printed)
	}
}

// TestBatchErrors checks the exit codes of errors that end a batch.
func TestBatchErrors(t *testing.T) {
	for _, tt := range []struct {
		err  error
		code int
	}{
		{&batch.WalkError{}, exitInput},
		{&batch.PlaceError{}, exitOutput},
		{&batch.TakenError{}, exitOutput},
		{&batch.ManifestError{Kind: batch.Unwritable}, exitOutput},
		{&batch.ManifestError{Kind: batch.Unreadable}, exitInput},
		{&strategy.AskError{Err: fs.ErrInvalid}, exitBackend},
		{&strategy.StageError{}, exitPolicy},
	} {
		if code := exitCode(t.Context(), tt.err); code != tt.code {
			t.Errorf("%T: exit code %d, want %d", tt.err, code, tt.code)
		}
	}
}

// TestLeftError checks the sentence about conversations that failed: it names one with its reason, and
// counts several.
func TestLeftError(t *testing.T) {
	list := func(reasons ...string) *report.Report {
		r := &report.Report{}
		for i, reason := range reasons {
			r.Conversations = append(r.Conversations, report.Conversation{Number: i + 1, ID: string(rune('a' + i)), Failed: reason})
		}
		return r
	}
	for want, r := range map[string]*report.Report{
		"conversation 2 (b) was left as it is: too odd":                                                   list("", "too odd", ""),
		"2 of 3 conversations were left as they are, 1, 3; conversation 1 (a) was left as it is: too odd": list("too odd", "", "another"),
	} {
		if got := (&leftError{r}).Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestFirstDifferent checks the line that a finding of --expect names.
func TestFirstDifferent(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		line int
	}{
		{"", "x", 1}, {"x", "", 1}, {"one\ntwo\n", "one\nTWO\n", 2}, {"one\n", "one\ntwo\n", 2}, {"one\ntwo\n", "one\n", 2}, {"one", "one\ntwo", 1}, {"a\nb\nc", "a\nb\nd", 3}, {"\na", "\nb", 2},
	} {
		if got := firstDifferent([]byte(tt.a), []byte(tt.b)); got != tt.line {
			t.Errorf("%q and %q: line %d, want %d", tt.a, tt.b, got, tt.line)
		}
	}
}

// TestExamShare checks that a target in tokens becomes a share of the whole conversation, for the part that an
// exam cuts off.
func TestExamShare(t *testing.T) {
	targets, err := parseTargets("25%,1k,1m")
	if err != nil {
		t.Fatal(err)
	}
	cut := &examCut{whole: 4000}
	for i, want := range []strategy.Target{{Share: .25}, {Share: .25}, {Share: 1}} {
		if got := cut.share(targets[i]); got != want {
			t.Errorf("%s: %+v, want %+v", targets[i].text, got, want)
		}
	}
}

// TestQuoted checks the words of commands that are printed to be copied: a shell reads them as they were.
func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{
		"":              "''",
		"a.jsonl":       "a.jsonl",
		"a b":           "'a b'",
		"it's":          `'it'\''s'`,
		"$HOME":         "'$HOME'",
		"=ls":           "'=ls'", // a path of the program ls in zsh
		"tool=x":        "tool=x",
		"/x/Ü.json":     "'/x/Ü.json'",
		"a:b,c%d+e_f-g": "a:b,c%d+e_f-g",
	} {
		if got := quoted(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

// TestOldFilesNote checks the note about old files that were too many to search.
func TestOldFilesNote(t *testing.T) {
	for skipped, want := range map[int]string{
		0: "", 1: "condense: 1 old file of condense undo not searched: only the newest are, ", 2: "condense: 2 old files of condense undo not searched: only the newest are, ",
	} {
		var b strings.Builder
		(&removals{skipped: skipped}).note(&b)
		if got := b.String(); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%d: %q", skipped, got)
		}
	}
}

// TestRefusedOutcome checks that a file which cannot be condensed meets no demand on the output, and that
// its findings belong to the file and not to one of its conversations.
func TestRefusedOutcome(t *testing.T) {
	j := &judge{gated: gate.Gated{Demands: []string{"max-tokens", "min-savings", "expect"}}}
	j.refused(errors.New("too odd"))
	if len(j.gated.Findings) != 2 {
		t.Fatalf("%d findings, want those of min-savings and expect", len(j.gated.Findings))
	}
	for _, f := range j.gated.Findings {
		if f.Conversation != 0 || f.Message != 0 || f.Text != "too odd" || f.Demand == "max-tokens" {
			t.Errorf("%+v", f)
		}
	}
}

// TestUndoLimit checks that a run removes old content when the store of condense undo has grown over its limit:
// that which was used longest ago.
func TestUndoLimit(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	session := `[{"role": "user", "content": "Say hello."}, {"role": "tool", "tool_call_id": "c1", "content": "x"}, {"role": "assistant", "content": "Hello."}]`
	writeAll(t, map[string]string{"a.json": session, "b.json": session})
	if code, _, printed := atHome(home, "repair", "-q", "-w", "a.json"); code != exitOK {
		t.Fatal(printed)
	}
	store := filepath.Join(home, ".local/state/condense/undo")
	entries, err := filepath.Glob(filepath.Join(store, "*", "*"))
	if err != nil || len(entries) != 1 {
		t.Fatalf("the entries are %q: %v", entries, err)
	}
	old := time.Now().Add(-time.Hour)
	if err := errors.Join(os.Truncate(entries[0], undoLimit), os.Chtimes(entries[0], old, old), os.Truncate(filepath.Join(store, "tally"), 1<<20)); err != nil {
		t.Fatal(err)
	}
	if code, _, printed := atHome(home, "repair", "-q", "-w", "b.json"); code != exitOK {
		t.Fatal(printed)
	}
	left, err := filepath.Glob(filepath.Join(store, "*", "*"))
	if err != nil || len(left) != 1 || left[0] == entries[0] {
		t.Errorf("the entries are %q: %v", left, err)
	}
}
