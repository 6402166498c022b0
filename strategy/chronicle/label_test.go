package chronicle

import (
	"math/rand"
	"strings"
	"testing"

	"condense/transcript"
)

// TestMaySum checks that maySum accepts every line that states an outcome.
func TestMaySum(t *testing.T) {
	lines := []string{
		"3 passed, 1 failed", "PASSING", "a failing test", "Success!", "successfully done", "succeeded", "No issues", "0 errors", "errors: 3",
		"error 2", "12 errors", "1 file changed", "built in 3s", "Compiled", "created", "(updated)", "deleted.", "up to date", "up-to-date",
		"Switched to branch", "set up to track", "added 12 packages", "nothing to commit", "main -> main", "ok  \tpkg", "[main 0a1b2c3] text",
		"see https://github.com/a/b/pull/12", "pa\u017f\u017fed", "DONE: 0 of 49",
	}
	for _, line := range lines {
		if !statesOutcome(line) || !maySum(line) {
			t.Errorf("%q: matched %v, may match %v", line, statesOutcome(line), maySum(line))
		}
	}
	rng := rand.New(rand.NewSource(1))
	words := strings.Fields(strings.Join(lines, " ") + " x _ . , : [ ] - > 7 file's")
	seps := []string{" ", "", "-", "_", ": ", ", "}
	for range 100_000 {
		line := ""
		for range rng.Intn(6) {
			line += words[rng.Intn(len(words))] + seps[rng.Intn(len(seps))]
		}
		if statesOutcome(line) && !maySum(line) {
			t.Fatalf("%q", line)
		}
	}
	for _, line := range []string{
		"github.com/a/b 0.12s [some other text] (12 ms)", "main.go: ERROR in line 12, up and set",
		"12:30:01 ERROR something", "2030-12-24 12:30:11,118 ERROR something", "ERROR 12:30:11 something", "12/24/2030 error in keel", "v1.12 errors", "error 1.2", "it was added, built and switched", "all is ok: nothing", "lock 4 up 2", "set 4",
	} {
		if maySum(line) {
			t.Errorf("%q may match", line)
		}
	}
}

func TestExitOf(t *testing.T) {
	for _, tt := range []struct {
		text, code string
		ok         bool
	}{
		{"", "", false}, {"exit 1", "", false}, {"Exit code: 2\nexit code 3", "2", true}, {"a\nProcess exited with code 0\n", "0", true}, {"an exit code 1", "", false},
	} {
		if code, ok := exitOf(tt.text); code != tt.code || ok != tt.ok {
			t.Errorf("%q: %q, %v", tt.text, code, ok)
		}
	}
}

func TestRedirectsTo(t *testing.T) {
	for command, want := range map[string]string{
		`echo "- a new line" >> memory/MEMORY.md`: "memory/MEMORY.md", "cat > a.txt <<'EOF'\nx > y\nEOF": "a.txt", "make 2>&1 | tail": "", "ls 2>/dev/null": "",
		"ls >/dev/null": "", `grep "a > b" f`: "", "awk '$1 > 2' f": "", "x->y": "", "a => b": "", "sort a>b;": "b", `echo \> c`: "", "diff <(a) >(b)": "", "": "", ">": "",
		"make 2>errors.txt": "", "cat <<EOF > b.txt\na\nEOF": "b.txt", "body=$(cat <<'EOF'\n<p> a > b\nEOF\n)": "", "cmd &>all.log": "",
	} {
		if got := redirectsTo(command); got != want {
			t.Errorf("%q redirects to %q, want %q", command, got, want)
		}
	}
}

// TestCommandLine checks the words for commands that are long or have several lines: they name the file that
// the command writes, or the file of a script, or the command behind a here-document.
func TestCommandLine(t *testing.T) {
	for command, want := range map[string]string{
		"echo '- The sails: " + strings.Repeat("hoisted at dawn, ", 20) + "' >> log/DECK.md":     "echo '- The sails: " + strings.Repeat("hoisted at dawn, ", 4) + "hoisted at dawn … > log/DECK.md",
		"edit_file(\n    '/ship/sail.go',\n    to_replace=\"\"\"a\nb\"\"\")":                     "edit_file( '/ship/sail.go', …",
		"docker run \\\n  -p 80:80 image\nls":                                                    "docker run -p 80:80 image …",
		"python3 - <<'EOF'\nimport re\nopen('log/DECK.md').read()\nopen(\"log/a.md\", 'w')\nEOF": "python3 - <<'EOF' import re … log/a.md",
		"python -c \"\nimport json;d=json.load(open('log/a.json'))\nprint(d)\"":                  "python -c \" import json;d=json.load(open('log/a.json')) …",
		"cat << 'EOF' > part.txt\na\nEOF\nsed -i '8r part.txt' deck.py && rm part.txt":           "cat << 'EOF' > part.txt … sed -i '8r part.txt' deck.py && rm part.txt",
		"cat deck.py | head -150":         "cat deck.py | head -150",
		"cd /ship && cat deck.py 2>&1":    "cat deck.py",
		"npm test 2>&1 | tail -20":        "npm test",
		"cat a.txt | grep x | tail -n 30": "cat a.txt | grep x",
	} {
		if got := commandLine(command); got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}

// TestClientMarker checks that the marker of a text of a client stands between its tags, if the text has both,
// and counts the lines between them.
func TestClientMarker(t *testing.T) {
	inner := strings.Repeat("a line\n", 9)
	for source, want := range map[string]string{
		"<note>\n" + inner + "</note>\n": "<note>\n[text of the client: 9 lines omitted]\n</note>",
		"<note>\n" + inner + "note>":     "[text of the client: 11 lines omitted]",
		"<note>\n" + inner:               "[text of the client: 10 lines omitted]",
		inner:                            "[text of the client: 9 lines omitted]",
	} {
		if got := clientMarker(&transcript.Block{Parts: []transcript.Part{{Text: source}}}); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
}

// TestOutputFails checks that an exit code counts if it stands in the first 300 bytes.
func TestOutputFails(t *testing.T) {
	for _, tt := range []struct {
		before int
		text   string
		failed bool
	}{{0, "Exit code 1\nno", true}, {0, "Exit code 0\nyes", false}, {287, "\nExit code 1\n", true}, {289, "\nExit code 1\n", false}, {300, "\nExit code 1\n", false}} {
		if _, failed := output(strings.Repeat("a", tt.before) + tt.text); failed != tt.failed {
			t.Errorf("behind %d bytes: failed %t", tt.before, failed)
		}
	}
}
