package content

import (
	"cmp"
	"slices"
	"strings"

	"condense/cmd/report/survey"
	"condense/transcript"
)

// A choice holds the trials with one target that met it, the recommended one first.
type choice struct {
	target string
	trials []*survey.Trial // empty if no output met the target
}

// near is the difference of shares up to which answers matter more than facts.
const near = 0.05

// choices returns a choice for each target, in the order of the trials. The recommended trial is the one
// that keeps most, or one that keeps nearly as much and leaves fewer requests without an answer.
func choices(c *survey.Comparison) (all []choice) {
	for i := range c.Trials {
		t := &c.Trials[i]
		if t.Target == "" {
			continue
		}
		if len(all) == 0 || all[len(all)-1].target != t.Target {
			all = append(all, choice{target: t.Target})
		}
		if at := &all[len(all)-1]; t.Valid && t.Reached && t.Tokens < c.Tokens {
			at.trials = append(at.trials, t)
		}
	}
	for i := range all {
		at := &all[i]
		slices.SortStableFunc(at.trials, func(x, y *survey.Trial) int { return cmp.Compare(y.Score(), x.Score()) })
		best := 0
		for i, t := range at.trials {
			if t.Score() > at.trials[0].Score()-near && unanswered(t) < unanswered(at.trials[best]) {
				best = i
			}
		}
		if best > 0 {
			chosen := at.trials[best]
			at.trials = slices.Insert(slices.Delete(at.trials, best, best+1), 0, chosen)
		}
	}
	return all
}

// unanswered returns how many requests of a trial lost their answer.
func unanswered(t *survey.Trial) int {
	if t.Retained == nil {
		return 0
	}
	return t.Retained.Answered.Before - t.Retained.Answered.After
}

// recommendation returns two sentences: which strategy is recommended for which targets, and the figures
// that it is recommended by. It returns "" for a comparison without targets.
func recommendation(c *survey.Comparison, esc escaper) string {
	var names, figures, missed []string
	targets := map[string][]string{}
	for _, at := range choices(c) {
		if len(at.trials) == 0 {
			missed = append(missed, esc(at.target))
			continue
		}
		name := esc(at.trials[0].Strategy)
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		targets[name] = append(targets[name], esc(at.target))
		figures = append(figures, at.figures(esc))
	}
	switch {
	case len(names) == 0 && len(missed) == 0:
		return ""
	case len(names) == 0:
		return "recommended: none. No output met " + strings.Join(missed, ", ")
	case len(names) > 1 || len(missed) > 0:
		for i, name := range names {
			names[i] = name + " to " + strings.Join(targets[name], " and ")
		}
	}
	by := "facts at their place"
	if slices.ContainsFunc(c.Trials, func(t survey.Trial) bool { return t.Recalled != nil }) {
		by = "later needed facts at their place"
	}
	if len(missed) > 0 {
		names = append(names, "none to "+strings.Join(missed, " and "))
	}
	return "recommended: " + strings.Join(names, ", ") + ". Share of the " + by + ": " + strings.Join(figures, ", ")
}

// figures returns the share of the recommended trial, and that of the next one:
// "0.91 to 50% (next is summarize, 0.80)".
func (at *choice) figures(esc escaper) string {
	best := at.trials[0]
	text := share(best) + " to " + esc(at.target)
	if share(best) == unknown {
		return text + " (too few facts for a share)"
	}
	var same []string
	for _, t := range at.trials[1:] {
		if unanswered(t) == unanswered(best) && share(t) == share(best) {
			same = append(same, esc(t.Strategy))
		}
	}
	switch {
	case len(same) > 0:
		return text + " (no difference to " + strings.Join(same, ", ") + ")"
	case len(at.trials) == 1:
		return text
	}
	next := at.trials[1]
	switch lost := unanswered(next) - unanswered(best); {
	case lost > 0:
		return text + " (" + esc(next.Strategy) + " keeps " + share(next) + ", but leaves " + transcript.Plural(lost, "more request") + " without an answer)"
	case lost < 0:
		return text + " (" + esc(next.Strategy) + " keeps " + share(next) + ", and leaves " + transcript.Plural(-lost, "request") + " fewer without an answer)"
	}
	return text + " (next is " + esc(next.Strategy) + ", " + share(next) + ")"
}

// share returns the share by which a trial is ranked, in two decimals.
func share(t *survey.Trial) string {
	if t.Recalled != nil {
		return Hundredths(t.Score())
	}
	return factShare(t.Retained, t.Bound)
}
