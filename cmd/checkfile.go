package cmd

import (
	"context"
	"errors"
	"strings"

	"condense/cmd/report"
	"condense/strategy"
	"condense/transcript/format"
	"condense/transcript/token"
)

// unread is a file that cannot be checked.
func unread(path string, err error) report.Gated {
	b := report.Breach{Demand: "read", Rule: "condense/read", Severity: "error", Path: path, Text: err.Error()}
	var at *format.Error
	if errors.As(err, &at) {
		b.Line, b.Text = at.Line, at.Reason
	}
	b.Text = strings.TrimPrefix(b.Text, path+": ")
	b.Fix = errorHint(err)
	return report.Gated{Input: path, Findings: []report.Breach{b}}
}

// checkFile checks one file against what is demanded of it.
func (a *app) checkFile(ctx context.Context, o *checkOptions, counter *token.Counter, before *baseline, path string) (report.Gated, error) {
	in, err := a.open(ctx, path)
	if err != nil {
		return report.Gated{}, err
	}
	file, err := format.Decode(in.Data, o.run.format)
	if err != nil {
		return report.Gated{}, &namedError{in.Name, err}
	}
	fitted, _, err := o.run.fitted(counter, file.Convs)
	if err != nil {
		return report.Gated{}, err
	}
	d := &o.demands
	j := &judge{d: d, file: file, counter: fitted, gated: report.Gated{Input: path, Format: file.Dialect.Name, Demands: d.names()}}
	j.maxTokens()
	if d.maxGrowth != nil && !o.updateBaseline {
		j.maxGrowth(before)
	}
	j.valid()
	if !d.condenses() {
		return j.gated, nil
	}
	c, err := condenseFile(ctx, file, o.run, counter, noEvents())
	var refused *refusedError
	var broken *strategy.StageError
	switch {
	case errors.As(err, &refused), errors.As(err, &broken):
		j.refused(err)
		return j.gated, nil
	case err != nil:
		return report.Gated{}, &namedError{in.Name, err}
	}
	for _, i := range c.Left() {
		j.refused(explained(c.Conversations[i].Err))
	}
	report := newReport(in, o.run, c)
	j.outcome(report)
	if d.expect {
		err = j.expect(ctx, o, in, c.Out)
	}
	return j.gated, err
}
