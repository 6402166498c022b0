package chronicle

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

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
