package cmd

import (
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
