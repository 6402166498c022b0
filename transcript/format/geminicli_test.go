package format

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// TestGeminiCLI decodes sessions of Gemini CLI.
func TestGeminiCLI(t *testing.T) {
	session := func(messages string) string {
		return `{"sessionId":"s","projectHash":"p","messages":[` + messages + `]}`
	}
	head := `{"sessionId":"s","projectHash":"p","startTime":"t"}` + "\n"
	for _, c := range []geminiCase{
		{"a warning only", &geminiCLI, session(`{"id":"1","type":"warning","content":"w"}`), nil},
		{"call and result in one object", &geminiCLI, session(`{"id":"1","type":"user","content":"go"},
			{"id":"2","type":"gemini","content":"","thoughts":[{"subject":"s","description":"d"},"t"],"toolCalls":[
			 {"id":"c1","name":"f","args":{"x":"y"},"result":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"o"}}},{"text":"more"},{"inlineData":{"mimeType":"image/png"}}],"status":"success"},
			 {"id":"c2","name":"f","args":{},"result":null,"status":"executing"},
			 {"name":"g","args":{},"result":"as a text","status":"success"}]},
			{"id":"3","type":"info","content":"i"},
			{"id":"4","type":"gemini","content":[{"text":"done"}]}`),
			[]string{`user: typed "go"`,
				`assistant: thinking "s" "d" | thinking "t" | call c1 f x="y" | result c1 f "o" "more" image/png | open call c2 f | call prose 1 g | result prose 1 g "as a text"`,
				`assistant: model "done"`}},
		{"calls and answers in the content, too", &geminiCLI, session(`{"id":"1","type":"gemini","content":[{"functionCall":{"id":"c1","name":"f","args":{"x":"y"}}}],"toolCalls":[
			 {"id":"c1","name":"f","args":{"x":"y"},"result":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"o"}}},{"functionResponse":{"id":"c2","name":"f","response":{"output":"p"}}}],"status":"success"}]},
			{"id":"2","type":"user","content":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"o"}}},{"text":"and"}]}`),
			[]string{`assistant: call c1 f x="y" | result c1 f "o"`, `user: typed "and"`}},
		{"a log: messages again, taken back, replaced", &geminiCLI, head + strings.Join([]string{
			`{"id":"1","type":"user","content":"a"}`,
			`{"id":"2","type":"gemini","content":""}`,
			`{"id":"2","type":"gemini","content":"b"}`,
			`{"id":"3","type":"user","content":"c"}`,
			`{"$rewindTo":"3"}`,
			`{"$set":{"lastUpdated":"t"}}`,
			`{"id":"4","type":"user","content":"d"}`}, "\n"),
			[]string{`user: typed "a"`, `assistant: model "b"`, `(user: typed "c")`, `user: typed "d"`}},
		{"a log: rewound to what is not there", &geminiCLI, head + `{"id":"1","type":"user","content":"a"}` + "\n" + `{"$rewindTo":"9"}`,
			[]string{`(user: typed "a")`}},
		{"a log: replaced as a whole", &geminiCLI, head + strings.Join([]string{
			`{"id":"1","type":"user","content":"a"}`,
			`{"$set":{"messages":[{"id":"5","type":"user","content":"sum"},{"id":"6","type":"info","content":"i"},{"id":"7","type":"gemini","content":"ok"}]}}`,
			`{"id":"7","type":"gemini","content":"okay"}`}, "\n"),
			[]string{`(user: typed "a")`, `user: typed "sum"`, `assistant: model "okay"`}},
	} {
		t.Run(c.name, c.check)
	}
}

// TestGeminiCLIMirrors: the display of a result loses what the result lost, and
// the older lines of a log what the last one did.
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

// TestGeminiCLIRewind: a line that takes messages back names one that is there.
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

// TestGeminiCLIInsert: in a log that replaced its messages, a new one goes among
// them.
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
