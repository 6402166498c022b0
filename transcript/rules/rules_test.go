package rules

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"condense/transcript"
)

// The functions below build the messages of the fixtures.

func call(id string) *transcript.Block {
	return &transcript.Block{Kind: transcript.ToolCall, Call: id, Tool: "Read", Origin: transcript.ByModel}
}

func result(id string) *transcript.Block {
	return &transcript.Block{Kind: transcript.ToolResult, Call: id, Origin: transcript.ByTool, Parts: []transcript.Part{{Text: "body"}}}
}

func text(s string) *transcript.Block {
	return &transcript.Block{Parts: []transcript.Part{{Text: s}}}
}

func user(blocks ...*transcript.Block) *transcript.Message {
	return &transcript.Message{Role: transcript.User, Blocks: blocks}
}

func model(blocks ...*transcript.Block) *transcript.Message {
	return &transcript.Message{Role: transcript.Assistant, Blocks: blocks}
}

func hidden(m *transcript.Message) *transcript.Message {
	m.Hidden = true
	return m
}

type conv []*transcript.Message

func TestCheck(t *testing.T) {
	tests := []struct {
		name string
		conv conv
		want []string
	}{
		{"empty", nil, nil},
		{"sound", conv{user(text("q")), model(text("hm"), call("a"), call("b")), user(result("b"), result("a")), model(text("done"))}, nil},

		{"unanswered", conv{model(call("a")), user(text("go on"))},
			[]string{`message 0 block 0: call "a" of Read has no result (any/tool-use-unanswered)`}},
		{"unanswered, one of two", conv{model(call("a"), call("b")), user(result("a")), model(text("done"))},
			[]string{`message 0 block 1: call "b" of Read has no result (any/tool-use-unanswered)`}},
		{"unanswered, but in progress", conv{user(text("q")), model(call("a"))}, nil},
		{"half answered, in progress", conv{model(call("a"), call("b")), user(result("a"))}, nil},
		{"parallel calls in progress", conv{model(call("a")), model(call("b"))}, nil},
		{"unanswered, and another in progress", conv{model(call("a")), user(text("go on")), model(call("b"))},
			[]string{`message 0 block 0: call "a" of Read has no result (any/tool-use-unanswered)`}},
		{"call without an id", conv{model(call("")), user(text("go on"))}, nil},
		{"result hidden", conv{model(call("a")), hidden(user(result("a"))), user(text("go on"))},
			[]string{`message 0 block 0: call "a" of Read has no result (any/tool-use-unanswered)`}},

		{"orphan", conv{user(text("q"), result("a")), model(text("done"))},
			[]string{`message 0 block 1: result for "a" has no unanswered call before it (any/tool-result-orphan)`}},
		{"result before its call", conv{user(result("a")), model(call("a")), user(text("q"))}, []string{
			`message 0 block 0: result for "a" has no unanswered call before it (any/tool-result-orphan)`,
			`message 1 block 0: call "a" of Read has no result (any/tool-use-unanswered)`,
		}},
		{"answered twice", conv{model(call("a")), user(result("a"), result("a"))},
			[]string{`message 1 block 1: result for "a" has no unanswered call before it (any/tool-result-orphan)`}},
		{"call hidden", conv{hidden(model(call("a"))), user(result("a"))},
			[]string{`message 1 block 0: result for "a" has no unanswered call before it (any/tool-result-orphan)`}},
		{"result without an id", conv{user(result(""))}, nil},

		{"id used twice", conv{model(call("a")), user(result("a")), model(call("a")), user(result("a"))},
			[]string{`message 2 block 0: call id "a" is used twice (any/tool-id-dup)`}},
		{"id used twice, unanswered", conv{model(call("a"), call("a")), user(result("a"), text("q"))}, []string{
			`message 0 block 1: call id "a" is used twice (any/tool-id-dup)`,
		}},
		{"no id used twice", conv{model(call(""), call("")), user(result(""), result(""))}, nil},
		{"id used again in hidden messages", conv{hidden(model(call("a"))), hidden(user(result("a"))), model(call("a")), user(result("a"))}, nil},

		{"empty text", conv{user(text("")), model(text("hi"))}, []string{`message 0 block 0: a text block is empty (any/text-empty)`}},
		{"white space", conv{user(text("q")), model(text("hi"), text(" \n\t"))}, []string{`message 1 block 1: a text block is empty (any/text-empty)`}},
		{"empty result", conv{model(call("a")), user(&transcript.Block{Kind: transcript.ToolResult, Call: "a"})}, nil},
		{"empty text hidden", conv{hidden(user(text("")))}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range Check(transcript.New("", tt.conv)) {
				got = append(got, f.String())
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestNew(t *testing.T) {
	find := func(rule, message string, msg int) Finding {
		return Finding{Rule: rule, At: transcript.At(msg), Message: message}
	}
	a, b := find("any/a", "one", 1), find("any/b", "two", 2)
	tests := []struct {
		name                string
		before, after, want []Finding
	}{
		{"nothing", nil, nil, nil},
		{"the same", []Finding{a, b}, []Finding{a, b}, nil},
		{"in another order", []Finding{a, b}, []Finding{b, a}, nil},
		{"mended", []Finding{a, b}, []Finding{b}, nil},
		{"all new", nil, []Finding{a, b}, []Finding{a, b}},
		{"one new", []Finding{a}, []Finding{a, b}, []Finding{b}},
		{"moved", []Finding{a}, []Finding{find("any/a", "one", 7)}, nil},
		{"once more", []Finding{a}, []Finding{a, find("any/a", "one", 7)}, []Finding{find("any/a", "one", 7)}},
		{"twice before", []Finding{a, a}, []Finding{a, a, a}, []Finding{a}},
		{"another message", []Finding{a}, []Finding{find("any/a", "three", 1)}, []Finding{find("any/a", "three", 1)}},
		{"another rule", []Finding{a}, []Finding{find("any/b", "one", 1)}, []Finding{find("any/b", "one", 1)}},
		{"another call", []Finding{find("any/a", `call "call_1" of T`, 1)}, []Finding{find("any/a", `call "call_2" of T`, 1)},
			[]Finding{find("any/a", `call "call_2" of T`, 1)}},
		{"another call, with a quote in its id", []Finding{find("any/a", `call "\"1" of T`, 1)}, []Finding{find("any/a", `call "\"2" of T`, 1)},
			[]Finding{find("any/a", `call "\"2" of T`, 1)}},
		{"a call whose made-up id moved", []Finding{find("any/a", `call "prose 2" of T`, 1)}, []Finding{find("any/a", `call "prose 1" of T`, 1)}, nil},
		{"another size", []Finding{find("any/a", "130 calls in one message", 1)}, []Finding{find("any/a", "129 calls in one message", 1)}, nil},
		{"another offset", []Finding{find("any/a", `offset 97: expected '"' at the end`, 1)}, []Finding{find("any/a", `offset 4: expected '"' at the end`, 1)}, nil},
		{"in another conversation", []Finding{a}, []Finding{{Rule: a.Rule, Message: a.Message, Conv: 1}}, []Finding{{Rule: a.Rule, Message: a.Message, Conv: 1}}},
		{"rule and message run together", []Finding{find("any/a", "bc", 1)}, []Finding{find("any/ab", "c", 1)}, []Finding{find("any/ab", "c", 1)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := New(tt.before, tt.after); !slices.Equal(got, tt.want) {
				t.Errorf("got  %v\nwant %v", got, tt.want)
			}
		})
	}
}

// TestMessageIsBounded checks that a message quotes only the beginning of a long id.
func TestMessageIsBounded(t *testing.T) {
	long := strings.Repeat("ü", 100_000)
	found := Check(transcript.New("", conv{user(text("q")), user(result(long))}))
	if len(found) != 1 || len(found[0].Message) > 500 || !strings.Contains(found[0].Message, "üüü") || !utf8.ValidString(found[0].Message) {
		t.Errorf("%.600v", found)
	}
}
