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

// TestForeignChanges checks which changes of a diff no call made: a commit may have to leave them out. A diff without a
// change of a call has none, and what is around a change is neither.
func TestForeignChanges(t *testing.T) {
	const gate, wall = "@@ -1,3 +1,4 @@\n package harbour\n-gate.leaks(always)\n+gate.tight(always)\n", "@@ -7,2 +7,3 @@\n package harbour\n+wall.raise(two)\n"
	head := func(file string) string {
		return "diff --git a/" + file + " b/" + file + "\n--- a/" + file + "\n+++ b/" + file + "\n"
	}
	edit := round("e", "ok", "Edit", "file_path=gate.go", "old_string=gate.leaks(always)", "new_string=gate.tight(always)")
	patch := round("e", "ok", "apply_patch", "input=*** Begin Patch\n*** Update File: gate.go\n@@\n-gate.leaks(always)\n+gate.tight(always)\n*** End Patch")
	for name, tt := range map[string]struct {
		diff    string
		foreign string // lines of it
		shown   []string
	}{
		"both":    {head("gate.go") + gate + head("wall.go") + wall, "diff --git a/gate.go b/gate.go\ndiff --git a/wall.go b/wall.go\n+wall.raise(two)\n", []string{"gate."}},
		"own":     {head("gate.go") + gate, "diff --git a/gate.go b/gate.go\n", []string{"gate."}},
		"foreign": {head("wall.go") + wall, "", nil},
	} {
		change := edit
		if name == "patch" {
			change = patch
		}
		c := choiceOf(1000, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("go")}, change, round("d", tt.diff, "Bash", "command=git diff"))...))
		x := &c.texts[slices.IndexFunc(c.texts, func(x text) bool { return x.form == result && strings.Contains(x.block.Body(), "harbour") })]
		var foreign strings.Builder
		for i := range x.cut.Pieces {
			line := x.source(i, i+1)
			if x.isForeign(i) {
				foreign.WriteString(line)
			}
			if shown := slices.ContainsFunc(tt.shown, func(words string) bool { return strings.Contains(line, words) && isChange(line) }); x.isShown(i, i+1) != shown {
				t.Errorf("%s: %q is shown: %t", name, line, !shown)
			}
		}
		if foreign.String() != tt.foreign {
			t.Errorf("%s: foreign are %q, want %q", name, foreign.String(), tt.foreign)
		}
	}
}

// TestSkillsHelp checks that a skill is like the help text of a command, unless a request names it.
func TestSkillsHelp(t *testing.T) {
	skill := strings.Repeat("Call the pilot before the gate is opened.\n", 12)
	for name, tt := range map[string]struct {
		request, tool, arg string
		want               bool
	}{
		"skill":   {"Open the gate.", "Read", "file_path=/home/a/.claude/skills/call-pilot/SKILL.md", true},
		"shell":   {"Open the gate.", "Bash", "command=sed -n '1,220p' /home/a/.codex/skills/call-pilot/SKILL.md", true},
		"named":   {"Open the gate, and let the pilot know.", "Read", "file_path=/home/a/.claude/skills/call-pilot/SKILL.md", false},
		"file":    {"Open the gate.", "Read", "file_path=/home/a/docs/PILOT.md", false},
		"options": {"Open the gate.", "Bash", "command=gate --help", true},
	} {
		c := choiceOf(1000, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User(tt.request)}, round("r", skill, tt.tool, tt.arg))...))
		if x := &c.texts[slices.IndexFunc(c.texts, func(x text) bool { return x.form == result })]; x.helps != tt.want {
			t.Errorf("%s: %t", name, x.helps)
		}
	}
}

// TestRuns checks which lines of a document are commands or name a local server.
func TestRuns(t *testing.T) {
	for line, want := range map[string]bool{
		"npm run build": true, "$ go test ./...": true, "   12→docker compose up": false, "Open <http://localhost:5173>.": true, "make": false, "go with the tide": false,
		"The gate is closed.": false, "`npm install`": false, "http://127.0.0.1:8080/gate": true,
	} {
		if runs(line) != want {
			t.Errorf("%q: want %t", line, want)
		}
	}
}

// TestTurnsInResults checks what is found of a conversation that a tool returned: what its user said, which is of value, the
// line that announces all of it, and the beginning of a long line.
func TestTurnsInResults(t *testing.T) {
	long := "[Assistant] " + strings.Repeat("The wall is of stone, and the sea is beyond it. ", 30) + "\n"
	for name, tt := range map[string]struct {
		source string
		turns  int
	}{
		"brackets": {"[User] The wall is low.\n\n[User] The gate, too.\n\n" + long + "\nThey are.\n\n[User] Raise both of them.\n", 3},
		"two":      {"[User] The wall is low.\n\n[Assistant] It is.\n\n[User] Raise it, please.\n", 0},
		"colons":   {"User: The wall is low.\n\nAssistant: It is.\n\nUser: Raise it.\n\nHuman: Both.\n\nUsers: They agree.\n", 3},
	} {
		x := text{form: result, cut: squeeze.Cut("# The log\n\nThese are the words.\n\n"+tt.source, squeeze.Hint{Path: "log.md", Tool: "Read"})}
		x.putUnderHeadings()
		x.markTurns()
		turns, parts, begin := 0, 0, squeeze.None
		for i, p := range x.cut.Pieces {
			line := x.source(i, i+1)
			speaks, _ := speakerOf(line)
			switch {
			case tt.turns == 0:
				continue
			case speaks:
				begin = i
			case x.continued(i):
				parts++
			}
			if x.isTurn(i) {
				if turns++; x.extraOf(i, 1) != valueTurn {
					t.Errorf("%s: %q has the value %v", name, line, x.extraOf(i, 1))
				}
			}
			if title := "These are the words."; begin != squeeze.None && !x.continued(i) && !strings.HasPrefix(x.source(int(p.Under), int(p.Under)+1), title) {
				t.Errorf("%s: %q stands under piece %d", name, line, p.Under)
			}
			if begin != squeeze.None && x.continued(i) && int(p.Under) != begin {
				t.Errorf("%s: the part %q stands under piece %d, not %d", name, line, p.Under, begin)
			}
		}
		if turns != tt.turns || name == "brackets" && parts == 0 {
			t.Errorf("%s: %d turns, want %d; %d parts of lines", name, turns, tt.turns, parts)
		}
	}
}

// TestExcerpts checks that code in the answer of another model is of less value than what the answer says: the code stands
// in a file.
func TestExcerpts(t *testing.T) {
	report := "The gate is opened by `gate.Open`, which reads the level of the sea.\n\n```go\nfunc Open(level int) error {\n\treturn gate.Move(level)\n}\n```\n\nThe wall is not examined by `wall.Check`.\n" + strings.Repeat("\nIt is of stone.\n", 20)
	for tool, want := range map[string]float64{"Task": valueExcerpt, "WebFetch": 1} {
		c := choiceOf(1000, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("go")}, round("r", report, tool, "prompt=look"))...))
		x := &c.texts[slices.IndexFunc(c.texts, func(x text) bool { return x.form == result })]
		weights := map[bool]float64{}
		for i := x.begin + len(x.starts); i < x.end; i++ { // its pieces
			item := c.items.at(i)
			switch source := x.source(int(item.n), int(item.n)+1); {
			case strings.Contains(source, "gate is opened"):
				weights[false] = float64(item.weight)
			case strings.Contains(source, "gate.Move"):
				weights[true] = float64(item.weight)
			}
		}
		if got := weights[true] / weights[false]; got < want-0.01 || got > want+0.01 {
			t.Errorf("%s: the factor of code is %v, want %v (%v)", tool, got, want, weights)
		}
	}
}

// TestSettings checks that a file of settings that a call wrote is of less value than other files, and an edit of one is
// not.
func TestSettings(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		want float32
	}{
		"settings": {[]string{"file_path=/harbour/package.json", "content=" + strings.Repeat("\"gate\": \"open\",\n", 20)}, valueSettings},
		"image":    {[]string{"file_path=/harbour/Dockerfile", "content=" + strings.Repeat("RUN gate open\n", 20)}, valueSettings},
		"code":     {[]string{"file_path=/harbour/gate.go", "content=" + strings.Repeat("gate.open()\n", 20)}, valueHunk * lastTurnBonus},
		"edit":     {[]string{"file_path=/harbour/package.json", "old_string=\"gate\": \"shut\"", "new_string=" + strings.Repeat("\"gate\": \"open\",\n", 20)}, valueHunk * lastTurnBonus},
	} {
		c := choiceOf(1000, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("go")}, round("w", "ok", "Write", tt.args...), work("a"), work("b"), work("c"))...))
		x := &c.texts[slices.IndexFunc(c.texts, func(x text) bool { return x.form == hunks && x.sign != removed })]
		if got := c.weightOf(x); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
