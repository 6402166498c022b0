package format

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"condense/transcript"
)

// TestInsertAnywhere inserts a message in front of any visible one, or at the end, in sessions whose
// records are chained, sorted or wrapped. It checks that the message is decoded at its place.
func TestInsertAnywhere(t *testing.T) {
	for _, dialect := range []string{"pi", "copilot-cli", "managed-agents", "cursor", "opencode"} {
		paths, err := filepath.Glob("../../testdata/sessions/" + dialect + "/*")
		if err != nil || paths == nil {
			t.Fatal("no fixtures", err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := Decode(src, "")
			if err != nil || f.Dialect.Name != dialect {
				t.Errorf("%s: %v", path, err)
				continue
			}
			at := []transcript.Ref{transcript.At(transcript.End)}
			for m := range f.Convs[0].Visible() {
				at = append(at, transcript.At(m.ID))
			}
			for _, ref := range at {
				insertAt(t, path, f, ref)
			}
		}
	}
}

// insertAt inserts two messages and drops the message after them.
func insertAt(t *testing.T, path string, f *File, at transcript.Ref) {
	t.Helper()
	note := func(role transcript.Role, text string) transcript.Edit {
		return transcript.Edit{At: at, Op: transcript.Insert, New: &transcript.Message{Role: role, Blocks: []*transcript.Block{
			{Origin: transcript.Generated, Parts: []transcript.Part{{Text: text}}},
		}}}
	}
	edits := []transcript.Edit{note(transcript.User, "[reminder omitted]"), note(transcript.Assistant, "Ein \"Text\"\nmit zwei Zeilen")}
	if m := f.Convs[0].Message(at.Msg); m != nil && m.Role == transcript.User && len(m.Blocks) > 0 {
		edits = append(edits, transcript.Edit{At: at, Op: transcript.Drop})
	}
	next, err := f.Convs[0].Apply(edits)
	if err != nil {
		t.Fatal(path, err)
	}
	final := []*transcript.Conversation{next}
	out, err := f.Bytes(final)
	if err != nil {
		t.Fatal(path, err)
	}
	if _, err := f.Verify(final, out); err != nil {
		t.Errorf("%s at %s: %v", path, at, err)
	}
	if again, err := f.Bytes(final); err != nil || !bytes.Equal(again, out) {
		t.Errorf("%s at %s: written in two ways", path, at)
	}
}
