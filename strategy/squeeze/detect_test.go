package squeeze

import "testing"

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
