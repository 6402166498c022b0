package chronicle

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

// round returns a call with its result.
func round(id, result, tool string, args ...string) []*transcript.Message {
	return []*transcript.Message{transcripttest.Model(transcripttest.Call(id, tool, args...)), transcripttest.Tool(id, result)}
}

// TestChangedLater checks which later calls change the file that a call read.
func TestChangedLater(t *testing.T) {
	edit := func(path string) []*transcript.Message {
		return round("2", "ok", "Edit", "file_path="+path, "old_string=a", "new_string=b")
	}
	read := round("1", "1\tpackage keel", "Read", "file_path=/ship/keel/a.go")
	failed := edit("/ship/keel/a.go")
	failed[1].Blocks[0].Error = true
	for name, tt := range map[string]struct {
		read, later []*transcript.Message
		want        bool
	}{
		"an edit":                 {read, edit("/ship/keel/a.go"), true},
		"in the folder":           {read, edit("keel/a.go"), true},
		"from the folder":         {round("1", "1\tpackage keel", "read_file", "path=./keel/a.go"), edit("/ship/keel/a.go"), true},
		"a file of the same name": {read, edit("/boat/keel/a.go"), false},
		"an edit that failed":     {read, failed, false},
		"a write":                 {read, round("2", "ok", "Write", "file_path=/ship/keel/a.go", "content=package keel"), true},
		"a patch of two files":    {read, round("2", "ok", "apply_patch", "input=*** Begin Patch\n*** Update File: keel/b.go\n-a\n+b\n*** Update File: keel/a.go\n-a\n+b\n*** End Patch"), true},
		"a redirection":           {read, round("2", "", "Bash", "command=cat > keel/a.go <<'EOF'\npackage keel\nEOF"), true},
		"a read":                  {read, round("2", "1\tpackage keel", "Read", "file_path=/ship/keel/a.go"), false},
		"a command that prints":   {round("1", "package keel", "Bash", "command=sed -n 1,9p keel/a.go"), edit("keel/a.go"), true},
		"an editor that shows":    {round("1", "package keel", "str_replace_editor", "command=view", "path=/ship/keel/a.go"), edit("keel/a.go"), true},
		"an edit before":          {edit("/ship/keel/a.go"), round("1", "1\tpackage keel", "Read", "file_path=/ship/keel/a.go"), false},
	} {
		c := transcripttest.Conversation(append(append([]*transcript.Message{transcripttest.User("start")}, tt.read...), tt.later...)...)
		c.Folder = "/ship"
		got, _ := ChangedLater(c)
		if first, second := c.Messages[1].Blocks[0], c.Messages[3].Blocks[0]; (got[first] == "/ship/keel/a.go") != tt.want || got[second] != "" {
			t.Errorf("%s: %v, want %t", name, got, tt.want)
		}
	}
}

// TestRecordSaysChangedLater checks that the record of a read says that the file changed later, unless the
// output names the change, and that a later run keeps these words.
func TestRecordSaysChangedLater(t *testing.T) {
	long := strings.Repeat("a line of the hull that says little\n", 60)
	edit := round("3", "ok", "Edit", "file_path=/ship/keel.go", "old_string="+long, "new_string=short")
	c := transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("start")},
		round("1", long, "Read", "file_path=/ship/keel.go"), round("2", long, "Bash", "command=cat /ship/keel.go"), edit,
		round("4", long, "Read", "file_path=/ship/keel.go"), []*transcript.Message{transcripttest.Model("The keel holds."), transcripttest.User("go on")})...)
	for edited, want := range map[bool]string{
		true:  "[condensed: Read /ship/keel.go; `cat /ship/keel.go` (60 lines); Edit /ship/keel.go ok]",
		false: "[condensed: Read /ship/keel.go (changed later); `cat /ship/keel.go` (60 lines, changed later); 1 edit; Read /ship/keel.go]",
	} {
		k := choiceOf(1000, c)
		for i := range k.steps {
			k.steps[i].label = i != 2 || edited
		}
		w := &writer{choice: k, names: &pathNames{named: map[string]bool{}}, last: k.lastChanges()}
		for i := range k.seq {
			if k.seq[i].kind == stepElement {
				w.pending = append(w.pending, k.seq[i])
			}
		}
		got := w.record("")
		if got != want {
			t.Errorf("edit named: %t: %s, want %s", edited, got, want)
		}
		old, _ := readRecord(got)
		again := &writer{choice: &choice{draft: &draft{olds: []oldRecord{{chunks: old, kept: true, text: got}}}}}
		if twice := again.oldRecords([]int{0}); twice != got {
			t.Errorf("a later run makes of it %s", twice)
		}
	}
}

// TestNewestChanges checks which steps are the newest that change one of their files. Records name these before the
// others, so that they name each file that was changed.
func TestNewestChanges(t *testing.T) {
	edit := func(id, file string) []*transcript.Message {
		return round(id, "ok", "Edit", "file_path="+file, "old_string=slack "+id, "new_string=tight "+id)
	}
	failed := edit("5", "/ship/jib.go")
	failed[1].Blocks[0].Error = true
	c := transcripttest.Conversation(slices.Concat([]*transcript.Message{transcripttest.User("Mend the ropes.")},
		edit("1", "/ship/mizzen.go"), edit("2", "mainsail.go"), edit("3", "/ship/mainsail.go"), round("4", "ok", "Read", "file_path=/ship/jib.go"), failed)...)
	c.Folder = "/ship"
	ch := choiceOf(1000, c)
	newest, got := ch.newestChanges(), []string(nil)
	for i := len(ch.steps) - 1; i >= 0; i-- {
		if s := &ch.steps[i]; newest(s) {
			got = append(got, c.Block(s.calls[0]).Call)
		}
	}
	if want := []string{"3", "1"}; !slices.Equal(got, want) {
		t.Errorf("calls %v, want %v", got, want)
	}
}
