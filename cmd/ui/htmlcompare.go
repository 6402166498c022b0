package ui

import (
	"fmt"
	"io"
	"slices"
)

// ComparisonHTML writes a comparison as a page.
func ComparisonHTML(w io.Writer, c *Comparison) error {
	p := &htmlPage{
		Kicker: "condense " + EscapeLine(c.Condense) + " · strategies compared · " + tokenizerName(&c.Tokenizer),
		Figures: []htmlFigure{
			{"tokens, as it is", number(c.Tokens), "", ""}, {"bytes", number(c.Bytes), "", ""}, {"results", number(len(c.Trials)), "", ""},
		},
		Remarks: htmlRemarks(comparisonRemarks(c, EscapeLine)),
		Footer:  "condense " + EscapeLine(c.Condense) + ", format " + EscapeLine(c.Format) + ". Every number but the recall was counted on the output as it was read again.",
	}
	p.named(inputName(&Report{Input: c.Input}, EscapeLine))
	if best := slices.IndexFunc(c.Trials, func(t Trial) bool { return t.Best }); best >= 0 {
		t := &c.Trials[best]
		p.Figures = append(p.Figures, htmlFigure{"best to " + EscapeLine(t.Target), EscapeLine(t.Strategy), "keeps " + hundredths(t.score()), ""})
	}
	t := trialTable(c, EscapeLine)
	t.without("bytes")
	t.without("user text")
	var bars []htmlBar
	for i := range c.Trials {
		bars = append(bars, newBar(Change{100, int(100 * c.Trials[i].score())}, 100, "is"))
	}
	out := htmlOf("trials", "Results", t, "kept", bars)
	for i := range out.Rows {
		x := &c.Trials[i]
		if x.Best {
			out.Rows[i].Class = "best"
		}
		if i > 0 && c.Trials[i-1].Target != x.Target {
			out.Rows[i].Class += " group"
		}
	}
	by := "facts that still stand where they belong"
	if c.Recall != nil && c.Recall.Cuts > 0 {
		by = "facts needed later that are kept where they belong"
	}
	out.Note = fmt.Sprintf("The bars show the share of the %s.", by)
	p.Tables = append(p.Tables, out)
	return p.write(w)
}
