package transcript

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestBlockText(t *testing.T) {
	tests := []struct {
		name       string
		block      *Block
		text, body string
	}{
		{"no parts", &Block{}, "", ""},
		{"text", block("hello", User), "hello", "hello"},
		{"media", block("%png", User), "", ""},
		{"several parts", block("-a one/two", Tool), "one\ntwo", "one\ntwo"},
		{"media between", block("-a one/%png/two", Tool), "one\ntwo", "one\ntwo"},
		{"arguments", block("+a(Edit a.go old=x n:=3)", Assistant), "a.go\nx\n3", "a.go\nx\n3"},
		{"known by its first words", head("[Bash] Result:", "\n\nbody\n"), "[Bash] Result:\n\nbody\n", "body\n"},
		{"known by its first words, more parts", &Block{Parts: []Part{{Text: "Result:", Head: 7}, {Text: "body"}}}, "Result:\nbody", "body"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.block.Text(); got != tt.text {
				t.Errorf("text %q, want %q", got, tt.text)
			}
			if got := tt.block.Body(); got != tt.body {
				t.Errorf("body %q, want %q", got, tt.body)
			}
		})
	}
}

func TestBlockArg(t *testing.T) {
	b := block("+a(Edit a.go old=x n:=3)", Assistant)
	tests := []struct{ names, want string }{
		{"path", "a.go"}, {"old", "x"}, {"n", "3"}, {"new", ""}, {"file_path path", "a.go"}, {"old path", "x"}, {"", ""},
	}
	for _, tt := range tests {
		if got := b.Arg(strings.Fields(tt.names)...); got != tt.want {
			t.Errorf("Arg(%s) = %q, want %q", tt.names, got, tt.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	c := conv("S:rules | U:a & b")
	for _, id := range []int{-2, -1, 2, 99} {
		if c.Message(id) != nil || c.Position(id) != -1 || c.Block(Ref{id, 0, Whole}) != nil {
			t.Errorf("there is a message %d", id)
		}
	}
	for _, id := range []int{-1, 2, 99} {
		if c.Block(Ref{1, id, Whole}) != nil {
			t.Errorf("there is a block %d", id)
		}
	}
	if c.Position(1) != 1 || c.Message(1) != c.Messages[1] || c.Block(Ref{1, 1, 7}) != c.Messages[1].Blocks[1] {
		t.Error("an address leads elsewhere")
	}
}

func TestBlocks(t *testing.T) {
	c := conv("S:rules | ~U:old & older | U:a & b | A: | A:c")
	var all []string
	for ref, b := range c.Blocks() {
		all = append(all, fmt.Sprintf("%s: %s", ref, b.Text()))
	}
	want := []string{"message 0 block 0: rules", "message 2 block 0: a", "message 2 block 1: b", "message 4 block 0: c"}
	if !slices.Equal(all, want) {
		t.Errorf("got %q, want %q", all, want)
	}
	for ref := range c.Blocks() {
		if ref.Msg == 4 {
			t.Error("goes on after a break")
		}
		if ref.Msg == 2 {
			break
		}
	}
}

func TestNames(t *testing.T) {
	tests := []struct{ got, want string }{
		{fmt.Sprint([]Role{System, User, Assistant, Tool}), "[system user assistant tool]"},
		{fmt.Sprint([]Kind{Text, Thinking, ToolCall, ToolResult, Media, Opaque}), "[text thinking tool call tool result media opaque]"},
		{fmt.Sprint([]Origin{Typed, Injected, ByModel, ByTool, Generated}), "[typed injected model tool generated]"},
		{fmt.Sprint([]UnitKind{UserUnit, AssistantUnit, ToolRound, SystemUnit}), "[user assistant tool round system]"},
		{fmt.Sprint([]Op{Rewrite, Drop, Insert}), "[rewrite drop insert]"},
		{fmt.Sprint([]Ref{At(End), At(2), {2, 1, Whole}, {2, 1, 0}}), "[end message 2 message 2 block 1 message 2 block 1 part 0]"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("got %s, want %s", tt.got, tt.want)
		}
	}
}
