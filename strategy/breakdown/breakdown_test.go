package breakdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/transcripttest"
)

var (
	conv     = transcripttest.Conversation
	system   = transcripttest.System
	user     = transcripttest.User
	model    = transcripttest.Model
	tool     = transcripttest.Tool
	message  = transcripttest.Message
	hidden   = transcripttest.Hidden
	thinking = transcripttest.Thinking
	call     = transcripttest.Call
	prose    = transcripttest.Prose
	result   = transcripttest.Result
	failing  = transcripttest.Failing
)

// letters counts the bytes of a block.
func letters(b *transcript.Block) (n int) {
	for _, p := range b.Parts {
		n += len(p.Text)
	}
	return n
}

// showGroups formats groups for comparison.
func showGroups(groups []Group) string {
	var out []string
	for _, p := range groups {
		if p.Blocks > 0 {
			out = append(out, fmt.Sprintf("%s %d/%d", p.Name, p.Tokens, p.Blocks))
		}
	}
	return strings.Join(out, ", ")
}

// holding returns a conversation with blocks of all kinds.
func holding() *transcript.Conversation {
	return conv(
		system("be good"),
		hidden(user("not seen")),
		user("fix it"),
		model(thinking("hm"), "I look.", call("1", "Read", "file_path=a.go")),
		tool("1", "package a"),
		model(call("2", "Bash", "command=ls")),
		tool("2", "a.go"),
		model("Done."),
	)
}

func TestOf(t *testing.T) {
	s := Of(holding(), letters)
	for _, want := range []struct{ what, got, want string }{
		{"total", fmt.Sprint(s.Tokens, s.Messages), "46 7"},
		{"roles", showGroups(s.Roles), "system 7/1, user 6/1, assistant 20/5, tool 13/2"},
		{"kinds", showGroups(s.Kinds), "system 7/1, user 6/1, assistant 12/2, thinking 2/1, tool calls 6/2, tool results 13/2"},
		{"ages", showGroups(s.Ages), "last 5 units 46/9"},
		{"tools", showGroups(s.Tools), "Read 13/2, Bash 6/2"},
		{"paths", showGroups(s.Paths), "a.go 13/2"},
		{"stale", showGroups(s.Stale), ""},
	} {
		if want.got != want.want {
			t.Errorf("%s: %s\nwant %s", want.what, want.got, want.want)
		}
	}
	if len(s.Blocks) != 9 || s.Blocks[0].Tokens != 9 || s.Blocks[0].At.Msg != 4 {
		t.Errorf("blocks: %v", s.Blocks)
	}
}

// TestAddsUp checks that every list of all blocks has all tokens, also in random conversations.
func TestAddsUp(t *testing.T) {
	sum := &Breakdown{}
	for n := range 130 {
		msgs := []*transcript.Message{system("s")}
		for i := range n {
			msgs = append(msgs, user(strings.Repeat("word ", i%7+1)), model("ok", call(fmt.Sprint(i), "Read", fmt.Sprintf("path=%d.go", i%3))), tool(fmt.Sprint(i), "text"))
		}
		s := Of(conv(msgs...), letters)
		sum.Add(s)
		for name, groups := range map[string][]Group{"roles": s.Roles, "kinds": s.Kinds, "ages": s.Ages} {
			total := 0
			for _, p := range groups {
				total += p.Tokens
			}
			if total != s.Tokens {
				t.Fatalf("%d rounds: %s add up to %d, not %d", n, name, total, s.Tokens)
			}
		}
	}
	total := 0
	for _, p := range sum.Kinds {
		total += p.Tokens
	}
	if total != sum.Tokens || sum.Tokens == 0 {
		t.Errorf("the sum has %d tokens in its kinds, %d in all", total, sum.Tokens)
	}
	if !slices.IsSortedFunc(sum.Paths, func(a, b Group) int { return b.Tokens - a.Tokens }) {
		t.Errorf("paths are not in order: %v", sum.Paths)
	}
	if len(sum.Ages) != len(ageGroups) || sum.Ages[len(ageGroups)-1].Tokens == 0 {
		t.Errorf("ages: %v", sum.Ages)
	}
}

func TestStale(t *testing.T) {
	read := func(id, path string) *transcript.Message { return model(call(id, "Read", "file_path="+path)) }
	tests := []struct {
		name string
		msgs []*transcript.Message
		want string
	}{
		{"read again", []*transcript.Message{read("1", "a.go"), tool("1", "12345"), read("2", "a.go"), tool("2", "1234")}, "a.go 5/1"},
		{"another range", []*transcript.Message{
			model(call("1", "Read", "file_path=a.go", "offset:=1")), tool("1", "12345"),
			model(call("2", "Read", "file_path=a.go", "offset:=99")), tool("2", "1234"),
		}, ""},
		{"changed", []*transcript.Message{
			read("1", "a.go"), tool("1", "12345"), model(call("2", "Edit", "file_path=a.go", "new_string=x")), tool("2", "ok"),
		}, "a.go 5/1"},
		{"changed before", []*transcript.Message{
			model(call("2", "Edit", "file_path=a.go", "new_string=x")), tool("2", "ok"), read("1", "a.go"), tool("1", "12345"),
		}, ""},
		{"the change failed", []*transcript.Message{
			read("1", "a.go"), tool("1", "12345"), model(call("2", "Edit", "file_path=a.go", "new_string=x")),
			message(transcript.Tool, transcript.ByTool, failing(result("2", "no"))),
		}, ""},
		{"a patch", []*transcript.Message{
			read("1", "a.go"), tool("1", "12345"),
			model(call("2", "apply_patch", "input=*** Begin Patch\n*** Update File: a.go\n*** End Patch")), tool("2", "ok"),
		}, "a.go 5/1"},
		{"written as prose", []*transcript.Message{
			model(prose("1", "read_file", "<read_file><path>a.go</path></read_file>")), tool("1", "12345"),
			model(prose("2", "write_to_file", "<write_to_file><path>a.go</path><content>x</content></write_to_file>")), tool("2", "ok"),
		}, "a.go 5/1"},
		{"another file", []*transcript.Message{read("1", "a.go"), tool("1", "12345"), read("2", "b.go"), tool("2", "1234")}, ""},
		{"without a path", []*transcript.Message{model(call("1", "Bash", "command=ls")), tool("1", "a"), model(call("2", "Bash", "command=ls")), tool("2", "a")}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := showGroups(Of(conv(tt.msgs...), letters).Stale); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
