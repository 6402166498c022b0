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
