package chronicle

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

// TestChangesOf checks which names describe the changes of a call.
func TestChangesOf(t *testing.T) {
	patch := "*** Begin Patch\n*** Update File: src/a.go\n-func oldGate() {}\n+func oldGate() { openDoor() }\n*** Add File: b.md\n+words alone\n*** End Patch"
	for name, tt := range map[string]struct {
		args []string
		want []fileChange
	}{
		"edit":            {[]string{"file_path=a.go", "old_string=x := readAll()", "new_string=x := readAll(fileName)"}, []fileChange{{"a.go", "fileName", 2}}},
		"known name":      {[]string{"file_path=a.go", "old_string=", "new_string=log(error.message, newGate)"}, []fileChange{{"a.go", "newGate", 2}}},
		"known only":      {[]string{"file_path=a.go", "old_string=", "new_string=log(error.message)"}, []fileChange{{"a.go", "error.message", 2}}},
		"no name":         {[]string{"file_path=a.go", "old_string=readAll()", "new_string=readAll() // twice"}, nil},
		"edits":           {[]string{"file_path=a.go", "edits[0].old_string=a", "edits[0].new_string=b", "edits[1].old_string=a", "edits[1].new_string=theName"}, []fileChange{{"a.go", "theName", 4}}},
		"patch":           {[]string{"input=" + patch}, []fileChange{{"src/a.go", "openDoor", 0}, {"b.md", "", 0}}},
		"patch of words":  {[]string{"input=*** Begin Patch\n*** Add File: b.md\n+words alone\n*** End Patch"}, nil},
		"text of a patch": {[]string{"file_path=notes.md", "content=" + patch}, nil},
		"blocks":          {[]string{"path=a.go", "diff=------- SEARCH\nreadAll()\n=======\nreadAll(fileName)\n+++++++ REPLACE"}, []fileChange{{"a.go", "fileName", 1}}},
		"function":        {[]string{"file_path=a.go", "old_string=func Open() {\n\treturn\n}", "new_string=func Open() {\n\tif defaultGate {\n\t\treturn\n\t}\n}"}, []fileChange{{"a.go", "Open", 2}}},
		"new function":    {[]string{"file_path=a.go", "old_string=func Open() {\n}", "new_string=func Open() {\n}\n\nfunc closeGate() {\n\tconst levels = [\n}"}, []fileChange{{"a.go", "closeGate", 2}}},
		"value":           {[]string{"file_path=a.ts", "old_string=x", "new_string=const levels = {\n  lowTide: 1,"}, []fileChange{{"a.ts", "lowTide", 2}}},
		"arrow":           {[]string{"file_path=a.ts", "old_string=x", "new_string=export const raise = (wall) => {\n  lowTide();"}, []fileChange{{"a.ts", "raise", 2}}},
		"long name":       {[]string{"file_path=a.go", "old_string=x", "new_string=" + strings.Repeat("longName", 9)}, nil},
		"content":         {[]string{"file_path=a.go", "content=func openDoor() {}"}, nil},
		"long path":       {[]string{"file_path=" + strings.Repeat("/src", mostPath), "old_string=x", "new_string=openDoor"}, nil},
	} {
		known := func(_ *transcript.Part, name string) bool { return name == "error.message" }
		if got := changesOf(transcripttest.Call("1", "Edit", tt.args...), known); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", name, got, tt.want)
		}
	}
}

// TestRecordNamesChanges checks that a record tells the changes of one file apart, names each file of a
// patch, and names nothing that its quoted lines hold.
func TestRecordNamesChanges(t *testing.T) {
	filler := strings.Repeat("a line of a page that says little\n", 60)
	edit := func(id, name string) []*transcript.Message {
		return []*transcript.Message{
			transcripttest.Model("", transcripttest.Call(id, "Edit", "file_path=src/gate.go", "old_string=open()", "new_string=open("+name+")")),
			transcripttest.Tool(id, "The file has been updated.")}
	}
	patch := "*** Begin Patch\n*** Update File: src/door.go\n+sideDoor()\n*** Update File: src/wall.go\n+thickWall()\n*** End Patch"
	msgs := slices.Concat([]*transcript.Message{transcripttest.User("start"), transcripttest.Model("", transcripttest.Call("0", "Read", "file_path=x.txt")), transcripttest.Tool("0", filler)},
		[]*transcript.Message{transcripttest.Model("", transcripttest.Call("3", "apply_patch", "input="+patch)), transcripttest.Tool("3", "done")},
		edit("1", "firstGate"), edit("2", "otherGate"), edit("4", "northGate"), edit("5", "southGate"), edit("6", "eastGate"), []*transcript.Message{transcripttest.Model("Done."), transcripttest.User("go on")})
	got := left(t, 130, msgs...)
	for _, want := range []string{"Edit src/gate.go ok:\n -open()\n +open(firstGate)\n", "Edit src/gate.go ok:\n -open()\n +open(otherGate)\n", "apply_patch src/door.go"} {
		if !strings.Contains(got, want) {
			t.Errorf("without %q:\n%s", want, got)
		}
	}
	if got := left(t, 60, msgs...); !strings.Contains(got, "src/gate.go (northGate) ok") {
		t.Errorf("no change is named:\n%s", got)
	}
	e := entry{tool: "Edit", outcome: " ok", changes: []fileChange{{"a.go", "openDoor", 2}}}
	if got := e.text(nil, " +openDoor()"); got != "Edit a.go ok" {
		t.Errorf("got %q", got)
	}
	e.changes = slices.Concat(e.changes, slices.Repeat([]fileChange{{path: "b.go"}}, mostChanged))
	if got, want := e.text(nil, ""), "Edit a.go (openDoor), b.go, b.go, b.go, b.go, b.go … ok"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestReadBefore checks which names a change does not need to be named by: those that a result mentioned
// first, in front of the change.
func TestReadBefore(t *testing.T) {
	edit := transcripttest.Call("2", "Edit", "file_path=a.go", "old_string=x", "new_string=error.message askedGate saidGate laterGate ownGate")
	msgs := []*transcript.Message{
		transcripttest.User("Add askedGate."),
		transcripttest.Model("It needs saidGate.", transcripttest.Call("1", "Read", "file_path=a.go")),
		transcripttest.Tool("1", "log(error.message) and askedGate and saidGate"),
		transcripttest.Model("", edit),
		transcripttest.Tool("2", "laterGate"),
	}
	c := choiceOf(1000, transcripttest.Conversation(msgs...))
	edit = c.Conv.Messages[3].Blocks[len(c.Conv.Messages[3].Blocks)-1]
	read := c.readBefore(c.Conv.Messages[3].ID)
	for name, want := range map[string]bool{"error.message": true, "askedGate": false, "saidGate": false, "laterGate": false, "ownGate": false, "unknownGate": false} {
		if got := read(&edit.Parts[2], name); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}
