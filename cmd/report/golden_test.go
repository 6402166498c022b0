package report_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"condense/cmd/report"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript"
	tokens "condense/transcript/token"
	"condense/transcript/transcripttest"
)

// saved is a conversation with a call, images and an answer of which the usage is known.
const saved = `{"messages":[
 {"role":"system","content":"be brief"},
 {"role":"user","content":[{"type":"text","text":"look at src/valve.go and lib/pump.go"},{"type":"image_url","image_url":{"url":"https://example.org/a.png"}}]},
 {"role":"assistant","content":"I shall read the file first, and then the tests of it.","tool_calls":[{"id":"c1","type":"function","function":{"name":"Read","arguments":"{\"path\":\"src/valve.go\"}"}}]},
 {"role":"tool","tool_call_id":"c1","content":"package valve\n\nfunc Open() error {\n\treturn errStuck\n}\n\nfunc Close() error {\n\treturn errOpen\n}\n"},
 {"role":"assistant","content":"It returns errStuck always, whatever it is asked to open, and so do all of its callers, of which there are three in this package and one in another; none of them looks at the error."},
 {"role":"user","content":"and lib/pump.go?"},
 {"role":"assistant","content":"It is the same there."}
]}`

// edits returns a strategy that makes edits of its input.
func edits(name string, of func(c *transcript.Conversation) []transcript.Edit) *strategy.Strategy {
	return &strategy.Strategy{Name: name, Run: func(_ context.Context, in *strategy.Input) (strategy.Proposal, error) {
		list := of(in.Conv)
		if list == nil {
			return strategy.Skip("there was nothing to do for " + name), nil
		}
		return strategy.Proposal{Edits: list}, nil
	}}
}

// block returns the address of a block by the place of its message.
func block(c *transcript.Conversation, message, n int) transcript.Ref {
	m := c.Messages[message]
	return transcript.Ref{Msg: m.ID, Block: m.Blocks[n].ID, Part: transcript.Whole}
}

// summary returns the insertion of a message of the user.
func summary(before int, text string) transcript.Edit {
	return transcript.Edit{At: transcript.At(before), Op: transcript.Insert, Why: "summary", Group: 1, New: &transcript.Message{
		Role: transcript.User, Blocks: []*transcript.Block{{Origin: transcript.Generated, Parts: []transcript.Part{{Text: text}}}},
	}}
}

// TestReportGolden checks whole reports of runs with known edits.
func TestReportGolden(t *testing.T) {
	counter, err := tokens.New("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	shorten := edits("shorten", func(c *transcript.Conversation) []transcript.Edit {
		return []transcript.Edit{
			{At: block(c, 2, 0), Op: transcript.Rewrite, Text: "I shall read the file first.", Why: "shorter"},
			{At: block(c, 3, 0), Op: transcript.Rewrite, Text: "[Read src/valve.go: ok, 4 lines omitted]", Why: "old"},
		}
	})
	replace := edits("replace", func(c *transcript.Conversation) []transcript.Edit {
		return []transcript.Edit{
			{At: block(c, 4, 0), Op: transcript.Drop, Why: "in the summary", Group: 1},
			summary(c.Messages[5].ID, "It is stuck."), summary(transcript.End, "Go on."),
		}
	})
	nothing := edits("nothing", func(*transcript.Conversation) []transcript.Edit { return nil })
	for _, tt := range []struct {
		name   string
		src    string
		stages []*strategy.Strategy
		set    func(*condense.Options, *report.Builder)
	}{
		{"changed", saved, []*strategy.Strategy{shorten, nothing, replace}, func(_ *condense.Options, b *report.Builder) {
			b.Explain, b.Turns, b.Measure = true, true, true
		}},
		{"unchanged", saved, []*strategy.Strategy{nothing}, func(_ *condense.Options, b *report.Builder) { b.Measure = true }},
		{"decided", saved, []*strategy.Strategy{nothing}, func(o *condense.Options, _ *report.Builder) {
			o.Target, o.Window, o.Trigger.Threshold = strategy.Target{}, 100_000, .07
		}},
	} {
		o := condense.Defaults()
		o.Pipeline, o.Counter, o.UnpinLast, o.Target = tt.stages, counter, true, strategy.Target{Tokens: 60}
		b := &report.Builder{Counter: counter, Millis: [][]float64{{1.5, 2, 3}}}
		tt.set(&o, b)
		if b.Outcome, err = condense.Condense(t.Context(), []byte(tt.src), o); err != nil {
			t.Fatal(tt.name, err)
		}
		var got bytes.Buffer
		r := b.Report()
		if err := report.JSON(&got, r); err != nil {
			t.Fatal(err)
		}
		for i := range r.Conversations {
			for _, turn := range r.Conversations[i].Turns {
				fmt.Fprintf(&got, "%+v\n", turn)
			}
		}
		transcripttest.FrozenText(t, filepath.Join("testdata", tt.name+".txt"), *update, got.String())
	}
}
