package ui

import (
	"io"
	"math"
	"slices"
	"strconv"
)

// htmlRows is how many rows a list has on a page.
const htmlRows = 30

// StatsHTML writes where the tokens are as a page.
func StatsHTML(w io.Writer, s *Stats) error {
	p := &htmlPage{
		Kicker: "condense " + EscapeLine(s.Condense) + " · " + waysName(s.ways()),
		Title:  plural(len(s.Files), "file"),
		Figures: []htmlFigure{
			{"tokens", number(s.Tokens), "", ""}, {"messages", number(s.Messages), "", ""},
			{"bytes", number(s.Bytes.File), "", ""}, {"no content", share(s.Bytes.Rest, s.Bytes.File), "of the bytes", ""},
		},
		Remarks:  htmlRemarks(statsRemarks(s, EscapeLine)),
		Timeline: "How the context grew",
		Hint: "Each segment is a message, coloured by the kind of content that most of its tokens are. The curve is the sum; " +
			"the dashed line, where there is one, is what the provider counted for the request, with what the file does not hold.",
		Footer: "condense " + EscapeLine(s.Condense) + ".",
	}
	if len(s.Files) == 1 {
		p.named(inputName(&Report{Input: s.Files[0].Input}, EscapeLine))
	}
	var grown []ConversationStats
	for _, f := range s.Files {
		for i, c := range f.Conversations {
			if len(grown) == listed || len(c.Growth) < 2 {
				continue
			}
			name := ""
			if s.only() == nil {
				name = EscapeLine(f.Input) + ", conversation " + strconv.Itoa(i+1)
			}
			grown = append(grown, c)
			p.Timelines = append(p.Timelines, growthTimeline(&c, name))
		}
	}
	p.Legend = legend(func(kind string) bool {
		return slices.ContainsFunc(grown, func(c ConversationStats) bool {
			before := 0
			return slices.ContainsFunc(c.Growth, func(p Point) bool {
				grew := p.Tokens > before
				before = p.Tokens
				return grew && p.Kind == kind
			})
		})
	})
	p.statsTables(s)
	return p.write(w)
}

func (p *htmlPage) statsTables(s *Stats) {
	for _, t := range []struct {
		id, title, column string
		piles             []Pile
		rows              int
		note              string
	}{
		{"kinds", "By kind of content", "kind", s.Kinds, math.MaxInt, ""},
		{"roles", "By role", "role", s.Roles, math.MaxInt, "APIs send tool results in messages of the user or of a role of their own."},
		{"ages", "By age", "age", s.Ages, math.MaxInt, "A unit is a prompt, an answer, or a tool round; counted from the end."},
		{"tools", "By tool", "tool", s.Tools, htmlRows, "Calls and results."},
		{"paths", "By path", "path", s.Paths, htmlRows, "The first path that a call names; call and result."},
		{"stale", "Overtaken reads", "file", s.Stale, htmlRows, "The same was read again later, or the file was changed."},
	} {
		if len(t.piles) == 0 {
			continue
		}
		largest := 0
		for _, x := range t.piles {
			largest = max(largest, x.Tokens)
		}
		var bars []htmlBar
		for _, x := range t.piles[:min(t.rows, len(t.piles))] {
			class := "is"
			if t.id == "kinds" {
				class = kindClass(x.Name)
			}
			bars = append(bars, newBar(Change{0, x.Tokens}, largest, class))
		}
		one := htmlOf(t.id, t.title, pileTable(t.column, t.piles, s.Tokens, t.rows, EscapeLine), "compared", bars)
		one.Note = t.note
		p.Tables = append(p.Tables, one)
	}
	if t := largestTable(s, EscapeLine); len(t.rows) > 0 {
		p.Tables = append(p.Tables, htmlOf("largest", "Largest blocks", t, "", nil))
	}
	if t := fileTable(s, 10*htmlRows, EscapeLine); len(t.rows) > 0 {
		p.Tables = append(p.Tables, htmlOf("files", "Files", t, "", nil))
	}
}
