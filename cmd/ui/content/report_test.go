package content

import (
	"testing"

	"condense/cmd/report"
)

func plain(s string) string { return s }

// TestDialogue checks the line about the dialogue: without what the input had none of.
func TestDialogue(t *testing.T) {
	one, none, two := report.Change{Before: 1, After: 1}, report.Change{Before: 1}, report.Change{Before: 2, After: 1}
	for want, k := range map[string]*report.Retained{
		"":                                     {},
		"dialogue: last answer kept":           {Last: one},
		"dialogue: last answer lost":           {Last: none},
		"dialogue: last answers 1/2":           {Last: two},
		"dialogue: answered 1/2":               {Answered: two},
		"dialogue: closing answers 1/2":        {Closing: two},
		"dialogue: prose 0.50":                 {Paragraphs: two},
		"dialogue: gaps 1":                     {Gaps: 1},
		"dialogue: records 1":                  {Records: 1},
		"dialogue: gaps 1,200 · records 1,300": {Gaps: 1200, Records: 1300},
	} {
		if got := dialogue(&report.Report{Retained: k}); got != want {
			t.Errorf("%+v: %q, want %q", *k, got, want)
		}
	}
	if got := dialogue(&report.Report{}); got != "" {
		t.Errorf("nothing changed: %q", got)
	}
}

// TestRetained checks the line about facts and typed text.
func TestRetained(t *testing.T) {
	for want, k := range map[string]*report.Retained{
		"retained: facts not measurable, there are 3":                              {Facts: 3},
		"retained: facts 0.83 of 1,204 (bound 0.79)":                               {Facts: 1204, Measurable: true, Present: .83, Bound: .79},
		"retained: facts not measurable, there are 0 · user text 0.50":             {Typed: report.Change{Before: 1}, User: .5},
		"retained: facts not measurable, there are 0 · todos 1/3":                  {Todos: report.Change{Before: 3, After: 1}},
		"retained: facts not measurable, there are 0 · user text 1.00 · todos 0/1": {Typed: report.Change{Before: 9, After: 9}, User: 1, Todos: report.Change{Before: 1}},
	} {
		if got := retained(&report.Report{Retained: k}); got != want {
			t.Errorf("%+v: %q, want %q", *k, got, want)
		}
	}
}

// TestStageNote checks what is reported of a stage beside its numbers.
func TestStageNote(t *testing.T) {
	for want, s := range map[string]stageSum{
		"":                                   {runs: 2},
		"skipped: a; b":                      {runs: 2, skipped: 2, reasons: []string{"a", "b"}},
		"skipped: a; b; c":                   {runs: 3, skipped: 3, reasons: []string{"a", "b", "c"}},
		"skipped for 4 reasons":              {runs: 4, skipped: 4, reasons: []string{"a", "b", "c", "d"}},
		"skipped in 1 of 2":                  {runs: 2, skipped: 1, reasons: []string{"a"}},
		"1 edit refused, would save nothing": {runs: 2, refused: 1},
		"skipped in 1 of 3; 2 edits refused, would save nothing": {runs: 3, skipped: 1, refused: 2, reasons: []string{"a"}},
	} {
		if got := s.note(plain); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}

// TestRemoved checks the sentences about units: one at least.
func TestRemoved(t *testing.T) {
	for _, n := range []int{0, 1, 2} {
		r := &report.Report{Conversations: []report.Conversation{{UnitsRemoved: n}, {}}}
		list := removed(r)
		if (len(list) > 0) != (n > 0) || n == 1 && list[0].Text != "1 unit removed whole (prompts, answers, tool rounds)" {
			t.Errorf("%d units: %+v", n, list)
		}
	}
}

// TestTrialCounts checks the cells about the dialogue of a trial without an output.
func TestTrialCounts(t *testing.T) {
	got := trialCounts(nil)
	if len(got) != 3 || got[0] != "–" || got[1] != "–" || got[2] != "–" {
		t.Errorf("got %q", got)
	}
	two := report.Change{Before: 2, After: 1}
	if got := trialCounts(&report.Retained{Answered: two, Closing: two, Last: two}); len(got) != 3 || got[0] != "1/2" || got[1] != "1/2" || got[2] != "1/2" {
		t.Errorf("got %q", got)
	}
}

// TestOutcomeLimits checks that the limits of a project are named one by one.
func TestOutcomeLimits(t *testing.T) {
	got := Outcomes(&report.Report{Limits: []string{"max-cost", "target"}}, plain)
	if len(got) == 0 || got[0].Text != "the project's condense.yaml sets max-cost, target" || got[0].Tone != Warn {
		t.Errorf("got %+v", got)
	}
}
