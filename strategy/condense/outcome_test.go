package condense

import (
	"context"
	"errors"
	"slices"
	"testing"

	"condense/strategy"
)

// TestRowsOfOutcome checks how conversations are counted.
func TestRowsOfOutcome(t *testing.T) {
	within := &strategy.Result{Before: 9, After: 5, Budget: 5}
	over := &strategy.Result{Before: 9, After: 6, Budget: 5}
	o := Outcome{Conversations: []Conversation{{}, {Result: within}, {Result: over}, {Result: over, Dropped: true}, {Result: within}}}
	if got, want := o.Rows(), (Rows{Fit: 2, Left: 1, Dropped: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	o.Conversations[0].Err, o.Conversations[3].Err = errors.New("a"), errors.New("b")
	if got := o.Left(); !slices.Equal(got, []int{0, 3}) {
		t.Errorf("left alone are %v", got)
	}
}

// TestOutcomeErrors checks the texts of errors, and that the cause of a refusal is found.
func TestOutcomeErrors(t *testing.T) {
	cause := errors.New("it is larger")
	for want, err := range map[string]error{
		"output refused: it is larger":                                 &RefusedError{Err: cause},
		"the row does not fit within its target, and no other is left": &UnfitError{1},
		"none of the 1,200 rows fits within its target":                &UnfitError{1200},
		"Hide does not go with Caps":                                   &ConflictError{"Hide", "Caps"},
		`no conversation "x" among 3`:                                  &SelectError{"x", 3},
	} {
		if err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
	}
	if !errors.Is(&RefusedError{Err: cause}, cause) {
		t.Error("the cause of a refusal is not found")
	}
}

// TestEnds checks which errors end the run for all conversations.
func TestEnds(t *testing.T) {
	failed := errors.New("failed")
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{&strategy.StageError{Stage: "mask", Err: failed}, false},
		{&strategy.StageError{Stage: "mask", Err: &strategy.AskError{Err: failed}}, true},
		{&strategy.AskError{Err: failed}, true},
		{failed, true},
		{context.Canceled, true},
	} {
		if got := ends(tt.err); got != tt.want {
			t.Errorf("%v: %v", tt.err, got)
		}
	}
}

// TestHideConflicts checks that hiding goes with no option that changes or removes content.
func TestHideConflicts(t *testing.T) {
	for field, set := range map[string]func(*Options){
		"Thinking":    func(o *Options) { o.Thinking = strategy.ThinkingDrop },
		"TargetModel": func(o *Options) { o.TargetModel = "m" },
		"Images":      func(o *Options) { o.Images.Limited = true },
		"DropHidden":  func(o *Options) { o.DropHidden = true },
		"Caps":        func(o *Options) { o.Caps = make([]strategy.Cap, 1) },
	} {
		o := Defaults()
		o.Hide, o.Pipeline = true, []*strategy.Strategy{&strategy.Truncate}
		if err := o.validateHide(); err != nil {
			t.Errorf("without %s: %v", field, err)
		}
		set(&o)
		var conflict *ConflictError
		if err := o.validateHide(); !errors.As(err, &conflict) || conflict.Field != "Hide" || conflict.With != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// TestDefaultStages checks the pipeline of options without one.
func TestDefaultStages(t *testing.T) {
	var o Options
	if !slices.Equal(o.stages(), strategy.Hybrid) {
		t.Error("options without a pipeline do not have the default one")
	}
	o.Pipeline = []*strategy.Strategy{&strategy.Mask}
	if !slices.Equal(o.stages(), o.Pipeline) {
		t.Error("a pipeline is ignored")
	}
}

// TestSearchEnds checks that a search leaves out all changes that it has not confirmed after
// its last try.
func TestSearchEnds(t *testing.T) {
	var left []int
	tries := 0
	s := search{
		try:  func([]int) (map[int]error, error) { tries++; return nil, errors.New("no") },
		fail: func(i int, _ error) error { left = append(left, i); return nil },
	}
	all := make([]int, 4*maxTries)
	for i := range all {
		all[i] = i
	}
	if err := s.add(t.Context(), all); err != nil || len(left) != len(all) || len(s.good) > 0 {
		t.Errorf("%d of %d were left out, %v", len(left), len(all), err)
	}
	if tries > 2*maxTries {
		t.Errorf("%d tries", tries)
	}
}
