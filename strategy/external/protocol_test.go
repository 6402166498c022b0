package external

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/strategy"
	"condense/transcript"
)

// TestRequest checks the words for kinds, authors and pins, and the numbers of a request.
func TestRequest(t *testing.T) {
	block := func(kind transcript.Kind, origin transcript.Origin, pin transcript.Pin, parts ...transcript.Part) *transcript.Block {
		return &transcript.Block{Kind: kind, Origin: origin, Pin: pin, Parts: parts}
	}
	c := transcript.New("c1", []*transcript.Message{
		{Role: transcript.User, Blocks: []*transcript.Block{
			block(transcript.Text, transcript.Typed, transcript.Verbatim, transcript.Part{Text: "one two"}),
			block(transcript.Text, transcript.Injected, transcript.Present, transcript.Part{Text: "three"}),
			block(transcript.Media, transcript.Typed, transcript.Unpinned, transcript.Part{Media: &transcript.Medium{}}, transcript.Part{Media: &transcript.Medium{Type: "image/png"}}),
			block(transcript.Text, transcript.Generated, transcript.Unpinned),
		}},
		{Role: transcript.Assistant, Blocks: []*transcript.Block{
			block(transcript.Thinking, transcript.ByModel, transcript.Unpinned),
			block(transcript.ToolCall, transcript.ByModel, transcript.Unpinned, transcript.Part{Name: "n", Text: "4", Number: true}),
		}},
		{Role: transcript.Tool, Blocks: []*transcript.Block{
			block(transcript.ToolResult, transcript.ByTool, transcript.Unpinned, transcript.Part{Text: "five six seven"}),
			block(transcript.Opaque, transcript.ByTool, transcript.Unpinned),
		}},
	})
	words := func(b *transcript.Block) int { return len(strings.Fields(b.Text())) }
	r := newRequest(&strategy.Input{Conv: c, Budget: 9, Need: -3, Env: strategy.Env{Tokens: words}})
	if r.Protocol != Protocol || r.Budget != 9 || r.Need != 0 || r.Tokens != 7 || r.Conversation.ID != "c1" {
		t.Errorf("got %+v", r)
	}
	var got []string
	for _, m := range r.Conversation.Messages {
		for _, b := range m.Blocks {
			line := fmt.Sprintf("%s %s %s %s %d", m.Role, b.Kind, b.Origin, b.Pin, b.Tokens)
			for _, p := range b.Parts {
				line += fmt.Sprintf(" [%s%s%s]", p.Name, p.Media, map[bool]string{true: " number"}[p.Number])
			}
			got = append(got, line)
		}
	}
	want := []string{
		"user text user verbatim 2 []", "user text client present 1 []", "user media user none 0 [unknown] [image/png]", "user text condenser none 0",
		"assistant thinking model none 0", "assistant tool_call model none 1 [n number]",
		"tool tool_result tool none 3 []", "tool opaque tool none 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestAnswerEdits checks how the edits of an answer are read, and which are refused.
func TestAnswerEdits(t *testing.T) {
	whole := transcript.At(3)
	at := func(block, part int) transcript.Ref { return transcript.Ref{Msg: 3, Block: block, Part: part} }
	for _, tt := range []struct {
		edit string
		want transcript.Edit
		err  string
	}{
		{`{"message":3,"op":"drop"}`, transcript.Edit{At: whole, Op: transcript.Drop}, ""},
		{`{"message":3,"block":0,"op":"drop","group":2,"why":"old"}`, transcript.Edit{At: at(0, transcript.Whole), Op: transcript.Drop, Group: 2, Why: "old"}, ""},
		{`{"message":3,"block":1,"part":0,"op":"rewrite","text":"x"}`, transcript.Edit{At: at(1, 0), Op: transcript.Rewrite, Text: "x"}, ""},
		{`{"message":0,"op":"drop"}`, transcript.Edit{At: transcript.At(0), Op: transcript.Drop}, ""},
		{`{"message":3,"op":"insert"}`, transcript.Edit{}, `edit 1 of its answer: op is "insert", expected drop or rewrite`},
		{`{"message":3,"part":0,"op":"drop"}`, transcript.Edit{}, "edit 1 of its answer: a part without its block"},
		{`{"message":-1,"op":"drop"}`, transcript.Edit{}, "a number is negative"},
		{`{"message":3,"block":-1,"op":"drop"}`, transcript.Edit{}, "a number is negative"},
		{`{"message":3,"block":0,"part":-1,"op":"drop"}`, transcript.Edit{}, "a number is negative"},
		{`{"message":3,"op":"drop","group":-1}`, transcript.Edit{}, "a number is negative"},
	} {
		var a Answer
		if err := json.Unmarshal([]byte(`{"protocol":1,"edits":[`+tt.edit+`]}`), &a); err != nil {
			t.Fatal(err)
		}
		edits, err := a.edits()
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: %v, want %s", tt.edit, err, tt.err)
			}
		} else if err != nil || len(edits) != 1 || edits[0] != tt.want {
			t.Errorf("%s: %+v, %v", tt.edit, edits, err)
		}
	}
}

// TestPassedVariables checks which variables every program gets, and that no other is passed on.
func TestPassedVariables(t *testing.T) {
	names := strings.Fields("PATH HOME USER LOGNAME SHELL TMPDIR TERM TZ LANG LANGUAGE LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_NUMERIC LC_TIME " +
		"XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME VIRTUAL_ENV SYSTEMROOT SYSTEMDRIVE COMSPEC PATHEXT TEMP TMP USERPROFILE APPDATA LOCALAPPDATA")
	var want []string
	for _, name := range append(names, "MORE") {
		want = append(want, name+"=of "+name)
	}
	env := func(name string) string { return "of " + name }
	if got := Environment(env, []string{"MORE", "A=B", "A\x00B"}); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestErrorsOfPrograms checks the words of errors.
func TestErrorsOfPrograms(t *testing.T) {
	if got, want := errTooMuch.Error(), "it wrote more than 64 MiB"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := Parse("make"); err == nil || err.Error() != "expected exec:PROGRAM" {
		t.Errorf("got %v", err)
	}
}
