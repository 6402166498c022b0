package html

import (
	"io"
	"math"
	"slices"
	"strconv"

	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
	"condense/transcript"
)

// htmlRows limits the rows of a list.
const htmlRows = 30

// Stats writes statistics as a page.
func Stats(w io.Writer, s *survey.Stats, o content.Options) error {
	p := &htmlPage{
		Kicker: "condense " + escape.Line(s.Condense) + " · " + content.TokenizerNames(s.Tokenizers()),
		Title:  transcript.Plural(len(s.Files), "file"),
		Figures: []htmlFigure{
			{"tokens", transcript.Number(s.Tokens), "", ""}, {"messages", transcript.Number(s.Messages), "", ""},
			{"bytes", transcript.Number(s.Bytes.File), "", ""}, {"no content", content.Share(s.Bytes.Rest, s.Bytes.File), "of the bytes", ""},
		},
		Remarks:  htmlRemarks(content.StatsRemarks(s, escape.Line)),
		Timeline: "Growth of the context",
		Hint: "Each segment is a message, coloured by the kind of content with most of its tokens. The curve is the sum. " +
			"A dashed line is the provider's count of the requests, which includes content outside the file.",
		Footer: "condense " + escape.Line(s.Condense) + ".",
	}
	if len(s.Files) == 1 {
		p.named(content.InputName(&report.Report{Input: s.Files[0].Input}, escape.Line))
	}
	var grown []survey.ConversationStats
	for _, f := range s.Files {
		for i, c := range f.Conversations {
			if len(grown) == content.Listed || len(c.Growth) < 2 {
				continue
			}
			name := ""
			if s.Only() == nil {
				name = escape.Line(f.Input) + ", conversation " + strconv.Itoa(i+1)
			}
			grown = append(grown, c)
			p.Timelines = append(p.Timelines, growthTimeline(&c, name))
		}
	}
	p.Legend = legend(func(kind string) bool {
		return slices.ContainsFunc(grown, func(c survey.ConversationStats) bool {
			before := 0
			return slices.ContainsFunc(c.Growth, func(p survey.Point) bool {
				grew := p.Tokens > before
				before = p.Tokens
				return grew && p.Kind == kind
			})
		})
	})
	p.statsTables(s)
	return p.write(w, o)
}

func (p *htmlPage) statsTables(s *survey.Stats) {
	for _, t := range []struct {
		id, title, column string
		groups            []survey.Group
		rows              int
		note              string
	}{
		{"kinds", "By kind of content", "kind", s.Kinds, math.MaxInt, ""},
		{"roles", "By role", "role", s.Roles, math.MaxInt, "APIs send tool results in messages of the user or of a role of their own."},
		{"ages", "By age", "age", s.Ages, math.MaxInt, "A unit is a prompt, an answer, or a tool round; counted from the end."},
		{"tools", "By tool", "tool", s.Tools, htmlRows, "Calls and results."},
		{"paths", "By path", "path", s.Paths, htmlRows, "The first path that a call names; call and result."},
		{"stale", "Outdated reads", "file", s.Stale, htmlRows, "The file was read again or changed later."},
	} {
		if len(t.groups) == 0 {
			continue
		}
		var bars []htmlBar
		for _, x := range t.groups[:min(t.rows, len(t.groups))] {
			class := "is"
			if t.id == "kinds" {
				class = kindClass(x.Name)
			}
			bars = append(bars, newBar(report.Change{Before: s.Tokens, After: x.Tokens}, s.Tokens, class))
		}
		one := htmlOf(t.id, t.title, content.GroupTable(t.column, t.groups, s.Tokens, t.rows, escape.Line), "of all", bars)
		one.Note = t.note
		p.Tables = append(p.Tables, one)
	}
	if t := content.LargestTable(s, escape.Line); len(t.Rows) > 0 {
		p.Tables = append(p.Tables, htmlOf("largest", "Largest blocks", t, "", nil))
	}
	if t := content.FileTable(s, 10*htmlRows, escape.Line); len(t.Rows) > 0 {
		p.Tables = append(p.Tables, htmlOf("files", "Files", t, "", nil))
	}
}
