package format

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/rules"
	"condense/transcript/transcripttest"
)

// TestPairByPosition sets the ids of the first results of every fixture to a wrong one, one at
// a time, and checks that the results get their ids back, and that no other byte changes.
func TestPairByPosition(t *testing.T) {
	restored := map[string]bool{}
	for path, src := range fixtures(t) {
		f := decoded(t, string(src))
		for i, c := range f.Convs {
			tries := 0
			for ref, b := range c.Blocks() {
				if b.Kind != transcript.ToolResult || b.Call == "" || strings.HasPrefix(b.Call, proseID) || tries == 3 {
					continue
				}
				tries++
				var edits []rawjson.Edit
				for _, id := range f.ids(i, ref) {
					edits = append(edits, rawjson.Edit{Span: id, New: []byte(`"wrong"`)})
				}
				broken, err := rawjson.Apply(src, edits)
				if err != nil {
					t.Fatal(err)
				}
				if g := decoded(t, string(broken)); restores(t, path, g, i, src) {
					restored[f.Dialect.Name] = true
				}
			}
		}
	}
	for _, name := range []string{"anthropic", "claude-code", "cline", "openai", "responses", "pi", "gemini", "langchain", "openai-ft", "inspect"} {
		if !restored[name] {
			t.Errorf("nothing was restored in a file of the format %s: %v", name, restored)
		}
	}
}

// restores reports whether conversation i of a file faces a wrong id, and checks that the
// pairing by position then leads to src.
func restores(t *testing.T, path string, f *File, i int, src []byte) bool {
	if i >= len(f.Convs) || len(rules.Facing(f.Convs[i])) == 0 {
		return false
	}
	g, mended, err := f.PairByPosition(f.Dialect.Target())
	switch {
	case err != nil:
		t.Errorf("%s: %v", filepath.Base(path), err)
	case len(mended) == 0: // the profile has no such rule, or no id is in the file
		return false
	case !bytes.Equal(g.Source(), src):
		t.Errorf("%s: %d mended, but the bytes are not those of the source", filepath.Base(path), len(mended))
	}
	return err == nil
}

// TestPairByPositionLimits checks the results that are not paired.
func TestPairByPositionLimits(t *testing.T) {
	call := func(id string) string {
		return `{"role":"assistant","content":null,"tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"ls","arguments":"{}"}}]},`
	}
	result := func(id string) string {
		return `{"role":"tool","tool_call_id":"` + id + `","content":"` + id + `"},`
	}
	for _, tt := range []struct{ name, src, want string }{
		{"the id is also the content", call("a") + result("x"), call("a") + strings.Replace(result("x"), `_id":"x"`, `_id":"a"`, 1)},
		{"two calls", call("a") + call("b") + result("x"), ""},
		{"two results", call("a") + result("x") + result("y"), ""},
		{"sound", call("a") + result("a"), ""},
		{"an id with an escape", strings.Replace(call("a"), `"a"`, `"\u0061\n"`, 1) + result("x"),
			strings.Replace(call("a"), `"a"`, `"\u0061\n"`, 1) + strings.Replace(result("x"), `_id":"x"`, `_id":"a\n"`, 1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			around := func(s string) string {
				return `[{"role":"user","content":"q"},` + s + `{"role":"assistant","content":"done"}]`
			}
			f := decoded(t, around(tt.src))
			g, mended, err := f.PairByPosition(&rules.OpenAI)
			if err != nil {
				t.Fatal(err)
			}
			if want := tt.want; want == "" && (g != f || mended != nil) || want != "" && string(g.Source()) != around(want) {
				t.Errorf("%v\n%s", mended, g.Source())
			}
		})
	}
}

// TestCheckPaired checks that a pair that is none, and any other change, are refused.
func TestCheckPaired(t *testing.T) {
	conversation := func(text, id string, hidden bool) *transcript.Conversation {
		c := transcripttest.Conversation(transcripttest.User("Mend the gate."), transcripttest.Model(text, transcripttest.Call("1", "Bash", "command=make")), transcripttest.Tool(id, "done"))
		c.Messages[0].Hidden = hidden
		return c
	}
	pairs := []rules.Pair{{Call: transcript.Ref{Msg: 1, Block: 1, Part: transcript.Whole}, Result: transcript.Ref{Msg: 2, Block: 0, Part: transcript.Whole}}}
	was := conversation("I do.", "9", false)
	if at := was.Messages[1].Blocks[1]; at.Kind != transcript.ToolCall || was.Messages[1].ID != pairs[0].Call.Msg || at.ID != pairs[0].Call.Block {
		t.Fatalf("the call is at message %d block %d", was.Messages[1].ID, at.ID)
	}
	for name, tt := range map[string]struct {
		is *transcript.Conversation
		ok bool
	}{
		"paired":             {conversation("I do.", "1", false), true},
		"not paired":         {conversation("I do.", "9", false), false},
		"another text":       {conversation("I did.", "1", false), false},
		"another visibility": {conversation("I do.", "1", true), false},
	} {
		if err := checkPaired(was, tt.is, pairs); (err == nil) != tt.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
