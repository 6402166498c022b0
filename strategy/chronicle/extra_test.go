package chronicle

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/transcripttest"
)

// TestBeginsWithLevel compares with a regular expression, on lines of all parts of a log.
func TestBeginsWithLevel(t *testing.T) {
	want := regexp.MustCompile(`^\W*(?:[\dT:.,Z+-]+\W+)*(?:debug|trace|verbose|DEBUG|TRACE|VERBOSE|npm (?:verb|sill))\b`)
	parts := []string{"debug", "trace", "verbose", "DEBUG", "TRACE", "VERBOSE", "npm verb", "npm sill", "npm", "12:30:01.5", "2026-06-19T10:00:00Z", "T", "Z", "TT",
		" ", " ", "[", "] ", "_", "x", "é", "世", "-", "+", ":", "ging", "7"}
	r := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 50_000 {
		var line strings.Builder
		for range 1 + r.IntN(5) {
			line.WriteString(parts[r.IntN(len(parts))])
		}
		got := beginsWithLevel(line.String())
		if got != want.MatchString(line.String()) {
			t.Fatalf("%q begins with a level: %v", line.String(), got)
		}
		if got {
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d lines begin with a level", found)
	}
}

// TestHelpAndBrackets checks that the help text of a command, and the bracket at the end of JSON, are left out before
// the output of other commands.
func TestHelpAndBrackets(t *testing.T) {
	var usage, state strings.Builder
	for i := range 40 {
		fmt.Fprintf(&usage, "  --rope%d string   hoist the sails of src/mast%d.go\n", i, i)
		fmt.Fprintf(&state, "rope %d of src/mast%d.go is set\n", i, i)
	}
	run := func(command, output string) []*transcript.Message {
		return []*transcript.Message{transcripttest.Model("", transcripttest.Call(command, "Bash", "command="+command)), transcripttest.Tool(command, output)}
	}
	var msgs []*transcript.Message
	msgs = append(msgs, transcripttest.User("Set the sails."))
	msgs = append(msgs, run("sails --help", usage.String())...)
	msgs = append(msgs, run("sails state", state.String())...)
	msgs = append(msgs, run("sails list --json", "{\"sails\": [\n"+strings.Repeat("  {\"set\": true},\n", 60)+"  {\"set\": false}\n]\n}\n")...)
	msgs = append(msgs, transcripttest.Model("The sails are set."), transcripttest.User("Go on."))
	for budget := 100; budget < 300; budget += 20 {
		text := left(t, budget, msgs...)
		if help, other := strings.Count(text, "hoist the sails"), strings.Count(text, "is set\n"); help > other {
			t.Errorf("%d tokens: %d lines of help, %d of the state:\n%s", budget, help, other, text)
		}
		if strings.Contains(text, "\n }\n]") {
			t.Errorf("%d tokens: a record quotes a bracket:\n%s", budget, text)
		}
	}
}

// TestForeignChanges checks that of a diff the changes stay that no call made: a commit may have to leave them out. In a
// diff without such a change, none is of more value.
func TestForeignChanges(t *testing.T) {
	gate := "\tif gate.level > limit {\n\t\treturn gate.closeAll(limit)\n\t}\n\tgate.report(\"the level is low\")\n"
	change := func(file, lines string) string {
		return "diff --git a/" + file + " b/" + file + "\n--- a/" + file + "\n+++ b/" + file + "\n@@ -1,2 +1,9 @@\n package sea\n" + strings.ReplaceAll("+"+strings.TrimSuffix(lines, "\n"), "\n", "\n+") + "\n"
	}
	diff := change("gate.go", strings.Repeat(gate, 5)) + change("wall.go", "\twall.raise(2)\n") + change("quay.go", strings.Repeat(gate, 5))
	got := left(t, 330, slices.Concat([]*transcript.Message{transcripttest.User("Mend the gate.")},
		round("e", "ok", "Edit", "file_path=gate.go", "old_string=package sea", "new_string=package sea\n"+gate), work("a"), round("d", diff, "Bash", "command=git diff"))...)
	if !strings.Contains(got, "diff --git a/wall.go") || !strings.Contains(got, "+\twall.raise(2)") {
		t.Errorf("the change of the wall is gone:\n%s", got)
	}
	x := text{form: result, cut: squeeze.Cut(diff, squeeze.Hint{Command: "git diff"})}
	d := &draft{Source: &Source{}, texts: []text{x}}
	if d.markOwn(); d.texts[0].isForeign(len(x.cut.Pieces)-2) || d.texts[0].isShown(0, len(x.cut.Pieces)) {
		t.Error("a diff of a session without edits has changes of its own")
	}
}
