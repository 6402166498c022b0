package format

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/transcripttest"
)

// TestWrongFormat checks what is reported of sources that a named format cannot read. The
// file testdata/wrong.txt holds a line for each source and format.
func TestWrongFormat(t *testing.T) {
	var got strings.Builder
	for _, src := range []string{"{}", "[]", "[1]", "[{}]", `[["a"]]`, `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7}`, "{\"a\":1}\n{\"b\":2}\n"} {
		for i := range Dialects {
			name := Dialects[i].Name
			f, err := Decode([]byte(src), name)
			var refused *Error
			if err != nil && (!errors.As(err, &refused) || refused.Offset != -1) {
				t.Errorf("%q as %s: %#v is not about the whole source", src, name, err)
			}
			if err == nil && f.Dialect.Name != name {
				t.Errorf("%q as %s was read as %s", src, name, f.Dialect.Name)
			}
			reason := strings.Split(fmt.Sprint(err), "; detection says: ")
			fmt.Fprintf(&got, "%s as %s: %s\n", strings.ReplaceAll(src, "\n", " "), name, reason[len(reason)-1])
		}
	}
	transcripttest.FrozenText(t, "testdata/wrong.txt", *update, got.String())
}

// TestRepeats checks which members of an object cannot repeat the text of a block.
func TestRepeats(t *testing.T) {
	object := rawjson.ReadText(`{"id":"a","name":"a","type":"a","role":"a","status":"a","author":"a","invocation_id":"a","invocationId":"a","sessionId":"a","projectHash":"a","content":"a","text":"a","kept":"a"}`)
	for k, v := range object.Members() {
		want := k.Str() == "text" || k.Str() == "kept"
		if got := repeats(k, v, "content"); got != want {
			t.Errorf("%s may repeat a text: %v", k.Str(), got)
		}
	}
	object = rawjson.ReadText(`{"id":{"a":"a"},"status":["a"]}`)
	for k, v := range object.Members() {
		if !repeats(k, v) {
			t.Errorf("%s that is no string cannot repeat a text", k.Str())
		}
	}
}

// TestCameFrom checks the offsets in a source for those in the result of edits.
func TestCameFrom(t *testing.T) {
	// abcdefghij, where cd became CCCC, and g was removed: abCCCCefhij
	edits := []rawjson.Edit{
		{Span: rawjson.Span{Start: 2, End: 4}, New: []byte("CCCC")},
		{Span: rawjson.Span{Start: 6, End: 7}, New: nil},
	}
	for at, want := range map[int]int{0: 0, 1: 1, 2: 2, 5: 2, 6: 4, 7: 5, 8: 7, 10: 9} {
		if got := cameFrom(edits, at); got != want {
			t.Errorf("offset %d came from %d, want %d", at, got, want)
		}
	}
	if got := cameFrom(nil, 7); got != 7 {
		t.Errorf("without edits, offset 7 came from %d", got)
	}
}

// TestFirstDifference checks that the error of Verify names the first message that differs,
// by its number in the output.
func TestFirstDifference(t *testing.T) {
	message := func(text string) *transcript.Message {
		return &transcript.Message{Role: transcript.User, Blocks: []*transcript.Block{{Parts: []transcript.Part{{Text: text}}}}}
	}
	want := transcript.New("c", []*transcript.Message{message("a"), message("b"), message("c")})
	got := transcript.New("c", []*transcript.Message{{Role: transcript.User}, message("a"), message("x"), message("y")})
	err := sameConversation(want, got, &openai)
	if err == nil || !strings.HasPrefix(err.Error(), "message 3 of the output differs from the edited conversation: ") {
		t.Errorf("got %v", err)
	}
	got = transcript.New("c", []*transcript.Message{message("a"), message("b")})
	if err := sameConversation(want, got, &openai); err == nil || err.Error() != "the output has 2 messages, expected 3" {
		t.Errorf("got %v", err)
	}
}
