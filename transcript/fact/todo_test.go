package fact

import (
	"slices"
	"testing"

	"condense/transcript"
)

func list(id, tool string, args ...string) *transcript.Message {
	b := &transcript.Block{Kind: transcript.ToolCall, Origin: transcript.ByModel, Call: id, Tool: tool}
	for i := 0; i < len(args); i += 2 {
		b.Parts = append(b.Parts, transcript.Part{Name: args[i], Text: args[i+1]})
	}
	return &transcript.Message{Role: transcript.Assistant, Blocks: []*transcript.Block{b}}
}

func answer(id string, failed bool) *transcript.Message {
	b := &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id, Error: failed, Parts: []transcript.Part{{Text: "ok"}}}
	return &transcript.Message{Role: transcript.Tool, Blocks: []*transcript.Block{b}}
}

func TestOpenTodos(t *testing.T) {
	first := list("1", "TodoWrite", "todos[0].content", "read it", "todos[0].status", "completed",
		"todos[1].content", "mend it", "todos[1].status", "in_progress", "todos[1].activeForm", "mending it", "todos[2].content", "test it")
	tests := []struct {
		name string
		msgs []*transcript.Message
		want []string
	}{
		{"none", []*transcript.Message{list("1", "Bash", "command", "ls")}, nil},
		{"items", []*transcript.Message{first, answer("1", false)}, []string{"mend it", "test it"}},
		{"the newest counts", []*transcript.Message{first, answer("1", false), list("2", "update_plan", "explanation", "x", "plan[0].step", "ship", "plan[0].status", "pending")}, []string{"ship"}},
		{"a refused one does not", []*transcript.Message{first, answer("1", false), list("2", "TodoWrite", "todos[0].content", "x"), answer("2", true)}, []string{"mend it", "test it"}},
		{"a checklist", []*transcript.Message{list("1", "update_todo_list", "todos", "[x] a\n- [ ] b c\n[-] d\n[ ]\n")}, []string{"b c", "d"}},
		{"every way to be done", []*transcript.Message{list("1", "TodoWrite", "todos[0].content", "a", "todos[0].status", "completed", "todos[1].content", "b", "todos[1].status", "Done",
			"todos[2].content", "c", "todos[2].status", "cancelled", "todos[3].content", "d", "todos[3].status", "canceled", "todos[4].content", "e", "todos[4].status", "pending", "todos[5].content", "")}, []string{"e"}},
		{"other leaves", []*transcript.Message{list("1", "update_plan", "plan[0].description", "a", "plan[1].title", "b", "description", "c")}, []string{"a"}},
		{"other boxes", []*transcript.Message{list("1", "update_todo_list", "items", "* [ ] a\n  [~] b\n[X] c\n[] d\n e\n")}, []string{"a", "b"}},
		{"all done", []*transcript.Message{list("1", "update_plan", "plan[0].step", "a", "plan[0].status", "completed")}, nil},
	}
	for _, tt := range tests {
		if got := OpenTodos(transcript.New("", tt.msgs)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestBox checks which lines are items of a checklist, and which of them are ticked.
func TestBox(t *testing.T) {
	for line, want := range map[string]struct {
		item       string
		ticked, ok bool
	}{
		"- [ ] Haul in.\n": {"Haul in.", false, true},
		"  * [x] Haul in.": {"Haul in.", true, true},
		"[X] Haul in.":     {"Haul in.", true, true},
		"+ [~] Haul in.":   {"Haul in.", false, true},
		"- [-]Haul in.":    {"Haul in.", false, true},
		"[ ]":              {"", false, true},
		"- [y] Haul in.":   {},
		"- [1](a.md)":      {},
		"- Haul in.":       {},
		"[x":               {},
		"":                 {},
	} {
		if item, ticked, ok := Box(line); item != want.item || ticked != want.ticked || ok != want.ok {
			t.Errorf("%q: %q, %t, %t", line, item, ticked, ok)
		}
	}
}
