package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

func TestOpenWebUI(t *testing.T) {
	think := `<details type=\"reasoning\" done=\"true\">\nhm\n</details>\n`
	a := `{"id":"a","parentId":null,"childrenIds":["b"],"role":"user","content":"q"}`
	b := `{"id":"b","parentId":"a","childrenIds":[],"role":"assistant","content":"` + think + `yes","usage":{"prompt_tokens":3,"completion_tokens":2}}`
	src := `[{"id":"1","title":"t","chat":{"history":{"messages":{"a":` + a + `,"b":` + b + `},"currentId":"b"},"messages":[` + a + `,` + b + `]}}]`
	f := decoded(t, src)
	shows(t, f.Convs[0], `user: typed "q"`, `assistant: thinking "<details type=\"reasoning\" done=\"true\">\nhm\n</details>" | model "\nyes"`)
	if u := f.Convs[0].Messages[1].Usage(); u == nil || u.Input != 3 || u.Output != 2 {
		t.Errorf("usage %v", u)
	}
	if out := edited(t, f, dropBlock(1, 0)); strings.Contains(out, "hm") || strings.Count(out, "yes") != 2 {
		t.Errorf("reasoning that went:\n%s", out)
	}
	out := edited(t, f, drop(1), insert(transcript.End, transcript.Assistant, "new"))
	if strings.Count(out, `"content":"new"`) != 2 || strings.Contains(out, `"b"`) {
		t.Errorf("not in both places:\n%s", out)
	}
}

// TestOpenWebUIWithoutCopy checks that a message whose copy has no content is shortened in its one place.
func TestOpenWebUIWithoutCopy(t *testing.T) {
	a := `{"id":"a","parentId":null,"childrenIds":["b"],"role":"user","content":"q"}`
	b := `{"id":"b","parentId":"a","childrenIds":[],"role":"assistant","content":"yes"}`
	src := `[{"id":"1","title":"t","chat":{"history":{"messages":{"a":` + a + `,"b":` + b + `},"currentId":"b"},"messages":[` + a + `,{"id":"b","role":"assistant"}]}}]`
	f := decoded(t, src)
	if got, want := rewritten(t, f, transcript.Ref{Msg: 1, Block: 0, Part: transcript.Whole}, "no"), strings.Replace(src, "yes", "no", 1); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
