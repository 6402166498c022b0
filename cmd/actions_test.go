package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The tests run the action and the hook like their hosts do. The script of the action runs in bash
// with its variables, and the entry of the hook with the files that match its pattern. If pre-commit
// is installed, it also runs the hook.

const (
	longChat = "[{\"role\": \"user\", \"content\": \"How do I list the files of a folder by size?\"},\n" +
		"{\"role\": \"assistant\", \"content\": \"With ls -lSh: l for a line each, S for size, h for units that can be read.\"}]\n"
	shortChat = "[{\"role\": \"user\", \"content\": \"Say hello.\"}]\n"
)

// repository creates a folder with a conversation that is too long, one that is not, and a file
// that is no conversation.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"sessions/long.json": longChat, "sessions/with a space.json": shortChat, "package.json": `{"name": "site", "version": "1.0.0", "dependencies": {}}`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAction(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	action, err := os.ReadFile("../.github/actions/condense/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, script, found := strings.Cut(string(action), "      run: |\n")
	if !found || strings.Contains(script, "${{") {
		t.Fatal("the script of the action is missing, or has an expression, through which an input could become code")
	}
	script = strings.ReplaceAll("\n"+script, "\n        ", "\n")
	dir, temp := repository(t), t.TempDir()
	if testing.Short() { // this test binary replaces the program that the script builds
		script = regexp.MustCompile(`(?m)^\(cd .* go build .*\)$`).ReplaceAllLiteralString(script, `test -f "$GITHUB_ACTION_PATH/../../../go.mod"`)
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(self, filepath.Join(temp, "condense")); err != nil {
			t.Fatal(err)
		}
	}
	path, err := filepath.Abs("../.github/actions/condense")
	if err != nil {
		t.Fatal(err)
	}
	run := func(paths, args string) (string, int) {
		c := exec.Command(bash, "-c", script)
		c.Dir = dir
		c.Env = append(os.Environ(), "GITHUB_ACTIONS=true", "CI=true", "GITHUB_WORKSPACE="+dir, "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"),
			"GITHUB_OUTPUT="+filepath.Join(temp, "output"), "GITHUB_ENV="+filepath.Join(temp, "env"), "GITHUB_PATH="+filepath.Join(temp, "path"),
			"GITHUB_ACTION_PATH="+path, "RUNNER_TEMP="+temp, "PATHS="+paths, "ARGS="+args)
		var printed strings.Builder
		c.Stderr = &printed
		out, _ := c.Output()
		t.Log(printed.String())
		return string(out), c.ProcessState.ExitCode()
	}
	want := "::error file=sessions/long.json,line=2,title=condense/max-tokens::message 2: "
	out, code := run("sessions\n", "--max-tokens 20 --valid")
	if code != 1 || strings.Count(out, "::error") != 1 || !strings.HasPrefix(out, want) {
		t.Errorf("exit code %d, want 1, with one annotation:\n%s", code, out)
	}
	if summary, err := os.ReadFile(filepath.Join(temp, "summary")); err != nil || !strings.HasPrefix(string(summary), "### condense check: 2 files, 1 error, 0 warnings\n") {
		t.Errorf("summary of the job: %v\n%s", err, summary)
	}
	if err := os.WriteFile(filepath.Join(dir, "sessions/long.json"), []byte(shortChat), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, code := run("sessions/long.json\nsessions/with a space.json", "--max-tokens 20 --valid"); code != 0 || out != "" {
		t.Errorf("exit code %d after the file is condensed:\n%s", code, out)
	}
	if out, code := run("sessions; touch owned\n$(touch owned)", "--max-tokens 20 ; touch owned"); code == 0 {
		t.Errorf("nonsense is accepted:\n%s", out)
	}
	if _, err := os.Stat(filepath.Join(dir, "owned")); err == nil {
		t.Error("an input was run as code")
	}
}

func TestHook(t *testing.T) {
	hooks, err := os.ReadFile("../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	field := func(name string) string {
		m := regexp.MustCompile(`(?m)^  ` + name + `: (.*)$`).FindStringSubmatch(string(hooks))
		if m == nil {
			t.Fatalf("the hook has no %s", name)
		}
		return strings.Trim(m[1], "'[]")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, bin := repository(t), t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "condense")); err != nil {
		t.Fatal(err)
	}
	var names []string
	wanted := regexp.MustCompile(field("files"))
	for _, name := range []string{"sessions/long.json", "sessions/with a space.json", "package.json", "main.go", "a.jsonl.gz", "json"} {
		if wanted.MatchString(name) {
			names = append(names, name)
		}
	}
	if len(names) != 4 {
		t.Errorf("the hook asks for %q", names)
	}
	run := func(args ...string) (string, int) {
		words := append(strings.Fields(field("entry")), append(args, names[:3]...)...)
		c := exec.Command(filepath.Join(bin, words[0]), words[1:]...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GITHUB_ACTIONS=")
		out, _ := c.CombinedOutput()
		return string(out), c.ProcessState.ExitCode()
	}
	if out, code := run(field("args")); code != 0 {
		t.Errorf("exit code %d by default:\n%s", code, out)
	}
	if out, code := run("--max-tokens", "20"); code != 1 || !strings.Contains(out, "sessions/long.json:2: message 2: ") {
		t.Errorf("exit code %d for a file over its budget:\n%s", code, out)
	}
}

// TestPreCommit lets pre-commit install the hook from the last commit of this repository and run it
// in another. The hook must fail, and pass after the file is condensed.
func TestPreCommit(t *testing.T) {
	if testing.Short() {
		t.Skip("pre-commit builds the program, which takes long")
	}
	for _, program := range []string{"pre-commit", "git"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s here", program)
		}
	}
	root, err := exec.Command("git", "rev-parse", "--show-toplevel", "HEAD").Output()
	here := strings.Fields(string(root))
	if err != nil || len(here) != 2 {
		t.Skip("this is not a git checkout")
	}
	// With the caches of this user, no module is fetched and no package is built twice.
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := repository(t)
	env := append(os.Environ(), "PRE_COMMIT_HOME="+t.TempDir(), "GOMODCACHE="+strings.TrimSpace(string(modules)), "GOFLAGS=-trimpath", "GITHUB_ACTIONS=")
	run := func(name string, args ...string) (string, int) {
		c := exec.Command(name, args...)
		c.Dir, c.Env = dir, env
		out, _ := c.CombinedOutput()
		return string(out), c.ProcessState.ExitCode()
	}
	config := "repos:\n- repo: " + here[0] + "\n  rev: " + here[1] + "\n  hooks: [{id: condense-check, args: [--valid, --max-tokens, '20']}]\n"
	if err := os.WriteFile(filepath.Join(dir, ".pre-commit-config.yaml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}} {
		if out, code := run("git", args...); code != 0 {
			t.Fatal(out)
		}
	}
	out, code := run("pre-commit", "run", "--color=never")
	if code != 1 || !strings.Contains(out, "condense check") || strings.Count(out, "(error)") != 1 || !strings.Contains(out, "\nsessions/long.json:2: message 2: condense/max-tokens: ") {
		t.Errorf("exit code %d, want 1, with one finding:\n%s", code, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "sessions/long.json"), []byte(shortChat), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, code := run("git", "add", "."); code != 0 {
		t.Fatal(out)
	}
	if out, code := run("pre-commit", "run", "--color=never"); code != 0 {
		t.Errorf("exit code %d once it is mended:\n%s", code, out)
	}
}
