package ui

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
	"condense/transcript"
)

// writeStats writes statistics for a person: a line with the sums, tables with bars, the largest
// blocks, and the growth of the context. Lists have at most o.Rows rows, or all with o.Verbose.
func writeStats(w io.Writer, s *survey.Stats, o Options) error {
	p, rows := newPage(w, o), o.Rows
	if o.Verbose > 0 {
		rows = math.MaxInt
	}
	if len(s.Files) == 0 {
		p.line(content.Plain, p.paint(content.Strong, "0 files:")+" no conversation was found, nothing was counted")
		p.sentences(content.SkippedRemark(s))
		if p.Verbose > 0 {
			p.skipped(s)
		}
		return p.Flush()
	}
	name := transcript.Plural(len(s.Files), "file")
	if len(s.Files) == 1 {
		name = content.InputName(&report.Report{Input: s.Files[0].Input}, escape.Line)
	}
	p.fold(content.Plain, p.named(name), p.paint(content.Strong, s.Tokenizer.About()+transcript.Number(s.Tokens)+" tokens")+",",
		transcript.Plural(s.Messages, "message")+",", transcript.Number(s.Bytes.File)+" bytes", p.paint(content.Faint, "["+content.TokenizerNames(s.Tokenizers())+"]"))
	p.sentences(content.StatsRemarks(s, escape.Line))
	p.table(content.FileTable(s, rows, escape.Line))
	p.table(p.groupTable("kind", s.Kinds, s.Tokens, math.MaxInt))
	p.table(p.groupTable("role", s.Roles, s.Tokens, math.MaxInt))
	p.table(p.groupTable("age", s.Ages, s.Tokens, math.MaxInt))
	p.table(p.groupTable("tool", s.Tools, s.Tokens, rows))
	p.table(p.groupTable("path", p.tails(s.Paths), s.Tokens, rows))
	p.table(p.groupTable("outdated reads", p.tails(s.Stale), s.Tokens, rows))
	p.table(content.LargestTable(s, escape.Line))
	p.growth(s)
	if p.Verbose > 0 {
		p.skipped(s)
	}
	return p.Flush()
}

// skipped lists the files in folders that hold no conversation.
func (p *page) skipped(s *survey.Stats) {
	for _, x := range s.Skipped {
		p.sentence(content.Faint, "skipped "+escape.Line(x.Input)+": "+escape.Line(x.Why))
	}
}

// tails returns groups whose names are paths, cut at the front to fit the table. A table would cut
// them at the end, where they differ.
func (p *page) tails(groups []survey.Group) []survey.Group {
	groups = slices.Clone(groups)
	for i := range groups {
		name := escape.Line(groups[i].Name)
		if over := ansi.StringWidth(name) - p.Width/3; p.terminal() && over > 0 {
			name = ansi.TruncateLeft(name, over+1, "…")
		}
		groups[i].Name = name
	}
	return groups
}

// groupTable has a row for each group, with bars on a terminal.
func (p *page) groupTable(title string, groups []survey.Group, total, rows int) content.Table {
	t := content.GroupTable(title, groups, total, rows, escape.Line)
	largest := 0
	for _, x := range groups {
		largest = max(largest, x.Tokens)
	}
	for i := range t.Rows {
		if i < len(groups) && i < rows {
			t.Rows[i][len(t.Columns)-1] = p.bar(groups[i].Tokens, largest)
		}
	}
	return t
}

// growth draws the growth of the context if there is only one conversation. A column stands for a run
// of messages.
func (p *page) growth(s *survey.Stats) {
	c := s.Only()
	if c == nil || len(c.Growth) < 2 || !p.terminal() {
		return
	}
	p.blank()
	p.line(content.Faint, "context by message")
	p.line(content.Plain, sparkline(c.Growth, min(60, max(1, p.Width-2))))
	last := c.Growth[len(c.Growth)-1]
	p.line(content.Faint, fmt.Sprintf("message %s to %s, up to %s tokens", transcript.Number(c.Growth[0].Message), transcript.Number(last.Message), transcript.Number(last.Tokens)))
}

// sparkline draws points as at most width columns, whose height is up to eight eighths.
func sparkline(points []survey.Point, width int) string {
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
