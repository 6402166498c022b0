package report

import (
	"testing"

	"condense/strategy"
	"condense/transcript"
)

func TestWhyUnchanged(t *testing.T) {
	conv := &transcript.Conversation{Messages: []*transcript.Message{{ID: 1, Role: transcript.User}}}
	skipped := func(stages ...strategy.Stage) *strategy.Result {
		return &strategy.Result{From: conv, Decision: strategy.Decision{Act: true}, Stages: stages}
	}
	said := func(why string) strategy.Stage { return strategy.Stage{Skipped: why} }
	left := strategy.Stage{Skipped: "there is room", Left: true}
	alone := skipped(said("it fits"))
	alone.Decision = strategy.Decision{Rule: strategy.RuleFits, Why: "it fits"}
	for _, c := range []struct {
		name    string
		results []*strategy.Result
		want    string
	}{
		{"each reason once", []*strategy.Result{skipped(said("a"), said("b"), said("b"))}, "a; b"},
		{"not who left it to others", []*strategy.Result{skipped(said("a"), left, said("b"))}, "a; b"},
		{"the decision, once", []*strategy.Result{alone}, "it fits"},
		{"conversations that were not selected", []*strategy.Result{nil, skipped(said("a")), nil}, "a"},
		{"no messages", []*strategy.Result{{From: &transcript.Conversation{}}}, "there are no messages in it"},
		{"many conversations", []*strategy.Result{
			skipped(said("a")), skipped(said("b")), skipped(said("c")), skipped(said("d")), skipped(said("e")), skipped(said("f"), said("a")),
		}, "a; b; c; d; and 2 more reasons"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := whyUnchanged(c.results); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
