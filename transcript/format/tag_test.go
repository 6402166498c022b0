package format

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

const rooTask = `[{"role":"user","content":"task: mend it","ts":1000},` +
	`{"role":"assistant","content":"a1","ts":2000},{"role":"user","content":"u2","ts":3000},` +
	`{"role":"assistant","content":"a3","ts":4000},{"role":"user","content":"u4","ts":5000}]`

// dropping decodes a source, drops messages by id and writes the rest with options.
func dropping(t *testing.T, src string, o Options, ids ...int) (out string, again *File) {
	t.Helper()
	f, err := Decode([]byte(src), "")
	if err != nil {
		t.Fatal(err)
	}
	if f, err = f.With(o); err != nil {
		t.Fatal(err)
	}
	var edits []transcript.Edit
	for _, id := range ids {
		edits = append(edits, transcript.Edit{At: transcript.At(id), Op: transcript.Drop})
	}
	c, err := f.Convs[0].Apply(edits)
	if err != nil {
		t.Fatal(err)
	}
	final := []*transcript.Conversation{c}
	b, err := f.Bytes(final)
	if err != nil {
		t.Fatal(err)
	}
	if again, err = f.Verify(final, b); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	return string(b), again
}

// TestTag: dropped messages stay in the file, hidden behind a marker, and come
// back when the marker goes.
func TestTag(t *testing.T) {
	out, again := dropping(t, rooTask, Options{Tag: true}, 1, 2)
	if strings.Count(out, `"truncationParent"`) != 2 || strings.Count(out, `"isTruncationMarker":true`) != 1 {
		t.Errorf("tags and marker in\n%s", out)
	}
	if !strings.Contains(out, `"ts":3999`) {
		t.Errorf("the marker's time is not just before that of the next message\n%s", out)
	}
	want := []string{
		`user: typed "task: mend it"`, `(assistant: model "a1")`, `(user: typed "u2")`,
		`user: generated "[Sliding window truncation: 2 messages hidden to save context]"`,
		`assistant: model "a3"`, `user: typed "u4"`,
	}
	if got := show(again.Convs[0]); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}

	marker := again.Convs[0].Messages[3].ID
	_, back := dropping(t, strings.Replace(out, `"isTruncationMarker":true`, `"isTruncationMarker":false`, 1), Options{}, marker)
	for _, m := range back.Convs[0].Messages {
		if m.Hidden {
			t.Errorf("still hidden without its marker: %v", m.Blocks[0].Text())
		}
	}
}

// TestTagTwice: a second truncation has a marker of its own.
func TestTagTwice(t *testing.T) {
	once, _ := dropping(t, rooTask, Options{Tag: true}, 1, 2)
	twice, again := dropping(t, once, Options{Tag: true}, 4)
	if strings.Count(twice, `"isTruncationMarker":true`) != 2 {
		t.Errorf("not two markers in\n%s", twice)
	}
	if got := len(slices.Collect(again.Convs[0].Visible())); got != 4 {
		t.Errorf("%d visible messages, want the first, two markers and the last", got)
	}
}

func TestTagUnsupported(t *testing.T) {
	f, err := Decode([]byte(`[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]`), "openai")
	if err != nil {
		t.Fatal(err)
	}
	var unsupported *UnsupportedError
	if _, err := f.With(Options{Tag: true}); !errors.As(err, &unsupported) || unsupported.ExitCode() != 2 {
		t.Errorf("got %v", err)
	}
	if _, err := f.With(Options{SessionID: "x"}); !errors.As(err, &unsupported) {
		t.Errorf("got %v", err)
	}
}

// TestSessionID: every record that names the session gets the new id; one that
// names another session keeps it.
func TestSessionID(t *testing.T) {
	src := `{"type":"user","uuid":"1","parentUuid":null,"sessionId":"old","message":{"role":"user","content":"a"}}
{"type":"file-history-snapshot","messageId":"1"}
{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"old","message":{"role":"assistant","content":"b"}}
{"type":"user","uuid":"3","parentUuid":"2","sessionId":"other","message":{"role":"user","content":"sessionId: old"}}
`
	out, again := dropping(t, src, Options{SessionID: "new"})
	if want := strings.ReplaceAll(src, `"sessionId":"old"`, `"sessionId":"new"`); out != want {
		t.Errorf("got\n%s", out)
	}
	if again.Convs[0].ID != "new" {
		t.Errorf("the session is called %q", again.Convs[0].ID)
	}
}
