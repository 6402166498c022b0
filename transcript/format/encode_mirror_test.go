package format

import (
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
)

// TestPlainMirrors checks that a value that repeats lines of messages loses exactly the lines that
// the conversation lost, with one marker for each run. A text that would be misread with lines
// missing is removed as a whole.
func TestPlainMirrors(t *testing.T) {
	long := func(word string) string { return word + strings.Repeat(" and so on", 9) }
	gone, too, kept := long("gone"), long("gone too"), long("kept")
	for _, c := range []struct{ name, mirror, want string }{
		{"lines between others", "a\n" + gone + "\nb\n" + kept + "\n", "a\n[omitted]\nb\n" + kept + "\n"},
		{"a run is one", "a\r\n" + gone + "\r\n" + too + "\r\nb", "a\r\n[omitted]\r\nb"},
		{"at both ends", gone + "\nb\n" + too, "[omitted]\nb\n[omitted]"},
		{"behind a gutter", "a\n   12→" + gone + "\n   13→b", "a\n[omitted]\n   13→b"},
		{"alone", gone, "[omitted]"},
		{"nothing of it", "a\n" + kept, "a\n" + kept},
		{"a log is no JSON", "[10:02] a\n" + gone + "\nb", "[10:02] a\n[omitted]\nb"},
		{"inside JSON", `{"a":"x\n` + gone + `\ny","b":"` + kept + `"}`, `{"a":"x\n[omitted]\ny","b":"` + kept + `"}`},
		{"inside a JSON array", `["x\n` + gone + `\ny",1]`, `["x\n[omitted]\ny",1]`},
		{"JSON that was cut off", "{\"a\":[\n" + gone + "\nb", "[omitted]"},
		{"a list that was cut off", "[\n{\"a\":\n" + gone + "\nb", "[omitted]"},
		{"a patch", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-" + gone + "\n+b\n c\n", "[omitted]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := fmt.Sprintf(`{"trajectory":[],"history":[{"role":"system","content":"s","agent":"p"},{"role":"user","content":"task","agent":"p"},`+
				`{"role":"assistant","content":"ls","action":"ls","agent":"p"},{"role":"user","content":%q,"agent":"p"},`+
				`{"role":"assistant","content":%q,"agent":"p"}],"info":{"submission":%q}}`, gone+"\n"+too, "say\n"+kept, c.mirror)
			f := decoded(t, src)
			if f.Dialect != &sweAgent {
				t.Fatalf("taken for %s", f.Dialect.Name)
			}
			out := rewritten(t, f, transcript.Ref{Msg: 3, Block: 0, Part: transcript.Whole}, "[ls: ok, 2 lines omitted]")
			contains(t, out, []string{fmt.Sprintf(`"info":{"submission":%q}`, c.want)}, gone, too)
		})
	}
}
