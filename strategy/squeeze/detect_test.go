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

// TestPrograms checks the kinds of the outputs of programs.
func TestPrograms(t *testing.T) {
	for want, commands := range map[Kind]string{
		Code:    "cat a.go;sed -n 1p a.go;head a.go;tail a.go;nl a.go;bat a.go;less a.go;more a.go;Get-Content a.go;type a.go;tac a.go;/usr/bin/cat a.go;cat.exe a.go;cat 'a.go';cat a.go -A",
		Search:  "rg x;grep x;egrep x;fgrep x;ag x;ack x;findstr x;Select-String x;ugrep x;zgrep x;git grep x",
		Listing: "ls;find;tree;fd x;fdfind x;eza;exa;dir;Get-ChildItem;rg --files;grep -l x;rg --files-with-matches x;grep -rl x;grep -ril x;grep -L x;grep -lr x;git ls-files;git ls-tree HEAD;git status;git diff --stat;git show --name-only;git diff --shortstat",
		Diff:    "diff a b;colordiff a b;delta;git diff;git show;git show HEAD;git format-patch;git stash show -p;git -C x diff;git -c a=b diff;git --git-dir x diff;git --work-tree x diff;git --no-pager diff",
		Test: "pytest;py.test;jest;vitest;mocha;rspec;phpunit;ctest;nox;tox;ava;bats;unittest;karma;gotestsum;go test;cargo test;cargo nextest run;npm test;npm run test:unit;yarn jest;pnpm vitest;bun test;deno test;mix test;swift test;" +
			"dotnet test;mvn test;gradle test;gradlew test;mvnw test;python -m unittest;python3 -m pytest;uv run pytest;poetry run pytest;rake spec;zig test;bazel test;composer test;just test;mise run test;task test;turbo test;nx test;playwright test;make test;make tests;make check",
		Compiler: "tsc;eslint;mypy;ruff;flake8;pylint;golangci-lint run;staticcheck;javac;gcc;g++;clang;clang++;cc;make;make all;cmake;ninja;biome;prettier;black;shellcheck;swiftc;rubocop;phpstan;vue-tsc;svelte-check;rustc;pyright;stylelint;cmake test;" +
			"go build;go vet;cargo check;cargo clippy;npm run build;npm run lint;yarn typecheck;pnpm type-check;bun compile;npm exec tsc;uv run mypy;uv run ruff",
		History: "git log;git reflog;git shortlog",
		Plain:   "echo;go run;npm install;git commit;git push diff;git;make-test;cat a.png;cat;ls && cat a.go;go version | cat a.go;python a.py;sort a | uniq",
		Table:   "cat a.csv;git show HEAD:a.csv;git show main:a.csv",
		Prose:   "git show HEAD:a.md;git show v1:docs/a.md;cat a.txt",
		Log:     "cat a.log;tail -f a.log",
	} {
		for command := range strings.SplitSeq(commands, ";") {
			if got := commandKind(command); got != want {
				t.Errorf("%s: %s, want %s", command, got, want)
			}
		}
	}
	for command, want := range map[string]Kind{
		"sudo ls": Listing, "time ls": Listing, "env A=b ls": Listing, "A=b ls": Listing, "npx tsc": Compiler, "exec ls": Listing, "command ls": Listing, "then ls": Listing, "do ls": Listing, "bunx tsc": Compiler,
		"timeout 5 ls": Listing, "timeout -k 5 5 ls": Listing, "(ls": Listing, "cat a.go | grep x": Search, "cat a.md | grep x": Prose, "echo x | grep x": Plain, "ls | wc": Listing, "go test | cat a.csv": Plain,
		"ls | xargs cat a.go": Code, "ls | xargs": Listing, "ls; ls": Listing, "ls || ls": Listing, "ls\nls": Listing, "ls & go test": Listing, "echo 'a; go test'": Plain, `echo "a\"; go test"`: Plain, `echo a\; go test`: Plain,
		"echo a; ls": Listing, "bash -c \"ls\"": Listing, "sh -c 'ls'": Listing, "zsh -lc 'ls'": Listing, "zsh -c ls": Listing, "/bin/bash -lc ls": Listing, " bash -lc ls": Listing,
		"ls" + strings.Repeat(" ", maxCommand) + "; go test": Listing, "ls;" + strings.Repeat(" ", maxCommand-10) + "go test": Plain,
	} {
		if got := commandKind(command); got != want {
			t.Errorf("%.60s: %s, want %s", command, got, want)
		}
	}
}

// TestRecognise checks how the lines of a text confirm what the call suggests, or replace it.
func TestRecognise(t *testing.T) {
	diff, search, trace := "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n", "a/b.go:1:x\na/b.go:2:y\n", strings.Repeat("    at f (/a/b.js:1:2)\n", 3)
	history := "abcdef0 one\nabcdef1 two\nabcdef2 three\n"
	for _, tt := range []struct {
		source string
		expect Kind
		h      Hint
		want   Kind
	}{
		{diff, Plain, Hint{}, Diff}, {diff, Code, Hint{}, Diff}, {diff, Prose, Hint{}, Diff}, {diff, Diff, Hint{}, Diff},
		{search, Code, Hint{}, Search}, {search, Prose, Hint{}, Prose}, {trace, Code, Hint{}, Trace}, {trace, Prose, Hint{}, Trace}, {history, Code, Hint{}, Code}, {history, Diff, Hint{}, Diff}, {history, Plain, Hint{}, History},
		{"no such file", Plain, Hint{Failed: true}, ToolError}, {"no such file", Test, Hint{Failed: true, Command: "x"}, ToolError}, {strings.Repeat("x\n", 5), Test, Hint{Failed: true}, Test},
		{strings.Repeat("x y\n", 12), Plain, Hint{Failed: true}, ToolError}, {strings.Repeat("x y\n", 13), Plain, Hint{Failed: true, Tool: "x"}, Plain}, {strings.Repeat("x", maxError+1), Plain, Hint{Failed: true, Tool: "x"}, Plain},
		{strings.Repeat("x\n", 5), Plain, Hint{Failed: true, Command: "x"}, Log},
		{"a.go\nb.go\n", Search, Hint{}, Listing}, {"a.go\nb.go\n--- PASS: TestX\n--- PASS: TestY\n", Search, Hint{Tool: "Grep"}, Listing}, {"a.go:1:x\none\ntwo words\n", Search, Hint{}, Search}, {"one\ntwo words\n", Search, Hint{Tool: "x"}, Plain},
		{"one two\n", Listing, Hint{}, Listing}, {"one two\n", Test, Hint{}, Test}, {"one two\n", Compiler, Hint{}, Compiler}, {"one two\n", Log, Hint{}, Log}, {"one two\n", Prose, Hint{}, Prose}, {"one two\n", Code, Hint{}, Code},
		{"one two\n", JSON, Hint{Path: "a.json"}, Code}, {"one two\n", NDJSON, Hint{Arg: "x"}, Code}, {"one two\n", HTML, Hint{Path: "a.html"}, Code}, {"one two\n", JSON, Hint{Tool: "x"}, Plain}, {"one two\n", Table, Hint{}, Log},
		{"one two\n", Plain, Hint{}, Prose}, {"one two\n", Plain, Hint{Tool: "x"}, Plain}, {"one two\n", Plain, Hint{Tool: "Bash"}, Log}, {"one two\n", Plain, Hint{Command: "x"}, Log}, {"one two\n", Plain, Hint{Command: "x", Arg: "y"}, Plain},
		{"it FAILED\n", Plain, Hint{Tool: "x"}, ToolError}, {"it FAILED\n", Plain, Hint{Command: "x"}, Log}, {"it FAILED\n" + strings.Repeat("x ", scanned), Plain, Hint{Tool: "x"}, Plain},
		{"- done\n- PASS it\n", Plain, Hint{}, Prose}, {"a.go\nb.go\nc.go\n", Plain, Hint{}, Listing},
		{strings.Repeat("\x00\x01", blobHead), Code, Hint{}, Binary},
	} {
		if got := recognise(tt.source, tt.expect, tt.h); got != tt.want {
			t.Errorf("%.40q, expected %s, with %+v: %s, want %s", tt.source, tt.expect, tt.h, got, tt.want)
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

func TestKindNames(t *testing.T) {
	seen := map[string]bool{}
	for k := range Kind(len(kindNames)) {
		if name := k.String(); name == "" || name == "unknown" || seen[name] {
			t.Errorf("kind %d is called %q", k, name)
		}
		seen[k.String()] = true
	}
	if got := Kind(200).String(); got != "unknown" {
		t.Error(got)
	}
}

// TestSearches checks which commands print what a search found, and which end in a search.
func TestSearches(t *testing.T) {
	for command, want := range map[string][2]bool{
		"rg -n open":                            {true, true},
		"grep -rn open . | head -20":            {true, false},
		"cd keel && git grep -n open | sort":    {true, false},
		"bash -lc 'rg open keel'":               {true, true},
		"cat a.go | grep open":                  {true, true},
		"rg open; make":                         {false, false},
		"go vet ./...":                          {false, false},
		"":                                      {false, false},
		"rg " + strings.Repeat("x", maxCommand): {false, false},
	} {
		if got := [2]bool{Searches(command), EndsInSearch(command)}; got != want {
			t.Errorf("%.40q: %v, want %v", command, got, want)
		}
	}
}
