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

// skippedRemark says how many files in folders are no conversations; nothing where there are none.
func skippedRemark(s *Stats) []remark {
	if len(s.Skipped) == 0 {
		return nil
	}
	return []remark{{faint, plural(len(s.Skipped), "file") + " in the folders skipped: no conversations (-v lists them)"}}
}

// skipped lists the files in folders that are no conversations.
func (p *page) skipped(s *Stats) {
	for _, x := range s.Skipped {
		p.sentence(faint, "skipped "+EscapeLine(x.Input)+": "+EscapeLine(x.Why))
	}
}

// statsRemarks are what else there is to know, a sentence each.
func statsRemarks(s *Stats, esc escaper) []remark {
	var out []remark
	say := func(format string, args ...any) { out = append(out, remark{plain, fmt.Sprintf(format, args...)}) }
	b := s.Bytes
	if b.File > 0 {
		text := fmt.Sprintf("of the bytes, %s are text that the model sees, %s are no content (keys, ids, escapes, copies)",
			share(b.Text, b.File), share(b.Rest, b.File))
		for _, also := range []struct {
			n    int
			name string
		}{{b.Hidden, "hidden text"}, {b.Media, "media"}, {b.Sealed, "signatures and sealed thinking"}} {
			if also.n > 0 {
				text += ", " + share(also.n, b.File) + " " + also.name
			}
		}
		say("%s", text)
	}
	if s.Repeated.Tokens > 0 {
		say("repeated: dedupe would save %s tokens (%s) in %s", number(s.Repeated.Tokens), share(s.Repeated.Tokens, s.Tokens), plural(s.Repeated.Blocks, "place"))
	}
	if n, blocks := pilesSum(s.Stale); n > 0 {
		say("overtaken: %s tokens (%s) in %s of reads; the same was read again later, or the file was changed", number(n), share(n, s.Tokens), plural(blocks, "result"))
	}
	say("framing of messages and calls comes to %s tokens more (an estimate)", number(s.Framing))
	if unlike := Unlike(s.ways()); unlike != "" {
		out = append(out, remark{warn, unlike})
	} else {
		out = append(out, counting(&Report{Tokenizer: s.Tokenizer}, esc)...)
	}
	if c := s.only(); c != nil && c.Usage.Measured > 0 {
		say("the provider counted %s tokens for the last request; the messages in it count %s here", number(c.Usage.Measured), number(c.Usage.Counted))
	}
	out = append(out, skippedRemark(s)...)
	return out
}

// only is the conversation, if there is one alone.
func (s *Stats) only() *ConversationStats {
	if len(s.Files) == 1 && len(s.Files[0].Conversations) == 1 {
		return &s.Files[0].Conversations[0]
	}
	return nil
}

func pilesSum(piles []Pile) (tokens, blocks int) {
	for _, p := range piles {
		tokens, blocks = tokens+p.Tokens, blocks+p.Blocks
	}
	return tokens, blocks
}

// share is a part of something in percent: "58.2 %". A part is never "0.0 %", and
// all is never said of less.
func share(part, of int) string {
	if of == 0 {
		return "0 %"
	}
	tenths := math.Round(1000 * float64(part) / float64(of))
	if part > 0 && tenths == 0 {
		return "<0.1 %"
	}
	if part < of {
		tenths = min(tenths, 999)
	}
	return fmt.Sprintf("%.1f %%", tenths/10)
}

func tokenizerName(t *Tokenizer) string {
	r := Report{Tokenizer: *t}
	return means(&r, EscapeLine)[1]
}

// fileTable has a row for each of several files.
func fileTable(s *Stats, rows int, esc escaper) table {
	t := table{
		columns: []column{words, figures, figures, figures, figures, aside},
		head:    []string{"file", "tokens", "messages", "bytes", "no content", ""},
	}
	if len(s.Files) < 2 {
		return t
	}
	for i, f := range s.Files {
		if i == rows {
			t.add("… and "+number(len(s.Files)-rows)+" more", "", "", "", "", "")
			break
		}
		what := esc(f.Format)
		if f.Tokenizer != nil {
			what += ", " + tokenizerName(f.Tokenizer)
		}
		t.add(esc(f.Input), number(f.Tokens), number(f.Messages), number(f.Bytes.File), share(f.Bytes.Rest, f.Bytes.File), what)
	}
	return t
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

// pileTable has a row for each of the first piles, and one for the rest.
func pileTable(title string, piles []Pile, total, rows int, esc escaper) table {
	t := table{
		columns: []column{words, figures, figures, figures, aside},
		head:    []string{title, "tokens", "share", "blocks", ""},
	}
	shown := min(rows, len(piles))
	for _, x := range piles[:shown] {
		t.add(esc(x.Name), number(x.Tokens), share(x.Tokens, total), number(x.Blocks), "")
	}
	if rest := piles[shown:]; len(rest) > 0 {
		tokens, blocks := pilesSum(rest)
		t.add("… and "+number(len(rest))+" more", number(tokens), share(tokens, total), number(blocks), "")
	}
	return t
}

// largestTable has a row for each of the largest blocks.
func largestTable(s *Stats, esc escaper) table {
	t := table{
		columns: []column{words, figures, figures, words},
		head:    []string{"largest", "block", "tokens", "what"},
	}
	for _, x := range s.Largest {
		where := "message " + number(x.Message)
		if len(s.Files) > 1 {
			where = esc(x.Input) + " " + where
		} else if s.only() == nil {
			where = "conversation " + number(x.Conversation) + " " + where
		}
		t.add(where, number(x.Block), number(x.Tokens), esc(x.What))
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
