package squeeze

import (
	"slices"
	"strings"
)

// Paragraphs cuts the text of a model into sentences, items of lists and whole blocks of code. It never
// cuts inside a sentence, and no fence is a piece of its own. The result starts holds the indices of the
// pieces with which paragraphs begin. Blank lines separate paragraphs; a block of code or a list belongs
// to the paragraph of the line that announces it. A piece stands under the heading of its section, so that
// nobody reads it as a part of the section before.
func Paragraphs(source string) (t *Text, starts []int) { return paragraphsOf(source, false) }

// Thoughts is [Paragraphs] for thinking, of which a reader needs no fences: it cuts blocks of code into lines.
// A blank line, or a line that is not deeper than the first one of its group, begins a group of lines.
func Thoughts(source string) (t *Text, starts []int) { return paragraphsOf(source, true) }

// paragraphsOf is Paragraphs, or Thoughts if it cuts blocks of code.
func paragraphsOf(source string, cutsCode bool) (t *Text, starts []int) {
	t = &Text{Kind: Prose, spoken: true, Source: source, marked: strings.Contains(source, omitted)}
	p := paragraphs{t: t, begins: true, section: None}
	for at := 0; at < len(source); {
		end := t.lineEnd(at)
		switch text := strings.TrimSpace(source[at:end]); {
		case text == "" && len(t.Pieces) > 0:
			t.Pieces[len(t.Pieces)-1].End = int32(end)
			p.begins, p.wraps = !p.announces, false
		case fence(text) != "":
			first := end
			if end = fenceEnd(t, end, fence(text)); cutsCode {
				p.code(at, first, end)
			} else {
				p.add(at, end, fenced(""))
			}
			p.begins, p.wraps = true, false
		case p.tag(at, end, text):
			p.wraps = false
		default:
			p.line(at, end, text)
			p.wraps = t.wraps(source[at:end], text)
		}
		at = end
	}
	t.PairTags()
	return t, p.starts
}

// paragraphs is the state of cutting a text.
type paragraphs struct {
	t         *Text
	starts    []int
	begins    bool  // the next piece begins a paragraph
	announces bool  // the last line ends in a colon
	wraps     bool  // the last line ends at the margin
	section   int32 // the last heading, or None
}

// tag adds a line that is only a tag, such as the <thinking> of a model that reasons in its text, and
// reports whether it is one.
func (p *paragraphs) tag(start, end int, text string) bool {
	name, _ := tagOf(text)
	if name != "" {
		p.add(start, end, none)
	}
	return name != ""
}

// PairTags finds the elements of a text: the pieces that are only a start tag, and those that are only its
// end tag. Render keeps both tags of an element or neither. Paragraphs has called it.
func (t *Text) PairTags() {
	if t.special != nil {
		t.special.elements = nil
	}
	var open []int32 // start tags without an end tag so far
	for i := range t.Pieces {
		name, closes := tagOf(t.trimmed(i))
		switch {
		case name == "":
		case !closes:
			open = append(open, int32(i))
		default:
			for k, start := range slices.Backward(open) {
				if other, _ := tagOf(t.trimmed(int(start))); other == name {
					pairs := t.specials()
					pairs.elements = append(pairs.elements, [2]int32{start, int32(i)})
					open = open[:k]
					break
				}
			}
		}
	}
}

// trimmed returns a piece without the white space around it.
func (t *Text) trimmed(i int) string {
	return strings.TrimSpace(t.Source[t.Pieces[i].Start:t.Pieces[i].End])
}

// tagOf returns the name of the element if a text is only a tag without attributes, and reports whether
// that is an end tag.
func tagOf(text string) (name string, closes bool) {
	if len(text) < len("<a>") || text[0] != '<' || text[len(text)-1] != '>' {
		return "", false
	}
	name, closes = strings.CutPrefix(text[1:len(text)-1], "/")
	if !isTagName(name) {
		return "", false
	}
	return name, closes
}

// isTagName reports whether a text is the name of an element.
func isTagName(name string) bool {
	for i := range len(name) {
		if c := name[i]; !letter(c) && c != '_' && (i == 0 || !digit(c) && c != '-') {
			return false
		}
	}
	return name != ""
}

// add adds a piece.
func (p *paragraphs) add(start, end int, cue float32) {
	if p.begins {
		p.starts = append(p.starts, len(p.t.Pieces))
		p.begins = false
	}
	p.t.Pieces = append(p.t.Pieces, Piece{Start: int32(start), End: int32(end), Cue: cue, Under: p.section, Like: None})
	p.announces = false
}

// code adds the lines of a block of code in [at, end), of which the first begins at an offset. The fences belong to the
// first and the last line.
func (p *paragraphs) code(at, first, end int) {
	body := p.t.Source[first:end]
	if last := strings.LastIndexByte(strings.TrimRight(body, " \t\r\n"), '\n') + 1; fence(strings.TrimSpace(body[last:])) != "" {
		body = body[:last]
	}
	if body = strings.TrimRight(body, " \t\r\n"); body == "" {
		p.add(at, end, none)
		return
	}
	depth, deep, blank := -1, false, false // of the group; -1 in front of the first line
	for line := range strings.Lines(body) {
		first += len(line)
		bare := strings.TrimSpace(line)
		if bare == "" {
			blank = true
			continue
		}
		indent := indentation(line)
		if blank || deep && indent <= depth && strings.IndexByte(")]}<", bare[0]) < 0 {
			p.begins = true
		}
		if p.begins || depth < 0 {
			depth, deep = indent, false
		}
		deep, blank = deep || indent > depth, false
		p.add(at, first, fenced(bare))
		at = first
	}
	p.t.Pieces[len(p.t.Pieces)-1].End = int32(end)
}

// line adds the sentences of a line. A heading belongs to what follows it.
func (p *paragraphs) line(start, end int, text string) {
	if n, _ := readMark(p.t.Source[start:end]); n > 0 && p.t.marked {
		p.begins = true
		p.add(start, end, none)
		p.t.mark(len(p.t.Pieces) - 1)
		p.begins = true
		return
	}
	if strings.HasPrefix(strings.TrimLeft(text, "#"), " ") && text[0] == '#' {
		p.section = None
		defer func() { p.section = int32(len(p.t.Pieces)) - 1 }()
	}
	cue := proseCue(text)
	if p.wraps && p.t.continues(start, text) {
		from := start
		if start = end; !listed(p.lastPiece()) {
			if n := ends(p.t.Source[from:end]); n > 0 {
				start = from + n
			}
		}
		p.t.extend(start, cue)
		p.announces = announces(text)
		if start == end {
			return
		}
		cue = sentenceCue(p.t.Source[start:end])
	}
	for long := end-start > cutFrom && !listed(text); long; { // all of it, so that what is left is cut no finer
		marked := 0 // a marker in front does not make a sentence longer
		if from, to, _ := findMark(p.t.Source[start:end]); from == 0 {
			marked = to
		}
		n := sentence(p.t.Source[start+marked : end])
		if n > 0 {
			n += marked
		}
		if n == 0 || strings.TrimSpace(p.t.Source[start+n:end]) == "" {
			break
		}
		p.add(start, start+n, cue)
		start += n
		cue = sentenceCue(p.t.Source[start:end])
	}
	p.add(start, end, cue)
	p.announces = announces(text)
}

// announces reports whether a line is a heading, or ends like one that announces what follows.
func announces(text string) bool {
	last := strings.TrimRight(text, "*_")
	return strings.HasSuffix(last, ":") || strings.HasPrefix(text, "#") || strings.HasSuffix(last, "：")
}

// lastPiece returns the text of the last piece.
func (p *paragraphs) lastPiece() string {
	last := p.t.Pieces[len(p.t.Pieces)-1]
	return strings.TrimSpace(p.t.Source[last.Start:last.End])
}

// ends returns the end of the sentence that a line continues, with the space after it; 0 when it
// does not end in the line.
func ends(line string) int {
	for i := 2; i < len(line); i++ {
		if line[i-1] == ' ' && strings.IndexByte(".!?", line[i-2]) >= 0 && !('a' <= line[i] && line[i] <= 'z') {
			return i
		}
	}
	return 0
}

// listed reports whether a line is an item of a list, a row of a table or a quotation: such
// a line stays in one piece.
func listed(text string) bool {
	rest := strings.TrimLeft(text, "0123456789")
	if rest != text && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
		return true
	}
	return hasAny(text, "- ", "* ", "+ ", "• ", "|", "> ", "#")
}

// fence returns the marks that begin a block of code, or "".
func fence(text string) string {
	if hasAny(text, "```", "~~~") {
		n := len(text) - len(strings.TrimLeft(text, text[:1]))
		return text[:n]
	}
	return ""
}

// fenceEnd returns the end of the block of code whose first line ends at an offset.
func fenceEnd(t *Text, at int, marks string) int {
	for at < len(t.Source) {
		end := t.lineEnd(at)
		text := strings.TrimSpace(t.Source[at:end])
		at = end
		if strings.HasPrefix(text, marks) && strings.Trim(text, marks[:1]) == "" {
			break
		}
	}
	return at
}
