package config

import (
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
