package squeeze

import (
	"strings"
	"unicode/utf8"
)

// cutProse cuts documents and messages by line, and long paragraphs by sentence. Lines that were
// broken at the margin are one piece.
func (t *Text) cutProse(h Hint) {
	t.findGutter(h)
	fence, wraps := "", false
	t.each(func(start, end int) {
		line := t.Source[start:end]
		if t.gutter() != "" {
			line = line[gutterLen(line, t.gutter()):]
		}
		text := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
			t.add(start, end, fenced(text), None)
		case hasAny(text, "```", "~~~"):
			fence = text[:3]
			t.add(start, end, none, None)
		case len(line) > longLine:
			t.sentences(start, end, proseCue(text))
		case wraps && t.continues(start, text):
			t.extend(end, sentenceCue(text))
		default:
			t.add(start, end, proseCue(text), None)
		}
		wraps = fence == "" && t.wraps(line, text)
	})
}

// The limits of lines that end at a margin, in bytes: editors break them after 60 to 120 columns.
const (
	leastWrapped   = 50
	mostWrapped    = 125
	longestWrapped = 600 // of all lines of a piece
)

// wraps reports whether a line of a document ends at the margin, and not where a sentence ends.
func (t *Text) wraps(line, text string) bool {
	return text != "" && len(line) >= leastWrapped && len(line) <= mostWrapped && text[0] != '#' && text[0] != '|' && !strings.HasPrefix(text, "<") &&
		!strings.ContainsAny(text[len(text)-1:], ".:!?;|{}>") && !(t.marked && strings.Contains(line, omitted))
}

// continues reports whether a line continues the last piece, whose last line ends at the margin.
func (t *Text) continues(start int, text string) bool {
	last := t.Pieces[len(t.Pieces)-1]
	return int(last.End) == start && start-int(last.Start) < longestWrapped && !strings.HasSuffix(t.Source[:start], "\n\n") &&
		text != "" && !listed(text) && fence(text) == "" && !(t.marked && strings.Contains(text, omitted))
}

// extend adds bytes up to end to the last piece.
func (t *Text) extend(end int, cue float32) {
	p := &t.Pieces[len(t.Pieces)-1]
	p.End, p.Cue = int32(end), max(p.Cue, cue)
}

// longLine is the length in bytes from which a line of a document is cut into sentences. A shorter one
// is a turn of a talk or a short paragraph: part of it would lack the speaker or the subject.
const longLine = 450

// fenced returns the cue of a line of code within prose.
func fenced(text string) float32 {
	cue, _ := declaration(text, 0)
	return max(cue/2, wordCue(text)/2)
}

// sentences makes pieces of the sentences of a paragraph.
func (t *Text) sentences(start, end int, cue float32) {
	if t.marked && strings.Contains(t.Source[start:end], omitted) {
		t.add(start, end, cue, None)
		return
	}
	for end-start > cutAfter {
		s := t.Source[start:end]
		n := sentence(s[:min(longest, len(s))])
		if n == 0 || strings.TrimSpace(s[n:]) == "" {
			break
		}
		t.piece(start, start+n, cue, None)
		start += n
		cue = sentenceCue(t.Source[start:end])
	}
	t.add(start, end, cue, None)
}

// sentence returns the end of the first sentence of s that is long enough for a piece,
// with the space after it; 0 when none ends in s.
func sentence(s string) int {
	for i := cutFrom; i < len(s); i++ {
		switch c := s[i-1]; {
		case c == ' ' && (s[i-2] == '.' || s[i-2] == '!' || s[i-2] == '?' || s[i-2] == ';') && (s[i] < utf8.RuneSelf && !('a' <= s[i] && s[i] <= 'z')):
			return i
		case c == 0x82 && s[i-2] == 0x80 && s[i-3] == 0xE3, // 。
			(c == 0x81 || c == 0x9F) && s[i-2] == 0xBC && s[i-3] == 0xEF: // ！ ？
			if n := boundary(s, i); n == i {
				return i
			}
		}
	}
	return 0
}

// proseCue returns the cue of a line of prose, by its form.
func proseCue(text string) float32 {
	switch {
	case text == "":
		return none
	case text[0] == '#' && strings.TrimLeft(text, "#") != text && strings.HasPrefix(strings.TrimLeft(text, "#"), " "),
		hasAny(text, "- [ ]", "* [ ]"): // still open
		return outline
	case strings.HasPrefix(text, "**") && strings.Contains(text[2:], "**"),
		strings.HasSuffix(text, ":") && len(text) < cutFrom, hasAny(text, "<h", "> **"):
		return context
	case strings.HasSuffix(text, "?"), strings.HasSuffix(text, "？"):
		return context
	}
	return sentenceCue(text)
}

// sentenceCue returns the cue of a sentence. It is at most that of a warning: a
// sentence about a failure is not the message of one.
func sentenceCue(text string) float32 {
	if len(text) > cutAfter {
		text = text[:cutAfter]
	}
	return min(wordCue(text), context)
}
