package ui

import (
	"fmt"
	"io"
	"strings"

	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
	"condense/transcript"
)

// writeComparison writes a comparison for a person: a table with a row for each trial, in which the
// best of each target is marked.
func writeComparison(w io.Writer, c *survey.Comparison, o Options) error {
	p := newPage(w, o)
	name := content.InputName(&report.Report{Input: c.Input}, escape.Line)
	p.fold(content.Plain, p.named(name), c.Tokenizer.About()+transcript.Number(c.Tokens)+" tokens,", transcript.Number(c.Bytes)+" bytes",
		p.paint(content.Faint, "["+escape.Line(c.Format)+", "+content.TokenizerName(&c.Tokenizer)+"]"))
	p.table(p.fitting(content.TrialTable(c, escape.Line)))
	p.section(content.ComparisonRemarks(c, escape.Line))
	return p.Flush()
}

// fitting removes the least important columns until the table fits the terminal.
func (p *page) fitting(t content.Table) content.Table {
	for _, name := range []string{"user text", "bytes", "present", "ms", "pays after", "closing", "cost", "far", "last", "answered", "saved", "tokens"} {
		if !p.terminal() || t.Width() <= p.Width {
			break
		}
		t.Without(name)
	}
	return t
}

// comparisonMarkdown writes a comparison as a comment on a pull request.
func comparisonMarkdown(w io.Writer, c *survey.Comparison, _ Options) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### condense compare: %s\n\n%s tokens, %s bytes (%s)\n",
		content.InputName(&report.Report{Input: c.Input}, code), transcript.Number(c.Tokens), transcript.Number(c.Bytes), code(content.TokenizerName(&c.Tokenizer)))
	b.WriteString(markdownTable(content.TrialTable(c, prose)))
	for i, s := range content.ComparisonRemarks(c, prose) {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + s.Text + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
