package format

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// TestGeminiCLIMirrors checks that the display of a result loses the text that the result lost, and
// that older lines of a log lose the text that the last one lost.
func TestGeminiCLIMirrors(t *testing.T) {
	long := strings.Repeat("a line that is long enough to be looked for in the output ", 4)
	call := func(text string) string {
		return `{"id":"1","type":"gemini","content":"","toolCalls":[{"id":"c","name":"f","args":{},"result":[{"functionResponse":{"id":"c","name":"f","response":{"output":"` + text + `"}}}],"status":"success","resultDisplay":"` + text + `"}]}`
	}
	for _, src := range []string{
		`{"sessionId":"s","projectHash":"p","messages":[` + call(long) + `]}`,
		`{"sessionId":"s","projectHash":"p","startTime":"t"}` + "\n" + call(long) + "\n" + call(long+".") + "\n",
	} {
		f := decoded(t, src)
		if out := rewritten(t, f, transcript.Ref{Block: 1, Part: transcript.Whole}, "gone"); strings.Contains(out, "long enough") {
			t.Errorf("left: %s", out)
		}
	}
}

// TestGeminiCLICallBesideCopy checks that a message of the user stays when it holds a call beside the copy of a
// result, as a damaged file may.
func TestGeminiCLICallBesideCopy(t *testing.T) {
	answer := `{"functionResponse":{"id":"c","name":"f","response":{"output":"%s"}}}`
	long := strings.ReplaceAll(answer, "%s", strings.Repeat("the pump runs without a fault ", 9))
	f := decoded(t, `{"sessionId":"s","projectHash":"p","messages":[{"id":"1","type":"gemini","content":"","toolCalls":[{"id":"c","name":"f","args":{},"result":[`+long+`]}]},`+
		`{"id":"2","type":"user","content":[`+long+`],"toolCalls":[{"id":"d","name":"g","args":{},"resultDisplay":"runs"}]}]}`)
	if got := showRoles(f.Convs[0]); got != "assistant:tool call,tool result user:tool call" {
		t.Errorf("read %s", got)
	}
	if out := rewritten(t, f, transcript.Ref{Block: 1, Part: transcript.Whole}, "gone"); strings.Contains(out, "pump") {
		t.Errorf("left: %s", out)
	}
}

func showRoles(c *transcript.Conversation) string {
	var list []string
	for _, m := range c.Messages {
		var kinds []string
		for _, b := range m.Blocks {
			kinds = append(kinds, b.Kind.String())
		}
		list = append(list, m.Role.String()+":"+strings.Join(kinds, ","))
	}
	return strings.Join(list, " ")
}

// TestGeminiCLIRewind checks that a line that takes messages back names an existing one.
func TestGeminiCLIRewind(t *testing.T) {
	lines := []string{
		`{"sessionId":"s","projectHash":"p","startTime":"t"}`,
		`{"id":"1","type":"user","content":"a"}`,
		`{"id":"2","type":"user","content":"b"}`,
		`{"id":"3","type":"gemini","content":"c"}`,
		`{"$rewindTo":"2"}`,
		`{"id":"4","type":"user","content":"d"}`,
	}
	for _, c := range []struct {
		drop []int
		want []string
	}{
		{[]int{1}, []string{lines[0], lines[1], lines[3], `{"$rewindTo":"3"}`, lines[5]}},
		{[]int{1, 2}, []string{lines[0], lines[1], lines[5]}},
	} {
		f := decoded(t, strings.Join(lines, "\n"))
		var edits []transcript.Edit
		for _, msg := range c.drop {
			edits = append(edits, drop(msg))
		}
		if got := strings.Split(edited(t, f, edits...), "\n"); !slices.Equal(got, c.want) {
			t.Errorf("without %v: %q", c.drop, got)
		}
	}
}

// TestGeminiCLIInsert checks that a new message in a log that replaced its messages is inserted
// among these.
func TestGeminiCLIInsert(t *testing.T) {
	f := decoded(t, `{"sessionId":"s","projectHash":"p","startTime":"t"}`+"\n"+
		`{"id":"1","type":"user","content":"a"}`+"\n"+
		`{"$set":{"messages":[{"id":"2","type":"user","content":"b"},{"id":"3","type":"gemini","content":"c"}]}}`+"\n")
	out := edited(t, f, transcript.Edit{At: transcript.At(2), Op: transcript.Insert, New: &transcript.Message{
		Role: transcript.User, Blocks: []*transcript.Block{{Parts: []transcript.Part{{Text: "new"}}}},
	}})
	if out := withoutID(out); !strings.Contains(out, `{"id":"2","type":"user","content":"b"},{"id":"ID","type":"user","content":"new"},{"id":"3"`) {
		t.Error(out)
	}
}

// TestGeminiCLIOwnResponses checks that a log as the client leaves it after two resumes breaks no rule: it
// saves the responses of resumed calls a second time, as messages of the user.
func TestGeminiCLIOwnResponses(t *testing.T) {
	response := func(id string) string {
		return `{"functionResponse":{"id":"` + id + `","name":"f","response":{"output":"out of ` + id + `"}}}`
	}
	lines := []string{`{"sessionId":"s","projectHash":"p","startTime":"t"}`, `{"id":"1","type":"user","content":"go"}`}
	for _, id := range []string{"c1", "c2"} {
		lines = append(lines,
			`{"id":"m`+id+`","type":"gemini","content":"","toolCalls":[{"id":"`+id+`","name":"f","args":{},"result":[`+response(id)+`],"status":"success"}]}`,
			`{"id":"u`+id+`","type":"user","content":[`+response(id)+`]}`,
			`{"id":"a`+id+`","type":"gemini","content":"done"}`,
			`{"id":"q`+id+`","type":"user","content":"more"}`)
	}
	f := decoded(t, strings.Join(lines, "\n")+"\n")
	if found := f.Check(f.Dialect.Target()); len(found) > 0 {
		t.Errorf("findings: %v", found)
	}
	results := 0
	for m := range f.Convs[0].Visible() {
		for _, b := range m.Blocks {
			if b.Kind == transcript.ToolResult {
				results++
			}
		}
	}
	if results != 2 {
		t.Errorf("%d results, want 2", results)
	}
	if out := rewritten(t, f, transcript.Ref{Msg: 1, Block: 1, Part: transcript.Whole}, "[f: 1 line omitted]"); strings.Contains(out, "out of c1") || strings.Count(out, "[f: 1 line omitted]") != 2 {
		t.Errorf("a result is left:\n%s", out)
	}
}
