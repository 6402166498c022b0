package format

import (
	"strings"
	"testing"

	"condense/transcript"
)

// TestChatContainers decodes documents with several conversations.
func TestChatContainers(t *testing.T) {
	const a, b = `[{"role":"user","content":"a"}]`, `[{"role":"user","content":"b"}]`
	for name, src := range map[string]string{
		"arrays":        `[` + a + `,` + b + `]`,
		"objects":       `[{"id":1,"messages":` + a + `},{"id":2,"messages":` + b + `}]`,
		"benchmark":     `[{"task_id":"x","traj":` + a + `,"info":{}},{"task_id":"y","traj":` + b + `}]`,
		"one, an array": a,
		"one":           `{"model":"m","messages":` + a + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			f := decoded(t, src)
			shows(t, f.Convs[0], `user: typed "a"`)
			if strings.HasPrefix(name, "one") != (len(f.Convs) == 1) {
				t.Fatalf("%d conversations", len(f.Convs))
			}
			if len(f.Convs) > 1 {
				shows(t, f.Convs[1], `user: typed "b"`)
			}
		})
	}
}

// TestKeysOfOtherCase checks that a member counts only in its exact spelling: a second one in capitals
// changes no role and hides no text, unlike in package encoding/json.
func TestKeysOfOtherCase(t *testing.T) {
	f := decoded(t, `[{"role":"user","ROLE":"system","content":"typed","Content":"other"},{"Role":"user","role":"assistant","CONTENT":"x","content":"answer"}]`)
	shows(t, f.Convs[0], `user: typed "typed"`, `assistant: model "answer"`)
}

// TestChatRewriteNested checks that a leaf of arguments that are JSON in a string is escaped twice, and that a
// call that is stored twice is written twice.
func TestChatRewriteNested(t *testing.T) {
	const src = `[{"role":"assistant","content":[{"type":"tool_call","tool_call_id":"c1","name":"f","arguments":"{\"p\": \"a\\\"b\", \"q\": [\"old\"], \"n\": 7}"}],` +
		`"tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{\"p\": \"a\\\"b\", \"q\": [\"old\"], \"n\": 7}"}}]}]`
	f := decoded(t, src)
	shows(t, f.Convs[0], `assistant: open call c1 f p="a\"b" q[0]="old" n=7`)
	got := rewritten(t, f, transcript.Ref{Msg: 0, Block: 0, Part: 1}, "a \"new\"\\\n")
	if want := strings.ReplaceAll(src, `\"old\"`, `\"a \\\"new\\\"\\\\\\n\"`); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestRoo reads the tags that hide messages without removing them.
func TestRoo(t *testing.T) {
	message := func(role, text, tags string) string {
		return `{"role":"` + role + `","content":[{"type":"text","text":"` + text + `"}],"ts":1` + tags + `}`
	}
	first := message("user", "<task>\\ngo\\n</task>", "")
	summary := message("user", "so far", `,"isSummary":true,"condenseId":"s1"`)
	marker := message("user", "cut", `,"isTruncationMarker":true,"truncationId":"t1"`)
	for _, c := range []struct {
		name     string
		messages []string
		want     []string
	}{
		{"condensed", []string{first, message("assistant", "a", `,"condenseParent":"s1"`), summary, message("assistant", "b", "")},
			[]string{`(user: typed "<task>\ngo\n</task>")`, `(assistant: model "a")`, `user: generated "so far"`, `assistant: model "b"`}},
		{"condensed twice: the last summary counts", []string{first, message("user", "s0", `,"isSummary":true,"condenseParent":"s1"`), summary},
			[]string{`(user: typed "<task>\ngo\n</task>")`, `(user: generated "s0")`, `user: generated "so far"`}},
		{"truncated", []string{first, message("assistant", "a", `,"truncationParent":"t1"`), marker, message("assistant", "b", "")},
			[]string{`user: typed "<task>\ngo\n</task>"`, `(assistant: model "a")`, `user: generated "cut"`, `assistant: model "b"`}},
		{"tags whose summary or marker is gone", []string{first, message("assistant", "a", `,"truncationParent":"t1"`), message("assistant", "b", `,"condenseParent":"s1"`)},
			[]string{`user: typed "<task>\ngo\n</task>"`, `assistant: model "a"`, `assistant: model "b"`}},
		{"a marker before the summary hides nothing after it", []string{first, marker, summary, message("assistant", "a", `,"truncationParent":"t1"`)},
			[]string{`(user: typed "<task>\ngo\n</task>")`, `(user: generated "cut")`, `user: generated "so far"`, `assistant: model "a"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := decoded(t, "["+strings.Join(c.messages, ",")+"]")
			if f.Dialect != &cline {
				t.Errorf("decoded as %s", f.Dialect.Name)
			}
			shows(t, f.Convs[0], c.want...)
		})
	}
}
