package ui

import (
	"fmt"
	"io"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"condense/cmd/report"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
	"condense/transcript"
)

// Diff writes the edits of a report by message and block: a line with each edit and its reason, then
// the hunks of a unified diff. It writes nothing for a report without edits.
//
// On a terminal, long runs of deleted or inserted lines are shortened in the middle. Every line
// of transcript text begins with "-", "+" or a space, so that none
// can pass for a line of the report.
func Diff(w io.Writer, r *report.Report, o Options) error {
	p := newPage(w, o)
	for i := range r.Conversations {
		title := ""
		if len(r.Conversations) > 1 {
			title = "conversation " + content.ConversationName(r, i, escape.Line)
		}
		if err := p.changes(title, report.ByPlace(r.Conversations[i].Edits)); err != nil {
			return err
		}
	}
	return p.Flush()
}

// changes writes edits with their texts, below a title unless that is "" or there are none.
func (p *page) changes(title string, edits []report.Edit) error {
	if title != "" && len(edits) > 0 {
		p.blank()
		p.sentence(content.Strong, title)
	}
	for _, e := range edits {
		p.blank()
		p.sentence(content.Strong, content.EditLine(&e, escape.Line))
		if err := p.hunks(e.Before, e.After); err != nil {
			return fmt.Errorf("diff of message %d block %d: %w", e.Message, e.Block, err)
		}
	}
	return nil
}

// hunks writes the difference of two texts.
func (p *page) hunks(before, after string) error {
	if before == after {
		return nil // media, or other blocks without text
	}
	diff, err := content.Diff(before, after)
	if err != nil {
		return err
	}
	if len(diff.Hunks) == 0 {
		p.line(content.Faint, "  (only the line feed at the end)")
	}
	// shift is the number of lines by which the text after is ahead. The ToLine of a hunk cannot serve
	// here: it does not count the lines between two changes in the hunk before.
	shift := 0
	for _, h := range diff.Hunks {
		deleted, inserted := count(h.Lines)
		p.line(content.Faint, fmt.Sprintf("@@ -%s +%s @@",
			span(h.FromLine, len(h.Lines)-inserted), span(h.FromLine+shift, len(h.Lines)-deleted)))
		p.hunk(h.Lines)
		shift += inserted - deleted
	}
	return nil
}

// count returns the numbers of deleted and of inserted lines.
func count(lines []udiff.Line) (deleted, inserted int) {
	for _, l := range lines {
		switch l.Kind {
		case udiff.Delete:
			deleted++
		case udiff.Insert:
			inserted++
		}
	}
	return deleted, inserted
}

// span returns a range of lines in the notation of a hunk header. An empty range is written as the
// line before it.
func span(first, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", first-1)
	case 1:
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d,%d", first, n)
}

// hunk writes lines in runs of the same kind. If a run of inserted lines follows a run of equally
// many deleted lines, the two are compared word by word.
func (p *page) hunk(lines []udiff.Line) {
	var deleted []udiff.Line // the run before
	for len(lines) > 0 {
		n := sameKind(lines)
		partners := deleted
		if deleted = nil; lines[0].Kind == udiff.Delete {
			deleted = lines[:n]
			if next := lines[n:]; len(next) > 0 {
				partners = next[:sameKind(next)]
			}
		}
		if len(partners) != n || lines[0].Kind == udiff.Equal || partners[0].Kind == udiff.Equal {
			partners = nil
		}
		p.run(lines[:n], partners)
		lines = lines[n:]
	}
}

// sameKind counts the lines of the first run.
func sameKind(lines []udiff.Line) int {
	n := 1
	for n < len(lines) && lines[n].Kind == lines[0].Kind {
		n++
	}
	return n
}

// run writes lines of one kind; on a terminal, it writes only the ends of a long run. The partners
// are the lines of the other side to compare with, or nil.
func (p *page) run(lines, partners []udiff.Line) {
	hidden := len(lines) - 2*content.RunEnds
	for i, l := range lines {
		switch {
		case !p.terminal() || hidden <= 1 || i < content.RunEnds || i >= content.RunEnds+hidden:
			partner := ""
			if partners != nil {
				partner = p.shown(partners[i])
			}
			p.diffLine(l, partner)
		case i == content.RunEnds:
			p.line(content.Faint, "… "+transcript.Number(hidden)+" more lines")
		}
	}
}

// shown returns a line of a transcript as the page shows it.
func (p *page) shown(l udiff.Line) string {
	text := escape.Text(strings.TrimSuffix(l.Content, "\n"))
	if p.terminal() {
		text = strings.ReplaceAll(text, "\t", "    ") // a tab has no width of its own
	}
	return text
}

// diffSign returns the sign in front of a line of a diff.
func diffSign(k udiff.OpKind) string {
	switch k {
	case udiff.Delete:
		return "-"
	case udiff.Insert:
		return "+"
	}
	return " "
}

// diffLine writes one line of a transcript. With colour, the words that are not in its partner stand
// out.
func (p *page) diffLine(l udiff.Line, partner string) {
	text := p.shown(l)
	switch l.Kind {
	case udiff.Delete:
		p.marked(content.Bad, "-", text, partner)
	case udiff.Insert:
		p.marked(content.Good, "+", text, partner)
	default:
		p.line(content.Plain, " "+text)
	}
}
