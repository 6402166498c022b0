package diff

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// conversation returns a conversation of lines: "user: text", "call c1: text", "result c1: text".
func conversation(lines ...string) *transcript.Conversation {
	var list []*transcript.Message
	for _, line := range lines {
		who, text, _ := strings.Cut(line, ": ")
		who, id, _ := strings.Cut(who, " ")
		b := &transcript.Block{Parts: []transcript.Part{{Text: text}}, Call: id}
		m := &transcript.Message{Role: transcript.Assistant, Blocks: []*transcript.Block{b}}
		switch who {
		case "user":
			m.Role = transcript.User
		case "call":
			b.Kind, b.Tool = transcript.ToolCall, "Bash"
		case "result":
			b.Kind, b.Tool, m.Role = transcript.ToolResult, "Bash", transcript.Tool
		case "hidden":
			m.Hidden = true
		}
		list = append(list, m)
	}
	return transcript.New("", list)
}

func TestConversations(t *testing.T) {
	ops := [...]string{"drop", "insert", "change", "hide", "show"}
	for _, c := range []struct {
		name string
		a, b []string
		want []string // op, place in a, place in b
	}{
		{"the same", []string{"user: hello", "model: hi"}, []string{"user: hello", "model: hi"}, nil},
		{"nothing", nil, nil, nil},
		{"all gone", []string{"user: hello"}, nil, []string{"drop 0 0"}},
		{"all new", nil, []string{"user: hello"}, []string{"insert 0 0"}},
		{"one of equals was removed", []string{"user: ok", "model: a", "user: ok", "model: b"}, []string{"model: a", "user: ok", "model: b"}, []string{"drop 0 0"}},
		{"shortened", []string{"user: q", "model: one two three four five six"}, []string{"user: q", "model: one two [4 words omitted]"}, []string{"change 1 1"}},
		{"a marker", []string{"user: q", "result: a long story", "user: r"}, []string{"user: q", "result: [3 words omitted]", "user: r"}, []string{"change 1 1"}},
		{"nothing in common", []string{"user: q", "model: hello there"}, []string{"user: q", "model: good night"}, []string{"drop 1 1", "insert 2 1"}},
		{"calls are paired by id", []string{"call c1: ls", "result c1: a b", "call c2: ls", "result c2: a b"},
			[]string{"call c2: ls", "result c2: x y"}, []string{"drop 0 0", "drop 1 0", "change 3 1"}},
		{"numbered ids are ignored", []string{"call prose 1: ls", "result prose 1: a b", "call prose 2: pwd", "result prose 2: c d"},
			[]string{"call prose 1: pwd", "result prose 1: c d"}, []string{"drop 0 0", "drop 1 0"}},
		{"only another id", []string{"call c1: ls"}, []string{"call c9: ls"}, []string{"change 0 0 the id of its call"}},
		{"hidden", []string{"model: a", "hidden: b"}, []string{"hidden: a", "model: b"}, []string{"hide 0 0", "show 1 1"}},
		{"equals stay", []string{"user: ok", "user: ok", "model: a"}, []string{"user: ok", "user: ok", "model: a"}, nil},
		{"one equal more", []string{"user: ok", "model: a"}, []string{"user: ok", "user: ok", "model: a"}, []string{"insert 1 1"}},
		{"equals between changes", []string{"user: x", "model: A", "user: y", "model: B", "user: C", "model: z"}, []string{"user: p", "model: A", "user: q", "model: B", "user: C", "model: r"},
			[]string{"drop 0 0", "insert 1 0", "drop 2 2", "insert 3 2", "drop 5 5", "insert 6 5"}},
		{"moved", []string{"user: a", "model: b", "user: c"}, []string{"model: b", "user: a", "user: c"}, []string{"insert 0 0", "drop 1 2"}},
	} {
		var got []string
		for _, x := range Conversations(conversation(c.a...), conversation(c.b...)) {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s %d %d %s", ops[x.Op], x.From, x.To, x.What)))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestPairs checks that each message stands once in the list, with its place on each side.
func TestPairs(t *testing.T) {
	a, b := conversation("user: hello", "model: one two three", "user: bye"), conversation("user: hello", "user: new", "model: one two [1 word omitted]", "user: bye")
	var got []string
	for _, p := range Pairs(a, b) {
		got = append(got, fmt.Sprint(p.From, p.To, len(p.Changes)))
	}
	if want := []string{"0 0 0", "-1 1 1", "1 2 1", "2 3 0"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestManyChanged checks messages that have all changed a little, more than are compared each with each:
// the first with the first, and so on.
func TestManyChanged(t *testing.T) {
	var before, after []string
	for i := range 300 {
		before, after = append(before, fmt.Sprintf("user: part %d of the story", i)), append(after, fmt.Sprintf("user: part %d of the", i))
	}
	list := Conversations(conversation(before...), conversation(after...))
	for i, c := range list {
		if c.Op != Changed || c.From != i || c.To != i {
			t.Fatalf("change %d is %+v", i, c)
		}
	}
	if len(list) != len(before) {
		t.Errorf("%d changes of %d", len(list), len(before))
	}
}

// FuzzAlign checks that every item is listed once and in order, that pairs do not
// cross, and that a list equals itself.
func FuzzAlign(f *testing.F) {
	f.Add("user a\nuser b\nuser a", "user b\nuser a")
	f.Add("a b c d\n[1 omitted]\nx", "a b\nx\nx\n")
	f.Fuzz(func(t *testing.T, left, right string) {
		a, b := conversation(strings.Split(left, "\n")...), conversation(strings.Split(right, "\n")...)
		if list := Conversations(a, a); len(list) > 0 {
			t.Fatalf("%q differs from itself: %+v", left, list)
		}
		i, j := 0, 0
		for _, p := range pairMessages(newHasher(), a.Messages, b.Messages) {
			if p.from != i || p.to != j || p.a >= 0 && p.a != i || p.b >= 0 && p.b != j {
				t.Fatalf("%+v is listed where a is at %d and b at %d", p, i, j)
			}
			if p.a >= 0 {
				i++
			}
			if p.b >= 0 {
				j++
			}
		}
		if i != len(a.Messages) || j != len(b.Messages) {
			t.Fatalf("%d of %d and %d of %d listed", i, len(a.Messages), j, len(b.Messages))
		}
	})
}
