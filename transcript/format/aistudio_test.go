package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestAIStudioPieces checks that a changed text is written to all parts that it came in.
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
