package chronicle

import (
	"fmt"
	"hash/maphash"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/transcripttest"
)

// quarters counts four bytes as one token.
func quarters(b *transcript.Block) (n int) {
	for _, p := range b.Parts {
		n += (len(p.Text) + 3) / 4
	}
	return n
}

// left returns the text of a conversation after the edits for a budget.
func left(t *testing.T, budget int, msgs ...*transcript.Message) string {
	t.Helper()
	c := transcripttest.Conversation(msgs...)
	survey := fact.Of(c)
	values := make([]float64, survey.Len())
	for i := range values {
		values[i] = 1
	}
	s := Source{Conv: c, Budget: budget, Tokens: quarters, Survey: survey, Value: values,
		Hint: func(_ transcript.Ref, b *transcript.Block, _ int) squeeze.Hint {
			return squeeze.Hint{Tool: b.Tool, Command: b.Arg("command"), Path: b.Arg("file_path")}
		}}
	next, err := c.Apply(s.Edits())
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, b := range next.Blocks() {
		text.WriteString(b.Text() + "\n")
	}
	return text.String()
}

// TestRecordNamesBracketedPaths checks that a record holds the path of a route such as
// app/[id]/page.tsx unchanged.
func TestRecordNamesBracketedPaths(t *testing.T) {
	var msgs []*transcript.Message
	msgs = append(msgs, transcripttest.User("start"))
	for _, id := range []string{"1", "2", "3", "4", "5", "6"} {
		msgs = append(msgs, transcripttest.Model("", transcripttest.Call(id, "Read", "file_path=src/app/[id]/page"+id+".tsx")),
			transcripttest.Tool(id, strings.Repeat("a line of the page that says little\n", 60)))
	}
	msgs = append(msgs, transcripttest.Model("Done."), transcripttest.User("go on"))
	if got := left(t, 100, msgs...); !strings.Contains(got, "[condensed: ") || strings.Contains(got, "(id)") || !strings.Contains(got, "src/app/[id]/page1.tsx") {
		t.Errorf("got:\n%s", got)
	}
}

// TestRecordQuotesUnderTheirCall checks that quoted lines follow their own call, and no
// other.
func TestRecordQuotesUnderTheirCall(t *testing.T) {
	r := recorder{}
	for _, name := range []string{"a.go", "b.go"} {
		s := step{kind: fact.ReadTool, label: true, entry: entry{tool: "Read", subject: name}}
		var quotes []string
		if name == "b.go" {
			quotes = []string{" func B() {}"}
		}
		r.step(&s, &s.entry, quotes)
	}
	if got := writeRecord(r.chunks); strings.Contains(got, "Read a.go, b.go:\n") {
		t.Errorf("the line could be from a.go: %s", got)
	}
}

// TestOutcomeWords checks that the words for a result are the last state of a line that was
// written several times, and hold no notices of the client.
func TestOutcomeWords(t *testing.T) {
	for text, want := range map[string]string{
		"Rebasing (1/2)\rRebasing (2/2)\rSuccessfully rebased.\n":                                               "Successfully rebased.",
		"exit: 0\n<shellId: 54 completed with exit code 0>\n":                                                   "exit: 0",
		"a line\r\n[Showing lines 1-2 of 9. Use :3 to continue]\r\n":                                            "a line",
		"a line\nError: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 145": "a line",
		"a line\n\n(End of file - total 24 lines)\n</content>":                                                  "a line",
		"<path>/ship/a.go</path>": "",
		"a line\nagentId: a70 (for resuming to continue this agent's work if needed)\n<usage>total_tokens: 74\ntool_uses: 2\nduration_ms: 705</usage>": "a line",
		"a line\n[Jupyter current working directory: /workspace]":                                                                                      "a line",
	} {
		if got := cleanLines(withoutNotices(text)); got != want {
			t.Errorf("%q is described as %q, want %q", text, got, want)
		}
	}
}

// TestVerdictOfChecks checks the words for a passing run of tests in Go and of a linter: the last line is that of one
// package, or the time.
func TestVerdictOfChecks(t *testing.T) {
	const gates = "?   \tharbour/sea\t[no test files]\nok  \tharbour/gate\t0.021s\nok  \tharbour/wall\t(cached)\n"
	for output, want := range map[string]string{
		gates: "ok, 2 packages",
		"[test] $ go test ./...\n" + gates + "Finished in 3.10s\n":                "ok, 2 packages",
		"ok  \tharbour/gate\t0.021s\n":                                            "ok  \tharbour/gate\t0.021s",
		gates + "[lint] 5 issues, 2 failed\n":                                     "[lint] 5 issues, 2 failed",
		gates + "FAIL\tharbour/quay\t0.1s\nFAIL\n":                                "ok  \tharbour/wall\t(cached)\n",
		"[lint] $ golangci-lint run ./...\n[lint] 0 issues.\nFinished in 3.10s\n": "[lint] 0 issues.",
	} {
		if got := verdict(output); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}

// TestAnnouncedError checks that the reason of a failure is not only the line that announces it.
func TestAnnouncedError(t *testing.T) {
	for output, want := range map[string]string{
		"InputError: mend failed due to the following issues:\n\nThe parameter `gate` is missing\nThe parameter `wall` is missing": "InputError: mend failed due to the following issues: The parameter 'gate' is missing",
		"[lint] ERROR task failed:\nsea/gate.go:4:2: error is not checked (errcheck)\n":                                            "sea/gate.go:4:2: error is not checked (errcheck)",
		"error: the gate is stuck:":                               "error: the gate is stuck:",
		"ERROR:\nNo replacement was made: the text occurs twice.": "ERROR: No replacement was made: the text occurs twice.",
	} {
		if got := failure(output, mostFailure); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
	failed := round("m", "InputError: mend failed due to the following issues:\nThe parameter gate is missing\n"+strings.Repeat("and the sea is as it was before\n", 60), "mend", "wall=south")
	failed[1].Blocks[0].Error = true
	if got := left(t, 90, slices.Concat([]*transcript.Message{transcripttest.User("Mend it.")}, failed)...); !strings.Contains(got, "\nThe parameter gate is missing") {
		t.Errorf("without the error:\n%s", got)
	}
}

// TestFailureOfShell checks that the exit code of a shell is the reason of a failure if no line of the output states one.
func TestFailureOfShell(t *testing.T) {
	for output, want := range map[string]string{
		"=== HEAD ===\n4afc7ae8 Lift the anchor\n<shellId: 6 completed with exit code 1>": "exit code 1",
		"<shellId: 6 completed with exit code 2>":                                         "exit code 2",
		"error: the anchor is stuck\n<shellId: 6 completed with exit code 1>":             "error: the anchor is stuck",
		"a line says <shellId: 6 completed with exit code 1>":                             "a line says <shellId: 6 completed with exit code 1>",
	} {
		if got := failure(output, mostFailure); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
}

// TestRecordNamesTasks checks that records name each task once, with its last state, and quote of an edit
// only what it changed.
func TestRecordNamesTasks(t *testing.T) {
	var msgs []*transcript.Message
	call := func(id, tool, result string, args ...string) {
		msgs = append(msgs, transcripttest.Model("", transcripttest.Call(id, tool, args...)), transcripttest.Tool(id, result))
	}
	msgs = append(msgs, transcripttest.User("start"))
	call("1", "TaskCreate", "Task #1 created successfully: Lift the anchor", "subject=Lift the anchor", "description="+strings.Repeat("Heave together. ", 30))
	call("2", "TaskCreate", "Task #2 created successfully: Hoist the sails", "subject=Hoist the sails", "description="+strings.Repeat("Haul together. ", 30))
	call("3", "TaskUpdate", "Updated task #1 status", "taskId=1", "status=in_progress")
	call("3b", "TaskUpdate", "Updated task #1 status", "taskId=1", "status=completed")
	same := strings.Repeat("\t// The sheet of the mainsail runs through two blocks to the winch.\n", 12)
	call("4", "Edit", "The file has been updated.", "file_path=/ship/sail.go",
		"old_string=func Trim(sheet int) error {\n"+same+"\treturn nil // nothing to trim yet\n}\n",
		"new_string=func Trim(sheet int) error {\n"+same+"\treturn winch.Haul(sheet, fathoms)\n}\n")
	for _, id := range []string{"5", "6", "7", "8", "9"} {
		call(id, "Read", strings.Repeat("a line of the log that says little\n", 60), "file_path=/ship/log"+id+".txt")
	}
	msgs = append(msgs, transcripttest.Model("Half of the work is done."), transcripttest.User("go on"))
	got := left(t, 110, msgs...)
	for text, want := range map[string]bool{
		`TaskCreate #2 "Hoist the sails"`: true, `TaskUpdate #1 "Lift the anchor": completed`: true, "in_progress": false, `TaskCreate #1`: false, "+\treturn winch.Haul(sheet, fathoms)": true, "two blocks to the winch": false,
	} {
		if strings.Contains(got, text) != want {
			t.Errorf("contains %q: %t, want %t:\n%s", text, !want, want, got)
		}
	}
}

// TestClosedTasksStay checks that a record names each task that was closed, however old the call is, by its
// number and the first words of its title.
func TestClosedTasksStay(t *testing.T) {
	msgs := []*transcript.Message{transcripttest.User("start")}
	call := func(tool, result string, args ...string) {
		id := strconv.Itoa(len(msgs))
		msgs = append(msgs, transcripttest.Model("", transcripttest.Call(id, tool, args...)), transcripttest.Tool(id, result))
	}
	for i := range 4 {
		n := strconv.Itoa(i + 1)
		call("TaskCreate", "Task #"+n+" created successfully", "subject=Tar the planks of the hull from the bow to the stern", "description="+strings.Repeat("Heave together. ", 20))
	}
	for i := range 3 {
		n := strconv.Itoa(i + 1)
		call("TaskUpdate", "Updated task #"+n+" status", "taskId="+n, "status=in_progress")
		for k := range 4 {
			call("Edit", "The file has been updated.", "file_path=/ship/deck/plank"+n+strconv.Itoa(k)+".go", "old_string=a", "new_string=theTar"+n+strconv.Itoa(k))
		}
		call("TaskUpdate", "Updated task #"+n+" status", "taskId="+n, "status=completed")
	}
	msgs = append(msgs, transcripttest.Model("Most of the work is done."), transcripttest.User("go on"))
	got := left(t, 240, msgs...)
	for text, want := range map[string]bool{
		`#1 "Tar the planks of the hull from …": completed`: true, `#2 "Tar the planks of the hull from …": completed`: true, `#4 "Tar the planks of the hull from the bow to the stern"`: true,
	} {
		if strings.Contains(got, text) != want {
			t.Errorf("contains %q: %t, want %t:\n%s", text, !want, want, got)
		}
	}
	for task, want := range map[string]string{
		`#1 "Lift the anchor"`: `#1 "Lift the anchor"`, `#1 "Lift the anchor of the ship from the ground"`: `#1 "Lift the anchor of the ship …"`, "#1 no quotes around this title of a task": "#1 no quotes around this title of a task",
	} {
		if got := briefTask(task); got != want {
			t.Errorf("%s: got %s, want %s", task, got, want)
		}
	}
}

// TestRecordAcrossHiddenMessages checks that a call becomes a record, although messages that the model
// does not see lie between the call and its result.
func TestRecordAcrossHiddenMessages(t *testing.T) {
	progress := transcripttest.Model("The agent reads a file.")
	progress.Hidden = true
	got := left(t, 60, transcripttest.User("start"),
		transcripttest.Model("", transcripttest.Call("1", "Task", "description=Explore the hold", "prompt="+strings.Repeat("Look into every corner of the hold. ", 40))), progress,
		transcripttest.Tool("1", strings.Repeat("There is a barrel in the hold.\n", 40)), transcripttest.Model("The hold is full of barrels."), transcripttest.User("go on"))
	if !strings.Contains(got, `[condensed: Task "Explore the hold"`) || strings.Contains(got, "every corner") {
		t.Errorf("the call is no record:\n%s", got)
	}
}

// TestOutcomeOfCommand checks the words for the output of a command that tests or changes something: the
// counts of a test run wherever they stand, also behind a marker of an earlier run.
func TestOutcomeOfCommand(t *testing.T) {
	failures := "\n\n  1) Gate\n       opens\n" + strings.Repeat("      at Context.<anonymous> (gate.test.ts:12:3)\n", 20)
	for result, want := range map[string]string{
		"> mocha\n\n  89 passing (146ms)\n  6 failing" + failures:                        ": 89 passing (146ms) / 6 failing",
		"[repeated later: 12 lines omitted]\n  78 passing (1s)\n  17 failing" + failures: ": 78 passing (1s) / 17 failing",
		"[12 lines omitted]\nnothing of interest\n" + failures:                           "",
	} {
		b := transcripttest.Result("1", result)
		c := transcripttest.Conversation(transcripttest.Model(transcripttest.Call("1", "Bash", "command=npm test")), transcripttest.Message(transcript.Tool, transcript.ByTool, b))
		d := draft{Source: &Source{Conv: c}}
		s := step{changes: true, kind: fact.ShellTool, results: []transcript.Ref{{Msg: 1, Block: b.ID, Part: transcript.Whole}}}
		if got := d.outcome(&s, c.Messages[0].Blocks[0]); got != want {
			t.Errorf("%.60q: %q, want %q", result, got, want)
		}
	}
}

// TestOutcomeOfRefusal checks that the outcome of a call is the line by which a tool refused it, also where
// nothing marks the result as an error.
func TestOutcomeOfRefusal(t *testing.T) {
	rest := strings.Repeat("a line of the deck that is shown again\n", 20)
	for result, want := range map[string]string{
		"[No exact match found in deck.tsx for\n" + rest:                        ": [No exact match found in deck.tsx for",
		"The last command timed out and has been killed.\n" + rest:              ": The last command timed out and has been killed.",
		rest + "Your edit has introduced new syntax error(s). Nothing was done": ": Your edit has introduced new syntax error(s). Nothing was done",
		"a line\nIt timed out.\n" + rest:                                        " (22 lines)",
	} {
		c := transcripttest.Conversation(transcripttest.Model(transcripttest.Call("1", "run", "code=edit()")), transcripttest.Tool("1", result))
		d := draft{Source: &Source{Conv: c}}
		s := step{results: []transcript.Ref{{Msg: 1, Block: c.Messages[1].Blocks[0].ID, Part: transcript.Whole}}}
		if got := d.outcome(&s, c.Messages[0].Blocks[0]); got != want {
			t.Errorf("%.60q: %q, want %q", result, got, want)
		}
		if got := d.outcome(&s, nil); got != want {
			t.Errorf("without a call: %.60q: %q, want %q", result, got, want)
		}
	}
}

// TestOutcomeOfWrite checks that the outcome of a write states the first problem that the client found.
func TestOutcomeOfWrite(t *testing.T) {
	saved := "The content was saved to lock.ts.\n"
	for result, want := range map[string]string{
		saved: " ok", saved + "\nNew problems detected after saving the file:\n": " ok, New problems detected",
		saved + "\nNew problems detected after saving the file:\nlock.ts\n- [ts Error] Line 3: 'level' is not here.\n- [ts Error] Line 4: no": " ok, New problems detected: lock.ts [ts Error] Line 3: 'level' is not here. …",
	} {
		c := transcripttest.Conversation(transcripttest.Model(transcripttest.Call("1", "write_to_file", "path=lock.ts", "content=a")), transcripttest.Tool("1", result))
		d := draft{Source: &Source{Conv: c}}
		s := step{results: []transcript.Ref{{Msg: 1, Block: c.Messages[1].Blocks[0].ID, Part: transcript.Whole}}}
		if got := d.outcome(&s, c.Messages[0].Blocks[0]); got != want {
			t.Errorf("%q: %q, want %q", result, got, want)
		}
	}
}

// TestOutcomeOfRepeated checks that the outcome of a call whose result an earlier stage replaced is that of the
// original result, with a shorter reason and without its length.
func TestOutcomeOfRepeated(t *testing.T) {
	reason := "The gate of the lower lock is closed until the survey ends, ask the keeper for the plan of the day"
	for _, tt := range []struct{ before, after, want string }{
		{reason, "[repeated later: 1 line omitted]", " failed: The gate of the lower lock is closed until the survey ends …"},
		{reason, reason, " failed: " + reason},
		{strings.Repeat("level 12\n", 80), "level 12\n[79 lines omitted]", " (80 lines)"},
		{strings.Repeat("level 12\n", 80), "[repeated later: 80 lines omitted]", ""},
		{"all gates open", "[repeated later: 1 line omitted]", ": all gates open"},
	} {
		sessions := [2]*transcript.Conversation{}
		for i, result := range [2]string{tt.before, tt.after} {
			b := transcripttest.Result("1", result)
			b.Error = tt.before == reason
			sessions[i] = transcripttest.Conversation(transcripttest.Model(transcripttest.Call("1", "run", "code=open()")), transcripttest.Message(transcript.Tool, transcript.ByTool, b))
		}
		d := draft{Source: &Source{Conv: sessions[1], Original: sessions[0].Block}}
		s := step{results: []transcript.Ref{{Msg: 1, Block: sessions[1].Messages[1].Blocks[0].ID, Part: transcript.Whole}}}
		if got := d.outcome(&s, sessions[1].Messages[0].Blocks[0]); got != tt.want {
			t.Errorf("%.40q, then %.40q: %q, want %q", tt.before, tt.after, got, tt.want)
		}
	}
}

// TestOutcomeOfRequest checks that the outcome of curl is the status of its last answer, and that of another
// command its size.
func TestOutcomeOfRequest(t *testing.T) {
	result := "HTTP/2 301\r\nlocation: /b\r\n\r\nHTTP/2 404 Not Found\r\n" + strings.Repeat("x-tide: a line of a header that is of no use\r\n", 20)
	for command, want := range map[string]string{"curl -sIL example.org/a": ": HTTP/2 404 Not Found", "cat answer.txt": " (24 lines)"} {
		b := transcripttest.Result("1", result)
		c := transcripttest.Conversation(transcripttest.Model(transcripttest.Call("1", "Bash", "command="+command)), transcripttest.Message(transcript.Tool, transcript.ByTool, b))
		d := draft{Source: &Source{Conv: c}}
		s := step{kind: fact.ShellTool, results: []transcript.Ref{{Msg: 1, Block: b.ID, Part: transcript.Whole}}}
		if got := d.outcome(&s, c.Messages[0].Blocks[0]); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

// TestChatter checks which lines belong to a log for developers.
func TestChatter(t *testing.T) {
	for line, want := range map[string]bool{
		"> [debug] [2026-06-18T06:44:45.808Z] #1 ← 200 OK: sfo1::wh5z8 [385ms]": true,
		"2026-06-18 06:44:45,808 DEBUG gate: level 3":                           true,
		`time=06:44 level=debug msg="level 3"`:                                  true,
		"npm verb exit 1":                                                       true,
		"2026-06-18 06:44:45,808 ERROR gate: debug it":                          false,
		"How to debug the gate":                                                 false,
		"debugger.go":                                                           false,
		"":                                                                      false,
	} {
		if got := chatters(line + "\nDEBUG"); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// TestChangedFileGoesWhole checks that lines of a file that something else changed go as a whole: the client
// names the file, and gaps between its lines would say nothing.
func TestChangedFileGoesWhole(t *testing.T) {
	m := transcripttest.User("Mend the gates of the harbour.")
	shown := transcripttest.Text(strings.Repeat("\tif level > limit_1 {\n\t\treturn ErrFlood1\n\t}\n", 40))
	shown.Origin, shown.Tool, shown.Parts[0].Name = transcript.Injected, "edited_text_file", "/harbour/gate.go"
	client := transcripttest.Message(transcript.User, transcript.Injected, shown)
	got := left(t, 60, m, transcripttest.Model("They leak."), client, transcripttest.Model("The limit is too low."), transcripttest.User("go on"))
	if !strings.Contains(got, "[text of the client: 120 lines omitted]") || strings.Contains(got, "ErrFlood1") {
		t.Errorf("got:\n%s", got)
	}
}

// TestInstructionsOfCodex checks that instructions of Codex for the model keep fewer constraints than those of an
// application, and that they keep a line that says how to commit, although it is no constraint.
func TestInstructionsOfCodex(t *testing.T) {
	var rules strings.Builder
	for i := range 30 {
		fmt.Fprintf(&rules, "Never open gate_%d at flood.\nKeepers write down what they see.\n", i)
	}
	var said strings.Builder
	for i := range 90 {
		fmt.Fprintf(&said, "The cause is that hinge_%d of sill_%d leaks since keeper_%d mended it.\n\n", i, i+100, i+200)
	}
	kept := map[string]int{}
	for _, tag := range []string{"app-context", "harbour_rules"} {
		m := transcripttest.Message(transcript.System, transcript.Injected, transcripttest.Text("<"+tag+">\n"+rules.String()+"### Git\n- Name a new branch after the gate.\n</"+tag+">"))
		m.Blocks[0].Origin = transcript.Injected
		got := left(t, 900, m, transcripttest.User("Mend the gates of the harbour."), transcripttest.Model(said.String()), transcripttest.User("go on"))
		if kept[tag] = strings.Count(got, "Never open"); kept[tag] == 30 {
			t.Errorf("nothing is shortened:\n%s", got)
		}
		if named := strings.Contains(got, "Name a new branch"); tag == "app-context" && !named {
			t.Errorf("without the rule for branches:\n%s", got)
		}
	}
	if kept["app-context"] == 0 || 2*kept["app-context"] > kept["harbour_rules"] {
		t.Errorf("constraints kept: %v", kept)
	}
}

// TestImageIsAnOutput checks that a record does not say that a result with an image is empty.
func TestImageIsAnOutput(t *testing.T) {
	b := transcripttest.Result("1", "")
	b.Parts = []transcript.Part{{Media: &transcript.Medium{Type: "image/png"}}}
	c := transcripttest.Conversation(transcripttest.Model(transcripttest.Call("1", "Read", "file_path=gate.png")), transcripttest.Message(transcript.Tool, transcript.ByTool, b))
	d := draft{Source: &Source{Conv: c}}
	s := step{kind: fact.ReadTool, results: []transcript.Ref{{Msg: 1, Block: b.ID, Part: transcript.Whole}}}
	if got := d.outcome(&s, c.Messages[0].Blocks[0]); got != "" {
		t.Errorf("got %q", got)
	}
}

// TestRecordOfDiff checks that a record names the file of the changed lines that it quotes, once, and marks
// what is missing between them, and that it writes a long line in one piece.
func TestRecordOfDiff(t *testing.T) {
	long := "+\tkeeper.open(" + strings.Repeat("lower, upper, ", 30) + "12)"
	source := "diff --git a/lock.go b/lock.go\nindex 1..2\n--- a/lock.go\n+++ b/lock.go\n@@ -1,9 +1,9 @@\n-\told()\n" + long + "\n \tsame()\n+\tlevel()\n" +
		"diff --git a/gate.go b/gate.go\nindex 3..4\n--- a/gate.go\n+++ b/gate.go\n@@ -7,2 +7,3 @@\n+\tgate()\n"
	x := text{form: result, step: -1, cut: squeeze.Cut(source, squeeze.Hint{Command: "git diff"})}
	x.kept = make([]bool, len(x.cut.Pieces))
	for i := range x.kept {
		line := x.source(i, i+1)
		x.kept[i] = strings.Contains(line, "lower") || strings.Contains(line, "12)") || strings.Contains(line, "level") || strings.Contains(line, "gate()")
	}
	w := writer{choice: &choice{draft: &draft{Source: &Source{}}}}
	got := w.keptLines(nil, &x, "")
	want := []string{" diff --git a/lock.go b/lock.go", " " + long, gapLine, " +\tlevel()", " diff --git a/gate.go b/gate.go", " +\tgate()"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestRecordOfCode checks that a record marks what is missing between lines of code, unless they have numbers,
// and not between lines of a log.
func TestRecordOfCode(t *testing.T) {
	for _, tt := range []struct {
		number string
		hint   squeeze.Hint
		gaps   int
	}{
		{"", squeeze.Hint{Path: "lock.go", Tool: "Read"}, 1}, {"%d→", squeeze.Hint{Path: "lock.go", Tool: "Read"}, 0}, {"%d|", squeeze.Hint{Path: "lock.go", Tool: "Read"}, 0},
		{"", squeeze.Hint{Path: "lock.log", Tool: "Read"}, 1},
	} {
		var source strings.Builder
		for i := range 9 {
			if tt.number != "" {
				fmt.Fprintf(&source, tt.number, i+1)
			}
			fmt.Fprintf(&source, "func gate%d() int { return %d }\n", i, i)
		}
		x := text{form: result, step: -1, cut: squeeze.Cut(source.String(), tt.hint)}
		x.kept = make([]bool, len(x.cut.Pieces))
		x.kept[1], x.kept[6] = true, true
		w := writer{choice: &choice{draft: &draft{Source: &Source{}}}}
		got := w.keptLines(nil, &x, "")
		if n := len(slices.DeleteFunc(slices.Clone(got), func(line string) bool { return line != gapLine })); n != tt.gaps || len(got) != 2+n {
			t.Errorf("%q, %v: got %q", tt.number, tt.hint, got)
		}
	}
}

// TestRecordOfMembers checks that a record quotes each member of an object on a line of its own, and the parts
// of a long line on one.
func TestRecordOfMembers(t *testing.T) {
	for source, want := range map[string][]string{
		"{\n  \"sails\": {\n    \"main\": 1\n  },\n  \"oars\": 4\n}\n": {` {`, ` "sails": {`, `     "main": 1`, `   },`, `   "oars": 4`, ` }`},
		`{"sails":{"main":1},"oars":4}`:                                {` {"sails":{"main":1},"oars":4}`},
	} {
		x := text{form: result, step: -1, cut: squeeze.Cut(source, squeeze.Hint{Path: "ship.json", Tool: "Read"})}
		x.kept = slices.Repeat([]bool{true}, len(x.cut.Pieces))
		w := writer{choice: &choice{draft: &draft{Source: &Source{}}}}
		if got := w.keptLines(nil, &x, ""); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
}

// TestOutcomeOfTask checks the words for calls about a task: what changes it needs none beside its state, and
// what only asks for it says what came back.
func TestOutcomeOfTask(t *testing.T) {
	for _, changes := range []bool{true, false} {
		b := transcripttest.Result("1", "Task 6: mend the gate, open")
		c := transcripttest.Conversation(transcripttest.Model(transcripttest.Call("1", "Task", "taskId=6")), transcripttest.Message(transcript.Tool, transcript.ByTool, b))
		d := draft{Source: &Source{Conv: c}}
		s := step{changes: changes, results: []transcript.Ref{{Msg: 1, Block: b.ID, Part: transcript.Whole}}}
		want := ": Task 6: mend the gate, open"
		if changes {
			want = ""
		}
		if got := d.outcome(&s, c.Messages[0].Blocks[0]); got != want {
			t.Errorf("it changes: %v: %q, want %q", changes, got, want)
		}
	}
}

// TestQuotedProgress checks that a record quotes of a line that was written over only its last state.
func TestQuotedProgress(t *testing.T) {
	source := "10 %\r60 %\r100 %, 12 files written\n"
	x := &text{form: result, cut: &squeeze.Text{Source: source, Pieces: []squeeze.Piece{{End: int32(len(source))}}}, kept: []bool{true}}
	if got := (&writer{choice: &choice{draft: &draft{Source: &Source{}}}}).keptLines(nil, x, ""); len(got) != 1 || got[0] != " 100 %, 12 files written" {
		t.Errorf("quoted are %q", got)
	}
}

// TestRecordIsLinear checks that a record of very many calls of one tool takes memory in proportion to its
// length, and repeats no call.
func TestRecordIsLinear(t *testing.T) {
	const calls = 20_000
	steps := make([]step, 2*calls)
	for i := range steps {
		steps[i] = step{kind: fact.ReadTool, label: true, entry: entry{tool: "Read", subject: fmt.Sprintf("file%d.go", i%calls)}}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := recorder{places: map[uint64]int32{}, seed: maphash.MakeSeed()}
	for i := range steps {
		r.step(&steps[i], &steps[i].entry, nil)
	}
	text := writeRecord(r.chunks)
	runtime.ReadMemStats(&after)
	if n := strings.Count(text, ".go"); n != calls || !strings.HasPrefix(text, "[condensed: Read file0.go, file1.go, file2.go") {
		t.Errorf("%d calls in %.60s", n, text)
	}
	if most := uint64(60 * len(text)); after.TotalAlloc-before.TotalAlloc > most {
		t.Errorf("a record of %d bytes takes %d bytes", len(text), after.TotalAlloc-before.TotalAlloc)
	}
}
