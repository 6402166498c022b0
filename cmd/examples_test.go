package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// fence matches a block of shell commands in the README.
var fence = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestExamples runs every command line in the README and the help texts.
func TestExamples(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, block := range fence.FindAllStringSubmatch(string(readme), -1) {
		lines = append(lines, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	lines = append(lines, helpExamples(newRoot(&app{env: func(string) string { return "" }}))...)
	if len(lines) < 10 {
		t.Fatalf("only %d examples found", len(lines))
	}
	for _, line := range lines {
		t.Run(line, func(t *testing.T) { runExample(t, line) })
	}
}

// helpExamples returns the examples in the help of a command and of all commands below it.
func helpExamples(c *cobra.Command) (lines []string) {
	for line := range strings.Lines(c.Example) {
		lines = append(lines, strings.TrimSpace(line))
	}
	for _, sub := range c.Commands() {
		lines = append(lines, helpExamples(sub)...)
	}
	return lines
}

// runExample runs a command line in a folder with the files that the examples name.
func runExample(t *testing.T, line string) {
	if strings.HasPrefix(line, "go test") {
		return // the line runs this test
	}
	if strings.Contains(line, "| jq") {
		if _, err := exec.LookPath("jq"); err != nil {
			t.Skip("no jq here")
		}
	}
	t.Parallel()
	dir := t.TempDir()
	for from, to := range map[string]string{
		"claude-code/session.jsonl": "session.jsonl",
		"openai/array.json":         "chat.json",
	} {
		data, err := os.ReadFile(filepath.Join("../testdata/sessions", from))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, to), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "condense")); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "-c", line)
	c.Dir = dir
	c.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if !strings.HasPrefix(line, "go ") { // the go command also has settings in XDG_CONFIG_HOME
		c.Env = append(c.Env, "XDG_CONFIG_HOME="+filepath.Join(dir, "settings")) // ignores the settings of the user
	}
	if strings.HasPrefix(line, "go run .") {
		root, err := filepath.Abs("..")
		if err != nil {
			t.Fatal(err)
		}
		c.Args[2] = "cd '" + root + "' && " + strings.Replace(line, "> ", "> "+dir+"/", 1)
	}
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
