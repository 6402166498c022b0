package format

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// The entries of a pi session, as short as they can be.

// piEntry is an entry with further members.
func piEntry(kind, id, parent, more string) string {
	if parent != "null" {
		parent = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"type":%q,"id":%q,"parentId":%s,%s}`, kind, id, parent, more)
}

func piUser(id, parent, text string) string {
	return piEntry("message", id, parent, fmt.Sprintf(`"message":{"role":"user","content":%q}`, text))
}

func piSays(id, parent, content string) string {
	return piEntry("message", id, parent, `"message":{"role":"assistant","content":[`+content+`]}`)
}

func piResult(id, parent, call, text string) string {
	return piEntry("message", id, parent, fmt.Sprintf(
		`"message":{"role":"toolResult","toolCallId":%q,"toolName":"read","content":[{"type":"text","text":%q}],"isError":false}`, call, text))
}

const (
	piHeader = `{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T08:00:00Z","cwd":"/x"}`
	piCall   = `{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a.go"}}`
	piText   = `{"type":"text","text":"ok"}`
)

func piCompaction(id, parent, first string) string {
	return piEntry("compaction", id, parent, `"summary":"so far","firstKeptEntryId":"`+first+`"`)
}

func TestPi(t *testing.T) {
	for _, tc := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"a branch that was left", []string{
			piHeader, piUser("1", "null", "go"), piSays("2", "1", piText), piUser("3", "2", "left"), piUser("4", "2", "kept"),
		}, []string{`user: typed "go"`, `assistant: model "ok"`, `(user: typed "left")`, `user: typed "kept"`}},
		{"the first message was put in another way", []string{
			piHeader, piUser("1", "null", "left"), piUser("2", "null", "kept"),
		}, []string{`(user: typed "left")`, `user: typed "kept"`}},
		{"a compaction keeps what follows its first kept entry", []string{
			piUser("1", "null", "old"), piUser("2", "1", "kept"), piCompaction("3", "2", "2"), piUser("4", "3", "new"),
		}, []string{`(user: typed "old")`, `user: typed "kept"`, `user: generated "so far"`, `user: typed "new"`}},
		{"the second of two compactions counts", []string{
			piUser("1", "null", "a"), piCompaction("2", "1", "1"), piUser("3", "2", "b"), piCompaction("4", "3", "1"),
		}, []string{`user: typed "a"`, `(user: generated "so far")`, `user: typed "b"`, `user: generated "so far"`}},
		{"a compaction on a branch that was left hides nothing", []string{
			piUser("1", "null", "a"), piCompaction("2", "1", "x"), piUser("3", "1", "b"),
		}, []string{`user: typed "a"`, `(user: generated "so far")`, `user: typed "b"`}},
		{"an index counts the lines that can be read", []string{
			piHeader, `{"type":"mess`, `{"type":"message","message":{"role":"user","content":"old"}}`, `{"type":"message","message":{"role":"user","content":"kept"}}`,
			`{"type":"compaction","summary":"so far","firstKeptEntryIndex":2}`,
		}, []string{`(user: typed "old")`, `user: typed "kept"`, `user: generated "so far"`}},
		{"a broken line does not cut the chain", []string{
			piUser("1", "null", "go"), piSays("2", "1", piCall), `{"type":"message","id":"3","parentId":"2","message":"\*"}`, piSays("4", "3", piText),
		}, []string{`user: typed "go"`, `assistant: open call c1 read path="a.go"`, `assistant: model "ok"`}},
		{"what is no message of user, assistant or tool", []string{
			piUser("1", "null", "go"), piSays("2", "1", `{"type":"thinking","thinking":"hm","thinkingSignature":"s"},`+piCall),
			piResult("3", "2", "c1", "text"),
			piEntry("custom_message", "4", "3", `"content":"<workspace/>","display":false`),
			piEntry("custom", "5", "4", `"data":{}`),
			piEntry("message", "6", "5", `"message":{"role":"bashExecution","command":"ls","output":"a"}`),
			piEntry("message", "7", "6", `"message":{"role":"bashExecution","command":"ls","output":"b","excludeFromContext":true}`),
			piEntry("branch_summary", "8", "7", `"fromId":"2","summary":"tried"`),
		}, []string{
			`user: typed "go"`, `assistant: thinking "hm" | call c1 read path="a.go"`, `tool: result c1 read "text"`,
			`user: injected "<workspace/>"`, `user: injected "ls" "a"`, `(user: injected "ls" "b")`, `user: generated "tried"`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := decoded(t, strings.Join(tc.lines, "\n"))
			if f.Dialect != &pi {
				t.Fatalf("taken for %s", f.Dialect.Name)
			}
			shows(t, f.Convs[0], tc.want...)
		})
	}
}

// TestPiRelink checks that remaining entries refer to remaining entries. A compaction keeps the same
// messages when the first of them is removed or another is inserted in front.
func TestPiRelink(t *testing.T) {
	src := strings.Join([]string{
		piUser("1", "null", "old"), piUser("2", "1", "kept"), piUser("3", "2", "also"), piCompaction("4", "3", "2"), piUser("5", "4", "new"),
	}, "\n")
	f := decoded(t, src)
	out := edited(t, f, transcript.Edit{At: transcript.At(1), Op: transcript.Drop})
	for _, want := range []string{`"id":"3","parentId":"1"`, `"firstKeptEntryId":"3"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	note := &transcript.Message{Role: transcript.User, Blocks: []*transcript.Block{{Origin: transcript.Generated, Parts: []transcript.Part{{Text: "note"}}}}}
	out = edited(t, f, transcript.Edit{At: transcript.At(1), Op: transcript.Insert, New: note})
	shows(t, decoded(t, out).Convs[0], `(user: typed "old")`, `user: typed "note"`, `user: typed "kept"`, `user: typed "also"`, `user: generated "so far"`, `user: typed "new"`)
}

// TestPiTextWithID checks that a text that has the id of a call beside it is no copy of the call.
func TestPiTextWithID(t *testing.T) {
	text := `{"type":"text","text":"` + strings.Repeat("The crossing arrives after midnight. ", 9) + `","id":"c1"}`
	f := decoded(t, strings.Join([]string{piUser("1", "null", "go"), piSays("2", "1", `{"type":"text","text":"It stays."},`+text+","+piCall), piResult("3", "2", "c1", "a")}, "\n"))
	out := edited(t, f, transcript.Edit{At: transcript.Ref{Msg: 1, Block: 1, Part: transcript.Whole}, Op: transcript.Drop})
	contains(t, out, []string{`"content":[{"type":"text","text":"It stays."},` + piCall}, "crossing")
}

// TestPiMirrors checks that values that repeat a result or the arguments of a call lose the same
// text.
func TestPiMirrors(t *testing.T) {
	long := strings.Repeat("a line that is long enough to be looked for, ", 6)
	call := fmt.Sprintf(`{"type":"toolCall","id":"c1","name":"write","arguments":{"content":%q},"partialJson":%q}`, long, `{"content":"`+long+`"}`)
	result := strings.Replace(piResult("3", "2", "c1", "other "+long), `"isError"`, fmt.Sprintf(`"details":{"displayContent":{"text":%q}},"isError"`, "other "+long), 1)
	f := decoded(t, strings.Join([]string{piUser("1", "null", "go"), piSays("2", "1", call), result}, "\n"))
	out := rewritten(t, f, transcript.Ref{Msg: 2, Block: 0, Part: transcript.Whole}, "short")
	contains(t, out, []string{`"details":{"displayContent":{"text":"short"}}`}, "other")
	out = rewritten(t, f, transcript.Ref{Msg: 1, Block: 0, Part: 0}, "short")
	contains(t, out, []string{`"arguments":{"content":"short"},"partialJson":"{\"content\":\"short\"}"`})
}
