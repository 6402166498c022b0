package gate

import (
	"os"
	"slices"
	"testing"

	"condense/cmd/report"
	"condense/strategy/condense"
	"condense/strategy/rescue"
	"condense/transcript/format"
	"condense/transcript/rules"
)

// TestNewRescue checks what the report of a rescue takes from its outcome: what was found and what is left, what
// was removed, and the notes of both.
func TestNewRescue(t *testing.T) {
	src, err := os.ReadFile("../../../testdata/sessions/openai/array.json")
	if err != nil {
		t.Fatal(err)
	}
	f, err := format.Decode(src, "")
	if err != nil {
		t.Fatal(err)
	}
	fault := func(s rules.Severity, text string) rules.Finding { return rules.Finding{Severity: s, Message: text} }
	out := &rescue.Outcome{
		Outcome: &condense.Outcome{Decoded: f, Changed: true}, Source: f, Notes: []string{"one"}, Shrunk: format.Surplus{Count: 2, Bytes: 5000},
		Before:  []rules.Finding{fault(rules.Warning, "w1"), fault(rules.Error, "e1"), fault(rules.Error, "e2")},
		After:   []rules.Finding{fault(rules.Warning, "w1"), fault(rules.Warning, "w2")},
		Trimmed: []format.Surplus{{Name: "progress", Count: 3, Bytes: 1500}, {Name: "queue-operation", Count: 1, Bytes: 20}},
	}
	r := &report.Report{Input: "a", Output: "b", Tokens: report.Change{Before: 9, After: 5}, Notes: []string{"two"}, Conversations: []report.Conversation{{Reached: true}, {}}}
	got := NewRescue(out, r)
	if got.Found != (Found{2, 1, "e1"}) || got.Left != (Found{0, 2, "w1"}) || !slices.Equal(got.Notes, []string{"one", "two"}) {
		t.Errorf("found %+v, left %+v, notes %q", got.Found, got.Left, got.Notes)
	}
	if got.Removed != (report.Extra{Count: 4, Bytes: 1520}) || !slices.Equal(got.Kinds, []string{"progress 1.5 kB", "queue-operation 20 bytes"}) || got.Shrunk != (report.Extra{Count: 2, Bytes: 5000}) {
		t.Errorf("removed %+v of %q, shrunk %+v", got.Removed, got.Kinds, got.Shrunk)
	}
	if !got.Missed || !got.Changed || got.Input != "a" || got.Output != "b" || got.Tokens != r.Tokens {
		t.Errorf("got %+v", got)
	}
	out.After, r.Conversations = out.Before, r.Conversations[:1]
	if got := NewRescue(out, r); got.Missed || got.Notes[len(got.Notes)-1] != "condense repair mends errors that the session had before" {
		t.Errorf("with errors that are left: %+v", got)
	}
}

// TestFinish checks that files which were counted in one way have their tokenizer named once.
func TestFinish(t *testing.T) {
	exact, scaled := &report.Tokenizer{Name: "o200k_base"}, &report.Tokenizer{Name: "o200k_base", Factor: 1.2}
	for _, tt := range []struct {
		files []*report.Tokenizer
		own   bool // the files name theirs
	}{{[]*report.Tokenizer{exact, nil, exact}, false}, {[]*report.Tokenizer{exact, scaled}, true}, {[]*report.Tokenizer{nil, exact}, false}} {
		g := &Gate{}
		for _, how := range tt.files {
			g.Add(Gated{Tokenizer: how})
		}
		g.Finish()
		if g.Tokenizer != *exact || (g.Files[len(g.Files)-1].Tokenizer != nil) != tt.own {
			t.Errorf("%+v: %+v", tt.files, g)
		}
	}
	none := &Gate{Files: []Gated{{}}}
	if none.Finish(); none.Tokenizer != (report.Tokenizer{}) {
		t.Errorf("nothing was counted: %+v", none.Tokenizer)
	}
}
