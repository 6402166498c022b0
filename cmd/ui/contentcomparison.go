package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// trialTable has a row for each trial.
func trialTable(c *Comparison, esc escaper) table {
	t := table{
		columns: []column{words, words, words, figures, saving, figures, figures},
		head:    []string{"", "to", "strategy", "tokens", "saved", "bytes", "bound"},
	}
	add := func(name string, kind column) {
		t.columns, t.head = append(t.columns, kind), append(t.head, name)
	}
	add("present", figures)
	add("user text", figures)
	if c.Recall != nil && c.Recall.Cuts > 0 {
		add("recall", figures)
		add("far", figures)
	}
	if c.Price > 0 {
		add("cost", figures)
	}
	add("pays after", figures)
	add("ms", figures)
	add("", aside)
	for i := range c.Trials {
		t.add(trialRow(c, &c.Trials[i], esc)...)
	}
	return t
}

func trialRow(c *Comparison, t *Trial, esc escaper) []string {
	mark, target := " ", esc(cmp.Or(t.Target, "–"))
	switch {
	case t.Best:
		mark = "★"
	case t.Valid && !t.Reached:
		mark = "!"
	}
	if !t.Valid {
		return []string{mark, target, esc(t.Strategy), "refused: " + esc(t.Refused)}
	}
	row := []string{mark, target, esc(t.Strategy), number(t.Tokens), percent(Change{c.Tokens, t.Tokens}), number(t.Bytes),
		hundredths(t.Bound), hundredths(t.Present), hundredths(t.User)}
	if c.Recall != nil && c.Recall.Cuts > 0 {
		recall, far := "–", "–"
		if t.Recalled != nil {
			recall, far = hundredths(t.Recalled.Bound), hundredths(t.Recalled.Far)
			if t.Recalled.Over > 0 {
				recall = "!" + recall
			}
		}
		row = append(row, recall, far)
	}
	if c.Price > 0 {
		row = append(row, dollars(t.Cost))
	}
	pays := "–"
	if t.Tokens < c.Tokens {
		pays = strconv.FormatFloat(t.BreakEven, 'f', 1, 64)
	}
	return append(row, pays, strconv.FormatFloat(t.Millis, 'f', 0, 64), "")
}

func dollars(d float64) string { return "$" + strconv.FormatFloat(d, 'f', 4, 64) }

// comparisonRemarks explain the table, a sentence each.
func comparisonRemarks(c *Comparison, esc escaper) []remark {
	var out []remark
	say := func(format string, args ...any) { out = append(out, remark{plain, fmt.Sprintf(format, args...)}) }
	by := "the largest bound share"
	if slices.ContainsFunc(c.Trials, func(t Trial) bool { return t.BestBy == "recall" }) {
		by = "the largest recall"
	}
	if slices.ContainsFunc(c.Trials, func(t Trial) bool { return t.Best }) {
		say("★ of the outputs that met the target, the one with %s", by)
	} else {
		say("no output met its target")
	}
	if slices.ContainsFunc(c.Trials, func(t Trial) bool { return t.Valid && !t.Reached }) {
		say("! over the target: what is kept by rule is more")
	} else if slices.ContainsFunc(c.Trials, func(t Trial) bool { return t.Recalled != nil && t.Recalled.Over > 0 }) {
		say("! over the target at some of the places, which count as 0 for the best")
	}
	if slices.ContainsFunc(c.Trials, func(t Trial) bool { return t.Target == "" }) {
		say("– no target: all that the strategy can do")
	}
	say("bound: share of the facts that still stand where they belong; pays after: turns until a cached prompt, written anew, has paid")
	switch r := c.Recall; {
	case r == nil:
	case r.Cuts == 0:
		out = append(out, remark{warn, "no recall: " + esc(r.Why)})
	default:
		say("recall: at %s in this file, the share of the %s needed later that the condensed first part still holds where they belong; "+
			"far: of those not named lately. It is there to be read, which is not to be remembered", plural(r.Cuts, "place"), plural(r.Needed, "fact"))
	}
	if c.Price > 0 {
		say("cost: to send the output once, uncached, at $%s for a million tokens; as it is, %s", factor(c.Price), dollars(c.Price*float64(c.Tokens)/1e6))
	}
	for _, n := range c.Notes {
		say("note: %s", esc(n))
	}
	return append(out, counting(&Report{Tokenizer: c.Tokenizer}, esc)...)
}
