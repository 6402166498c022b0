package cmd

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
)

// failing is an output of which one write fails, the first for 0, and all that follow.
type failing struct {
	text []byte
	left int
}

func (f *failing) Write(p []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, errors.New("the pipe is closed")
	}
	f.text = append(f.text, p...)
	return len(p), nil
}

// printing are command lines that print to standard output, each alone in a folder with messageFiles in which tagged.json
// was condensed by condense run -w, and tagged3.json with --stash s.
var printing = []string{
	"run c.json", "run -q -n --json c.json", "run -q -n -d --tags typed twice.json", "run -n --report r.md --report-format markdown --json c.json",
	"filter rows.jsonl", "filter mixed.jsonl", "filter --on-error envelope mixed.jsonl", "filter -0 c.json", "filter -q --on-error fail mixed.jsonl", "filter -q --compress gzip rows.jsonl", "filter -q --compress zstd rows.jsonl",
	"batch -q -n --summary - in", "check --max-tokens 4 c.json", "check --json --max-tokens 4 c.json", "check -q --report-format sarif --max-tokens 4 c.json",
	"stats c.json", "stats --json c.json", "tokens c.json", "tokens --json c.json notes.txt", "validate orphan.json", "validate --json c.json",
	"diff c.json other.json", "diff --stat c.json other.json", "diff --typed c.json typed.json", "diff --json c.json other.json", "explain c.json", "explain --json --message 1 c.json", "compare -q -s dedupe c.json", "compare -q -s dedupe --json c.json", "compare -q -s dedupe --report-format markdown c.json",
	"view c.json", "view --json c.json", "view --html c.json", "view --markdown c.json", "view -y tagged.json", "view --stash s tagged3.json",
	"repair orphan.json", "repair -q -n --json orphan.json", "undo", "undo --json", "undo -n --json tagged.json", "restore tagged.json", "restore -q -n --json tagged.json", "restore --stash s tagged3.json",
	"stash list", "stash list --json", "stash list -q", "stash", "grep swordfish", "grep --stash s swordfish", "config", "config show", "config show --all --json", "config path", "config init -", "config check wrong.yaml",
	"completion bash", "completion zsh", "completion fish", "completion powershell", "man", "man --markdown run", "formats", "formats --json", "models", "models --json", "strategies", "strategies --json", "version", "version --json", "ls", "ls --json",
}

// TestEveryWriteFails checks that each command whose output breaks off, at the first write or a later one, says so and exits
// with 5.
func TestEveryWriteFails(t *testing.T) {
	home := t.TempDir()
	t.Chdir(home)
	writeAll(t, messageFiles)
	writeAll(t, map[string]string{"wrong.yaml": "kep-last: 1\ntarget: x\n"})
	env := func(name string) string {
		return map[string]string{"HOME": home, "CONDENSE_TOKENIZER": "bytes4", "CONDENSE_STRATEGY": "dedupe", "CONDENSE_MAX_MEMORY": "2G", "CONDENSE_JOBS": "1"}[name]
	}
	command := func(line string, left int) (f *failing, printed string, code int) {
		f = &failing{left: left}
		var stderr bytes.Buffer
		code = Main(strings.Fields(line), strings.NewReader(""), f, &stderr, env)
		return f, stderr.String(), code
	}
	for _, line := range []string{"run -q --stash s --tags typed -o tagged3.json tagged.json", "run -q -w --tags typed tagged.json"} {
		if _, printed, code := command(line, 1<<20); code != exitOK {
			t.Fatal(printed)
		}
	}
	for _, line := range printing {
		whole, _, want := command(line, 1<<20)
		writes := 1<<20 - whole.left
		if writes == 0 {
			t.Errorf("condense %s prints nothing", line)
		}
		for left := range min(writes, 3) {
			f, printed, code := command(line, left)
			if line == "stash" || line == "config" { // help cannot return an error
				code, want = exitOutput, exitOK
			}
			if code != exitOutput || want == exitOutput || !strings.Contains(printed, "standard output: the pipe is closed") {
				t.Errorf("condense %s, write %d of %d: exit code %d: %s", line, left+1, writes, code, printed)
			}
			if !strings.HasPrefix(string(whole.text), string(f.text)) {
				t.Errorf("condense %s, write %d: %q", line, left+1, f.text)
			}
		}
	}
	if _, err := os.Stat("tagged.json.bak"); err != nil {
		t.Error(err)
	}
}
