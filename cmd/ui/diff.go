package ui

import (
	"fmt"
	"io"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

const (
	contextLines = 3 // unchanged lines around a change
	runEnds      = 5 // lines shown at each end of a long run on a terminal
)

// Diff writes what changed, by message and block: a line that names each edit and its reason,
// then the hunks of a unified diff. A report without edits writes nothing.
//
// On a terminal, long runs of deleted or inserted lines are shortened in the middle. Every line
// of transcript text begins with "-", "+" or a space, so that none can pass for a line of ours.
func Diff(w io.Writer, r *Report, o TextOptions) error {
	p := newPage(w, o)
	for i := range r.Conversations {
		edits := byPlace(r.Conversations[i].Edits)
		if len(edits) > 0 && len(r.Conversations) > 1 {
			p.blank()
			p.sentence(strong, "conversation "+conversationName(r, i, EscapeLine))
		}
		for _, e := range edits {
			p.blank()
			p.sentence(strong, editLine(&e, EscapeLine))
			if err := p.hunks(e.Before, e.After); err != nil {
				return fmt.Errorf("diff of message %d block %d: %w", e.Message, e.Block, err)
			}
		}
	}
	return p.Flush()
}

// hunks writes the difference of two texts.
func (p *page) hunks(before, after string) error {
	if before == after {
		return nil // media, or whatever has no text
	}
	// Blocks rarely end in a line feed. Without this, every last line would differ from its like.
	from, to := ended(before), ended(after)
	diff, err := udiff.ToUnifiedDiff("", "", from, udiff.Lines(from, to), contextLines)
	if err != nil {
		return err
	}
	if len(diff.Hunks) == 0 {
		p.line(faint, "  (only the line feed at the end)")
	}
	// By how many lines the text after is ahead. (The ToLine of a hunk does not count the lines
	// between two changes in the hunk before.)
	shift := 0
	for _, h := range diff.Hunks {
		deleted, inserted := count(h.Lines)
		p.line(faint, fmt.Sprintf("@@ -%s +%s @@",
			span(h.FromLine, len(h.Lines)-inserted), span(h.FromLine+shift, len(h.Lines)-deleted)))
		p.hunk(h.Lines)
		shift += inserted - deleted
	}
	return nil
}

// ended is text with a line feed at its end, unless it is empty.
func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// count gives the numbers of deleted and of inserted lines.
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

// span is a range of lines as a hunk header has it: the line before it if it is empty.
func span(first, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", first-1)
	case 1:
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d,%d", first, n)
}

// hunk writes lines, run by run of the same kind.
func (p *page) hunk(lines []udiff.Line) {
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n].Kind == lines[0].Kind {
			n++
		}
		p.run(lines[:n])
		lines = lines[n:]
	}
}

// run writes lines of one kind, on a terminal only the ends of a long run.
func (p *page) run(lines []udiff.Line) {
	hidden := len(lines) - 2*runEnds
	for i, l := range lines {
		switch {
		case !p.terminal() || hidden <= 1 || i < runEnds || i >= runEnds+hidden:
			p.diffLine(l)
		case i == runEnds:
			p.line(faint, "… "+number(hidden)+" more lines")
		}
	}
}

// diffLine writes one line of a transcript.
func (p *page) diffLine(l udiff.Line) {
	text := Escape(strings.TrimSuffix(l.Content, "\n"))
	if p.terminal() {
		text = strings.ReplaceAll(text, "\t", "    ") // a tab has no width that could be cut
	}
	switch l.Kind {
	case udiff.Delete:
		p.line(bad, "-"+text)
	case udiff.Insert:
		p.line(good, "+"+text)
	default:
		p.line(plain, " "+text)
	}
}
