package chronicle

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

// filled returns a conversation of two turns, whose first turn reads two long pages around some messages.
func filled(between ...*transcript.Message) []*transcript.Message {
	page := strings.Repeat("a line of a page that says little\n", 60)
	return slices.Concat(
		[]*transcript.Message{transcripttest.User("start"), transcripttest.Model("", transcripttest.Call("x", "Read", "file_path=x.txt")), transcripttest.Tool("x", page)},
		between,
		[]*transcript.Message{
			transcripttest.Model("", transcripttest.Call("y", "Read", "file_path=y.txt")), transcripttest.Tool("y", page), transcripttest.Model("It is done now."),
			transcripttest.User("go on"), transcripttest.Model("I go on."),
		})
}

// edited returns the messages of an edit with a result.
func edited(old, now, result string) []*transcript.Message {
	return []*transcript.Message{
		transcripttest.Model("", transcripttest.Call("e", "Edit", "file_path=src/gate.go", "old_string="+old, "new_string="+now, "note="+strings.Repeat("the gate ", 60))), // so that the call itself is dear
		transcripttest.Tool("e", result),
	}
}

// TestRecordOfEdit checks what a record shows of an edit: both sides of a small one, and of each only the lines that
// the other does not have.
func TestRecordOfEdit(t *testing.T) {
	long := strings.Repeat("	g.report(\"a long line that was there before\")\n", 12)
	for name, tt := range map[string]struct {
		old, now, result string
		want             []string
		not              []string
	}{
		"small": {
			"func open() {\n	limit := 3\n	return\n}", "func open() {\n	limit := 4\n	return\n}", "The file has been updated.",
			[]string{"Edit src/gate.go ok:\n -	limit := 3\n", " +	limit := 4\n"}, []string{"+func open", "-func open"},
		},
		"deletion": {
			"	settings.set(\"activeTeam\", name)\n	return nil", "	return nil", "The file has been updated.",
			[]string{" -	settings.set(\"activeTeam\", name)\n"}, []string{"+	return nil", "-	return nil"},
		},
		"short sides":          {"a = 1", "a = 2", "The file has been updated.", []string{" -a = 1\n +a = 2\n"}, nil},
		"much was removed":     {long, "	g.reportAll()", "The file has been updated.", []string{" +	g.reportAll()\n"}, []string{"a long line that was there before"}},
		"failed":               {"limit := 3", "limit := 4", "Error: no such text in src/gate.go", []string{"failed: Error: no such text"}, []string{"limit := 4", "limit := 3"}},
		"rejected by a person": {"limit := 3", "limit := 4", "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.", []string{" failed: The tool use was rejected"}, []string{"limit := 4", "NOT written"}},
	} {
		msgs := edited(tt.old, tt.now, tt.result)
		if strings.HasPrefix(tt.result, "Error") {
			msgs[1].Blocks[0].Error = true
		}
		got := left(t, 130, filled(msgs...)...)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: without %q:\n%s", name, want, got)
			}
		}
		for _, not := range tt.not {
			if strings.Contains(got, not) {
				t.Errorf("%s: with %q:\n%s", name, not, got)
			}
		}
	}
}

// TestFailedEditsAreCounted checks that edits that failed are no edits in a record that only counts.
func TestFailedEditsAreCounted(t *testing.T) {
	var msgs []*transcript.Message
	for _, failed := range []bool{true, false, true} {
		msgs = append(msgs, edited("limit := 3", "limit := 4", "The file has been updated.")...)
		if failed {
			msgs[len(msgs)-1] = transcripttest.Message(transcript.Tool, transcript.ByTool, transcripttest.Failing(transcripttest.Result("e", "no such text")))
		}
	}
	d := choiceOf(1000, transcripttest.Conversation(append(append([]*transcript.Message{transcripttest.User("start")}, msgs...), transcripttest.Model("Done."), transcripttest.User("go on"), transcripttest.Model("I do."))...))
	r := recorder{}
	for i := range d.steps {
		r.count(&d.steps[i])
	}
	if got := writeRecord(r.chunks); got != "[condensed: 2 failed edits; 1 edit]" {
		t.Errorf("got %q", got)
	}
	for _, words := range []string{"1 failed edit", "3 failed edits", "2 failed writes"} {
		if n, noun := callsIn(words); n == 0 || !strings.HasPrefix(noun, "failed ") {
			t.Errorf("%q is no count of calls: %d, %q", words, n, noun)
		}
	}
}

// TestContextOfPatch checks that a record shows of a patch what it added, and what a small one removed.
func TestContextOfPatch(t *testing.T) {
	patch := func(removed string) string {
		return "*** Begin Patch\n*** Update File: src/gate.go\n@@\n func harbourGate() {\n" + removed + "+	limit := 4\n 	return southGate()\n }\n*** End Patch"
	}
	for removed, shown := range map[string]bool{"-	limit := 3\n": true, strings.Repeat("-	report(\"a long line that was there\")\n", 9): false} {
		got := left(t, 130, filled(transcripttest.Model("", transcripttest.Call("p", "apply_patch", "input="+patch(removed), "note="+strings.Repeat("the gate ", 60))), transcripttest.Tool("p", "Done!"))...)
		line, _, _ := strings.Cut(removed, "\n")
		if strings.Contains(got, " "+line+"\n") != shown || !strings.Contains(got, " +	limit := 4\n") || strings.Contains(got, "+	return southGate") {
			t.Errorf("removed %q: %t\n%s", line, shown, got)
		}
	}
}

// TestUnpairedResults checks that of the results without a call, those that are pinned stay, and that the budget holds for
// the others.
func TestUnpairedResults(t *testing.T) {
	pinned := transcripttest.Result("1", "the gate is red\n")
	pinned.Pin = transcript.Verbatim
	long := transcripttest.Result("2", strings.Repeat("a line of the log that says little\n", 60))
	got := left(t, 100, transcripttest.User("start"), transcripttest.Message(transcript.Tool, transcript.ByTool, pinned, long), transcripttest.Model("Done."), transcripttest.User("go on"), transcripttest.Model("I go on."))
	if !strings.Contains(got, "the gate is red\n") || !strings.Contains(got, "[60 lines omitted]") || strings.Contains(got, "a line of the log") {
		t.Errorf("got:\n%s", got)
	}
}
