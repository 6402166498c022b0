package ui

import "io"

// WriteSummary writes a summary for a person.
func WriteSummary(w io.Writer, s *Summary, o TextOptions) error {
	p := newPage(w, o)
	tokens := change(s.Tokens) + " tokens"
	if s.Tokens.Before != s.Tokens.After {
		tokens += " (" + percent(s.Tokens) + ")"
	}
	p.fold(plain, p.paint(strong, plural(s.Files, "file")+":"), p.paint(good, tokens)+",", change(s.Bytes)+" bytes,",
		plural(s.Conversations, "conversation"))
	t := table{columns: []column{words, figures, aside}, head: []string{"status", "files", ""}}
	largest := 0
	for _, x := range s.Statuses {
		largest = max(largest, x.Files)
	}
	for _, x := range s.Statuses {
		t.add(EscapeLine(x.Name), number(x.Files), p.bar(x.Files, largest))
	}
	p.table(t)
	return p.Flush()
}

// barWidth is the width of a terminal from which tables have room for bars.
const barWidth = 60

// bar draws a number on the scale of the largest, on a terminal with room for it.
func (p *page) bar(n, largest int) string {
	if p.Width < barWidth {
		return ""
	}
	return bar(Change{n, n}, largest)
}
