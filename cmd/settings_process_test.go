//go:build unix

package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/cmd/config"
)

// TestLimitsOfProject checks that the second line of a report names the limits that the condense.yaml
// of a checkout sets, and that it must not set what spends money.
func TestLimitsOfProject(t *testing.T) {
	dir := t.TempDir()
	session, err := os.ReadFile("../testdata/sessions/claude-code/session.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "session.jsonl"), session, 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(settings string, args ...string) string {
		if err := os.WriteFile(filepath.Join(dir, config.FileName), []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		c := program(t, append([]string{"run", "-n", "session.jsonl"}, args...)...)
		c.Dir = dir
		out, _ := c.CombinedOutput()
		return string(out)
	}
	for _, tt := range []struct{ settings, args, want string }{
		{"target: 40%\nmin-gain: 1\nkeep-last: 4", "", "the project's condense.yaml sets min-gain 1, target 40%"},
		{"target: 40%\nmin-gain: 1", "-t=60% --min-gain=2", "dry run: nothing was written"},
		{"target: 40%", "--json", `  "limits": [`},
	} {
		if got := run(tt.settings, strings.Fields(tt.args)...); !strings.Contains(got, "\n"+tt.want+"\n") || tt.args == "" && strings.Split(got, "\n")[1] != tt.want {
			t.Errorf("%q %s: got\n%s", tt.settings, tt.args, got)
		}
	}
	c := program(t, "batch", "-n", "session.jsonl")
	c.Dir = dir
	if out, _ := c.CombinedOutput(); !strings.Contains(string(out), "\nthe project's condense.yaml sets target 40%\n") {
		t.Errorf("batch: got\n%s", out)
	}
	if got, want := run("prices: prices.json"), "condense.yaml:1: prices is not allowed in project files: it spends money"; !strings.Contains(got, want) {
		t.Errorf("got\n%s\nwant %s", got, want)
	}
}
