package content

import (
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/survey"
)

// TestRecommendation checks the words and figures of a recommendation, also where strategies do not
// differ, and where the best share costs answers.
func TestRecommendation(t *testing.T) {
	trial := func(target, name string, bound float64, answered int) survey.Trial {
		return survey.Trial{
			Strategy: name, Target: target, Tokens: 50, Valid: true, Reached: true, Bound: bound,
			Retained: &report.Retained{Facts: 90, Measurable: true, Answered: report.Change{Before: 3, After: answered}},
		}
	}
	over, few := trial("5%", "truncate", 0.9, 3), trial("50%", "hybrid", 1, 3)
	over.Reached, few.Retained.Measurable = false, false
	needed := trial("50%", "hybrid", 0.2, 3)
	needed.Recalled = &survey.Recalls{Within: 0.75}
	for _, tt := range []struct {
		trials []survey.Trial
		want   string
	}{
		{nil, ""},
		{[]survey.Trial{trial("", "dedupe", 1, 3)}, ""},
		{[]survey.Trial{trial("50%", "hybrid", 0.91, 3)}, "recommended: hybrid. Share of the facts at their place: 0.91 to 50%"},
		{
			[]survey.Trial{trial("50%", "summarize", 0.8, 3), trial("50%", "hybrid", 0.911, 3), trial("25%", "hybrid", 0.4, 3), trial("25%", "truncate", 0.4, 3)},
			"recommended: hybrid. Share of the facts at their place: 0.91 to 50% (next is summarize, 0.80), 0.40 to 25% (no difference to truncate)",
		},
		{
			[]survey.Trial{trial("50%", "truncate", 0.94, 1), trial("50%", "hybrid", 0.9, 3), trial("25%", "progressive", 0.5, 3), trial("25%", "truncate", 0.5, 2), over},
			"recommended: hybrid to 50%, progressive to 25%, none to 5%. Share of the facts at their place: 0.90 to 50% (truncate keeps 0.94, but leaves 2 more requests without an answer), " +
				"0.50 to 25% (truncate keeps 0.50, but leaves 1 more request without an answer)",
		},
		{
			[]survey.Trial{trial("50%", "hybrid", 0.9, 2), trial("50%", "truncate", 0.54, 3)},
			"recommended: hybrid. Share of the facts at their place: 0.90 to 50% (truncate keeps 0.54, and leaves 1 request fewer without an answer)",
		},
		{[]survey.Trial{over}, "recommended: none. No output met 5%"},
		{[]survey.Trial{few}, "recommended: hybrid. Share of the facts at their place: – to 50% (too few facts for a share)"},
		{[]survey.Trial{needed}, "recommended: hybrid. Share of the later needed facts at their place: 0.75 to 50%"},
	} {
		c := &survey.Comparison{Tokens: 100, Trials: tt.trials}
		if got := recommendation(c, func(s string) string { return s }); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
