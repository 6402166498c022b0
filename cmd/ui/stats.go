package ui

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// WriteStats writes where the tokens are for a person: a line with the sums, tables
// with bars, the largest blocks, and how the context grew. Lists are as long as
// rows says; with o.Verbose they are whole.
func WriteStats(w io.Writer, s *Stats, rows int, o TextOptions) error {
	p := newPage(w, o)
	if o.Verbose > 0 {
		rows = math.MaxInt
	}
	if len(s.Files) == 0 {
		p.line(plain, p.paint(strong, "0 files:")+" no conversation was found, nothing was counted")
		p.sentences(skippedRemark(s))
		if p.Verbose > 0 {
			p.skipped(s)
		}
		return p.Flush()
	}
	name := plural(len(s.Files), "file")
	if len(s.Files) == 1 {
		name = inputName(&Report{Input: s.Files[0].Input}, EscapeLine)
	}
	p.fold(plain, p.paint(strong, name+":"), p.paint(strong, number(s.Tokens)+" tokens")+",",
		plural(s.Messages, "message")+",", number(s.Bytes.File)+" bytes", p.paint(faint, "["+waysName(s.ways())+"]"))
	p.sentences(statsRemarks(s, EscapeLine))
	p.table(fileTable(s, rows, EscapeLine))
	p.table(p.pileTable("kind", s.Kinds, s.Tokens, math.MaxInt))
	p.table(p.pileTable("role", s.Roles, s.Tokens, math.MaxInt))
	p.table(p.pileTable("age", s.Ages, s.Tokens, math.MaxInt))
	p.table(p.pileTable("tool", s.Tools, s.Tokens, rows))
	p.table(p.pileTable("path", p.tails(s.Paths), s.Tokens, rows))
	p.table(p.pileTable("overtaken reads", p.tails(s.Stale), s.Tokens, rows))
	p.table(largestTable(s, EscapeLine))
	p.growth(s)
	if p.Verbose > 0 {
		p.skipped(s)
	}
	return p.Flush()
}

// skipped lists the files in folders that are no conversations.
func (p *page) skipped(s *Stats) {
	for _, x := range s.Skipped {
		p.sentence(faint, "skipped "+EscapeLine(x.Input)+": "+EscapeLine(x.Why))
	}
}

// tails are piles whose names, paths, are cut at the front where a table would cut them
// at the end: there they differ.
func (p *page) tails(piles []Pile) []Pile {
	piles = slices.Clone(piles)
	for i := range piles {
		name := EscapeLine(piles[i].Name)
		if over := ansi.StringWidth(name) - p.Width/3; p.terminal() && over > 0 {
			name = ansi.TruncateLeft(name, over+1, "…")
		}
		piles[i].Name = name
	}
	return piles
}

// pileTable has a row for each pile, with bars on a terminal.
func (p *page) pileTable(title string, piles []Pile, total, rows int) table {
	t := pileTable(title, piles, total, rows, EscapeLine)
	largest := 0
	for _, x := range piles {
		largest = max(largest, x.Tokens)
	}
	for i := range t.rows {
		if i < len(piles) && i < rows {
			t.rows[i][len(t.columns)-1] = p.bar(piles[i].Tokens, largest)
		}
	}
	return t
}

// growth draws how the context of the only conversation grew, a column for a run
// of messages.
func (p *page) growth(s *Stats) {
	c := s.only()
	if c == nil || len(c.Growth) < 2 || !p.terminal() {
		return
	}
	p.blank()
	p.line(faint, "context by message")
	p.line(plain, sparkline(c.Growth, min(60, max(1, p.Width-2))))
	last := c.Growth[len(c.Growth)-1]
	p.line(faint, fmt.Sprintf("message %s to %s, up to %s tokens", number(c.Growth[0].Message), number(last.Message), number(last.Tokens)))
}

// sparkline draws points as columns of at most eight eighths, at most width of them.
func sparkline(points []Point, width int) string {
	const eighths = "▁▂▃▄▅▆▇█"
	levels := []rune(eighths)
	top := max(1, points[len(points)-1].Tokens)
	n := min(width, len(points))
	var b strings.Builder
	for i := range n {
		at := points[(i+1)*len(points)/n-1].Tokens
		b.WriteRune(levels[min(len(levels)-1, at*len(levels)/top)])
	}
	return b.String()
}
