package ui

import (
	"fmt"
	"io"
	"strings"
)

// WriteComparison writes a comparison for a person: a table with a row for each
// trial, the best of each target marked.
func WriteComparison(w io.Writer, c *Comparison, o TextOptions) error {
	p := newPage(w, o)
	name := inputName(&Report{Input: c.Input}, EscapeLine)
	p.fold(plain, p.paint(strong, name+":"), number(c.Tokens)+" tokens,", number(c.Bytes)+" bytes",
		p.paint(faint, "["+EscapeLine(c.Format)+", "+tokenizerName(&c.Tokenizer)+"]"))
	p.table(p.fitting(trialTable(c, EscapeLine)))
	p.section(comparisonRemarks(c, EscapeLine))
	return p.Flush()
}

// fitting leaves out the columns that matter least, until the table fits the terminal.
func (p *page) fitting(t table) table {
	for _, name := range []string{"user text", "bytes", "present", "ms", "pays after", "cost", "far", "saved", "tokens"} {
		if !p.terminal() || t.width() <= p.Width {
			break
		}
		t.without(name)
	}
	return t
}

// ComparisonMarkdown writes a comparison as a comment on a pull request.
func ComparisonMarkdown(w io.Writer, c *Comparison) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### condense compare: %s\n\n%s tokens, %s bytes (%s)\n",
		inputName(&Report{Input: c.Input}, code), number(c.Tokens), number(c.Bytes), code(tokenizerName(&c.Tokenizer)))
	b.WriteString(markdownTable(trialTable(c, prose)))
	for i, s := range comparisonRemarks(c, prose) {
		if i == 0 {
			b.WriteByte('\n')
		}
		b.WriteString("- " + s.text + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
