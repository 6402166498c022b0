package format

import (
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/rules"
)

// TestOtherLines checks that a line of a log which is no message loses what its messages lose.
func TestOtherLines(t *testing.T) {
	f := decoded(t, `{"sessionId":"s","projectHash":"p","startTime":"2026-03-01T08:00:00Z","kind":"main"}
{"id":"1","type":"user","content":"go"}
{"id":"2","type":"gemini","content":"`+long+`"}
{"type":"info","note":"`+long+`"}
{"id":"3","type":"gemini","content":"done"}
`)
	contains(t, edited(t, f, drop(1)), []string{`"note":"[omitted]"`}, long)
}

// TestMirrorsOfEvents checks which members of events change when a message is removed: those that repeat
// it, and no others.
func TestMirrorsOfEvents(t *testing.T) {
	const typed, running, other = `"message":"typed `, `"message":"running `, `"message":"other `
	f := decoded(t, `[{"id":0,"source":"user",`+typed+long+`","action":"message","args":{"content":"typed `+long+`"}},`+
		`{"id":1,"source":"agent",`+running+long+`","action":"run","args":{"command":"make","thought":"I look"}},`+
		`{"id":2,"source":"agent","message":"","observation":"run","content":"none","cause":1,"extras":{}},`+
		`{"id":9,"source":"environment",`+other+long+`","observation":"run","content":"late","cause":77,"extras":{}},`+
		`{"id":10,"source":"agent","message":"done","action":"message","args":{"content":"done"}}]`)
	shows(t, f.Convs[0], `user: typed "typed `+long+`"`, `assistant: model "I look" | call 1 run command="make"`,
		`tool: result 1 run "none"`, `tool: orphan result run "late"`, `assistant: model "done"`)
	contains(t, edited(t, f, dropBlock(1, 1), drop(2)), []string{typed, other, `"message":"[omitted]","action":"think","args":{"thought":"I look"}`}, running)
	contains(t, edited(t, f, drop(0)), []string{running, other}, typed)
}

// TestNewEvents checks the source of new events, and their ids: below that of the next event, if one is
// free.
func TestNewEvents(t *testing.T) {
	f := decoded(t, `[{"id":0,"source":"user","message":"go","action":"message","args":{"content":"go"}},`+
		`{"id":4,"source":"agent","message":"done","action":"message","args":{"content":"done"}},`+
		`{"id":5,"source":"user","message":"more","action":"message","args":{"content":"more"}}]`)
	for _, tt := range []struct {
		edits []transcript.Edit
		want  []string
	}{
		{[]transcript.Edit{insert(1, transcript.Assistant, "S")}, []string{`{"id":3,"source":"agent","message":"S"`}},
		{[]transcript.Edit{insert(2, transcript.User, "S")}, []string{`{"source":"user","message":"S"`}},
		{[]transcript.Edit{insert(1, transcript.User, "S"), insert(1, transcript.Assistant, "T"), insert(transcript.End, transcript.User, "U")},
			[]string{`{"id":2,"source":"user","message":"S"`, `{"id":3,"source":"agent","message":"T"`, `{"id":8,"source":"user","message":"U"`}},
	} {
		contains(t, edited(t, f, tt.edits...), tt.want)
	}
}

// TestReasoningWithoutEnd checks that an answer with reasoning that has no end is one text, in both places.
func TestReasoningWithoutEnd(t *testing.T) {
	const open = `<details type=\"reasoning\" done=\"false\">\nhm`
	a := `{"id":"a","parentId":null,"childrenIds":["b"],"role":"user","content":"q"}`
	b := `{"id":"b","parentId":"a","childrenIds":[],"role":"assistant","content":"` + open + `"}`
	chat := func(again string) string {
		return `[{"id":"1","title":"t","chat":{"history":{"messages":{"a":` + a + `,"b":` + b + `},"currentId":"b"},"messages":[` + a + `,` + again + `]}}]`
	}
	at := transcript.Ref{Msg: 1, Block: 0, Part: transcript.Whole}
	f := decoded(t, chat(b))
	shows(t, f.Convs[0], `user: typed "q"`, `assistant: model "<details type=\"reasoning\" done=\"false\">\nhm"`)
	if got, want := rewritten(t, f, at, "short"), strings.ReplaceAll(chat(b), open, "short"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	f = decoded(t, chat(strings.Replace(b, open, "brief", 1))) // another text is no copy, and short enough to stay
	if got, want := rewritten(t, f, at, "short"), strings.Replace(chat(strings.Replace(b, open, "brief", 1)), open, "short", 1); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestPiKeepsNew checks that a compaction keeps a new message that stands for its first kept entry.
func TestPiKeepsNew(t *testing.T) {
	f := decoded(t, strings.Join([]string{
		piUser("1", "null", "old"), piSays("2", "1", piText), piUser("3", "2", "kept"), piCompaction("4", "3", "3"), piUser("5", "4", "new"),
	}, "\n"))
	shows(t, f.Convs[0], `(user: typed "old")`, `(assistant: model "ok")`, `user: typed "kept"`, `user: generated "so far"`, `user: typed "new"`)
	out := edited(t, f, insert(2, transcript.User, "S"), drop(2))
	shows(t, decoded(t, out).Convs[0], `(user: typed "old")`, `(assistant: model "ok")`, `user: typed "S"`, `user: generated "so far"`, `user: typed "new"`)
}

// TestDuplicateMembers checks that a member that is there twice is removed twice: readers would take
// the first one in the place of the last one.
func TestDuplicateMembers(t *testing.T) {
	call := func(id string) string {
		return `"tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"f","arguments":"{}"}}]`
	}
	f := decoded(t, `[{"role":"user","content":"go"},{"role":"assistant","content":"I look.",`+call("old")+`,"n":1,`+call("c1")+`},{"role":"tool","tool_call_id":"c1","content":"x"}]`)
	shows(t, f.Convs[0], `user: typed "go"`, `assistant: model "I look." | call c1 f`, `tool: result c1 "x"`)
	out := edited(t, f, dropBlock(1, 1), drop(2))
	if want := `[{"role":"user","content":"go"},{"role":"assistant","content":"I look.","n":1}]`; out != want {
		t.Errorf("got %s\nwant %s", out, want)
	}
}

// TestObjectAsContent checks that content in a form that is not known can be removed from a message whose
// call stays.
func TestObjectAsContent(t *testing.T) {
	f := decoded(t, `[{"role":"user","content":"go"},{"role":"assistant","content":{"x":1},"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"x"}]`)
	out := edited(t, f, dropBlock(1, 0))
	shows(t, decoded(t, out).Convs[0], `user: typed "go"`, `assistant: call c1 f`, `tool: result c1 "x"`)
}

// TestRemovable checks which content of findings can be removed.
func TestRemovable(t *testing.T) {
	f := decoded(t, `[{"role":"user","content":"go"},{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"x"}]`)
	removable := (&repair{now: f}).removable(0)
	for _, tt := range []struct {
		at   transcript.Ref
		want bool
	}{
		{transcript.At(-1), true}, {transcript.At(99), true}, // messages that the repair has added, or none
		{transcript.At(0), true}, {transcript.Ref{Msg: 0, Block: 7, Part: transcript.Whole}, true},
		{transcript.Ref{Msg: 2, Block: 0, Part: transcript.Whole}, true},
	} {
		if got := removable(rules.Finding{At: tt.at}); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.at, got, tt.want)
		}
	}
}
