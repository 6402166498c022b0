package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"condense/strategy"
)

// TestConfigMatches checks which files the glob of a section matches.
func TestConfigMatches(t *testing.T) {
	t.Setenv("HOME", "/home/u")
	for _, tt := range []struct {
		glob, path    string
		project, user bool
	}{
		{"*.jsonl", "/p/a.jsonl", true, true},
		{"*.jsonl", "/p/deep/a.jsonl", true, true},
		{"/*.jsonl", "/p/a.jsonl", true, false},
		{"/*.jsonl", "/p/deep/a.jsonl", false, false},
		{"deep/**", "/p/deep/b/a.jsonl", true, true},
		{"*.jsonl", "/elsewhere/a.jsonl", false, true},
		{"/p/deep/*", "/p/deep/a.jsonl", false, true},
		{"~/.claude/**", "/home/u/.claude/projects/a.jsonl", false, true},
		{"~/.claude/**", "/home/v/.claude/projects/a.jsonl", false, false},
		{"*", "-", false, false},
		{"*", "", false, false},
	} {
		var glob strategy.Glob
		if err := glob.UnmarshalText([]byte(tt.glob)); err != nil {
			t.Fatal(err)
		}
		for project, want := range map[bool]bool{true: tt.project, false: tt.user} {
			c := &File{Dir: "/p", Project: project}
			if got := c.matches(fileSection{glob: glob}, tt.path); got != want {
				t.Errorf("%s on %s, project %v: %v", tt.glob, tt.path, project, got)
			}
		}
	}
}

// TestMatchesLinks checks that the glob of a project file matches a file that was named through a link, and not one
// that a link leads out of the project.
func TestMatchesLinks(t *testing.T) {
	top := t.TempDir()
	write(t, filepath.Join(top, "p", "logs", "a.jsonl"), "")
	write(t, filepath.Join(top, "other", "b.jsonl"), "")
	for link, to := range map[string]string{"link": "p", "p/out": "../other"} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	var glob strategy.Glob
	if err := glob.UnmarshalText([]byte("/logs/*.jsonl")); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"p", "link"} {
		c := &File{Dir: filepath.Join(top, dir), Project: true}
		for path, want := range map[string]bool{
			"p/logs/a.jsonl": true, "link/logs/a.jsonl": true, "other/b.jsonl": false, "p/logs/missing.jsonl": dir == "p", "link/logs/missing.jsonl": dir == "link",
		} {
			if got := c.matches(fileSection{glob: glob}, filepath.Join(top, path)); got != want {
				t.Errorf("in %s the glob matches %s: %v, want %v", dir, path, got, want)
			}
		}
	}
}

// TestEnvironment checks that a variable sets the flag of its name, that an empty one sets nothing, and that it is
// stronger than a file.
func TestEnvironment(t *testing.T) {
	env := func(name string) string {
		return map[string]string{"CONDENSE_KEEP_LAST": "4", "CONDENSE_PIN": ""}[name]
	}
	fs := flagsOf("keep-last pin")
	c := parsed(t, "c.yaml", "keep-last: 5\npin: a")
	origins, err := Resolve(fs, (&Settings{Env: env, Files: []*File{c}}).Levels(""))
	if err != nil || fs.Lookup("keep-last").Value.String() != "4" || fs.Lookup("pin").Value.String() != "a" {
		t.Errorf("keep-last is %s, pin %s, %v", fs.Lookup("keep-last").Value, fs.Lookup("pin").Value, err)
	}
	if origins["keep-last"] != "CONDENSE_KEEP_LAST" || origins["pin"] != "c.yaml:2" {
		t.Errorf("the origins are %v", origins)
	}
}

// TestMisspelt checks which variables are reported: those that resemble one that sets a flag.
func TestMisspelt(t *testing.T) {
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); strings.HasPrefix(name, "CONDENSE_") {
			t.Setenv(name, "")
		}
	}
	for _, name := range []string{"CONDENSE_TRAGET", "CONDENSE_KEEPLAST", "CONDENSE_TARGET", "CONDENSE_CONFIG", "CONDENSE_CONFG", "CONDENSE_EXEC_PIN", "CONDENSE_SOMETHING", "CONDENSX_PIN"} {
		t.Setenv(name, "1")
	}
	t.Setenv("CONDENSE_PINN", "")
	var got []string
	for _, err := range Misspelt(os.Getenv, []string{"target", "keep-last", "pin"}) {
		got = append(got, err.Error())
	}
	want := []string{
		"the variable CONDENSE_CONFG sets no flag: did you mean CONDENSE_CONFIG?",
		"the variable CONDENSE_KEEPLAST sets no flag: did you mean CONDENSE_KEEP_LAST?",
		"the variable CONDENSE_TRAGET sets no flag: did you mean CONDENSE_TARGET?",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
