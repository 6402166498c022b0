package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestAIStudio decodes prompts of AI Studio.
func TestAIStudio(t *testing.T) {
	for _, c := range []geminiCase{
		{"chunks of every kind", &aiStudio, `{"systemInstruction":{"text":"be good"},"chunkedPrompt":{"chunks":[
			{"text":"go","role":"user"},{"driveImage":{"id":"x"},"role":"user"},{"text":"hm","role":"model","isThought":true},
			{"role":"model","executableCode":{"code":"1"}},{"role":"model","codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}},
			{"text":"one","role":"model"}]}}`,
			[]string{`system: injected "be good"`, `user: typed "go"`, `user: media `, `assistant: thinking "hm"`,
				`assistant: call prose 1 code_execution code="1"`, `assistant: result prose 1 code_execution "1"`, `assistant: model "one"`}},
		{"nothing yet", &aiStudio, `{"runSettings":{},"systemInstruction":{},"chunkedPrompt":{"chunks":[]}}`, nil},
	} {
		t.Run(c.name, c.check)
	}
}

// TestAIStudioPieces: the parts that a text came in change with it.
func TestAIStudioPieces(t *testing.T) {
	prompt := func(text, parts string) string {
		return `{"chunkedPrompt":{"chunks":[{"text":"` + text + `","role":"model","parts":[` + parts + `]}]}}`
	}
	long := strings.Repeat("word ", 50)
	for _, c := range []struct{ name, src, want string }{
		{"all of them", prompt("one two", `{"text":"one "},{"text":"two"}`), prompt("new", `{"text":"new"},{"text":""}`)},
		{"the first", prompt("one two", `{"text":"one "}`), prompt("new", `{"text":"new"}`)},
		{"another text", prompt("one two", `{"text":"`+long+`"}`), prompt("new", `{"text":"[omitted]"}`)},
	} {
		f := decoded(t, c.src)
		if got := rewritten(t, f, transcript.Ref{Part: transcript.Whole}, "new"); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
