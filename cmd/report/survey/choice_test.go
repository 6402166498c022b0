package survey

import (
	"strings"
	"testing"

	"condense/cmd/report"
)

// trial returns a trial that met its target, keeps a share of the facts and leaves requests without an answer.
func trial(name, target string, bound float64, unanswered int) Trial {
	return Trial{
		Strategy: name, Target: target, Tokens: 50, Reached: true, Valid: true, Bound: bound,
		Retained: &report.Retained{Answered: report.Change{Before: 9, After: 9 - unanswered}},
	}
}

// TestChoices checks the order of the trials of a target: by the share that they keep, but the first
// is the one with the fewest unanswered requests of those that keep nearly as much.
func TestChoices(t *testing.T) {
	for _, tt := range []struct {
		name   string
		trials []Trial
		want   string
	}{
		{"by share", []Trial{trial("a", "5", 0.5, 0), trial("b", "5", 0.9, 0), trial("c", "5", 0.7, 0)}, "b c a"},
		{"nearly as much with more answers", []Trial{trial("a", "5", 0.90, 2), trial("b", "5", 0.87, 1)}, "b a"},
		{"nearly as much with as many answers", []Trial{trial("a", "5", 0.90, 1), trial("b", "5", 0.87, 1)}, "a b"},
		{"much less with more answers", []Trial{trial("a", "5", 0.90, 2), trial("b", "5", 0.80, 0)}, "a b"},
		{"most answers of several", []Trial{trial("a", "5", 0.90, 3), trial("b", "5", 0.89, 2), trial("c", "5", 0.88, 1), trial("d", "5", 0.87, 2)}, "c a b d"},
	} {
		c := &Comparison{Tokens: 100, Trials: tt.trials}
		var got []string
		for _, at := range c.Choices() {
			for _, x := range at.Trials {
				got = append(got, x.Strategy)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %q, want %s", tt.name, got, tt.want)
		}
	}
}

// TestRank checks the order of all trials, and that a target that no trial met has no best one while
// the targets behind it have.
func TestRank(t *testing.T) {
	missed, broken := trial("missed", "50%", 0.9, 0), trial("broken", "50%", 1, 0)
	missed.Reached, broken.Valid = false, false
	c := &Comparison{Tokens: 100, Trials: []Trial{trial("less", "10%", 0.2, 0), broken, trial("more", "10%", 0.4, 0), missed}}
	c.Rank([]string{"50%", "10%"})
	var got []string
	for _, x := range c.Trials {
		got = append(got, x.Strategy+x.BestBy)
		if x.Best != (x.BestBy != "") {
			t.Errorf("%s is the best: %t, by %q", x.Strategy, x.Best, x.BestBy)
		}
	}
	if want := "missed broken morebound less"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}
