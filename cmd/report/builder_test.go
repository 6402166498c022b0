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
	stage := func(why string) strategy.Stage { return strategy.Stage{Skipped: why} }
	left := strategy.Stage{Skipped: "there is room", Left: true}
	alone := skipped(stage("it fits"))
	alone.Decision = strategy.Decision{Rule: strategy.RuleFits, Why: "it fits"}
	for _, c := range []struct {
		name    string
		results []*strategy.Result
		want    string
	}{
		{"each reason once", []*strategy.Result{skipped(stage("a"), stage("b"), stage("b"))}, "a; b"},
		{"not of a stage that left its work to others", []*strategy.Result{skipped(stage("a"), left, stage("b"))}, "a; b"},
		{"the decision, once", []*strategy.Result{alone}, "it fits"},
		{"conversations that were not selected", []*strategy.Result{nil, skipped(stage("a")), nil}, "a"},
		{"no messages", []*strategy.Result{{From: &transcript.Conversation{}}}, "there are no messages in it"},
		{"many conversations", []*strategy.Result{
			skipped(stage("a")), skipped(stage("b")), skipped(stage("c")), skipped(stage("d")), skipped(stage("e")), skipped(stage("f"), stage("a")),
		}, "a; b; c; d; and 2 more reasons"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := whyUnchanged(c.results); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
