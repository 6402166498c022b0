package cmd

import (
	"fmt"

	"github.com/spf13/pflag"

	"condense/cmd/report"
	"condense/strategy"
	"condense/strategy/condense"
	"condense/transcript"
)

// addTrainingFlags adds the flags for rows of training sets.
func (o *runOptions) addTrainingFlags(fs *pflag.FlagSet) {
	fs.Var(&parsed[strategy.Purpose]{to: &o.strategy.For, parse: unmarshal[strategy.Purpose], kind: "training"},
		"for", "training: shorten rows of a training set; only results and injected texts change, and lines that a later label repeats stay")
	fs.BoolVar(&o.dropRows, "drop-rows", false, "with --for training: leave out rows that do not fit within the target, instead of copying them")
}

// unfitError reports a training set without a row that fits.
type unfitError struct{ *condense.UnfitError }

func (e *unfitError) Unwrap() error { return e.UnfitError }
func (e *unfitError) ExitCode() int { return exitPolicy }
func (e *unfitError) Hint() string {
	return "nothing was written; raise --target, or copy such rows: leave --drop-rows out"
}

// rows returns the numbers of rows of a training set by what became of them, nil without
// --for training.
func (o *runOptions) rows(out *condense.Outcome) *report.Rows {
	if o.strategy.For != strategy.ForTraining {
		return nil
	}
	n := out.Rows()
	return &report.Rows{Fit: n.Fit, Left: n.Left, Dropped: n.Dropped}
}

// rowNotes returns a note on rows that do not fit.
func rowNotes(n *report.Rows) []string {
	if text := rowText(n); text != "" {
		return []string{"--for training: " + text}
	}
	return nil
}

// rowText says in words what became of the rows of a training set; "" when all fit.
func rowText(n *report.Rows) string {
	if n == nil || n.Left+n.Dropped == 0 {
		return ""
	}
	text := fmt.Sprintf("%s of %s rows do not fit within the target", transcript.Number(n.Left+n.Dropped), transcript.Number(n.Fit+n.Left+n.Dropped))
	switch {
	case n.Dropped == 0:
		return text + " and are left as they are"
	case n.Left == 0:
		return text + " and are left out"
	}
	return text + fmt.Sprintf("; %s are left out, %s are left as they are", transcript.Number(n.Dropped), transcript.Number(n.Left))
}
