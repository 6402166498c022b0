package gate

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript/format"
	"condense/transcript/rules"
)

// TestAdd checks the counts of findings.
func TestAdd(t *testing.T) {
	g := &Gate{}
	g.Add(Gated{Input: "a", Findings: []Breach{{Severity: "error", Text: "1"}, {Severity: "warning", Text: "2"}}})
	g.Add(Gated{Input: "b"})
	g.Add(Gated{Input: "c", Findings: []Breach{{Severity: "warning", Text: "3"}}})
	if g.Errors != 1 || g.Warnings != 2 || len(g.Files) != 3 {
		t.Errorf("got %+v", g)
	}
	var all, first []string
	for b := range g.Breaches() {
		all = append(all, b.Text)
	}
	for b := range g.Breaches() {
		if first = append(first, b.Text); len(first) == 2 {
			break
		}
	}
	if !slices.Equal(all, []string{"1", "2", "3"}) || !slices.Equal(first, []string{"1", "2"}) {
		t.Errorf("breaches %q, and the first of them %q", all, first)
	}
}

// TestSentence checks the descriptions of breaches, with as much of the place as is known.
func TestSentence(t *testing.T) {
	for want, b := range map[string]Breach{
		"wrong":                 {Text: "wrong"},
		"wrong; fix: mend it":   {Text: "wrong", Fix: "mend it", Conversation: 1},
		"message 1: wrong":      {Text: "wrong", Conversation: 1, Message: 1},
		"conversation 2: wrong": {Text: "wrong", Conversation: 2},
		"conversation 2, message 3: wrong; fix: no": {Text: "wrong", Conversation: 2, Message: 3, Fix: "no"},
	} {
		if got := b.Sentence(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	b := Breach{Severity: "error", Rule: "r", Path: "p", Line: 1, Conversation: 2, Message: 3, Text: "t", Fix: "f"}
	if got, want := b.Finding(), (Finding{Severity: "error", Rule: "r", Line: 1, Conversation: 2, Message: 3, Text: "t", Fix: "f"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// orphan is a file of two rows, of which the second has a result without its call.
const orphan = `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}
{"messages":[{"role":"user","content":"a"},{"role":"tool","tool_call_id":"x","content":"r"},{"role":"assistant","content":"b"}]}
`

// TestFindings checks what is reported of a broken rule, before a repair and after it.
func TestFindings(t *testing.T) {
	f, err := format.Decode([]byte(orphan), "")
	if err != nil {
		t.Fatal(err)
	}
	list := NewFindings(f, &rules.OpenAI)
	if len(list) != 1 {
		t.Fatalf("got %+v", list)
	}
	got := list[0]
	if got.Severity != "error" || got.Rule != "openai/tool-orphan" || got.Line != 2 || got.Conversation != 2 || got.Message != 2 || got.Text == "" || got.Provider == "" || got.Fix == "" {
		t.Errorf("got %+v", got)
	}
	repaired, err := f.Repair(&rules.OpenAI)
	if err != nil {
		t.Fatal(err)
	}
	m := NewMending("in.jsonl", f, repaired, &rules.OpenAI)
	if m.Input != "in.jsonl" || m.API != "openai" || m.Bytes.Before != len(orphan) || m.Bytes.After >= m.Bytes.Before || len(m.Left) != 0 || len(m.Mended) != 1 {
		t.Fatalf("got %+v", m)
	}
	if x := m.Mended[0]; x.Rule != got.Rule || x.Line != 2 || x.Conversation != 2 || x.Text != got.Text || !strings.Contains(x.Done, "result") {
		t.Errorf("got %+v", x)
	}
	if list := NewFindings(&format.File{Dialect: f.Dialect}, &rules.OpenAI); len(list) > 0 {
		t.Errorf("a file without conversations has %+v", list)
	}
}
