package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestGeminiStream decodes streams of Gemini CLI.
func TestGeminiStream(t *testing.T) {
	init := `{"type":"init","session_id":"s1","model":"m"}`
	piece := func(text string) string {
		return `{"type":"message","role":"assistant","content":"` + text + `","delta":true}`
	}
	use := func(id string) string {
		return `{"type":"tool_use","tool_name":"f","tool_id":"` + id + `","parameters":{"x":1}}`
	}
	for _, c := range []geminiCase{
		{"pieces of texts", &geminiStream, strings.Join([]string{init, `{"type":"message","role":"user","content":"go"}`,
			piece("a"), `{"type":"error","message":"e"}`, piece("b"), use("c1"), piece("c"), `{"type":"message","role":"assistant","content":"d"}`, piece("e")}, "\n"),
			[]string{`user: typed "go"`, `assistant: model "ab"`, `assistant: open call c1 f x=1`, `assistant: model "c"`, `assistant: model "de"`}},
		{"results", &geminiStream, strings.Join([]string{use("c1"), use("c2"), use("c3"), use("c4"),
			`{"type":"tool_result","tool_id":"c2","status":"success","output":"two"}`,
			`{"type":"tool_result","tool_id":"c1","status":"error","output":"","error":{"type":"t","message":"one"}}`,
			`{"type":"tool_result","tool_id":"c3","status":"success"}`}, "\n"),
			[]string{`assistant: call c1 f x=1`, `assistant: call c2 f x=1`, `assistant: call c3 f x=1`, `assistant: open call c4 f x=1`,
				`tool: result c2 f "two"`, `tool: result c1 f "one"`, `tool: result c3 f`}},
		{"several runs", &geminiStream, strings.Join([]string{init, piece("a"), `{"type":"result","status":"success","stats":{}}`,
			`{"type":"message","role":"user","content":"b"}`, `{"type":"init","session_id":"s2","model":"m"}`, piece("c"),
			`{"type":"init","session_id":"s2","model":"m"}`, piece("d")}, "\n"),
			[]string{`assistant: model "a"`, "--", `user: typed "b"`, `assistant: model "c"`, `assistant: model "d"`}},
		{"one line", &geminiStream, init, nil},
	} {
		t.Run(c.name, c.check)
	}
}

// TestGeminiStreamPieces checks that a changed text is written to its first line, and that texts
// stay apart when the lines between them are removed.
func TestGeminiStreamPieces(t *testing.T) {
	piece := func(text, delta string) string {
		return `{"type":"message","role":"assistant","content":"` + text + `","delta":` + delta + `}`
	}
	lines := []string{piece("a", "true"), piece("b", "true"), `{"type":"tool_use","tool_name":"f","tool_id":"c","parameters":{}}`, piece("c", "true"), piece("d", "true")}
	f := decoded(t, strings.Join(lines, "\n"))
	want := strings.Join([]string{piece("new", "true"), lines[2], lines[3], lines[4]}, "\n")
	if got := rewritten(t, f, transcript.Ref{Part: transcript.Whole}, "new"); got != want {
		t.Errorf("rewritten:\n%s", got)
	}
	want = strings.Join([]string{lines[0], lines[1], piece("c", "false"), lines[4]}, "\n")
	if got := edited(t, f, drop(1)); got != want {
		t.Errorf("dropped:\n%s", got)
	}
}
