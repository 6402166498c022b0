package digest

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"condense/transcript"
	"condense/transcript/fact"
)

// lines offers the lines of a block under an entry; long ones in stretches.
func (c *collection) lines(e *entry, ref transcript.Ref, b *transcript.Block) {
	for i := range b.Parts {
		p := &b.Parts[i]
		if p.Media != nil || p.Number {
			continue
		}
		var faults []Span
		if b.Kind == transcript.ToolResult {
			faults = c.s.Faults(ref, i)
		}
		mentions := c.s.Survey.Mentions(p)
		before := 0
		eachLine(p.Text, p.Head, faults, func(at, end int) {
			for len(mentions) > 0 && int(mentions[0].At) < at {
				mentions = mentions[1:]
			}
			n := 0
			for n < len(mentions) && int(mentions[n].At) < end {
				n++
			}
			for len(faults) > 0 && faults[0].End <= at {
				faults = faults[1:]
			}
			if c.offer(e, ref, p.Text[at:end], mentions[:n], b.Kind) {
				c.pieces[len(c.pieces)-1].fault = len(faults) > 0 && faults[0].Start < end
				before = c.follow(p.Text, at, before)
			}
		})
	}
}

// offer adds a line that mentions facts; one that mentions none only where it was
// said, and where it is a rule. It reports whether it did.
func (c *collection) offer(e *entry, ref transcript.Ref, line string, mentions []fact.Mention, kind transcript.Kind) bool {
	text := clean(line)
	if text == "" || text == e.about || len(mentions) == 0 && e.section != said && e.section != rules || transcript.IsMarker(text) {
		return false
	}
	p := piece{entry: c.number[e], text: text, cost: c.cost(text), close: kind == transcript.Text && e.section == said && c.closing[ref.Msg]}
	from := len(c.facts)
	for _, m := range mentions {
		c.facts = append(c.facts, m.Fact)
	}
	slices.Sort(c.facts[from:])
	c.facts = c.facts[:from+len(slices.Compact(c.facts[from:]))]
	p.facts = c.facts[from:len(c.facts):len(c.facts)]
	p.extra = c.s.Line(ref, text, p.cost)
	e.pieces = append(e.pieces, int32(len(c.pieces)))
	c.pieces = append(c.pieces, p)
	return true
}

// follow joins the last piece to the one before, which ended at byte before, if only
// blanks are between them. It returns the end of the piece.
func (c *collection) follow(text string, at, before int) (end int) {
	p := &c.pieces[len(c.pieces)-1]
	start := at + strings.Index(text[at:], p.text)
	if gap := text[before:start]; before > 0 && strings.Trim(gap, " \t") == "" {
		p.joins, p.gap = true, gap
	}
	return start + len(p.text)
}

// dataEnd ends character data of XML; dataEndQuoted is how it stands in some: one
// section ends within it, and another begins.
const (
	dataEnd       = "]]>"
	dataEndQuoted = "]]]]><![CDATA[>"
)

// clean is a line as it is quoted: without white space at its ends; "" when there
// is anything in it that is no text, or ends character data.
func clean(line string) string {
	line = strings.TrimSpace(line)
	if strings.Contains(line, dataEnd) || !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
		return ""
	}
	return line
}

// Lengths of what is quoted, in bytes. A line that is longer than a window of a
// terminal is wide is cut where a clause, or at least a word, ends.
const (
	longLine = 240
	shortest = 80 // a stretch of a long line is at least this long
)

// eachLine calls yield for every line of text from a byte on, and for the stretches
// of a long one: where it starts and ends. A stretch is no part of a span only, and
// does not go beyond one.
func eachLine(text string, from int, spans []Span, yield func(at, end int)) {
	for from < len(text) {
		end := len(text)
		if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
			end = from + n
		}
		for at := from; at < end; {
			n := stretch(text[at:end])
			for len(spans) > 0 && spans[0].End <= at {
				spans = spans[1:]
			}
			switch {
			case end-from <= longLine || len(spans) == 0:
			case spans[0].Start > at:
				n = min(n, spans[0].Start-at)
			case spans[0].End-at <= longLine:
				n = min(spans[0].End, end) - at
			}
			yield(at, at+n)
			at += n
		}
		from = end + 1
	}
}

// stretch is the length of what is quoted of a line at once.
func stretch(line string) int {
	if len(line) <= longLine {
		return len(line)
	}
	clause, word := 0, 0
	for i, r := range line[:longLine] {
		after := i + utf8.RuneLen(r)
		switch {
		case i < shortest || r == utf8.RuneError:
		case strings.ContainsRune("。！？；，", r), after < len(line) && strings.ContainsRune(".;,!?", r) && line[after] == ' ':
			clause = after
		case unicode.IsSpace(r), r >= 0x2e80 && unicode.IsLetter(r) && !unicode.IsMark(r):
			word = after
		}
	}
	switch {
	case clause > 0:
		return clause
	case word > 0:
		return word
	}
	if n := strings.IndexAny(line, " \t"); n >= 0 {
		return n + 1
	}
	return len(line)
}
