package format

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/transcript"
)

// fixtures are the sessions under testdata, by path.
func fixtures(t testing.TB) map[string][]byte {
	t.Helper()
	found, err := filepath.Glob("../../testdata/sessions/*/*")
	if err != nil || len(found) == 0 {
		t.Fatal("no fixtures", err)
	}
	files := map[string][]byte{}
	for _, path := range found {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = src
	}
	return files
}

// TestNoEdit checks that encoding without an edit returns the identical bytes, even when every block
// is a new value with equal parts.
func TestNoEdit(t *testing.T) {
	for path, src := range fixtures(t) {
		t.Run("SM1 "+filepath.Base(path), func(t *testing.T) { // of .github/CONFORMANCE.md
			f, err := Decode(src, "")
			if err != nil {
				t.Fatal(err)
			}
			same := make([]*transcript.Conversation, len(f.Convs))
			for i, c := range f.Convs {
				same[i] = c.WithPins(func(transcript.Ref) transcript.Pin { return transcript.Verbatim })
			}
			for _, final := range [][]*transcript.Conversation{f.Convs, same} {
				out, err := f.Bytes(final)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(out, src) {
					t.Error("changed without an edit")
				}
			}
		})
	}
}

// TestRandomEdits checks the outputs of all edits that Apply accepts. They are valid JSON where the
// input was, decode to the edited conversation, and keep the lines that belong to no message.
func TestRandomEdits(t *testing.T) {
	runs := 60
	if testing.Short() {
		runs = 5
	}
	for path, src := range fixtures(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			for seed := range runs {
				editAndCheck(t, src, int64(seed))
			}
		})
	}
}

// FuzzDecode checks that no input makes the decoder panic, and that a decoded
// source is encoded identically without edits and correctly after some.
func FuzzDecode(f *testing.F) {
	for _, src := range fixtures(f) {
		if len(src) < 8<<10 {
			f.Add(src, int64(1))
		}
	}
	f.Add([]byte(`[{"role":"user","content":"a"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\"a\":1}"}}]},{"role":"tool","tool_call_id":"c","content":"x"}]`), int64(2))
	f.Add([]byte(`[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}],"ts":1,"condenseParent":"s"},{"role":"user","content":"s","isSummary":true,"condenseId":"s"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"r"},{"type":"text","text":"t"}],"truncationParent":"m"},{"role":"user","content":"m","isTruncationMarker":true,"truncationId":"m"}]`), int64(4))
	f.Add([]byte("{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"a <system-reminder>b</system-reminder> c\"},\"uuid\":\"1\",\"parentUuid\":null}\n{\"type\":\"assistant\",\"uuid\":\"2\",\"parentUuid\":\"1\",\"message\":{\"id\":\"m\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"<read_file><path>x</path></read_file>\"}]}}"), int64(3))
	f.Fuzz(func(t *testing.T, src []byte, seed int64) {
		if len(src) > 64<<10 {
			t.Skip()
		}
		file, err := Decode(src, "")
		if err != nil {
			return
		}
		if out, err := file.Bytes(file.Convs); err != nil || !bytes.Equal(out, src) {
			t.Fatalf("changed without an edit (%v)", err)
		}
		editAndCheck(t, src, seed)
	})
}

// editAndCheck applies random edits to a source and checks the output.
func editAndCheck(t *testing.T, src []byte, seed int64) {
	t.Helper()
	f, err := Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewSource(seed))
	final := make([]*transcript.Conversation, len(f.Convs))
	for i, c := range f.Convs {
		final[i] = randomly(rng, c)
	}
	out, err := f.Bytes(final)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if json.Valid(bytes.TrimPrefix(src, []byte("\ufeff"))) && !json.Valid(bytes.TrimPrefix(out, []byte("\ufeff"))) {
		t.Fatalf("seed %d: the output is not JSON", seed)
	}
	again, err := f.Verify(final, out)
	if err != nil {
		if hides(f) { // an edit may make hidden history visible; the output is then refused
			return
		}
		if len(f.Faults) > 0 && strings.Contains(err.Error(), "does not decode") {
			return // only broken lines remain; that is refused, too
		}
		t.Fatalf("seed %d: %v", seed, err)
	}
	if twice, err := again.Bytes(again.Convs); err != nil || !bytes.Equal(twice, out) {
		t.Fatalf("seed %d: the output does not come out as it is", seed)
	}
}

func hides(f *File) bool {
	for _, c := range f.Convs {
		for _, m := range c.Messages {
			if m.Hidden {
				return true
			}
		}
	}
	return false
}

// randomly applies a few random edits, leaving out those that Apply refuses.
func randomly(rng *rand.Rand, c *transcript.Conversation) *transcript.Conversation {
	texts := []string{"[omitted]", "two\nlines", `quotes " and \ back`, "Übung 日本 🙂", "\x00\x1f", "<system-reminder>x</system-reminder>"}
	for range 1 + rng.Intn(12) {
		if len(c.Messages) == 0 {
			return c
		}
		m := c.Messages[rng.Intn(len(c.Messages))]
		var edits []transcript.Edit
		if len(m.Blocks) == 0 || rng.Intn(6) == 0 {
			edits = dropMessage(c, m)
		} else {
			b := m.Blocks[rng.Intn(len(m.Blocks))]
			at := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
			switch rng.Intn(4) {
			case 0:
				edits = dropPair(c, at)
			case 1:
				if len(b.Parts) > 0 {
					at.Part = rng.Intn(len(b.Parts))
				}
				fallthrough
			default:
				text := texts[rng.Intn(len(texts))]
				if b.Kind == transcript.Text && m.Role == transcript.User {
					text = transcript.Marker("reminder") // another text could be taken for the answer of a tool
				}
				edits = []transcript.Edit{{At: at, Op: transcript.Rewrite, Text: text}}
			}
		}
		if next, err := c.Apply(edits); err == nil && len(next.Messages) > 0 { // an empty file is no conversation
			c = next
		}
	}
	return c
}

func dropPair(c *transcript.Conversation, at transcript.Ref) []transcript.Edit {
	edits := []transcript.Edit{{At: at, Op: transcript.Drop}}
	if other, ok := c.Partner(at); ok {
		edits = append(edits, transcript.Edit{At: other, Op: transcript.Drop})
	}
	return edits
}

func dropMessage(c *transcript.Conversation, m *transcript.Message) (edits []transcript.Edit) {
	for _, b := range m.Blocks {
		edits = append(edits, dropPair(c, transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole})...)
	}
	if edits == nil {
		edits = []transcript.Edit{{At: transcript.At(m.ID), Op: transcript.Drop}}
	}
	return edits
}
