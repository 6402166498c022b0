package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseOnly(t *testing.T) {
	if g, err := parseOnly("tool:mcp__*"); err != nil || !g.Name("mcp__files") || g.Name("Bash") {
		t.Errorf("got %v, %v", g, err)
	}
	for _, bad := range []string{"", "Bash", "tool:", "tool:[", "path:a.go"} {
		if _, err := parseOnly(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestParseWindow(t *testing.T) {
	for text, want := range map[string]int{"200000": 200000, "200k": 200000, "1m": 1000000} {
		if got, err := parseWindow(text); err != nil || got != want {
			t.Errorf("%q: got %d, %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "50%", "0", "-1", "k"} {
		if got, err := parseWindow(bad); err == nil {
			t.Errorf("%q: got %d", bad, got)
		}
	}
}

func TestParseThreshold(t *testing.T) {
	for text, want := range map[string]float64{"5": 0.05, "100": 1, "66.5": 0.665, "80%": 0.8} {
		if got, err := parseThreshold(text); err != nil || got != want {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "4", "101", "0", "-1", "NaN", "Inf", "half", "%", "5%%"} {
		if got, err := parseThreshold(bad); err == nil {
			t.Errorf("%q: got %v", bad, got)
		}
	}
}

// TestDidYouMean checks the hints about names that do not exist, for every place of a command line
// where a name stands.
func TestDidYouMean(t *testing.T) {
	path := filepath.Join("..", "testdata", "sessions", "openai", "array.json")
	for _, tt := range []struct {
		args string
		want string // what is meant, "" if there is no hint
	}{
		{"rnu", "run"},
		{"compact", "run"},
		{"convert", ""},
		{"stash lst", "list"},
		{"config inti", "init"},
		{"help rnu", "run"},
		{"man rnu", "run"},
		{"run --budget 5k", "--target"},
		{"run --keep-thinking", "--thinking keep"},
		{"run --progress", ""},
		{"run -i", "--in-place"},
		{"run -keep-last 5", "--keep-last"},
		{"run -dry-run", "--dry-run"},
		{"run -target 5k", "--target"},
		{"run -strategy mask", "--strategy"},
		{"run -output x", "--output"},
		{"run -output=x", "--output"},
		{"run -q -quiet", "--quiet"},
		{"batch --limit 5 x", "--shard or --target"},
		{"last", "view --last or ls"},
		{"fit", "rescue or run --window"},
		{"doctor", "validate or rescue"},
		{"resume", "rescue or ls"},
		{"run -z", ""},
		{"run --output-format x", ""},
		{"run -s compact", "summarize"},
		{"run -s dedupe,trunc", "truncate"},
		{"run --format claude", "claude-code or claude-ai or anthropic"},
		{"run --preset agressive", "aggressive"},
		{"run -n --model gtp-4o", "gpt-4o"},
		{"run -n --tokenizer o200k", "o200k_base"},
		{"run --report-format htlm", "html"},
		{"batch --output x", "--out-dir"},
		{"compare --markdwn", ""}, // an old flag, which help does not list
		{"completion zhs", "zsh"},
		{"validate --api antropic", "anthropic"},
	} {
		args := strings.Fields(tt.args)
		if args[0] == "run" || args[0] == "validate" {
			args = append(args, path)
		}
		_, printed, code := run(nil, args...)
		_, hint, _ := strings.Cut(printed, "hint: ")
		meant, _, found := strings.Cut(strings.TrimPrefix(hint, "did you mean "), "? ")
		if !found || !strings.HasPrefix(hint, "did you mean ") {
			meant = ""
		}
		if code != exitUsage || meant != tt.want {
			t.Errorf("%s: exit code %d, meant %q, want %q\n%s", tt.args, code, meant, tt.want, printed)
		}
	}
}

// TestReplacedFlags checks that the last of several values counts, and that the report says so. Several
// targets of compare are all tried.
func TestReplacedFlags(t *testing.T) {
	path := filepath.Join("..", "testdata", "sessions", "openai", "array.json")
	for args, want := range map[string]string{
		"-t 25% -t 10%":           "note: --target was given as 25%, then as 10%: the last one counts",
		"-t 10% -t 10%":           "",
		"-t 10%":                  "",
		"-s mask -s dedupe -n":    "note: --strategy was given as mask, then as dedupe: the last one counts",
		"--pin a --pin b -t 10%":  "",
		"--preset balanced -t 9%": "",
	} {
		_, printed, code := run(nil, append(append([]string{"run", "-n"}, strings.Fields(args)...), path)...)
		if code != exitOK || strings.Contains(printed, "was given as") != (want != "") || !strings.Contains(printed, want) {
			t.Errorf("%s: exit code %d:\n%s", args, code, printed)
		}
	}
	out, printed, code := run(nil, "compare", "-q", "-s", "truncate", "-t", "50%", "-t", "25%,10%", path)
	if code != exitOK || !strings.Contains(string(out), "50%") || !strings.Contains(string(out), "25%") || !strings.Contains(string(out), "10%") {
		t.Errorf("compare: exit code %d:\n%s%s", code, out, printed)
	}
}

// TestCompleteIDs checks what shells complete for entries of a stash, conversations and messages.
func TestCompleteIDs(t *testing.T) {
	path := filepath.Join("..", "testdata", "sessions", "openai", "array.json")
	dir := t.TempDir()
	if _, printed, code := run(nil, "run", "-q", "--stash", dir, path); code != exitOK {
		t.Fatal(printed)
	}
	for args, want := range map[string]string{
		"show --stash " + dir + " ":          "hybrid",
		"restore --stash " + dir + " --via ": "hybrid",
		"explain " + path + " --message ":    "2\tuser: ",
		"explain " + path + " --select ":     "messages",
		"run " + path + " --select ":         "1\t",
		"compare " + path + " --select ":     "1\t",
		"explain no-such-file --message ":    "",
		"show --stash " + dir + "/none ":     "",
		"explain " + dir + " --select ":      "",
	} {
		out, printed, code := run(nil, append([]string{"__complete"}, strings.Split(args, " ")...)...)
		lines, _, _ := strings.Cut(string(out), "\n:")
		if strings.HasPrefix(lines, ":") {
			lines = ""
		}
		if code != exitOK || (lines == "") != (want == "") || !strings.Contains(lines, want) {
			t.Errorf("%s: exit code %d: %q\n%s", args, code, out, printed)
		}
	}
}

// TestNextSteps checks that the report of a session that was replaced names the commands that resume it
// and that take the run back: here that is the backup, because there is no state directory.
func TestNextSteps(t *testing.T) {
	data, err := os.ReadFile("../testdata/sessions/claude-code/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	const id = "cb8c670b-8787-451e-b35f-93b46456f252"
	dir := t.TempDir()
	for name, resumes := range map[string]bool{id + ".jsonl": true, "copy.jsonl": false} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, printed, code := run(nil, "run", "-w", "-t", "50%", path)
		if code != exitOK || strings.Contains(printed, "resume: cd /home/lena/tidewatch && claude --resume "+id+"   # this machine has no such folder\n") != resumes ||
			!strings.Contains(printed, "undo: mv "+path+".bak "+path+"\n") {
			t.Errorf("%s: exit code %d:\n%s", name, code, printed)
		}
		if _, printed, _ := run(nil, "run", "-n", "-t", "30%", path); strings.Contains(printed, "undo:") || strings.Contains(printed, "resume:") {
			t.Errorf("a dry run has nothing to undo:\n%s", printed)
		}
		if _, printed, code := run(nil, "run", "-t", "50%", "-o", path+".small", path); code != exitOK || strings.Contains(printed, "resume:") || strings.Contains(printed, "the id of the session is") {
			t.Errorf("a copy with the same id is not resumed: exit code %d:\n%s", code, printed)
		}
	}
	path := filepath.Join(dir, id+".jsonl")
	if err := os.WriteFile(path, bytes.ReplaceAll(data, []byte("/home/lena/tidewatch"), []byte(filepath.ToSlash(dir))), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, printed, _ := run(nil, "run", "-w", "-t", "50%", path); !strings.Contains(printed, "claude --resume "+id+"\n") {
		t.Errorf("the folder is there:\n%s", printed)
	}
}
