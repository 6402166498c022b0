package cmd

import (
	"context"
	"errors"
	"strings"
	"time"

	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/source"
	"condense/cmd/ui"
	"condense/strategy"
	"condense/strategy/breakdown"
	"condense/strategy/retain"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

// compare makes every trial that the options ask for, and shows the progress.
func compare(ctx context.Context, in *source.Input, o *compareOptions, counter *token.Counter, progress *ui.Progress) (*survey.Comparison, error) {
	defer progress.Close()
	file, err := format.Decode(in.Data, o.run.format)
	if err != nil {
		return nil, err
	}
	picked, err := pick(file.Convs, o.run.sel)
	if err != nil {
		return nil, err
	}
	counter, note, err := o.run.fitted(counter, file.Convs)
	if err != nil {
		return nil, err
	}
	o.run.calibrate = calibration{} // it is in the counter now
	c := &survey.Comparison{
		Version: survey.ComparisonVersion, Condense: report.CondenseVersion(), Input: in.Name, Format: file.Dialect.Name,
		Bytes: len(in.Data), Price: o.price,
	}
	if note != "" {
		c.Notes = append(c.Notes, note)
	}
	for i, conv := range file.Convs {
		if picked[i] {
			total, _ := breakdown.Measure(conv, counter.Block)
			c.Tokens += total
		}
	}
	exam := &exam{counter: counter}
	if o.recall {
		c.Recall = exam.prepare(file.Convs, picked)
	}
	texts := []string{""}
	for _, t := range o.targets {
		texts = append(texts, t.text)
	}
	for _, p := range o.pipelines {
		for _, t := range o.targetsOf(p) {
			name := strings.TrimSuffix(p.name+" to "+t.text, " to ")
			progress.Begin(name)
			one, notes, err := try(ctx, file, o, p, t, counter)
			if err != nil {
				return nil, err
			}
			if err := exam.take(ctx, o, p, t, one); err != nil {
				return nil, err
			}
			for _, note := range notes {
				c.Notes = append(c.Notes, name+": "+note)
			}
			one.Cost = o.price * float64(one.Tokens) / 1e6
			c.Trials = append(c.Trials, *one)
			progress.Step(name)
		}
	}
	c.Rank(texts)
	c.Tokenizer = report.TokenizerOf(counter)
	return c, nil
}

// options returns the options of a run for one trial.
func (o *compareOptions) options(p pipeline, t target) *runOptions {
	run := *o.run
	run.stages, run.strategy.Target = p.stages, t.Target
	return &run
}

// try condenses the file by one pipeline to one target. A refused output is a result, not an
// error. The notes name the conversations that failed.
func try(ctx context.Context, file *format.File, o *compareOptions, p pipeline, t target, counter *token.Counter) (one *survey.Trial, notes []string, err error) {
	one = &survey.Trial{Strategy: p.name, Target: t.text}
	began := time.Now()
	c, err := condenseFile(ctx, file, o.options(p, t), counter, noEvents())
	one.Millis = float64(time.Since(began).Microseconds()) / 1e3
	var refused *refusedError
	var broken *strategy.StageError
	switch {
	case errors.As(err, &refused), errors.As(err, &broken):
		one.Refused = err.Error()
		return one, nil, nil
	case err != nil:
		return nil, nil, err
	}
	one.Valid, one.Reached, one.Bytes = true, true, len(c.Out)
	var left retain.Retention
	var tokens report.Change
	for i, conv := range c.Conversations {
		r := conv.Result
		if r == nil {
			continue
		}
		after, _ := r.Measure(conv.Final)
		one.Reached = one.Reached && (r.Budget == 0 || after <= r.Budget)
		one.Cached += report.UnchangedPrefix(r.From, conv.Final, counter)
		tokens.Before += r.Before
		tokens.After += after
		left.Add(retain.Of(c.File.Convs[i], conv.Final))
	}
	one.Tokens = tokens.After
	one.Retained = report.NewRetained(&left)
	one.Present, one.Bound, one.User = one.Retained.Present, one.Retained.Bound, one.Retained.User
	if tokens.After < tokens.Before {
		one.BreakEven = report.BreakEven(tokens, one.Cached)
	}
	return one, leftNotes(c.Outcome), nil
}

// exam measures the recall of strategies: which facts that were needed after a cut are kept
// when the part before it is condensed.
type exam struct {
	counter *token.Counter
	cuts    []examCut
}

type examCut struct {
	*retain.Cut
	whole int // tokens of the whole conversation
}

// prepare cuts the picked conversations. If none can be cut, Why has the reason for the last
// one.
func (x *exam) prepare(convs []*transcript.Conversation, picked []bool) *survey.Recall {
	r := &survey.Recall{Why: "there is no conversation in it"}
	for i, c := range convs {
		if !picked[i] {
			continue
		}
		cuts, err := retain.Cuts(c, x.counter.Block)
		if err != nil {
			r.Why = err.Error()
		}
		whole, _ := breakdown.Measure(c, x.counter.Block)
		for _, cut := range cuts {
			r.Needed += cut.Needed()
			x.cuts = append(x.cuts, examCut{cut, whole})
		}
	}
	if r.Cuts = len(x.cuts); r.Cuts > 0 {
		r.Why = ""
	}
	return r
}

// take condenses the part before every cut, and adds the mean recall to one. A target in
// tokens becomes a share of the whole conversation, which is then applied to the part.
func (x *exam) take(ctx context.Context, o *compareOptions, p pipeline, t target, one *survey.Trial) error {
	if len(x.cuts) == 0 || !one.Valid {
		return nil
	}
	options := o.options(p, t).implied(x.counter)
	var all []retain.Recall
	for _, cut := range x.cuts {
		if t.Tokens > 0 {
			options.Target = strategy.Target{Share: min(1, float64(t.Tokens)/float64(cut.whole))}
		}
		r, err := strategy.Run(ctx, cut.Before, p.stages, &options, strategy.Env{Tokens: x.counter.Block})
		var broken *strategy.StageError
		switch {
		case errors.As(err, &broken): // a run would leave the conversation unchanged
			r = &strategy.Result{Conv: cut.Before, Budget: 1, After: cut.whole}
		case err != nil:
			return err
		}
		one := cut.Recall(r.Conv)
		one.Over = !r.Reached()
		all = append(all, one)
	}
	m := retain.Mean(all)
	one.Recalled = &survey.Recalls{Bound: report.Down(m.Bound), Far: report.Down(m.Far), Present: report.Down(m.Present), Over: m.Over, Within: report.Down(m.Within)}
	return nil
}
