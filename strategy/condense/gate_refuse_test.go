package condense

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"condense/strategy"
	"condense/transcript"
	"condense/transcript/format"
)

// A hostile is a stage that proposes what a run must not write.
type hostile struct {
	name string
	// everywhere is set if every format has a place for its edits.
	everywhere bool
	edit       func(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block) (transcript.Edit, bool)
	tokens     func(*transcript.Block) int // nil for the default; a wrong counter lets outputs pass that are not larger
}

// partOf returns the place of the first text of a block that can be rewritten.
func partOf(ref transcript.Ref, b *transcript.Block) (transcript.Ref, bool) {
	if b.Fixed || b.Kind == transcript.Thinking || b.Kind == transcript.Opaque {
		return ref, false
	}
	for i, p := range b.Parts {
		if strings.TrimSpace(p.Text) != "" && !p.Number && p.Head == 0 {
			ref.Part = i
			return ref, true
		}
	}
	return ref, false
}

// rewriting returns an edit function that rewrites the blocks for which of returns true.
func rewriting(of func(b *transcript.Block) bool, rewrite func(string) string) func(*transcript.Conversation, transcript.Ref, *transcript.Block) (transcript.Edit, bool) {
	return func(_ *transcript.Conversation, ref transcript.Ref, b *transcript.Block) (transcript.Edit, bool) {
		if !of(b) {
			return transcript.Edit{}, false
		}
		at, ok := partOf(ref, b)
		if !ok {
			return transcript.Edit{}, false
		}
		return transcript.Edit{At: at, Op: transcript.Rewrite, Text: rewrite(b.Parts[at.Part].Text)}, true
	}
}

// halving returns an edit function that drops paired blocks of a kind, but not their other halves.
func halving(kind transcript.Kind) func(*transcript.Conversation, transcript.Ref, *transcript.Block) (transcript.Edit, bool) {
	return func(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block) (transcript.Edit, bool) {
		_, paired := c.Partner(ref)
		return transcript.Edit{At: ref, Op: transcript.Drop}, b.Kind == kind && paired
	}
}

func typedText(b *transcript.Block) bool {
	return b.Kind == transcript.Text && b.Origin == transcript.Typed
}

func modelText(b *transcript.Block) bool {
	return b.Kind == transcript.Text && b.Origin == transcript.ByModel
}

func toolText(b *transcript.Block) bool {
	return b.Kind == transcript.ToolResult && b.Origin == transcript.ByTool
}

var hostiles = []hostile{
	{"a result less", false, halving(transcript.ToolResult), nil},
	{"a call less", false, halving(transcript.ToolCall), nil},
	{"a blank text", true, rewriting(modelText, func(string) string { return " " }), nil},
	{"a typed text without its last letter", true, rewriting(typedText, func(s string) string { return "," + s[:len(s)-1] }), nil},
	{"a typed text with other words", true, rewriting(typedText, func(string) string { return "." }), nil},
	{"a typed text less", true, func(_ *transcript.Conversation, ref transcript.Ref, b *transcript.Block) (transcript.Edit, bool) {
		return transcript.Edit{At: ref, Op: transcript.Drop}, typedText(b)
	}, nil},
	{"a text with more tokens", true, rewriting(modelText, func(s string) string { return s + " and so on " + s }), nil},
	{"a result with more tokens", false, rewriting(toolText, func(s string) string { return s + " and so on " + s }), nil},
	{"a message more", true, func(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block) (transcript.Edit, bool) {
		m := &transcript.Message{Role: transcript.User, Blocks: []*transcript.Block{{Parts: []transcript.Part{{Text: "go on"}}}}}
		return transcript.Edit{At: transcript.At(ref.Msg), Op: transcript.Insert, New: m}, modelText(b)
	}, nil},
	{"more bytes, with a counter that is wrong", true,
		rewriting(modelText, func(s string) string { return strings.Repeat(`"`, len(s)) }), // twice as long when escaped
		func(b *transcript.Block) int { return 1 + len(strings.ReplaceAll(b.Text(), `"`, "")) },
	},
}

// stage returns a strategy with one edit: at the place with this number. placed is set when there is
// such a place.
func (h *hostile) stage(at int, placed *bool) *strategy.Strategy {
	return &strategy.Strategy{
		Name: "hostile", Doc: "proposes what must not be", Loses: "it",
		Run: func(_ context.Context, in *strategy.Input) (p strategy.Proposal, err error) {
			n := 0
			for ref, b := range in.Conv.Blocks() {
				e, ok := h.edit(in.Conv, ref, b)
				if !ok {
					continue
				}
				if n == at {
					*placed = true
					p.Edits = []transcript.Edit{e}
					return p, nil
				}
				n++
			}
			return strategy.Skip("there is no such place"), nil
		},
	}
}

// fixturesByDialect returns the fixtures by the name of their dialect.
func fixturesByDialect(t *testing.T) map[string][]*format.File {
	t.Helper()
	names, err := filepath.Glob(sessions + "/*/*")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]*format.File{}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if f, err := format.Decode(src, ""); err == nil {
			all[f.Dialect.Name] = append(all[f.Dialect.Name], f)
		}
	}
	return all
}

// TestRunRefuses checks for every dialect that an edit is refused or left out that breaks a guarantee.
func TestRunRefuses(t *testing.T) {
	all := fixturesByDialect(t)
	for _, d := range format.Dialects {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			for _, h := range hostiles {
				places := 0
				for _, f := range all[d.Name] {
					places += h.attack(t, f)
				}
				if places == 0 && h.everywhere {
					t.Errorf("no fixture has a place for %s", h.name)
				}
			}
		})
	}
}

// attack proposes the edit at the first places of a file, one at a time, and returns their number.
func (h *hostile) attack(t *testing.T, f *format.File) (places int) {
	t.Helper()
	for at := range 5 {
		placed := false
		o := Defaults()
		o.Pipeline, o.Tokens = []*strategy.Strategy{h.stage(at, &placed)}, h.tokens
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.File(t.Context(), f)
		if !placed {
			return places
		}
		places++
		switch {
		case err != nil && out != nil:
			t.Errorf("%s: there is an output besides %v", h.name, err)
		case err == nil && h.tokens != nil && len(out.Out) <= f.Len():
		case err == nil && len(out.Prepared) == 0 && !bytes.Equal(out.Out, f.Source()):
			t.Errorf("%s at place %d is written:\n%.300s", h.name, at, f.Source())
		}
	}
	return places
}

// piEntry returns a line of a session of pi.
func piEntry(id, parent string) string {
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,"message":{"role":"user","content":"go"}}`+"\n", id, parent)
}

// TestDamage checks that an output that is refused names the fault of its source, of hidden messages
// too, and none if the source has none.
func TestDamage(t *testing.T) {
	const call = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"b"}]}`
	for _, tt := range []struct{ name, src, want string }{
		{"sound", `[{"role":"user","content":"go"},` + call + `,{"role":"assistant","content":"done"}]`, ""},
		{"a result without its call", `[{"role":"user","content":"go"},{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"c"}]},` + call + `]`, "no call"},
		{"the same, hidden", `[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"c"}],"ts":1,"truncationParent":"m"},` +
			`{"role":"user","content":"[truncated]","ts":2,"isTruncationMarker":true,"truncationId":"m"},` + call + `]`, "no unanswered call"},
		{"a record whose parent is not there", `{"uuid":"1","type":"user","sessionId":"s","message":{"role":"user","parts":[{"text":"go"}]}}` + "\n" +
			`{"uuid":"2","parentUuid":"lost","type":"assistant","sessionId":"s","message":{"role":"model","parts":[{"text":"ok"}]}}` + "\n", "qwen-code/chain"},
		{"linked records", piEntry("a", "") + piEntry("b", "a"), ""},
		{"an id twice", piEntry("a", "") + piEntry("b", "a") + piEntry("a", "b"), "the id a is there twice"},
		{"a parent behind its child", piEntry("a", "b") + piEntry("b", ""), "the parent b stands behind its child"},
	} {
		f, err := format.Decode([]byte(tt.src), "")
		if err != nil {
			t.Fatal(tt.name, err)
		}
		o := Defaults()
		r, err := start(&o, f)
		if err != nil {
			t.Fatal(tt.name, err)
		}
		if got := r.damage(0); !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%s (%s): %q", tt.name, f.Dialect.Name, got)
		}
		refused := RefusedError{os.ErrInvalid, r.damage(0)}
		if text := refused.Error(); strings.Contains(text, "the source is damaged: ") != (tt.want != "") {
			t.Errorf("%s: %s", tt.name, text)
		}
	}
}
