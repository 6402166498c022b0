package chronicle

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestRecordsAreReadBack checks that a written record is read back unchanged.
func TestRecordsAreReadBack(t *testing.T) {
	for _, chunks := range [][]chunk{
		{{head: "Read a.go (3 lines)"}},
		{{head: "Read a.go (3 lines)"}, {head: "2 calls"}},
		{{head: "Edit a.go ok", quotes: []string{" +x := []int{}", " …", " +]"}}},
		{{head: "Edit a.go ok", quotes: []string{" +x"}}, {head: "`git push`: main → main"}},
		{{head: "Edit a.go ok", quotes: []string{" +x"}}, {head: "Edit b.go ok", quotes: []string{" +y"}}},
	} {
		text := writeRecord(chunks)
		if left := transcript.WithoutRecords(text + "\nand more"); left != "and more" {
			t.Errorf("%q: left beside the record is %q", text, left)
		}
		read, n := readRecord(text)
		if n != len(text) || writeRecord(read) != text {
			t.Errorf("%q was read as %q", text, writeRecord(read))
		}
	}
}

// TestCountsAreAddedUp checks that adjacent counts of calls are added up, and that counts
// are recognised again.
func TestCountsAreAddedUp(t *testing.T) {
	var chunks []chunk
	for _, head := range []string{"2 calls", "1 call", "Read a.go", "1 call"} {
		chunks = addChunk(chunks, chunk{head: head})
	}
	if got, want := writeRecord(chunks), "[condensed: 3 calls; Read a.go; 1 call]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for head, want := range map[string]bool{"3 calls": true, "answered without words; 1 call": true, "more calls": true, "Read a.go; 1 call": false} {
		if got := (&oldRecord{chunks: []chunk{{head: head}}}).least(); got != want {
			t.Errorf("%q says least: %t, want %t", head, got, want)
		}
	}
}

// TestClean checks that a subject is cut between words, and holds no character that ends a
// record.
func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"git log --oneline":            "git log --oneline",
		"a[0] = `x`":                   "a[0] = 'x'",
		"[condensed: a] b[0]":          "(condensed: a) b(0)",
		"first\nsecond":                "first …",
		"one two three four five six ": "one two three four five six",
	} {
		if got := clean(text, 40); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if got, want := clean("go test ./strategy/chronicle -run TestClean -count 1", 40), "go test ./strategy/chronicle -run …"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func argument(name, text string) transcript.Part { return transcript.Part{Name: name, Text: text} }

func calling(id, tool string, parts ...transcript.Part) *transcript.Message {
	return &transcript.Message{Role: transcript.Assistant, Blocks: []*transcript.Block{{Kind: transcript.ToolCall, Call: id, Tool: tool, Parts: parts, Origin: transcript.ByModel}}}
}

func answering(id, text string) *transcript.Message {
	return &transcript.Message{Role: transcript.User, Blocks: []*transcript.Block{{Kind: transcript.ToolResult, Call: id, Parts: []transcript.Part{{Text: text}}, Origin: transcript.ByTool}}}
}

// TestDeadLines checks that lines that a later edit removed are dead, and that lines that it
// added are not.
func TestDeadLines(t *testing.T) {
	c := transcript.New("", []*transcript.Message{
		calling("1", "Read", argument("file_path", "a.go")), answering("1", "1\tfunc oldName() {\n2\tfunc stays() {}\n"),
		calling("2", "Edit", argument("file_path", "a.go"), argument("old_string", "func oldName() {"), argument("new_string", "func newName() {")), answering("2", "done"),
	})
	read, edit := &c.Messages[1].Blocks[0].Parts[0], &c.Messages[2].Blocks[0].Parts[2]
	dead := deadOf(c)
	if check := dead[read]; check == nil || !check("1\tfunc oldName() {") || check("2\tfunc stays() {}") {
		t.Error("the line that was replaced is not known as out of date, or another is")
	}
	if check := dead[edit]; check != nil && check("func newName() {") {
		t.Error("the newest line is taken for out of date")
	}
}

// TestSupersededReads checks that a read loses the lines that a later read or write of the file shows
// again, and keeps the others.
func TestSupersededReads(t *testing.T) {
	c := transcript.New("", []*transcript.Message{
		calling("1", "Read", argument("file_path", "a.go")), answering("1", "1\tfunc first() {}\n2\tfunc second() {}\n3\tfunc third() {}\n"),
		calling("2", "Read", argument("file_path", "a.go"), argument("offset", "2"), argument("limit", "1")), answering("2", "2\tfunc second() {}\n"),
	})
	dead := deadOf(c)
	older, newer := dead[&c.Messages[1].Blocks[0].Parts[0]], dead[&c.Messages[3].Blocks[0].Parts[0]]
	for line, want := range map[string]bool{"1\tfunc first() {}": false, "2\tfunc second() {}": true, "3\tfunc third() {}": false} {
		if got := older(line); got != want {
			t.Errorf("%q of the older read is superseded: %v", line, got)
		}
	}
	if newer != nil && newer("2\tfunc second() {}") {
		t.Error("the newest copy is superseded")
	}
}

// TestDeadLinesOfOlderWrites checks that the newest write of a file decides which lines are
// dead, with the edits after it. A write shows again what it keeps of an earlier read.
func TestDeadLinesOfOlderWrites(t *testing.T) {
	c := transcript.New("", []*transcript.Message{
		calling("1", "Read", argument("file_path", "a.go")), answering("1", "func first() {}\nfunc second() {}\nfunc third() {}\nfunc fourth() {}\n"),
		calling("2", "Write", argument("file_path", "a.go"), argument("content", "func second() {}\nfunc third() {}\nfunc fourth() {}\n")), answering("2", "done"),
		calling("3", "Write", argument("file_path", "a.go"), argument("content", "func third() {}\nfunc fourth() {}\n")), answering("3", "done"),
		calling("4", "Edit", argument("file_path", "a.go"), argument("old_string", "func fourth() {}"), argument("new_string", "func first() {}")), answering("4", "done"),
	})
	check := deadOf(c)[&c.Messages[1].Blocks[0].Parts[0]]
	for line, want := range map[string]bool{"func first() {}": false, "func second() {}": true, "func third() {}": true, "func fourth() {}": true} {
		if got := check(line); got != want {
			t.Errorf("%s is dead: %v", line, got)
		}
	}
}

// TestCleanCutsNoPath checks that a cut path keeps its base name, or goes.
func TestCleanCutsNoPath(t *testing.T) {
	for text, want := range map[string]string{
		"mkdir -p /home/ida/projects/pump/src && ls": "mkdir -p …/src …",
		"cat /home/ida/a-name-that-is-far-too-long":  "cat …",
		"go test ./valve -run TestClose -count 1":    "go test ./valve -run …",
	} {
		if got := clean(text, 24); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestDeadLinesOfAnyLength checks from which length on a line that was replaced is out of date: shorter ones
// may stand anywhere.
func TestDeadLinesOfAnyLength(t *testing.T) {
	for n, want := range map[int]bool{leastLine - 1: false, leastLine: true, leastLine + 1: true} {
		line := strings.Repeat("x", n)
		c := transcript.New("", []*transcript.Message{
			calling("1", "Read", argument("file_path", "a.go")), answering("1", "1\t"+line+"\n2\tfunc stays() {}\n"),
			calling("2", "Edit", argument("file_path", "a.go"), argument("old_string", line), argument("new_string", "func newName() {")), answering("2", "done"),
		})
		dead := deadOf(c)[&c.Messages[1].Blocks[0].Parts[0]]
		if got := dead != nil && dead("1\t"+line); got != want {
			t.Errorf("a line of %d bytes is out of date: %v", n, got)
		}
	}
}
