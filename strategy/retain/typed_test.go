package retain

import (
	"strings"
	"testing"

	"condense/transcript"
)

func TestTyped(t *testing.T) {
	tests := []struct {
		name          string
		before, after []*transcript.Message
		of, kept      int
	}{
		{"all", msgs(user("fix it"), user("thanks")), msgs(user("fix it"), user("thanks")), 12, 12},
		{"one gone", msgs(user("fix it"), user("thanks")), msgs(user("fix it")), 12, 6},
		{"said twice, left once", msgs(user("go on"), user("go on")), msgs(user("go on")), 10, 5},
		{"one letter changed", msgs(user("fix it")), msgs(user("fix It")), 6, 0},
		{"in a summary", msgs(user("fix it\nnow")), msgs(summary("The user said:\n\nfix it\n  now\n\nand left.")), 10, 10},
		{"within a word of a summary", msgs(user("fix")), msgs(summary("prefixes were read")), 3, 0},
		{"joined with another", msgs(user("fix it"), user("thanks")), msgs(user("fix it\n\nthanks")), 12, 12},
		{"said by the model", msgs(user("fix it")), msgs(model("fix it")), 6, 0},
		{"in a marker", msgs(user("fix it")), msgs(summary(transcript.Marker("fix it"))), 6, 0},
		{"hidden", msgs(user("fix it")), msgs(hidden(user("fix it"))), 6, 0},
		{"nothing typed", msgs(model("hello")), nil, 0, 0},
		{"at the very ends", msgs(user("é x")), msgs(summary("é x")), 4, 4},
	}
	for _, tt := range tests {
		if got := typed(conv(tt.before...), conv(tt.after...)); got != (Count{tt.of, tt.kept}) {
			t.Errorf("%s: %+v, want %d of %d", tt.name, got, tt.kept, tt.of)
		}
	}
}

func TestTodos(t *testing.T) {
	list := call("1", "update_todo_list", "todos=[ ] mend the reader\n[x] look\n[ ] run all tests")
	tests := []struct {
		name  string
		after []*transcript.Message
		kept  int
	}{
		{"the list", msgs(list), 2},
		{"a shorter list", msgs(call("1", "update_todo_list", "todos=[ ] mend the reader")), 1},
		{"a summary", msgs(summary("Still to do: run all\ntests.")), 1},
		{"only words of the model", msgs(model("I will mend the reader and run all tests")), 0},
		{"nothing", nil, 0},
	}
	for _, tt := range tests {
		if got := todos(conv(list), conv(tt.after...)); got != (Count{2, tt.kept}) {
			t.Errorf("%s: %+v, want %d of 2", tt.name, got, tt.kept)
		}
	}
}

// FuzzOf checks for any texts that a copy retains everything, and that no share exceeds
// 1.
func FuzzOf(f *testing.F) {
	f.Add("Fix src/a.go:12 now. Never lose x_y.\n  12→func getIt()\n[Read a/b.go: 3 lines omitted]", "getIt", uint8(9))
	f.Add(strings.Repeat(`{"a_b":1234},`, 30), "a_b 1234", uint8(40))
	f.Fuzz(func(t *testing.T, text, other string, cut uint8) {
		make := func() *transcript.Conversation {
			return conv(user(other), model(text), call("1", "Bash", "command="+other), result("1", text))
		}
		if got := Of(make(), make()); got.Facts.Bound() != 1 || got.Facts.Present() != 1 || got.Typed.Share() != 1 {
			t.Fatalf("a copy: %+v", got)
		}
		got := Of(make(), conv(user(other), result("1", text[min(len(text), int(cut)):]), summary(text[:min(len(text), int(cut))])))
		for _, s := range append(got.kinds[:], got.Facts) {
			if s.Bound() > s.Present() || s.Present() > 1 || s.Bound() < 0 {
				t.Fatalf("bound %v, present %v", s.Bound(), s.Present())
			}
		}
	})
}
