package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProjectFileIsRefused checks the keys with which a checkout could spend, send, redirect,
// identify or instruct.
func TestProjectFileIsRefused(t *testing.T) {
	for key, why := range map[string]string{
		"prices":          "it spends money",
		"models":          "it spends money",
		"session-id":      "it identifies the session",
		"prompt-file":     "it instructs the model",
		"focus":           "it instructs the model",
		"llm-cache":       sends,
		"llm-stream":      sends,
		"llm-temperature": sends,
		"retries":         "it spends money",
		"timeout":         "it spends money",
		"rpm":             "it spends money",
		"tpm":             "it spends money",
	} {
		c, problems := Parse([]byte("target: 40%\n" + key + ": 1"))
		c.Project, c.Dir = true, t.TempDir()
		problems = append(problems, c.CheckKeys([]string{"target", key})...)
		if len(problems) != 1 || problems[0].Line != 2 || !strings.Contains(problems[0].Err.Error(), key+" is not allowed in project files: "+why) {
			t.Errorf("%s: got %v", key, problems)
		}
		c.Project = false
		if problems := c.CheckKeys([]string{"target", key}); len(problems) > 0 {
			t.Errorf("%s in the user's file: %v", key, problems)
		}
	}
}

// TestPathsOfProject checks that a project file names only files and folders in its own folder, and that
// relative paths begin there.
func TestPathsOfProject(t *testing.T) {
	for _, key := range []string{"stash", "llm-cache", "models", "prices", "prompt-file", "baseline", "expect"} {
		c := parsed(t, "/p/condense.yaml", key+": ../beside")
		fs := flagsOf(key)
		if _, err := Resolve(fs, (&Settings{Files: []*File{c}}).Levels("")); err != nil {
			t.Errorf("%s: %v", key, err)
		}
		if got := fs.Lookup(key).Value.String(); got != filepath.FromSlash("/beside") {
			t.Errorf("%s is %q", key, got)
		}
		if c.Project = true; UserOnly[key] != "" {
			continue
		}
		if problems := c.CheckKeys([]string{key}); len(problems) != 1 || !strings.Contains(problems[0].Err.Error(), "is outside of") {
			t.Errorf("%s in a project file: %v", key, problems)
		}
	}
}

// TestTokenizerOfProject checks that a tokenizer.json of a project file is one in its folder, and that the name of a
// tokenizer is no path.
func TestTokenizerOfProject(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"o200k_base": "o200k_base", "tokenizer.json": filepath.Join(dir, "tokenizer.json"), "a/t.json": filepath.Join(dir, "a/t.json"), "../t.json": "", "/etc/passwd": "", "./../x": "",
	} {
		c := parsed(t, filepath.Join(dir, "condense.yaml"), "tokenizer: "+text)
		c.Project, c.Dir = true, dir
		if problems := c.CheckKeys([]string{"tokenizer"}); (len(problems) == 1 && strings.Contains(problems[0].Err.Error(), "is outside of")) != (want == "") {
			t.Errorf("%s: %v", text, problems)
		}
		if want == "" {
			continue
		}
		fs := flagsOf("tokenizer")
		if _, err := Resolve(fs, (&Settings{Files: []*File{c}}).Levels("")); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if got := fs.Lookup("tokenizer").Value.String(); got != want {
			t.Errorf("%s is read as %q, want %q", text, got, want)
		}
	}
}

// TestLimits checks which settings of which files are limits of a project.
func TestLimits(t *testing.T) {
	fs := someFlags()
	project, _ := Parse([]byte("target: 40%\nstrategy: dedupe\ncap: {Bash: 500}"))
	project.Path, project.Project = "/p/condense.yaml", true
	user, _ := Parse([]byte("profile-threshold: {work: 50}"))
	user.Path = "/u/condense.yaml"
	s := Settings{Env: func(string) string { return "" }, Files: []*File{project, user}}
	origins, err := Resolve(fs, s.Levels(""))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Limits(fs, origins), ", "); got != "cap Bash=500, target 40%" {
		t.Errorf("got %q", got)
	}
}

// TestInside checks that the paths in a project file stay in its folder, whatever links lead to.
func TestInside(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"p/sub", "other"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"p/out": "../other", "p/in": "sub", "p/broken": "../nowhere", "p/circle": "circle", "link": "p"} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	for _, dir := range []string{"p", "link"} {
		c := &File{Dir: filepath.Join(top, dir), Project: true}
		for path, want := range map[string]bool{
			"": true, ".": true, "sub": true, "sub/new/file": true, "new": true, "in/new": true, "a/../b": true,
			"..": false, "../other": false, "../other/new": false, "out": false, "out/new": false, "out/../../p/sub": true,
			"broken": false, "broken/new": false, "circle": false, "/": false, top: false, filepath.Join(top, "p", "sub"): true,
		} {
			if got := c.inside(c.resolve(path)); got != want {
				t.Errorf("in %s, %q is inside: %v, want %v", dir, path, got, want)
			}
		}
	}
	if (&File{Dir: filepath.Join(top, "gone")}).inside("/x") {
		t.Error("a path is inside of a folder that is gone")
	}
}
