package format

import (
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/rules"
)

// geminiCase is a source and its conversations, separated by "--".
type geminiCase struct {
	name    string
	dialect *Dialect
	src     string
	want    []string
}

func (c geminiCase) check(t *testing.T) {
	f := decoded(t, c.src)
	if f.Dialect != c.dialect {
		t.Errorf("decoded as %s", f.Dialect.Name)
	}
	want := c.want
	for i, conv := range f.Convs {
		n := len(want)
		for k, line := range want {
			if line == "--" {
				n = k
				break
			}
		}
		if i == len(f.Convs)-1 && n < len(want) {
			t.Errorf("%d conversations", len(f.Convs))
		}
		shows(t, conv, want[:n]...)
		want = want[min(n+1, len(want)):]
	}
}

// TestGeminiElsewhere checks that contents with parts in other formats are not recognised as Gemini.
func TestGeminiElsewhere(t *testing.T) {
	for _, src := range []string{
		`[{"id":"1","role":"user","parts":[{"type":"text","text":"UI message of the Vercel SDK"}]}]`,
		`[{"role":"user","parts":[{"kind":"text","text":"A2A message"}]}]`,
		`[{"info":{"role":"user"},"parts":[{"type":"text","text":"OpenCode"}]}]`,
		`{"events":[{"type":"message","author":"x"}]}`,
		`{"contents":"text"}`, `{"contents":[1,2]}`, `[[]]`, `[{"parts":null}]`,
	} {
		f, err := Decode([]byte(src), "")
		if err == nil && (f.Dialect == &gemini || f.Dialect == &adk) {
			t.Errorf("%s is taken for %s", src, f.Dialect.Name)
		}
	}
}

// TestGeminiInsert writes a new message into every dialect of this family.
func TestGeminiInsert(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{`[{"role":"user","parts":[{"text":"a"}]}, {"role":"model","parts":[{"text":"b"}]}]`,
			`[{"role":"user","parts":[{"text":"a"}]}, {"role":"model","parts":[{"text":"new"}]}, {"role":"model","parts":[{"text":"b"}]}]`},
		{`{"events":[{"author":"user","invocationId":"i","content":{"parts":[{"text":"a"}]},"timestamp":1.50},{"author":"agent","content":{"parts":[{"text":"b"}]},"timestamp":2.50}]}`,
			`{"events":[{"author":"user","invocationId":"i","content":{"parts":[{"text":"a"}]},"timestamp":1.50},{"author":"agent","content":{"role":"model","parts":[{"text":"new"}]},"id":"ID","timestamp":2.50},{"author":"agent","content":{"parts":[{"text":"b"}]},"timestamp":2.50}]}`},
		{`{"chunkedPrompt":{"chunks":[{"text":"a","role":"user"},{"text":"b","role":"model"}]}}`,
			`{"chunkedPrompt":{"chunks":[{"text":"a","role":"user"},{"text":"new","role":"model"},{"text":"b","role":"model"}]}}`},
		{`{"sessionId":"s","projectHash":"p","messages":[{"id":"1","type":"user","content":"a"},{"id":"2","timestamp":"T","type":"gemini","content":"b"}]}`,
			`{"sessionId":"s","projectHash":"p","messages":[{"id":"1","type":"user","content":"a"},{"id":"ID","timestamp":"T","type":"gemini","content":"new"},{"id":"2","timestamp":"T","type":"gemini","content":"b"}]}`},
		{"{\"type\":\"message\",\"timestamp\":\"T\",\"role\":\"user\",\"content\":\"a\"}\n{\"type\":\"message\",\"timestamp\":\"U\",\"role\":\"assistant\",\"content\":\"b\",\"delta\":true}",
			"{\"type\":\"message\",\"timestamp\":\"T\",\"role\":\"user\",\"content\":\"a\"}\n{\"type\":\"message\",\"timestamp\":\"U\",\"role\":\"assistant\",\"content\":\"new\"}\n{\"type\":\"message\",\"timestamp\":\"U\",\"role\":\"assistant\",\"content\":\"b\",\"delta\":false}"},
	} {
		f := decoded(t, c.src)
		next, err := f.Convs[0].Apply([]transcript.Edit{{At: transcript.At(1), Op: transcript.Insert, New: &transcript.Message{
			Role: transcript.Assistant, Blocks: []*transcript.Block{{Parts: []transcript.Part{{Text: "new"}}}},
		}}})
		if err != nil {
			t.Fatal(err)
		}
		final := []*transcript.Conversation{next}
		out, err := f.Bytes(final)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Verify(final, out); err != nil {
			t.Errorf("%s: %v", f.Dialect.Name, err)
		}
		if got := withoutID(string(out)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", f.Dialect.Name, got, c.want)
		}
	}
}

// withoutID replaces the id of the new record, which is the only long id, by "ID".
func withoutID(s string) string {
	before, rest, found := strings.Cut(s, `"id":"`)
	if !found {
		return s
	}
	id, rest, _ := strings.Cut(rest, `"`)
	if len(id) >= 8 {
		id = "ID"
	}
	return before + `"id":"` + id + `"` + withoutID(rest)
}

// TestGeminiRepair checks that a repair adds the missing result of a call.
func TestGeminiRepair(t *testing.T) {
	f := decoded(t, `[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"id":"c","name":"g","args":{}}}]},{"role":"user","parts":[{"text":"b"}]}]`)
	r, err := f.Repair(&rules.Gemini)
	if err != nil {
		t.Fatal(err)
	}
	shows(t, r.File.Convs[0], `user: typed "a"`, `assistant: call c g`,
		`user: result c g "[no result was recorded for this call]"`, `user: typed "b"`)
}
