package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var slow = flag.Bool("slow", false, "build the renamed module, test its structure, and install it")

// The paths of the tests. old is a constant, because a change of this module would find a whole path here.
const (
	old     = "condense"
	renamed = "github.com/someone/condense"
)

// copyTree copies the tree to a folder, without .git.
func copyTree(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	top, err := os.ReadDir("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range top {
		from, to := filepath.Join("../../..", e.Name()), filepath.Join(dir, e.Name())
		switch {
		case e.Name() == ".git" || e.Name() == "dist":
			continue
		case e.IsDir():
			err = os.CopyFS(to, os.DirFS(from))
		case e.Type().IsRegular():
			var text []byte
			if text, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(to, text, 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run runs a program in a folder, with more variables, and returns what it prints.
func run(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// TestSet changes the path of a copy of this module. Go must find all imports of all packages and
// tests, and no file may need gofmt.
func TestSet(t *testing.T) {
	dir := copyTree(t)
	if n, err := set(dir, renamed); err != nil || n < 400 {
		t.Fatalf("%d files changed: %v", n, err)
	}
	if n, err := set(dir, renamed); err != nil || n != 0 {
		t.Errorf("the same path again changes %d files: %v", n, err)
	}
	offline := []string{"GOFLAGS=-mod=mod", "GOPROXY=off"}
	if out := run(t, dir, offline, "go", "list", "-f", "{{.ImportPath}}", "./..."); strings.Count(out, renamed+"/") < 40 || strings.Count("\n"+out, "\n"+renamed) != strings.Count(out, "\n") {
		t.Errorf("the packages are\n%s", out)
	}
	run(t, dir, offline, "go", "list", "-deps", "-test", "./...")
	run(t, filepath.Join(dir, "testdata", "endtoend"), offline, "go", "list", "-deps", "-test", "./...")
	run(t, dir, []string{"GOFLAGS=-trimpath"}, "go", "vet", "./transcript/token")
	if out := run(t, dir, nil, "gofmt", "-l", "."); out != "" {
		t.Errorf("gofmt would change\n%s", out)
	}
	for name, want := range map[string]string{
		".github/docs/library.md": "`" + renamed + "/strategy/condense`",
		".github/docs/ci.md":      "- uses: someone/condense/.github/actions/condense@",
		".pre-commit-hooks.yaml":  "  entry: condense check ",
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s has no %q: %v", name, want, err)
		}
	}
	if *slow {
		install(t, dir)
		run(t, dir, []string{"GOFLAGS=-trimpath"}, "go", "vet", "./...")
		run(t, dir, []string{"GOFLAGS=-trimpath"}, "go", "test", "./cmd", "-run", "Layers|Files|Exports|Readme|Documents|Reference|Action|Hook")
		run(t, dir, []string{"GOFLAGS=-trimpath"}, "go", "test", "./scripts/coverage", "./scripts/readability", "./cmd/ui/...", "./strategy", "./transcript/...")
	}
}

// install publishes the module in dir as a version in a local repository of git, and installs it from there like a
// user does.
func install(t *testing.T, dir string) {
	t.Helper()
	git := []string{"git", "-c", "user.name=a", "-c", "user.email=a@b.invalid", "-c", "commit.gpgsign=false"}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-qm", "a version"}, {"tag", "v0.1.0"}} {
		run(t, dir, nil, append(git, args...)...)
	}
	cache := strings.TrimSpace(run(t, dir, nil, "go", "env", "GOMODCACHE"))
	bin := t.TempDir()
	run(t, t.TempDir(), []string{
		"GOBIN=" + bin, "GOMODCACHE=" + t.TempDir(), "GOPROXY=file://" + cache + "/cache/download,direct", "GONOSUMDB=*", "GOFLAGS=-modcacherw -trimpath",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://" + dir + ".insteadOf", "GIT_CONFIG_VALUE_0=https://" + renamed,
	}, "go", "install", renamed+"@v0.1.0")
	if got := run(t, bin, nil, filepath.Join(bin, "condense"), "version"); got != "condense v0.1.0 (from go install)\n" {
		t.Errorf("condense version prints %q", got)
	}
}

// TestSetAgain changes a path to one with another name and a version, and from there.
func TestSetAgain(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"go.mod":                 "module condense\n\ngo 1.26.0\n",
		"testdata/e/go.mod":      "module e\n\nrequire condense v0.0.0\n\nreplace condense => ../..\n",
		"main.go":                "package main\n\nimport \"" + old + "/cmd\"\n\nfunc main() { cmd.Main(\"condense/max-tokens\") }\n",
		".pre-commit-hooks.yaml": "- id: condense-check\n  entry: condense check --skip-others\n",
		"README.md":              "`go install github.com/OWNER/" + old + "@latest`, OWNER/" + old + "/.github/actions, `" + old + "/cmd`, in ~/condense/cmd\n",
		"testdata/s.json":        "condense/cmd",
	}
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		write(name, text)
	}
	check := func(want map[string]string) {
		t.Helper()
		for name, text := range want {
			if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != text {
				t.Errorf("%s: %v, %q, want %q", name, err, got, text)
			}
		}
	}
	for _, bad := range []string{"", "condense", "github.com", "https://github.com/a/b", "github.com/a b/c", "github.com/../c", "./a.b/c"} {
		if _, err := set(dir, bad); err == nil {
			t.Errorf("%q is a path", bad)
		}
	}
	check(files)
	if n, err := set(dir, "example.org/me/shrink/v2"); n != 5 || err != nil {
		t.Errorf("%d files changed, %v", n, err)
	}
	check(map[string]string{
		"go.mod":                 "module example.org/me/shrink/v2\n\ngo 1.26.0\n",
		"testdata/e/go.mod":      "module e\n\nrequire example.org/me/shrink/v2 v0.0.0\n\nreplace example.org/me/shrink/v2 => ../..\n",
		"main.go":                "package main\n\nimport \"example.org/me/shrink/v2/cmd\"\n\nfunc main() { cmd.Main(\"condense/max-tokens\") }\n",
		".pre-commit-hooks.yaml": "- id: condense-check\n  entry: shrink check --skip-others\n",
		"README.md":              "`go install example.org/me/shrink/v2@latest`, example.org/me/shrink/.github/actions, `example.org/me/shrink/v2/cmd`, in ~/condense/cmd\n",
		"testdata/s.json":        "condense/cmd",
	})
	if n, err := set(dir, renamed); n != 5 || err != nil {
		t.Errorf("%d files changed again, %v", n, err)
	}
	check(map[string]string{
		"go.mod": "module " + renamed + "\n\ngo 1.26.0\n", ".pre-commit-hooks.yaml": files[".pre-commit-hooks.yaml"],
		"README.md": "`go install " + renamed + "@latest`, someone/condense/.github/actions, `" + renamed + "/cmd`, in ~/condense/cmd\n",
	})
}
