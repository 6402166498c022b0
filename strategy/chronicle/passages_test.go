package chronicle

import (
	"slices"
	"strings"
	"testing"

	"condense/strategy/squeeze"
	"condense/transcript"
	"condense/transcript/fact"
	"condense/transcript/transcripttest"
)

// storyOf returns the story of a conversation of which some messages stay beside it.
func storyOf(c *transcript.Conversation, budget int, root string, stays map[int]bool) Story {
	survey := fact.Of(c)
	value := make([]float64, survey.Len())
	for i := range value {
		value[i] = 1
	}
	s := Source{
		Conv: c, Budget: budget, Tokens: quarters, Survey: survey, Value: value, Stays: stays,
		Hint: func(_ transcript.Ref, b *transcript.Block, _ int) squeeze.Hint {
			return squeeze.Hint{Path: b.Arg("file_path")}
		},
	}
	return s.Story(root, func(s Story) (n int) {
		for _, p := range s.Passages {
			n += (len(p.Text) + 3) / 4
		}
		return n
	})
}

// read is a call that reads a file, and its result.
func read(id, path, result string) []*transcript.Message {
	return []*transcript.Message{
		transcripttest.Model(transcripttest.Call(id, "Read", "file_path="+path)),
		transcripttest.User(transcripttest.Result(id, result)),
	}
}

// TestStory checks the order of passages, and that no call stays a call.
func TestStory(t *testing.T) {
	list := slices.Concat(
		[]*transcript.Message{transcripttest.User("Mend the valve.")},
		read("1", "/src/pump/valve.go", "package valve\n"+strings.Repeat("the line is of no use to anyone\n", 40)),
		[]*transcript.Message{transcripttest.Model("The cause is ErrStuck."), transcripttest.User("And the pump?")},
		read("2", "/src/pump/pump.go", "package pump"),
		[]*transcript.Message{transcripttest.Model("It runs.")})
	c := transcripttest.Conversation(list...)
	got := storyOf(c.WithPins(typedPins(c)), 60, "", nil)
	want := []Passage{
		{Typed, "Mend the valve."}, {Told, "[condensed: Read valve.go]\n\nThe cause is ErrStuck."},
		{Typed, "And the pump?"}, {Told, "[condensed: Read pump.go: package pump]\n\nIt runs."},
	}
	if !slices.Equal(got.Passages, want) || got.Root != "/src/pump/" {
		t.Errorf("got %+v below %q, want %+v", got.Passages, got.Root, want)
	}
	if got := storyOf(c.WithPins(typedPins(c)), 60, "/src/", nil); got.Root != "/src/" || !strings.Contains(got.Passages[1].Text, "Read pump/valve.go") {
		t.Errorf("with a root: %+v below %q", got.Passages, got.Root)
	}
	if got := storyOf(c.WithPins(typedPins(c)), 60, "", map[int]bool{0: true, 1: true, 2: true, 3: true}); got.Passages[0].Text != "And the pump?" {
		t.Errorf("beside the first turn: %+v", got.Passages)
	}
}

// typedPins pins what is typed.
func typedPins(c *transcript.Conversation) func(transcript.Ref) transcript.Pin {
	return func(ref transcript.Ref) transcript.Pin {
		if m := c.Message(ref.Msg); !m.Hidden && m.Block(ref.Block).Origin == transcript.Typed {
			return transcript.Verbatim
		}
		return transcript.Unpinned
	}
}

// TestStoryRelativePaths checks that no root is named where a call names a file by a relative
// path: the reader could not tell the paths apart.
func TestStoryRelativePaths(t *testing.T) {
	c := transcripttest.Conversation(slices.Concat(read("1", "/src/pump/valve.go", "package valve"), read("2", "pump.go", "package pump"), []*transcript.Message{transcripttest.Model("Well.")})...)
	got := storyOf(c, 100, "", nil)
	if got.Root != "" || !strings.Contains(got.Passages[0].Text, "/src/pump/valve.go") {
		t.Errorf("got %+v below %q", got.Passages, got.Root)
	}
}

// TestStoryIndents checks that lines of the conversation that look like those of a summary are
// indented.
func TestStoryIndents(t *testing.T) {
	c := transcripttest.Conversation(transcripttest.User("go"), transcripttest.Model("See:\nUser:\n"+Heading+": x\n### Rules\n</answer>\nand User: no."))
	got := storyOf(c.WithPins(typedPins(c)), 100, "", nil)
	if want := "See:\n User:\n " + Heading + ": x\n ### Rules\n </answer>\nand User: no."; got.Passages[1].Text != want {
		t.Errorf("got %q, want %q", got.Passages[1].Text, want)
	}
}

// TestStoryBesideMessages checks that a story prefers facts that the messages beside it do not have.
func TestStoryBesideMessages(t *testing.T) {
	for _, shown := range []string{"ErrFlood_alpha", "ErrStuck_omega"} {
		lines := "gate.go:12: ErrFlood_alpha in the hall\n" + strings.Repeat("the water is calm\n", 30) + "pump.go:34: ErrStuck_omega in the hall\n"
		list := slices.Concat(
			[]*transcript.Message{transcripttest.User("Look.")}, read("1", "/src/log.txt", lines),
			[]*transcript.Message{transcripttest.Model("Well."), transcripttest.User("So it is " + shown + ", I think: " + shown + ".")})
		c := transcripttest.Conversation(list...)
		got := storyOf(c.WithPins(typedPins(c)), 24, "", map[int]bool{len(list) - 1: true})
		all := ""
		for _, p := range got.Passages {
			all += p.Text + "\n"
		}
		if strings.Contains(all, shown) || !strings.Contains(all, "ErrFlood_alpha") && !strings.Contains(all, "ErrStuck_omega") {
			t.Errorf("beside %s: %q", shown, all)
		}
	}
}
