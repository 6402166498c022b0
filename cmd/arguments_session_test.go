package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSessionArguments names sessions by ids, beginnings and --last.
func TestSessionArguments(t *testing.T) {
	home := t.TempDir()
	older := saveSession(t, home, "aaaabbbb-1", "/w/a", `"first"`, 2)
	newer := saveSession(t, home, "aaaabbbb-2", "/w/b", `"second"`, 1)
	torn := saveSession(t, home, "eeee", "/w/b", `"x"`, 0)
	if err := os.WriteFile(torn, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, path, fault string }{
		{"run -n --json aaaabbbb-1", older, ""},
		{"run -n --json --last", newer, ""},
		{"run -n --json --last --project /w/a", older, ""},
		{"run -n --json --last --tool claude-code", newer, ""},
		{"stats --json aaaabbbb-1", older, ""},
		{"validate --json --last", newer, ""},
		{"repair -n --json aaaabbbb-2", newer, ""},
		{"compare --json aaaabbbb-2", newer, ""},
		{"check --report-format json --max-tokens 1M --last", newer, ""},
		{"diff --json aaaabbbb-1 aaaabbbb-1", older, ""},
		{"run -n aaaa", "", "2 sessions begin with \"aaaa\": aaaabbbb-2 (claude-code, " + newer + "), aaaabbbb-1"},
		{"run -n zzzz", "", "zzzz"},
		{"run -n aaa", "", "aaa: cannot be read"},
		{"run -n --last --tool codex", "", "--last: there is no such session"},
		{"run -n --last x.jsonl", "", "--last and \"x.jsonl\" name two files"},
		{"run -n --project .", "", "add --last"},
		{"run -n --last --tool vim", "", "expected one of claude-code"},
	} {
		code, out, err := atHome(home, strings.Fields(tt.args)...)
		if tt.fault != "" {
			if code == exitOK || !strings.Contains(err, tt.fault) {
				t.Errorf("%s: exit code %d, %s", tt.args, code, err)
			}
			continue
		}
		if code != exitOK && code != exitPolicy || !strings.Contains(out, tt.path) {
			t.Errorf("%s: exit code %d, %s%s, want %s", tt.args, code, out, err, tt.path)
		}
	}
}

// TestSessionOrFile checks that an existing file is never taken for a session, and that settings for
// a session's path affect it.
func TestSessionOrFile(t *testing.T) {
	home := t.TempDir()
	path := saveSession(t, home, "aaaabbbb", "/w/a", `"first"`, 2)
	t.Chdir(home)
	if err := os.WriteFile("aaaabbbb", []byte(`[{"role":"user","content":"hi"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, out, err := atHome(home, "run", "-n", "--json", "aaaabbbb"); strings.Contains(out, path) || !strings.Contains(out, `"aaaabbbb"`) {
		t.Errorf("%s%s", out, err)
	}
	if err := os.Remove("aaaabbbb"); err != nil {
		t.Fatal(err)
	}
	settings := filepath.Join(home, "condense.yaml")
	if err := os.WriteFile(settings, []byte("files:\n  \"**/aaaabbbb.jsonl\":\n    format: nonsense\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"run -n aaaabbbb", "run -n --last"} {
		if _, out, err := atHome(home, append([]string{"--config", settings}, strings.Fields(args)...)...); !strings.Contains(err, "nonsense") {
			t.Errorf("%s: %s%s", args, out, err)
		}
	}
	if code, _, err := atHome(home, "--config", "none", "run", "-q", "-w", "aaaabbbb"); code != exitOK {
		t.Errorf("in place: %d %s", code, err)
	}
}

// TestSessionCompletion checks that shells offer the ids of sessions.
func TestSessionCompletion(t *testing.T) {
	home := t.TempDir()
	saveSession(t, home, "aaaabbbb-1", "/w/a", `"Fix\u001b[2J\tit"`, 2)
	saveSession(t, home, "ccccdddd-2", "/w/b", `"second"`, 1)
	for _, tt := range []struct{ args, want string }{
		{"run aa", "aaaabbbb-1\tclaude-code: Fix\\x1b[2J it\n:0\n"},
		{"stats cccc", "ccccdddd-2\tclaude-code: second\n:0\n"},
		{"stats aaaabbbb-1 cccc", "ccccdddd-2\tclaude-code: second\n:0\n"},
		{"diff aaaabbbb-1 cccc", "ccccdddd-2\tclaude-code: second\n:0\n"},
		{"run aaaabbbb-1 cccc", ":4\n"},
		{"run zz", ":0\n"},
	} {
		_, out, _ := atHome(home, append([]string{"__complete"}, strings.Fields(tt.args)...)...)
		if out != tt.want {
			t.Errorf("%s: %q, want %q", tt.args, out, tt.want)
		}
	}
}

// TestBatchTool condenses the sessions of a tool, which are in hidden folders.
func TestBatchTool(t *testing.T) {
	home := t.TempDir()
	saveSession(t, home, "aaaabbbb-1", "/w/a", `"first"`, 2)
	saveSession(t, home, "ccccdddd-2", "/w/b", `"second"`, 1)
	for _, tt := range []struct{ args, want, fault string }{
		{"--tool claude-code", "aaaabbbb-1 ccccdddd-2", ""},
		{"--tool claude-code --project /w/a", "aaaabbbb-1", ""},
		{"--tool codex", "", ""},
		{"--project /w/a .", "", "add --tool"},
		{"", "", "batch takes PATH"},
		{"--tool vim", "", "expected one of"},
	} {
		out := filepath.Join(t.TempDir(), "out")
		code, _, err := atHome(home, append([]string{"batch", "--no-progress", "--out-dir", out}, strings.Fields(tt.args)...)...)
		if tt.fault != "" {
			if code != exitUsage || !strings.Contains(err, tt.fault) {
				t.Errorf("%s: exit code %d, %s", tt.args, code, err)
			}
			continue
		}
		files, _ := filepath.Glob(filepath.Join(out, "claude-code/p/*.jsonl"))
		var ids []string
		for _, f := range files {
			ids = append(ids, strings.TrimSuffix(filepath.Base(f), ".jsonl"))
		}
		if code != exitOK || strings.Join(ids, " ") != tt.want {
			t.Errorf("%s: exit code %d, %v, %s", tt.args, code, ids, err)
		}
	}
}
