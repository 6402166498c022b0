package subject

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// TestNames checks that every name of an argument that a client uses is known, by what it
// holds, in calls with arguments and in prose.
func TestNames(t *testing.T) {
	for _, tt := range []struct {
		what  string
		names string
		of    func(*transcript.Block) string
	}{
		{"path", "file_path filePath path filename target_file notebook_path file", Path},
		{"command", "command cmd keystrokes script code", Command},
		{"pattern", "pattern query regex", Pattern},
		{"about", "pattern query regex url uri question subject description prompt skill name title id message", About},
		{"subject", "file_path filePath path filename target_file notebook_path command cmd pattern query regex url description prompt file name id", of},
	} {
		var before string
		for name := range strings.FieldsSeq(tt.names) {
			if got := tt.of(call("1", "T", "other=x", name+"=value")); got != "value" {
				t.Errorf("%s %s: %q", tt.what, name, got)
			}
			if before != "" {
				if got := tt.of(call("1", "T", name+"=second", before+"=first")); got != "first" {
					t.Errorf("%s: %s counts before %s", tt.what, name, before)
				}
			}
			before = name
			if got := tt.of(prose("1", "T", "<T><other>x</other><"+name+"> value </"+name+"></T>")); tt.what != "subject" && got != "value" {
				t.Errorf("%s %s in prose: %q", tt.what, name, got)
			}
		}
		if got := tt.of(call("1", "T", "other=x")); got != "" {
			t.Errorf("%s of a call without one: %q", tt.what, got)
		}
	}
}

// TestCommand checks the commands of calls that hold a list.
func TestCommand(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"command[0]=bash", "command[1]=-lc", "command[2]=make"}, "make"},
		{[]string{"cmd[0]=ls", "env[0]=A"}, "ls"},
		{[]string{"command=make", "command[0]=ls"}, "make"},
		{[]string{"args[0]=ls"}, ""},
	} {
		if got := Command(call("1", "Bash", tt.args...)); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.args, got, tt.want)
		}
	}
}

// TestPaths checks the paths that calls name.
func TestPaths(t *testing.T) {
	const patch = "*** Begin Patch\n*** Update File: a.go\r\n@@\n*** Add File: b c.go\n*** Delete File: d.go\n*** End Patch"
	for _, tt := range []struct {
		call *transcript.Block
		want []string
	}{
		{call("1", "Read", "file_path=a.go", "limit:=3"), []string{"a.go"}},
		{call("1", "Read", "files[0].path=a.go", "files[1].path=b.go"), []string{"a.go", "b.go"}},
		{call("1", "Read", "paths[0]=a.go", "paths[1]=b.go", "files[0]=c.go"), []string{"a.go", "b.go", "c.go"}},
		{call("1", "write_to_file", "absolutePath=/w/a.go", "content=b.go"), []string{"/w/a.go"}},
		{call("1", "Read", "xpath=a.go", "paths=b.go", "path_to=c.go", "pathfile=d.go"), nil},
		{call("1", "apply_patch", "patch="+patch), []string{"a.go", "b c.go", "d.go"}},
		{prose("1", "read_file", "<read_file><path>a.go</path></read_file>"), []string{"a.go"}},
		{prose("1", "read_file", "<read_file></read_file>"), nil},
		{prose("1", "read", "<read_file><path>a.go</path></read_file>"), nil}, // an element of another name
	} {
		if got := Paths(tt.call); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.call.Text(), got, tt.want)
		}
	}
	if got := PatchedFile(patch); got != "a.go" {
		t.Errorf("the first file of the patch is %q", got)
	}
	if got := PatchedFile("no patch"); got != "" {
		t.Errorf("a text that is no patch names %q", got)
	}
}

// TestSides checks which arguments hold the text of a file before and after a call.
func TestSides(t *testing.T) {
	for want, names := range map[Side]string{
		NewSide: "new_string new_str newText new_text newString replace edits[2].new_string",
		Content: "content contents file_text fileText new_source insert_text replacement insert code_edit",
		OldSide: "old_string old_str oldText old_text oldString search edits[2].old_string",
		NoSide:  "limit newest body patch",
	} {
		for name := range strings.FieldsSeq(names) {
			c := call("1", "Edit", "path=a.go", name+"=text")
			if got := SideOf(c, 1); got != want {
				t.Errorf("%s: side %d, want %d", name, got, want)
			}
			if got := Writes(c); got != (want > OldSide) {
				t.Errorf("a call with %s writes a file: %v", name, got)
			}
			without := call("1", "Edit", name+"=text")
			if got := SideOf(without, 0); got != want && want == OldSide || got != NoSide && want != OldSide {
				t.Errorf("%s without a path: side %d", name, got)
			}
		}
	}
	for _, text := range []string{"*** Begin Patch\nx", "--- a\n+++ b\n@@ -1 +1 @@", "<<<<<<< SEARCH\nx"} {
		for _, name := range []string{"patch", "input", "diff", "patchText"} {
			if got := SideOf(call("1", "Edit", name+"="+text), 0); got != Patch {
				t.Errorf("%s with %q: side %d", name, text, got)
			}
		}
		if got := SideOf(prose("1", "Edit", text), 0); got != Patch {
			t.Errorf("in prose, %q: side %d", text, got)
		}
	}
	if Writes(call("1", "Read", "path=a.go")) {
		t.Error("a call without a text writes a file")
	}
}

// TestReplaced checks the text that another one replaces, also in a list of edits.
func TestReplaced(t *testing.T) {
	for now, was := range map[string]string{
		"new_string": "old_string", "new_str": "old_str", "newText": "oldText", "new_text": "old_text", "newString": "oldString", "replace": "search",
	} {
		c := call("1", "Edit", "path=a.go", was+"=before", now+"=after", "edits[1]."+was+"=first", "edits[1]."+now+"=second")
		if got := Replaced(c, 2); got != "before" {
			t.Errorf("%s replaces %q", now, got)
		}
		if got := Replaced(c, 4); got != "first" {
			t.Errorf("%s of a list replaces %q", now, got)
		}
	}
}

// TestChanges checks which calls change the files that they name.
func TestChanges(t *testing.T) {
	for _, tt := range []struct {
		call *transcript.Block
		want bool
	}{
		{call("1", "Write", "path=a.go", "content=x"), true},
		{call("1", "TodoWrite", "content=x"), false},
		{call("1", "Read", "path=a.go"), false},
		{call("1", "Bash", "command=apply_patch <<X\n*** Update File: a.go\nX"), true},
		{prose("1", "write_to_file", "<write_to_file><path>a.go</path><content>x</content></write_to_file>"), true},
		{prose("1", "read_file", "<read_file><path>a.go</path></read_file>"), false},
	} {
		if got := Changes(tt.call); got != tt.want {
			t.Errorf("%s: %v", tt.call.Text(), got)
		}
	}
}

// TestConcerns checks the tool and the paths of blocks.
func TestConcerns(t *testing.T) {
	named := result("3", "x")
	named.Tool = "grep"
	nameless := call("4", "", "path=b.go")
	answer := result("4", "y")
	answer.Tool = "Read"
	mention := &transcript.Block{Parts: []transcript.Part{{Name: "c.go", Text: "package c"}, {Text: "and so on"}}}
	c := conv(user("q", mention), model(call("1", "Read", "path=a.go"), nameless), tool("1", "r"), user(named, answer))
	for _, tt := range []struct {
		msg, block int
		tool       string
		paths      []string
	}{
		{0, 0, "", nil},
		{0, 1, "", []string{"c.go"}},
		{1, 0, "Read", []string{"a.go"}},
		{1, 1, "", []string{"b.go"}},
		{2, 0, "Read", []string{"a.go"}},
		{3, 0, "grep", nil},
		{3, 1, "Read", []string{"b.go"}},
	} {
		m := c.Messages[tt.msg]
		b := m.Blocks[tt.block]
		tool, paths := Concerns(c, transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}, b)
		if tool != tt.tool || !slices.Equal(paths, tt.paths) {
			t.Errorf("%d.%d: %q, %q", tt.msg, tt.block, tool, paths)
		}
	}
}

// TestSize checks the sizes of texts for people.
func TestSize(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		noun string
	}{{"", 0, "bytes"}, {"four", 4, "bytes"}, {"four\n", 5, "bytes"}, {"a\nb", 2, "lines"}, {"a\nb\n\n", 2, "lines"}} {
		if n, noun := Size(tt.text); n != tt.n || noun != tt.noun {
			t.Errorf("%q: %d %s", tt.text, n, noun)
		}
	}
}
