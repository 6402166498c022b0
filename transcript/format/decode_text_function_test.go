package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestFunctionCall checks which texts of the assistant end with a call.
func TestFunctionCall(t *testing.T) {
	const call = "<function=bash>\n<parameter=command>ls</parameter>\n</function>"
	for text, want := range map[string]string{
		"I look.\n" + call:          "bash",
		call + "\n \n":              "bash",
		call + "\nThis was it.":     "",
		"It writes " + call + ".":   "",
		"<function=>\n</function>":  "",
		"<function=a b></function>": "",
		"<function=日本></function>":  "",
		"</function>":               "",
		"<function=bash>":           "",
		call + "\nthen\n" + strings.ReplaceAll(call, "bash", "str_replace_editor"): "str_replace_editor",
	} {
		from, to, tool := functionCall(text)
		if tool != want {
			t.Errorf("%q: tool %q, want %q", text, tool, want)
		}
		if got := text[from:to]; tool != "" && (!strings.HasPrefix(got, "<function="+tool+">") || !strings.HasSuffix(got, functionEnds)) {
			t.Errorf("%q: the call is %q", text, got)
		}
	}
}

// TestFunctionAnswers checks that only a message right behind a call, which begins like an answer, is one. All others
// are typed.
func TestFunctionAnswers(t *testing.T) {
	const call = `{"role":"assistant","content":"I look.\n\n<function=bash>\n<parameter=command>ls</parameter>\n</function>"}`
	for _, tt := range []struct {
		before, answer string
		want           bool
	}{
		{call, "OBSERVATION:\\nREADME.md", true},
		{call, "Observation: README.md", true},
		{call, "EXECUTION RESULT of [bash]:\\nREADME.md", true},
		{call, "Your command ran successfully and did not produce any output.", true},
		{call, "What did you see?", false},
		{call, "See OBSERVATION:\\n1", false},
		{`{"role":"assistant","content":"I look."}`, "OBSERVATION:\\nREADME.md", false},
		{`{"role":"user","content":"Look."}`, "OBSERVATION:\\nREADME.md", false},
		{call + `,{"role":"user","content":"OBSERVATION:\nREADME.md"}`, "OBSERVATION:\\nREADME.md", false},
	} {
		f, err := Decode([]byte(`{"messages":[{"role":"user","content":"Go."},`+tt.before+`,{"role":"user","content":"`+tt.answer+`"}]}`), "")
		if err != nil {
			t.Fatal(err)
		}
		c := f.Convs[0]
		m := c.Messages[len(c.Messages)-1]
		b := m.Blocks[0]
		if got := b.Kind == transcript.ToolResult && b.Origin == transcript.ByTool && b.Tool == "bash"; got != tt.want {
			t.Errorf("%s behind %s: %s by %s", tt.answer, tt.before, b.Kind, b.Origin)
		}
		if _, paired := c.Partner(transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}); paired != tt.want {
			t.Errorf("%s behind %s: paired %t", tt.answer, tt.before, paired)
		}
		if !tt.want && b.Origin != transcript.Typed {
			t.Errorf("%s behind %s is not typed", tt.answer, tt.before)
		}
	}
	// A block without text that can be read stands behind the call.
	f, err := Decode([]byte(`{"messages":[{"role":"user","content":"Go."},`+call+`,{"role":"user","content":[{"type":"sealed","data":"QUJD"}]}]}`), "")
	if err != nil {
		t.Fatal(err)
	}
	if got := show(f.Convs[0]); got[len(got)-1] != "user: opaque" {
		t.Errorf("a block of an unknown type behind a call: %q", got)
	}
}
