package chronicle

import (
	"slices"
	"strings"
	"testing"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/transcripttest"
)

// TestDeadLinesBesideOtherCalls checks that a call without a path, one that reads in a shell, or a patch of another file
// does not hide the reads beside it.
func TestDeadLinesBesideOtherCalls(t *testing.T) {
	const gone = "	return the level of the southern basin"
	for _, beside := range []*transcript.Block{
		transcripttest.Call("2", "Think", "note=a gate"), transcripttest.Call("2", "Bash", "command=cat src/other.go"),
		transcripttest.Call("2", "apply_patch", "input=*** Begin Patch\n*** Update File: src/other.go\n@@\n-	return 3\n+	return 4\n*** End Patch"),
	} {
		c := transcripttest.Conversation(transcripttest.User("start"),
			transcripttest.Model("", transcripttest.Call("1", "Read", "file_path=src/gate.go"), beside),
			transcripttest.Message(transcript.Tool, transcript.ByTool, transcripttest.Result("1", "func level() {\n"+gone+"\n}"), transcripttest.Result("2", "ok")),
			transcripttest.Model("", transcripttest.Call("3", "Edit", "file_path=src/gate.go", "old_string="+gone, "new_string=	return the level of the northern basin")), transcripttest.Tool("3", "ok"))
		check := deadOf(c)[&c.Messages[2].Blocks[0].Parts[0]]
		if check == nil || !check(gone) {
			t.Errorf("beside %s: the line that the edit removed is not dead in the result of the read", beside.Tool)
		}
	}
}

// TestWrittenLines checks that only the new side of an edit counts as what its call wrote.
func TestWrittenLines(t *testing.T) {
	c := choiceOf(1000, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("start")},
		edited("the old limit of the gate", "the new limit of the gate", strings.Repeat("a line of the file that the tool shows\n", 20)),
		[]*transcript.Message{transcripttest.Model("Done."), transcripttest.User("go on"), transcripttest.Model("I do.")})...))
	i := slices.IndexFunc(c.texts, func(x text) bool { return x.form == result && x.step >= 0 })
	if i < 0 {
		t.Fatal("no result")
	}
	lines := c.writtenLines(&c.texts[i], &scratch{seen: map[string]bool{}})
	if !lines["the new limit of the gate"] || lines["the old limit of the gate"] {
		t.Errorf("got %v", lines)
	}
}

// TestValueOfFailedScript checks that a script that failed counts less than one that ran, and more than nothing.
func TestValueOfFailedScript(t *testing.T) {
	weight := func(result *transcript.Block) float32 {
		c := choiceOf(1000, transcripttest.Conversation(transcripttest.User("start"),
			transcripttest.Model("", transcripttest.Call("1", "run", "script="+strings.Repeat("harbour.gate(\"south\").report(level=4.2)\n", 12))),
			transcripttest.Message(transcript.Tool, transcript.ByTool, result), transcripttest.Model("Done."), transcripttest.User("go on"), transcripttest.Model("I do.")))
		i := slices.IndexFunc(c.texts, func(x text) bool { return x.form == hunks })
		if i < 0 {
			t.Fatal("no script")
		}
		return c.weightOf(&c.texts[i])
	}
	ran, failed := weight(transcripttest.Result("1", "4.2")), weight(transcripttest.Failing(transcripttest.Result("1", "Error: no gate")))
	if failed <= 0 || failed >= ran {
		t.Errorf("a script that failed has the value %v, one that ran %v", failed, ran)
	}
}

// TestCurrentTask checks which task of a list a record names: the one in progress, or else the last that is closed.
func TestCurrentTask(t *testing.T) {
	for want, args := range map[string][]string{
		`"Mend the gate" in_progress`: {"todos[0].content=Read", "todos[0].status=completed", "todos[1].content=Mend the gate", "todos[1].status=in_progress", "todos[2].content=Test", "todos[2].status=pending"},
		`"Test" completed`:            {"todos[0].title=Read", "todos[0].status=completed", "todos[1].title=Test", "todos[1].status=completed"},
		`"Look" done`:                 {"plan[0].step=Look", "plan[0].status=done", "plan[1].step=Test", "plan[1].status=pending"},
		``:                            {"todos[0].content=Test", "todos[0].status=pending", "status=in_progress"},
	} {
		if got := current(transcripttest.Call("1", "TodoWrite", args...)); got != want {
			t.Errorf("%q: got %q, want %q", args, got, want)
		}
	}
}

// TestStemsOfOtherLetters checks that words end at characters of ASCII that are no letters, and at no others.
func TestStemsOfOtherLetters(t *testing.T) {
	if got := matterOf("wasserstände{schleuse}~hafenmeister").stems; len(got) != 3 {
		t.Errorf("got %q, want three words", got)
	}
}

// TestFenceInInstructions checks that a line of instructions that begins like a fence is indented in a story.
func TestFenceInInstructions(t *testing.T) {
	s := storyWith(t, "Base directory for this skill: /skills\n\n~~~\nopen the gate\n~~~")
	for _, p := range s.Passages {
		if p.By == Instructing && strings.Contains("\n"+p.Text, "\n"+Fence) {
			t.Errorf("a fence: %q", p.Text)
		}
	}
	if !slices.ContainsFunc(s.Passages, func(p Passage) bool { return p.By == Instructing && strings.Contains(p.Text, " "+Fence) }) {
		t.Errorf("no passage instructs: %+v", s.Passages)
	}
}

// storyWith returns the story of a conversation with a text of the client that instructs.
func storyWith(t *testing.T, injected string) Story {
	t.Helper()
	c := transcripttest.Conversation(transcripttest.User("Mend the gate."), transcripttest.Message(transcript.User, transcript.Injected, injected), transcripttest.Model("Done."), transcripttest.User("go on"), transcripttest.Model("I do."))
	s := choiceOf(500, c).Source
	s.Instructs = map[*transcript.Block]bool{c.Messages[1].Blocks[0]: true}
	s.Hint = func(transcript.Ref, *transcript.Block, int) squeeze.Hint { return squeeze.Hint{} }
	return s.Story("", func(s Story) (n int) {
		for _, p := range s.Passages {
			n += (len(p.Text) + 3) / 4
		}
		return n
	})
}

// TestTextOfClientInWords checks that a text that only speaks of a text of the client is no marker of one.
func TestTextOfClientInWords(t *testing.T) {
	for text, want := range map[string]elementKind{
		"[text of the client: 12 lines omitted] and some words behind the marker that make it longer than a marker": stayElement,
		"What you see is the text of the client: it has some words more than a marker would have, and no brackets":  wholeElement,
	} {
		c := transcripttest.Conversation(transcripttest.User("start"), transcripttest.Message(transcript.User, transcript.Injected, text), transcripttest.Model("Done."))
		d := choiceOf(100, c)
		i := slices.IndexFunc(d.seq, func(e element) bool { return int(e.msg) == c.Messages[1].ID })
		if i < 0 || d.seq[i].kind != want {
			t.Errorf("%q: %+v, want kind %v", text, d.seq, want)
		}
	}
}

// TestShortDiffs checks that the lines which a short diff adds or removes have more value than the others, and not those
// of a long diff.
func TestShortDiffs(t *testing.T) {
	hunk := "diff --git a/keel.go b/keel.go\n--- a/keel.go\n+++ b/keel.go\n@@ -1,3 +1,3 @@\n the keel\n-the old mast\n+the new mast\n+\n"
	for more, want := range map[int]bool{0: true, mostDiff: false} {
		diff := hunk + strings.Repeat(" the deck\n", more)
		c := choiceOf(1000, transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("Look.")},
			round("1", diff, "Bash", "command=git show"), round("2", "ok", "Bash", "command=make"))...))
		x := &c.texts[slices.IndexFunc(c.texts, func(x text) bool { return x.form == result })]
		values := extrasOf(c, x)
		for line, changed := range map[string]bool{"-the old mast": true, "+the new mast": true, "the keel": false, "+++ b/keel.go": false, "--- a/keel.go": false, "+": false} {
			if got := values[line] > valueChange/2; got != (changed && want) {
				t.Errorf("%d more lines: %q has the value %v", more, line, values[line])
			}
		}
	}
}

// TestNamesFile checks which lines hold a path and hardly anything else.
func TestNamesFile(t *testing.T) {
	for line, want := range map[string]bool{
		"[Tool] Read: /tmp/harbour.png": true, "- src/keel.go": true, "/tmp/a /tmp/b": true, "The keel is in src/keel.go": false, "see src/keel.go now": true, "no path": false, "": false,
	} {
		if got := namesFile(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
