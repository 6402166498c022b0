package ui

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/charmbracelet/x/ansi"
)

// What a page shows of texts, in bytes: of all, of one change, and of one line. With
// it, a session of a thousand messages stays well below 2 MB.
const (
	htmlTexts  = 900 << 10
	htmlChange = 12 << 10
	htmlLine   = 600

	// What the markup around texts takes, about.
	htmlAroundLine = 16
	htmlAroundEdit = 300
)

// HTML writes the report as a page: what was saved where, the conversation before and
// after by message, tables by stage and kind, and what changed, folded.
func HTML(w io.Writer, r *Report) error {
	p := &htmlPage{
		Kicker: "condense " + EscapeLine(r.Condense) + " · " + strings.Join(means(r, EscapeLine), ", "),
		Figures: []htmlFigure{
			{"tokens", change(r.Tokens), saved(r.Tokens), "good"},
			{"bytes", change(r.Bytes), saved(r.Bytes), savedClass(r.Bytes)},
			{"messages", change(r.Messages), "", ""},
		},
		Timeline: "The conversation, before and after",
		Hint: "Each segment is a message that the model sees, as wide as its tokens and coloured by the kind of content " +
			"that most of them are. Both strips have one scale.",
		Footer: "condense " + EscapeLine(r.Condense) + ", format " + EscapeLine(r.Format) + ". Every number was counted on the output as it was read again.",
	}
	p.named(inputName(r, EscapeLine))
	if k := r.Retained; k != nil {
		p.Figures = append(p.Figures, htmlFigure{"facts where they belong", hundredths(k.Bound), "", ""})
	}
	if !r.Changed {
		p.Remarks = append(p.Remarks, htmlRemark{Text: unchanged(r, EscapeLine)})
	}
	limit := min(listed, len(r.Conversations))
	said := slices.Concat(outcomes(r, EscapeLine), unreached(r, limit, EscapeLine), remarks(r, EscapeLine))
	p.Remarks = append(p.Remarks, htmlRemarks(said)...)
	for i := range r.Conversations[:limit] {
		if len(r.Conversations[i].Turns) > 0 {
			p.Timelines = append(p.Timelines, reportTimeline(r, i))
		}
	}
	p.Legend = legend(func(kind string) bool {
		return slices.ContainsFunc(r.Conversations[:limit], func(c Conversation) bool {
			return slices.ContainsFunc(c.Turns, func(t Turn) bool { return t.Kind == kind && t.Tokens != Change{} })
		})
	})
	p.Tables = reportTables(r, limit)
	if err := p.changes(r); err != nil {
		return err
	}
	return p.write(w)
}

// saved is a change in percent, where there is one.
func saved(c Change) string {
	if c.Before == c.After {
		return ""
	}
	return percent(c)
}

func savedClass(c Change) string {
	if c.After > c.Before {
		return "bad"
	}
	return "good"
}

// reportTables are the tables of the report that have rows.
func reportTables(r *Report, limit int) (tables []htmlTable) {
	add := func(id, title string, t table, drawn string, bars []htmlBar) {
		if len(t.rows) > 0 {
			tables = append(tables, htmlOf(id, title, t, drawn, bars))
		}
	}
	var bars []htmlBar
	largest := 1
	for _, k := range kinds(r) {
		largest = max(largest, k.Tokens.Before)
	}
	for _, k := range kinds(r) {
		bars = append(bars, newBar(k.Tokens, largest, kindClass(k.Name)))
	}
	add("kinds", "What was saved where", kindTable(r, false, EscapeLine), "after, of before", bars)
	bars = nil
	for _, s := range stages(r) {
		bars = append(bars, newBar(Change{r.Tokens.Before, s.tokens.Before - s.tokens.After}, r.Tokens.Before, "is"))
	}
	add("stages", "Stages", stageTable(r, EscapeLine, EscapeLine), "saved, of all", bars)
	add("retained", "What is left of the facts", retainedTable(r, EscapeLine), "", nil)
	add("conversations", "Conversations", conversationTable(r, limit, EscapeLine), "", nil)
	var wrong table
	wrong.columns, wrong.head = []column{words}, []string{"fault"}
	found := faults(r, EscapeLine)
	for _, f := range found[:min(markdownRows, len(found))] {
		wrong.add(f)
	}
	add("faults", "Faults in the input, carried along", wrong, "", nil)
	return tables
}

func newBar(c Change, largest int, class string) htmlBar {
	part := func(n int) string { return fmt.Sprintf("%.2f", 100*float64(max(0, n))/float64(max(1, largest))) }
	return htmlBar{Was: part(c.Before), Is: part(c.After), Class: class}
}

// htmlChanges are the changes in one conversation.
type htmlChanges struct {
	Name     string // heading; "" where there is one conversation
	Messages []htmlMessage
}

// htmlMessage is what changed in one message.
type htmlMessage struct {
	ID, Name, What, Tokens string
	Edits                  []htmlEdit
}

type htmlEdit struct {
	Line string
	Diff []htmlDiffLine
}

// htmlDiffLine is a line of a diff: Mark is "-", "+", " ", or "" for what is not shown.
type htmlDiffLine struct{ Mark, Text string }

// changes lists what changed, message by message.
func (p *htmlPage) changes(r *Report) error {
	room, left := htmlTexts, 0
	for i := range r.Conversations {
		all := htmlChanges{}
		if len(r.Conversations) > 1 {
			all.Name = conversationName(r, i, EscapeLine)
		}
		edits := byPlace(r.Conversations[i].Edits)
		for len(edits) > 0 {
			n := 1
			for n < len(edits) && edits[n].Message == edits[0].Message {
				n++
			}
			if room >= 0 { // else what is left is only counted: differences take time
				m, err := newMessage(i, edits[:n], &room)
				if err != nil {
					return err
				}
				if room >= 0 {
					all.Messages = append(all.Messages, m)
				}
			}
			if room < 0 {
				left += n
			}
			edits = edits[n:]
		}
		if len(all.Messages) > 0 {
			p.Changes = append(p.Changes, all)
		}
	}
	p.ChangesNote = "Lines that went begin with −, lines that are new with +. Long texts are shortened in the middle; condense run --diff shows all."
	if left > 0 {
		p.ChangesNote += " To keep the page small, " + plural(left, "further change") + " are not in it."
	}
	return nil
}

// newMessage is what edits did to one message. What it takes of room is taken off it.
func newMessage(conversation int, edits []Edit, room *int) (htmlMessage, error) {
	m := htmlMessage{ID: messageID(conversation, edits[0].Message), Name: "message " + number(edits[0].Message)}
	var whats []string
	var tokens Change
	for i := range edits {
		e := &edits[i]
		tokens.Before += e.Tokens.Before
		tokens.After += e.Tokens.After
		if what := EscapeLine(clip(e.What)); !slices.Contains(whats, what) {
			whats = append(whats, what)
		}
		shown := *e
		shown.Why = strings.TrimSuffix(e.Stage+": "+clip(e.Why), ": ")
		shown.What = clip(e.What)
		one := htmlEdit{Line: editLine(&shown, EscapeLine)}
		lines, err := diffLines(e.Before, e.After)
		if err != nil {
			return m, fmt.Errorf("diff of message %d block %d: %w", e.Message, e.Block, err)
		}
		one.Diff = shortened(lines)
		for _, l := range one.Diff {
			*room -= len(l.Text) + htmlAroundLine
		}
		*room -= len(one.Line) + htmlAroundEdit
		m.Edits = append(m.Edits, one)
	}
	m.What, m.Tokens = strings.Join(whats, ", "), change(tokens)+" tokens"
	m.What = clip(m.What)
	return m, nil
}

// diffLines is the difference of two texts, line by line, with hunk heads left out:
// an empty Mark stands where lines were left out.
func diffLines(before, after string) (lines []htmlDiffLine, err error) {
	if before == after {
		return nil, nil
	}
	diff, err := lineDiff(before, after)
	if err != nil {
		return nil, err
	}
	for i, h := range diff.Hunks {
		if i > 0 {
			lines = append(lines, htmlDiffLine{"", "…"})
		}
		for _, l := range h.Lines {
			mark := " "
			switch l.Kind {
			case udiff.Delete:
				mark = "-"
			case udiff.Insert:
				mark = "+"
			}
			lines = append(lines, htmlDiffLine{mark, oneLineOf(l.Content)})
		}
	}
	return lines, nil
}

// oneLineOf is a line of a transcript, escaped and not too long.
func oneLineOf(content string) string {
	text := Escape(strings.TrimSuffix(content, "\n"))
	if len(text) <= htmlLine {
		return text
	}
	return ansi.Truncate(text, htmlLine, "…")
}

// shortened leaves out the middle of each long run of lines of one mark, and of all
// that is more than a change may take.
func shortened(lines []htmlDiffLine) (out []htmlDiffLine) {
	room := htmlChange
	for len(lines) > 0 {
		n := 1
		for n < len(lines) && lines[n].Mark == lines[0].Mark {
			n++
		}
		run := lines[:n]
		lines = lines[n:]
		if hidden := len(run) - 4*runEnds; hidden > 1 {
			rest := htmlDiffLine{"", "… " + number(hidden) + " more lines"}
			run = slices.Concat(run[:2*runEnds], []htmlDiffLine{rest}, run[len(run)-2*runEnds:])
		}
		for i, l := range run {
			if room -= len(l.Text); room < 0 {
				return append(out, htmlDiffLine{"", "… " + number(len(run)-i+len(lines)) + " more lines"})
			}
			out = append(out, l)
		}
	}
	return out
}
