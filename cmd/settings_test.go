package cmd

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"condense/cmd/config"
)

// file returns a condense.yaml with the given text.
func file(t *testing.T, path, text string, project bool) *config.File {
	t.Helper()
	c, problems := config.Parse([]byte(text))
	if len(problems) > 0 {
		t.Fatal(path, problems[0])
	}
	c.Path, c.Dir, c.Project = path, filepath.Dir(path), project
	return c
}

// TestResolve checks which of several places sets a flag.
func TestResolve(t *testing.T) {
	for _, tt := range []struct {
		name, args, env, project, user, want string // want: key=value@origin …
	}{
		{"defaults", "", "", "", "", ""},
		{"user", "", "", "", "target: 10%", "target=10%@user:1"},
		{"project before user", "", "", "target: 20%", "target: 10%", "target=20%@project:1"},
		{"environment before project", "", "CONDENSE_TARGET=30%", "target: 20%", "target: 10%", "target=30%@CONDENSE_TARGET"},
		{"flag before all", "-t 40%", "CONDENSE_TARGET=30%", "target: 20%", "target: 10%", "target=40%@flag"},
		{"an empty variable sets nothing", "", "CONDENSE_TARGET=", "target: 20%", "", "target=20%@project:1"},
		{"lists are replaced", "", "", "pin: [a, b]", "pin: [c]", "pin=a b@project:1"},
		{"lists are replaced by a flag", "--pin x", "", "pin: [a, b]", "", "pin=x@flag"},
		{"lists are replaced by an empty one", "", "", "pin: []", "pin: [c]", "pin=@project:1"},
		{"a preset is weaker than the place that names it", "", "", "preset: aggressive\nkeep-rounds: 5", "target: 10%",
			"images=last 1@preset aggressive keep-rounds=5@project:2 preset=aggressive@project:1 strategy=hybrid@preset aggressive target=20%@preset aggressive"},
		{"a preset of a flag is stronger than files", "--preset balanced", "", "preset: aggressive\ntarget: 5%", "",
			"keep-rounds=10@preset balanced preset=balanced@flag strategy=hybrid@preset balanced target=50%@preset balanced"},
		{"a preset of a flag is weaker than the environment", "--preset balanced", "CONDENSE_TARGET=30%", "", "",
			"keep-rounds=10@preset balanced preset=balanced@flag strategy=hybrid@preset balanced target=30%@CONDENSE_TARGET"},
		{"a preset of the user's file is weaker than the project's file", "", "", "target: 5%", "preset: balanced",
			"keep-rounds=10@preset balanced preset=balanced@user:1 strategy=hybrid@preset balanced target=5%@project:1"},
		{"a stronger flag replaces another", "-m gpt-4o", "", "tokenizer: chars", "", "model=gpt-4o@flag"},
		{"a weaker flag does not replace another", "", "", "tokenizer: chars", "model: gpt-4o", "tokenizer=chars@project:1"},
		{"a fraction replaces the target", "--fraction 0.5", "", "target: 5%", "preset: balanced",
			"fraction=0.5@flag keep-rounds=10@preset balanced preset=balanced@user:1 strategy=hybrid@preset balanced"},
		{"a window replaces the target of a preset", "--window 9k --preset balanced", "", "", "",
			"keep-rounds=10@preset balanced preset=balanced@flag strategy=hybrid@preset balanced window=9k@flag"},
		{"a window does not replace a target in a file", "--window 9k", "", "target: 5%", "", "target=5%@project:1 window=9k@flag"},
		{"two places for one output", "-o x", "", "", "in-place: .bak\njson: true", "json=true@user:2 output=x@flag"},
		{"wrong values", "", "", "\ntarget: lots", "", `project:2: target: malformed target "lots", expected tokens (20000, 20k) or a share (50%)`},
		{"wrong variables", "", "CONDENSE_KEEP_LAST=lots", "", "", `CONDENSE_KEEP_LAST: keep-last: expected a whole number, not "lots"`},
		{"a wrong preset", "", "", "preset: none", "", `project:1: preset: expected one of conservative, balanced, aggressive`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			env := func(name string) string {
				key, value, _ := strings.Cut(tt.env, "=")
				if name == key {
					return value
				}
				return ""
			}
			s := config.Settings{Env: env, Files: []*config.File{file(t, "project", tt.project, true), file(t, "user", tt.user, false)}}
			o, cmd := newRunOptions(), &cobra.Command{}
			o.addFlags(cmd, cmd.Flags())
			if err := cmd.Flags().Parse(strings.Fields(tt.args)); err != nil {
				t.Fatal(err)
			}
			origins, err := config.Resolve(cmd.Flags(), s.Levels("a.jsonl"))
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = setFlagsOf(cmd, origins)
			}
			if got != tt.want {
				t.Errorf("\ngot  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestForFile checks the flags for a file: the command line first, then the settings for it.
func TestForFile(t *testing.T) {
	s := config.Settings{
		Given: map[string][]string{"pin": {"a", "b"}, "verbose": {"2"}, "no-such": {"x"}},
		Files: []*config.File{file(t, "/p/condense.yaml", "pin: [c]\nfiles: {'*.json': {target: 5k, verbose: 3}}", true)},
	}
	for path, want := range map[string]string{
		"/p/a.json": "pin=a b@flag target=5k@/p/condense.yaml:2 verbose=2@flag",
		"/p/a.txt":  "pin=a b@flag verbose=2@flag",
	} {
		o, cmd := newRunOptions(), &cobra.Command{}
		o.addFlags(cmd, cmd.Flags())
		if err := s.ForFile(cmd.Flags(), path); err != nil {
			t.Fatal(err)
		}
		origins, err := config.Resolve(cmd.Flags(), nil) // all flags that are set now count as given
		if err != nil {
			t.Fatal(err)
		}
		if got := setFlagsOf(cmd, origins); got != strings.ReplaceAll(want, "@/p/condense.yaml:2", "@flag") {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// setFlagsOf returns the flags that are set as KEY=VALUE@ORIGIN, by name.
func setFlagsOf(cmd *cobra.Command, origins map[string]string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(origins)) {
		list = append(list, name+"="+strings.Join(config.Given(cmd.Flags().Lookup(name)), " ")+"@"+origins[name])
	}
	return strings.Join(list, " ")
}
