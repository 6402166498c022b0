package retain

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
	"condense/transcript/fact"
)

func message(role transcript.Role, origin transcript.Origin, text string) *transcript.Message {
	return &transcript.Message{Role: role, Blocks: []*transcript.Block{{Origin: origin, Parts: []transcript.Part{{Text: text}}}}}
}

func user(text string) *transcript.Message {
	return message(transcript.User, transcript.Typed, text)
}

func model(text string) *transcript.Message {
	return message(transcript.Assistant, transcript.ByModel, text)
}

func summary(text string) *transcript.Message {
	return message(transcript.User, transcript.Generated, text)
}

func hidden(m *transcript.Message) *transcript.Message {
	m.Hidden = true
	return m
}

// call is a call with one argument, "name=value".
func call(id, tool, arg string) *transcript.Message {
	name, value, _ := strings.Cut(arg, "=")
	return &transcript.Message{Role: transcript.Assistant, Blocks: []*transcript.Block{{
		Kind: transcript.ToolCall, Origin: transcript.ByModel, Call: id, Tool: tool,
		Parts: []transcript.Part{{Name: name, Text: value}},
	}}}
}

func result(id, text string) *transcript.Message {
	return &transcript.Message{Role: transcript.Tool, Blocks: []*transcript.Block{{
		Kind: transcript.ToolResult, Origin: transcript.ByTool, Call: id, Parts: []transcript.Part{{Text: text}},
	}}}
}

func conv(msgs ...*transcript.Message) *transcript.Conversation { return transcript.New("c", msgs) }

// TestOneFact checks whether a fact is present and bound, by the texts before and after.
func TestOneFact(t *testing.T) {
	ls := func(text string) []*transcript.Message {
		return []*transcript.Message{call("1", "Bash", "command=ls"), result("1", text)}
	}
	data := strings.Repeat(`{"name":"x","kind":"y"},`, 15) + `{"colour of it":"dark","id":"row_77","weight of it":"some"}` + strings.Repeat(`,{"name":"x","kind":"y"}`, 15)
	tests := []struct {
		name, fact     string
		before, after  []*transcript.Message
		present, bound bool
	}{
		{"its line", "tab_width", msgs(model("First.\nThe value of tab_width is odd.\nLast.")), msgs(model("The value of tab_width is odd.")), true, true},
		{"its line with another number", "tab_width", msgs(result("", "   12→\tthe value of tab_width here")), msgs(result("", "the value of tab_width here\nmore")), true, true},
		{"its line elsewhere", "tab_width", msgs(model("The value of tab_width is odd.")), msgs(summary("Notes:\n  The value of tab_width is odd.\nok")), true, true},
		{"its name", "tab_width", msgs(model("The value of tab_width is odd.")), msgs(model("tab_width")), true, false},
		{"its name in a list", "tab_width", msgs(model("The value of tab_width is odd.")), msgs(model("getUser tab_width a/b.go 1234")), true, false},
		{"its name in other words", "tab_width", msgs(model("The value of tab_width is odd today.")), msgs(model("Somebody else mentioned tab_width over there, long ago.")), true, false},
		{"its words", "tab_width", msgs(model("The parser reads tab_width twice before printing.")), msgs(summary("In short: parser trouble, tab_width is used before printing happens")), true, true},
		{"nowhere", "tab_width", msgs(model("The value of tab_width is odd.")), msgs(model("The value is odd.")), false, false},
		{"in a marker", "tab_width", msgs(model("The value of tab_width is odd.")), msgs(model(transcript.Marker("The value of tab_width is odd"))), false, false},
		{"in a hidden message", "tab_width", msgs(model("The value of tab_width is odd.")), msgs(hidden(model("The value of tab_width is odd.")), model("ok")), false, false},
		{"entry of a listing", "b/mid.go", ls("a/one.go\nb/mid.go\nz/end.go"), ls("a/one.go\nb/mid.go\n" + transcript.Marker("1 line")), true, true},
		{"entry of another listing", "b/mid.go", ls("a/one.go\nb/mid.go\nz/end.go"), msgs(call("1", "Bash", "command=rm"), result("1", "b/mid.go\na.b.c")), true, false},
		{"entry below its heading", "b/mid.go", msgs(model("These files changed today:\n- a/one.go\n- b/mid.go\n- c/end.go")), msgs(model("These files changed today:\n- b/mid.go")), true, true},
		{"entry below another heading", "b/mid.go", msgs(model("These files changed today:\n- a/one.go\n- b/mid.go\n- c/end.go")), msgs(model("Somebody once deleted:\n- b/mid.go")), true, false},
		{"argument of the same kind", "b/mid.go", msgs(call("1", "Read", "file_path=/home/b/mid.go")), msgs(call("1", "Read", "file_path=/srv/b/mid.go")), true, true},
		{"argument of another kind", "b/mid.go", msgs(call("1", "Read", "file_path=/home/b/mid.go")), msgs(call("1", "Write", "file_path=/srv/b/mid.go")), true, false},
		{"cut out of a long line", "row_77", msgs(result("", data)), msgs(result("", data[300:])), true, true},
		{"picked out of a long line", "row_77", msgs(result("", data)), msgs(result("", `"id":"row_77",`)), true, false},
		{"in a short piece of a long line", "row_77", msgs(result("", data)), msgs(result("", "what was found: "+data[350:450])), true, true},
	}
	for _, tt := range tests {
		before := conv(tt.before...)
		a := readBefore(before, readAfter(before, conv(tt.after...)))
		id := slices.IndexFunc(a.facts, func(f factState) bool { return f.key == tt.fact })
		if id < 0 {
			t.Errorf("%s: %s is no fact", tt.name, tt.fact)
			continue
		}
		f := &a.facts[id]
		bound := f.bound || f.present && a.reworded(id, a.after)
		if f.present != tt.present || bound != tt.bound {
			t.Errorf("%s: present %t, bound %t; want %t, %t", tt.name, f.present, bound, tt.present, tt.bound)
		}
	}
}

func msgs(all ...*transcript.Message) []*transcript.Message { return all }

func TestKinds(t *testing.T) {
	before := conv(
		user("Fix src/tabs.go. You must not touch the lock file. See https://example.org/a/b for it."),
		call("1", "Bash", "command=go test ./..."), result("1", "--- FAIL: wrong answer of parseTabs\nTypeError at step 4711 of the whole run"),
	)
	after := conv(user("Fix src/tabs.go. You must not touch the lock file. See https://example.org/a/b for it."))
	got := Of(before, after)
	for kind, want := range map[fact.Kind]struct {
		facts int
		share float64
	}{
		fact.Path: {1, 1}, fact.URL: {1, 1}, fact.Constraint: {1, 1},
		fact.Command: {1, 0}, fact.Error: {1, 0}, fact.Number: {1, 0},
	} {
		if s := got.Kind(kind); s.Facts != want.facts || s.Present() != want.share || s.Bound() != want.share {
			t.Errorf("%s: %d facts, present %.2f, bound %.2f; want %v", kind, s.Facts, s.Present(), s.Bound(), want)
		}
	}
}

// TestWeights checks that a fact in n of N messages weighs ln(1+N/n).
func TestWeights(t *testing.T) {
	got := Of(conv(model("one_a here, one_a there"), model("one_a and two_b")), conv())
	want := math.Log(2) + math.Log(3)
	if math.Abs(got.Facts.Weight-want) > 1e-9 || got.Facts.Facts != 2 {
		t.Errorf("%d facts of weight %f, want 2 of %f", got.Facts.Facts, got.Facts.Weight, want)
	}
}

// session is a coding session of n rounds, each with facts of its own.
func session(n int) *transcript.Conversation {
	all := msgs(user("Please mend the importer in pkg/import/reader.go. Never change the public names. It fails on row 4711."))
	for i := range n {
		id := fmt.Sprint(i)
		all = append(all,
			model(fmt.Sprintf("The function loadChunk%d looks wrong, I will read pkg/part%d/chunk.go next.", i, i)),
			call("r"+id, "Read", fmt.Sprintf("file_path=/srv/app/pkg/part%d/chunk.go", i)),
			result("r"+id, fmt.Sprintf("     1→package part%d\n     2→\n     3→func loadChunk%d(in io.Reader) error {\n     4→\treturn decodeAll%d(in, %d)\n     5→}", i, i, i, 1000+i)),
			call("b"+id, "Bash", fmt.Sprintf("command=go test ./pkg/part%d/ && git diff --stat", i)),
			result("b"+id, fmt.Sprintf("--- FAIL: TestLoad_%d (0.%d2s)\n    chunk_test.go:%d: unexpected value for max_rows_%d: got %d\nFAIL\tapp/pkg/part%d\t1.%d5s", i, i, 40+i, i, 7000+3*i, i, i)),
		)
		if i%5 == 0 {
			all = append(all, call("l"+id, "Bash", "command=ls pkg/part"+id), result("l"+id, fmt.Sprintf("chunk.go\nchunk_test.go\nextra_%d.go\nmain_%d.go", i, i)))
		}
	}
	return conv(all...)
}

func TestFullCopyHasEverything(t *testing.T) {
	got := Of(session(30), session(30))
	if got.Facts.Present() != 1 || got.Facts.Bound() != 1 || got.Typed.Share() != 1 {
		t.Errorf("present %v, bound %v, typed %v", got.Facts.Present(), got.Facts.Bound(), got.Typed.Share())
	}
	if got.Facts.Facts < 200 {
		t.Errorf("only %d facts", got.Facts.Facts)
	}
}

// TestOneLossIsNotRoundedToOne checks that a share is not rounded up to 1.
func TestOneLossIsNotRoundedToOne(t *testing.T) {
	before, after := session(300), session(300)
	last := after.Messages[len(after.Messages)-1].Blocks[0]
	last.Parts[0].Text = strings.ReplaceAll(last.Parts[0].Text, "TestLoad_299", "Test")
	got := Of(before, after)
	if p := got.Facts.Present(); p == 1 || p < 0.99 {
		t.Errorf("present %v", p)
	}
	if b := got.Facts.Bound(); b > got.Facts.Present() {
		t.Errorf("bound %v is more than present %v", b, got.Facts.Present())
	}
}

// TestNamesAloneAreNotBound checks that hardly any fact is bound in an output with every name and no
// other text, in any form.
func TestNamesAloneAreNotBound(t *testing.T) {
	before := session(40)
	names := strings.Split(names(before), "\n")
	forms := map[string]*transcript.Conversation{
		"a line":          conv(summary(strings.Join(names, " "))),
		"a column":        conv(summary(strings.Join(names, "\n"))),
		"a list":          conv(summary("What is known about the session so far:\n- " + strings.Join(names, "\n- "))),
		"a tool's answer": conv(call("1", "Bash", "command=names"), result("1", strings.Join(names, "\n"))),
		"in quotes":       conv(model(`"` + strings.Join(names, `", "`) + `"`)),
		"with labels":     conv(model("name: " + strings.Join(names, "\nname: "))),
	}
	for form, after := range forms {
		got := Of(before, after)
		if p := got.Facts.Present(); p < 0.8 {
			t.Errorf("%s: present %.2f: the output lacks names, so the test is void", form, p)
		}
		if b := got.Facts.Bound(); b > 0.10 {
			t.Errorf("%s: bound %.2f", form, b)
		}
	}
}

// names returns every fact of a conversation once, each on a line of its own.
func names(c *transcript.Conversation) string {
	var list []string
	seen := map[string]bool{}
	for _, b := range c.Blocks() {
		fact.Each(b.Text(), func(_ int, key string) {
			if !seen[key] {
				seen[key] = true
				list = append(list, key)
			}
		})
	}
	return strings.Join(list, "\n")
}

func TestMarkersHoldNothing(t *testing.T) {
	before := session(10)
	var all []*transcript.Message
	for _, m := range before.Messages {
		all = append(all, message(m.Role, transcript.Generated, transcript.Marker(m.Blocks[0].Text())))
	}
	got := Of(before, conv(all...))
	if got.Facts.Present() != 0 || got.Facts.Bound() != 0 || got.Typed.Share() != 0 {
		t.Errorf("present %v, bound %v, typed %v", got.Facts.Present(), got.Facts.Bound(), got.Typed.Share())
	}
}

// TestHiddenMessagesDoNotCount checks that hidden messages and old markers have no facts to
// lose.
func TestHiddenMessagesDoNotCount(t *testing.T) {
	before := conv(hidden(model("old_name stood in the hidden part")), model(transcript.Marker("Read a/b.go: 12 lines")+"\nplain words"))
	got := Of(before, conv())
	if got.Facts.Facts != 0 || got.Facts.Present() != 1 || got.Facts.Bound() != 1 {
		t.Errorf("%+v", got.Facts)
	}
}

// TestRemovalNeverRaisesAShare checks that a removal never raises a share, and that bound is
// never more than present.
func TestRemovalNeverRaisesAShare(t *testing.T) {
	before := session(12)
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		left := append([]*transcript.Message(nil), before.Messages...)
		last := Of(before, conv(left...))
		for len(left) > 0 {
			i := r.IntN(len(left))
			left = append(left[:i:i], left[i+1:]...)
			copied := make([]*transcript.Message, len(left))
			for j, m := range left {
				c := *m
				copied[j] = &c
			}
			now := Of(before, conv(copied...))
			if now.Facts.Present() > last.Facts.Present() || now.Typed.Kept > last.Typed.Kept {
				t.Fatalf("seed %d, %d left: present rose from %v to %v", seed, len(left), last.Facts.Present(), now.Facts.Present())
			}
			if now.Facts.Bound() > now.Facts.Present() {
				t.Fatalf("seed %d, %d left: bound %v, present %v", seed, len(left), now.Facts.Bound(), now.Facts.Present())
			}
			last = now
		}
	}
}

// TestCoresDoNotMatter checks that one processor and seven return the same numbers.
func TestCoresDoNotMatter(t *testing.T) {
	before := session(40)
	after := conv(before.Messages[20:90]...)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := Of(before, after)
	for _, n := range []int{2, 3, 7} {
		runtime.GOMAXPROCS(n)
		if got := Of(before, after); !reflect.DeepEqual(got, want) {
			t.Errorf("on %d: %+v, want %+v", n, got, want)
		}
	}
}

func TestAdd(t *testing.T) {
	a, b := Of(session(3), conv()), Of(session(5), session(5))
	var sum Retention
	sum.Add(a)
	sum.Add(b)
	if sum.Facts.Facts != a.Facts.Facts+b.Facts.Facts || sum.Facts.Absent != a.Facts.Absent {
		t.Errorf("%+v", sum.Facts)
	}
	if sum.Kind(fact.Path).Facts != a.Kind(fact.Path).Facts+b.Kind(fact.Path).Facts {
		t.Errorf("%+v", sum)
	}
	if sum.Typed != (Count{a.Typed.Of + b.Typed.Of, b.Typed.Kept}) {
		t.Errorf("%+v", sum.Typed)
	}
}

func TestEmpty(t *testing.T) {
	got := Of(conv(), conv())
	if got.Facts.Present() != 1 || got.Typed.Share() != 1 || got.Todos.Share() != 1 {
		t.Errorf("%+v", got)
	}
}
