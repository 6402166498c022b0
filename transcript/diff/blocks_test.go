package diff

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"condense/transcript"
)

// TestDiffers checks that two blocks differ by each of their members, and how that is named.
func TestDiffers(t *testing.T) {
	image := func(m transcript.Medium) []transcript.Part { return []transcript.Part{{Media: &m}} }
	whole := transcript.Medium{Type: "image/png", Data: "abc", Bytes: 3}
	for _, tt := range []struct {
		name, want string
		differ     bool
		change     func(b *transcript.Block)
	}{
		{"nothing", "", false, func(*transcript.Block) {}},
		{"the text", "", true, func(b *transcript.Block) { b.Parts = []transcript.Part{{Text: "x"}} }},
		{"the kind", "its kind", true, func(b *transcript.Block) { b.Kind = transcript.Thinking }},
		{"the name of an argument", "its media or arguments", true, func(b *transcript.Block) { b.Parts = []transcript.Part{{Name: "a", Text: b.Text()}} }},
		{"the tool", "the name of its tool", true, func(b *transcript.Block) { b.Tool = "Grep" }},
		{"the call", "the id of its call", true, func(b *transcript.Block) { b.Call = "c2" }},
		{"a failure", "whether the tool failed", true, func(b *transcript.Block) { b.Error = true }},
		{"the signature", "its signature", true, func(b *transcript.Block) { b.Opaque = 9 }},
		{"a pin", "", false, func(b *transcript.Block) { b.Pin = transcript.Present }},
	} {
		a := &transcript.Block{Tool: "Bash", Call: "c1", Parts: []transcript.Part{{Text: "text"}}}
		b := *a
		tt.change(&b)
		if what, differ := differs(a, &b); what != tt.want || differ != tt.differ {
			t.Errorf("%s: %q, %v", tt.name, what, differ)
		}
		h := newHasher()
		if same := h.of(content(a)...) == h.of(content(&b)...); same != (!tt.differ || tt.name == "the call" || tt.name == "a failure") {
			t.Errorf("%s: the contents are equal: %v", tt.name, same)
		}
	}
	for name, m := range map[string]transcript.Medium{
		"type": {Type: "image/gif", Data: "abc", Bytes: 3}, "data": {Type: "image/png", Data: "abd", Bytes: 3}, "size": {Type: "image/png", Data: "abc", Bytes: 4},
	} {
		a, b := &transcript.Block{Parts: image(whole)}, &transcript.Block{Parts: image(m)}
		if what, differ := differs(a, b); what != "its media or arguments" || !differ {
			t.Errorf("another %s of an image: %q, %v", name, what, differ)
		}
		h := newHasher()
		if h.of(content(a)...) == h.of(content(b)...) {
			t.Errorf("another %s of an image has equal content", name)
		}
	}
	if _, differ := differs(&transcript.Block{Parts: image(whole)}, &transcript.Block{Parts: image(whole)}); differ {
		t.Error("equal images differ")
	}
}

// TestWhole checks that each block of a message that one side lacks is on its own side.
func TestWhole(t *testing.T) {
	m := &transcript.Message{Blocks: []*transcript.Block{{ID: 0}, {ID: 1}}}
	for _, op := range []Op{Dropped, Inserted} {
		for i, c := range whole(op, m, pair{from: 3, to: 4}) {
			if c.Op != op || c.From != 3 || c.To != 4 || c.Block != i || (c.A == m.Blocks[i]) != (op == Dropped) || (c.B == m.Blocks[i]) != (op == Inserted) {
				t.Errorf("%d: %+v", op, c)
			}
		}
	}
}

// TestSimilarity checks which blocks are alike enough to be a pair.
func TestSimilarity(t *testing.T) {
	text := func(s string) *transcript.Block { return &transcript.Block{Parts: []transcript.Part{{Text: s}}} }
	result := func(tool, id, s string) *transcript.Block {
		b := text(s)
		b.Kind, b.Tool, b.Call = transcript.ToolResult, tool, id
		return b
	}
	for _, tt := range []struct {
		name string
		a, b *transcript.Block
		want float64
	}{
		{"half of the words", text("a b c d"), text("a b"), .75},
		{"each word as often as it occurs", text("a a a a"), text("a a"), .75},
		{"too few words in common", text("a b c d e f g h i j"), text("a k l m n o p q r s"), 0},
		{"no words in common", text("a"), text("b"), 0},
		{"nothing", text(""), text(""), 0},
		{"a marker", text("a b c"), text("[3 words omitted]"), least},
		{"a marker with some words", text("a b c d"), text("a b c d\n[3 words omitted]"), (1 + 4.0/7) / 2},
		{"a record", text("a b c"), text("[condensed: Read a.go:\n x\n]"), least},
		{"two markers", text("[2 words omitted]"), text("[3 lines omitted]"), 1.0 / 3},
		{"results of one tool", result("Bash", "", "a"), result("Bash", "", "b"), least},
		{"results of two tools", result("Bash", "", "a"), result("Read", "", "b"), 0},
		{"the same call", result("Bash", "c1", "a"), result("Read", "c1", "b"), 1},
		{"different calls of one tool", result("Bash", "c1", "a"), result("Bash", "c2", "b"), 0},
		{"different calls with equal words", result("Bash", "c1", "a b"), result("Bash", "c2", "a b"), 1},
		{"a call without an id", result("Bash", "c1", "a"), result("Bash", "", "b"), least},
	} {
		h := newHasher()
		a, b := newBag(h, []*transcript.Block{tt.a}), newBag(h, []*transcript.Block{tt.b})
		if got, back := a.similarity(b), b.similarity(a); math.Abs(got-tt.want) > 1e-9 || got != back {
			t.Errorf("%s: %v and %v, want %v", tt.name, got, back, tt.want)
		}
	}
}

// TestBlocks checks which blocks of two messages are pairs: equal ones, those with the same call, and then those
// with the most words in common, whatever their places are.
func TestBlocks(t *testing.T) {
	text := func(s string) *transcript.Block { return &transcript.Block{Parts: []transcript.Part{{Text: s}}} }
	call := func(id, s string) *transcript.Block {
		b := text(s)
		b.Kind, b.Tool, b.Call = transcript.ToolCall, "Bash", id
		return b
	}
	for _, tt := range []struct {
		name string
		a, b []*transcript.Block
		want string // places of the pairs
	}{
		{"the first is gone", []*transcript.Block{text("alpha beta gamma"), text("one two three four")}, []*transcript.Block{text("one two three four five")}, "0:-1 1:0"},
		{"as many of the same kinds", []*transcript.Block{text("alpha"), text("beta")}, []*transcript.Block{text("gamma"), text("delta")}, "0:0 1:1"},
		{"the call decides", []*transcript.Block{call("c1", "ls"), call("c2", "pwd")}, []*transcript.Block{call("c2", "ls -l")}, "0:-1 1:0"},
		{"texts have no call", []*transcript.Block{text("alpha beta"), call("c1", "ls")}, []*transcript.Block{call("c1", "ls -a"), text("other words")}, "0:-1 1:0 -1:1"},
	} {
		got := ""
		for _, p := range pairBlocks(newHasher(), tt.a, tt.b) {
			got += fmt.Sprintf("%d:%d ", p.a, p.b)
		}
		if got = strings.TrimSpace(got); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestHash checks that the boundaries of strings count.
func TestHash(t *testing.T) {
	h := newHasher()
	seen := map[uint64][]string{}
	for _, list := range [][]string{{"ab", "c"}, {"a", "bc"}, {"abc"}, {"", "abc"}, {"abc", ""}, {"a", "b", "c"}, nil, {""}, {"", ""}} {
		hash := h.of(list...)
		if other, ok := seen[hash]; ok {
			t.Errorf("%q and %q have one hash", list, other)
		}
		seen[hash] = list
		if again := h.of(list...); again != hash {
			t.Errorf("%q has two hashes", list)
		}
	}
}
