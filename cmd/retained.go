package cmd

import (
	"fmt"

	"condense/cmd/report"
	"condense/strategy/retain"
)

// measures reports whether what is left of a file is to be measured, which takes a fifth of the
// time: for a report that is shown, for a demand, or for a program that gets the report. A
// batch shows none.
func (o *runOptions) measures() bool {
	return !o.many || o.minRetention > 0 || len(o.external.after) > 0
}

// retentionError is an output that holds less than --min-retention asks for.
type retentionError struct {
	bound, least float64
}

func (e *retentionError) Error() string {
	return fmt.Sprintf("output refused: it holds %.4f of the facts where they belong, --min-retention is %g", e.bound, e.least)
}
func (e *retentionError) ExitCode() int { return exitPolicy }
func (e *retentionError) Hint() string {
	return "nothing was written; raise --target, or lower --min-retention"
}

// checkRetention is the error of an output of which some conversation holds less
// than was demanded: the worst of them.
func checkRetention(o *runOptions, r *report.Report) error {
	worst := 1.0
	for _, c := range r.Conversations {
		if c.Retained != nil {
			worst = min(worst, c.Retained.Bound)
		}
	}
	if worst < o.minRetention {
		return &retentionError{worst, o.minRetention}
	}
	return nil
}

// leastRetained is checkRetention for an output of which nothing else is told.
func leastRetained(least float64, c *condensed) error {
	if least == 0 || !c.Changed {
		return nil
	}
	worst := 1.0
	for i, conv := range c.Conversations {
		if conv.Result != nil {
			one := retain.Of(c.File.Convs[i], conv.Final)
			worst = min(worst, report.Down(one.Facts.Bound()))
		}
	}
	if worst < least {
		return &retentionError{worst, least}
	}
	return nil
}
