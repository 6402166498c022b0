package ui

import (
	"fmt"
	"io"

	"condense/cmd/report"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
)

// writeSummary writes a summary for a person.
func writeSummary(w io.Writer, s *report.Summary, o Options) error {
	p := newPage(w, o)
	tokens := content.Change(s.Tokens) + " tokens"
	if s.Tokens.Before != s.Tokens.After {
		tokens += " (" + content.Percent(s.Tokens) + ")"
	}
	p.fold(content.Plain, p.paint(content.Strong, content.Plural(s.Files, "file")+":"), p.paint(content.Good, tokens)+",", content.Change(s.Bytes)+" bytes,",
		content.Plural(s.Conversations, "conversation"))
	t := content.Table{Columns: []content.ColumnKind{content.Words, content.Figures, content.Aside}, Head: []string{"status", "files", ""}}
	largest := 0
	for _, x := range s.Statuses {
		largest = max(largest, x.Files)
	}
	for _, x := range s.Statuses {
		t.Add(escape.Line(x.Name), content.Number(x.Files), p.bar(x.Files, largest))
	}
	p.table(t)
	return p.Flush()
}

// writeBatch writes the sums of a batch for a person.
func writeBatch(w io.Writer, b *report.Batch, o Options) error { return writeSummary(w, b.Sum, o) }

// writeVersion writes the version of a build for a person.
func writeVersion(w io.Writer, v report.Version, _ Options) error {
	_, err := fmt.Fprintln(w, "condense", v.Version)
	return err
}

// barWidth is the width of a terminal from which tables have room for bars.
const barWidth = 60

// bar draws a number on the scale of the largest, on a terminal with room for it.
func (p *page) bar(n, largest int) string {
	if p.Width < barWidth {
		return ""
	}
	return content.Bar(report.Change{Before: n, After: n}, largest)
}
