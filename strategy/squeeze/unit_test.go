package squeeze

import (
	"strings"
	"testing"
)

func TestCommandKind(t *testing.T) {
	tests := []struct {
		command string
		want    Kind
	}{
		{"go test ./...", Test},
		{"cd a && CGO_ENABLED=0 go test -run X ./b | tail -5", Test},
		{"python -m pytest -x", Test},
		{"npm run test:unit 2>&1 | head", Test},
		{"make check", Test},
		{"timeout 60 cargo clippy", Compiler},
		{"npx tsc --noEmit", Compiler},
		{"rg -n 'a|b;c' src", Search},
		{"rg --files src", Listing},
		{"cat a.go | grep -n func", Search},
		{"find . -name '*.go' | xargs grep -n func", Search},
		{"git -C repo diff --cached", Diff},
		{"git show HEAD:src/a.py", Code},
		{"git --no-pager log -3", History},
		{"bash -lc 'sed -n 1,40p src/a.rs'", Code},
		{"nl -ba docs/a.md | sed -n '1,20p'", Prose},
		{"cat out.json", JSON},
		{"ls && go test ./...", Plain}, // both
		{"echo done", Plain},
		{"", Plain},
		{"'", Plain},
	}
	for _, tt := range tests {
		if got := commandKind(tt.command); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.command, got, tt.want)
		}
	}
}

func TestExpected(t *testing.T) {
	tests := []struct {
		h    Hint
		want Kind
	}{
		{Hint{}, Plain},
		{Hint{Tool: "Read", Path: "/a/b.go"}, Code},
		{Hint{Tool: "Read", Path: "/a/b.md"}, Prose},
		{Hint{Tool: "Grep", Path: "/a/b.go"}, Search},
		{Hint{Tool: "mcp__files__list_directory", Path: "/a"}, Listing},
		{Hint{Tool: "functions.search_files"}, Search},
		{Hint{Tool: "exec_command", Command: "sed -n 1,5p a.py"}, Code},
		{Hint{Tool: "Write", Arg: "content", Path: "a.py"}, Code},
		{Hint{Tool: "MultiEdit", Arg: "edits[2].new_string", Path: "a.md"}, Prose},
		{Hint{Tool: "Bash", Arg: "command"}, Code},
		{Hint{Tool: "apply_patch", Arg: "patch"}, Diff},
		{Hint{Tool: "Task", Arg: "prompt"}, Prose},
		{Hint{Tool: "get_weather"}, Plain},
	}
	for _, tt := range tests {
		if got := expected(tt.h); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.h, got, tt.want)
		}
	}
}

func TestWordCue(t *testing.T) {
	tests := []struct {
		line string
		want float32
	}{
		{"error: no rule to make target", message},
		{"fatal: not a git repository", message},
		{"2026-01-01 ERROR db: gone", message},
		{"ValueError: x", message},
		{"src/a.ts(1,2): error TS2345: no", message},
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

func TestDeclaration(t *testing.T) {
	tests := []struct {
		line  string
		cue   float32
		holds bool
	}{
		{"func Run(ctx context.Context) error {", outline, true},
		{"pub fn run() -> Result<()> {", outline, true},
		{"pub(crate) fn run() -> Result<()> {", outline, true},
		{"pub(crate) struct Valve {", outline, true},
		{"pub(in crate::valve) struct Valve;", outline, true},
		{"pub(crate) const LIMIT: u32 = 12;", outline / 2, false},
		{"pub(crate) static OPEN: bool = false;", none, false},
		{"pub(crate) use valve::Valve;", none, false},
		{"pub(crate) limit: u32,", none, false},
		{"public void run() {", outline, true},
		{"public void run()", outline, true},
		{"public int limit = most(1, 2);", none, false},
		{"static int most(int a, int b)", outline, true},
		{"int most(int a, int b) {", outline, true},
		{"most(1, 2);", none, false},
		{"private String name;", none, false},
		{"public", none, false},
		{"", none, false},
	}
	for _, tt := range tests {
		if cue, holds := declaration(tt.line, 0); cue != tt.cue || holds != tt.holds {
			t.Errorf("%s: %v, %v, want %v, %v", tt.line, cue, holds, tt.cue, tt.holds)
		}
	}
}

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
		{"src/a.ts(12,3): error TS2322: no", diagLine, message},
		{"  12:5  error  'x' is not defined  no-undef", diagLine, message},
		{"  12:5  warning  Unexpected console  no-console", diagLine, outline},
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

func TestRenderPhrases(t *testing.T) {
	source := func(parts ...string) string { return strings.Join(parts, "") }
	tests := []struct {
		name, source, want string
		keep               string // a byte for each piece: x is kept
	}{
		{"lines", source("the first line\n", "another one of them\n", "a third one\n"), "[2 lines omitted]\na third one\n", "..x"},
		{"one line", source("the first line that is long enough\n", "b\n"), "[1 line omitted]\nb\n", ".x"},
		{"no line break at the end", source("b\n", "the last line is long enough"), "b\n[1 line omitted]", "x."},
		{"carriage returns", source("b\r\n", "the last line is long enough\r\n"), "b\r\n[1 line omitted]\r\n", "x."},
		{"too short to gain", source("b\n", "short\n", "c\n"), source("b\n", "short\n", "c\n"), "x.x"},
		{"indentation is no gain", source("b\n", "                        }\n", "c\n"), source("b\n", "                        }\n", "c\n"), "x.x"},
		{"repeated", strings.Repeat("the same again and again\n", 9), "the same again and again\n[repeated 8 more times, omitted]\n", "x........"},
		{"similar", source("took 1 second for it\n", "took 2 seconds for a\n", "took 31 second for it\n", "took 4 second for it\n"), "took 1 second for it\ntook 2 seconds for a\n[2 similar lines omitted]\n", "xx.."},
		{"the first of them is gone too", source("took 1 second for it\n", "took 3 second for it\n"), "[2 lines omitted]\n", ".."},
		{"markers add up", source("[12 lines omitted]\n", "some line that stood here\n", "[3 similar lines omitted]\n", "b\n"), "[16 lines omitted]\nb\n", "x.xx"},
		{"markers alone stay", source("a\n", "[12 lines omitted]\n", "b\n"), source("a\n", "[12 lines omitted]\n", "b\n"), "x.x"},
		{"repetitions add up", source("tick tock tick tock\n", "[repeated 6 more times, omitted]\n", "tick tock tick tock\n"), "tick tock tick tock\n[repeated 7 more times, omitted]\n", "xx."},
		{"a number nobody wrote", source("[007 lines omitted]\n", "some line that stood here\n"), "[2 lines omitted]\n", ".."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := Cut(tt.source, Hint{Tool: "Bash", Command: "./x"})
			if len(tt.keep) != len(text.Pieces) {
				t.Fatalf("%d pieces: %+v", len(text.Pieces), text.Pieces)
			}
			keep := make([]bool, len(tt.keep))
			for i := range keep {
				keep[i] = tt.keep[i] == 'x'
			}
			if got := text.Render(keep); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// TestGutter: line numbers go with the first omission, unless the caller keeps them.
func TestGutter(t *testing.T) {
	source := "  1\tpackage a\n  2\t\n  3\tfunc F() {\n  4\t\treturn somewhere(else, entirely)\n  5\t}\n"
	text := Cut(source, Hint{Tool: "Bash", Command: "cat -n a.go"})
	keep := []bool{true, true, true, false, true}
	if got, want := text.Render(keep), "package a\n\nfunc F() {\n[1 line omitted]\n}\n"; got != want {
		t.Errorf("got %q", got)
	}
	text.Gutter = false
	if got, want := text.Render(keep), "  1\tpackage a\n  2\t\n  3\tfunc F() {\n[1 line omitted]\n  5\t}\n"; got != want {
		t.Errorf("got %q", got)
	}
	ranges := Cut("91→// A is a.\n92→func A() {\n93→\treturn\n10→// B is b.\n11→func B() {\n12→\treturn\n", Hint{Tool: "Bash", Command: "show a.go"})
	if got := ranges.gutter; got != "→" {
		t.Errorf("two ranges, the later lines first: the gutter is %q", got)
	}
	if text := Cut("1\tAda\n2\tBob\n3\tEve\n", Hint{Tool: "Bash", Command: "psql -At"}); text.Gutter {
		t.Error("numbers of a table are taken for line numbers")
	}
}

func TestKindNames(t *testing.T) {
	seen := map[string]bool{}
	for k := Plain; k <= Snapshot; k++ {
		if name := k.String(); name == "" || name == "unknown" || seen[name] {
			t.Errorf("kind %d is called %q", k, name)
		}
		seen[k.String()] = true
	}
	if got := Kind(200).String(); got != "unknown" {
		t.Error(got)
	}
}
