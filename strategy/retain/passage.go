package retain

import (
	"strings"

	"condense/transcript"
	"condense/transcript/fact"
)

// passage is one text of a conversation.
type passage struct {
	conv *transcript.Conversation
	at   transcript.Ref // of the block
	b    *transcript.Block
	p    *transcript.Part
}

// whole identifies a passage by its text and its use.
type whole struct {
	kind             transcript.Kind
	tool, name, text string
}

func (s *passage) whole() whole {
	if s.b.Kind == transcript.ToolCall {
		return whole{s.b.Kind, s.b.Tool, s.p.Name, s.p.Text}
	}
	return whole{kind: s.b.Kind, text: s.p.Text}
}

// passages calls yield for every text of messages of c, in order, with the index of
// its message; first is the index of the first message.
func passages(c *transcript.Conversation, msgs []*transcript.Message, first int, yield func(n int, s *passage)) {
	for n, m := range msgs {
		for _, b := range m.Blocks {
			for i := range b.Parts {
				if p := &b.Parts[i]; p.Text != "" {
					at := transcript.Ref{Msg: m.ID, Block: b.ID, Part: transcript.Whole}
					yield(first+n, &passage{c, at, b, p})
				}
			}
		}
	}
}

func visible(c *transcript.Conversation) (msgs []*transcript.Message) {
	for m := range c.Visible() {
		msgs = append(msgs, m)
	}
	return msgs
}

// word is a fact at a place of a text.
type word struct {
	key     string
	at, end int // in the text
	id      int // of the fact, once it has one
}

// line is a line of a passage that names facts. Its words are valid until the next
// line is read.
type line struct {
	s      *passage
	lo, hi int // in the text of the passage
	words  []word
	anchor *anchor
}

// lines calls yield for every line of the passage that names facts, except markers of
// omitted text.
func (s *passage) lines(yield func(l *line)) {
	text := s.p.Text
	l := line{s: s, anchor: &anchor{s: s}}
	flush := func() {
		if len(l.words) > 0 && !isMarker(text[l.lo:l.hi]) {
			yield(&l)
		}
		l.words = l.words[:0]
	}
	fact.Each(text, func(at int, key string) {
		if at >= l.hi {
			flush()
			l.lo = l.hi + strings.LastIndexByte(text[l.hi:at], '\n') + 1
			l.hi = lineEnd(text, at)
		}
		l.words = append(l.words, word{key, at, wordEnd(text, at, key), 0})
	})
	flush()
}

// wordEnd returns the end of the word at byte at, whose key is the end of the word.
func wordEnd(text string, at int, key string) int {
	return at + strings.Index(text[at:], key) + len(key)
}

func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(text)
}

// mayHaveMarker reports whether a line of the passage may be a marker.
func (s *passage) mayHaveMarker() bool { return strings.Contains(s.p.Text, "omitted]") }

func isMarker(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "[") && transcript.IsMarker(line)
}

// Sizes in bytes. The parts of a line of more than longLine are unrelated; there the
// beside bytes on each side of a fact count. A line has words when leastLineWords of its
// bytes are neither facts nor white space; a part of a line needs leastPieceWords.
const (
	longLine        = 240
	beside          = 20
	leastLineWords  = 6
	leastPieceWords = 12
)

func (l *line) long() bool { return l.hi-l.lo > longLine }

// hasWords reports whether the line has words besides its facts.
func (l *line) hasWords() bool {
	facts := 0
	for _, w := range l.words {
		facts += w.end - w.at
	}
	return solid(l.text(), facts+leastLineWords)
}

// solid reports whether text has at least n bytes that are not white space.
func solid(text string, n int) bool {
	if len(text) < n {
		return false
	}
	for i := 0; i < len(text) && n > 0; i++ {
		if text[i] > ' ' {
			n--
		}
	}
	return n <= 0
}

// text returns the line without the white space and the line number around it.
func (l *line) text() string { return bare(l.s.p.Text[l.lo:l.hi]) }

// bare removes white space, and the line number that an editor or a tool wrote before
// a line.
func bare(line string) string {
	line = strings.TrimSpace(line)
	rest := strings.TrimLeft(line, "0123456789")
	if len(rest) == len(line) {
		return line
	}
	for _, mark := range [...]string{"→", "\t", "|"} {
		if after, ok := strings.CutPrefix(rest, mark); ok {
			return strings.TrimSpace(after)
		}
	}
	return line
}

// core returns the word i of the line with the text around it. It returns "" when that text
// has too few bytes that are not facts.
func (l *line) core(i int) string {
	w := l.words[i]
	lo, hi := max(l.lo, w.at-beside), min(l.hi, w.end+beside)
	facts := 0
	for j := i; j >= 0 && l.words[j].end > lo; j-- {
		facts += l.words[j].end - max(lo, l.words[j].at)
	}
	for j := i + 1; j < len(l.words) && l.words[j].at < hi; j++ {
		facts += min(hi, l.words[j].end) - l.words[j].at
	}
	core := l.s.p.Text[lo:hi]
	if !solid(core, facts+leastPieceWords) {
		return ""
	}
	return strings.TrimSpace(core)
}

// anchor is the context of the lines of a passage that consist of facts.
type anchor struct {
	s     *passage
	known bool
	text  string
	read  int // offset in the passage up to which text is valid
}

// of returns the anchor of a line: the call that the passage answers, the argument
// that it is, or the last line before it that has words; "" without one.
func (a *anchor) of(l *line) string {
	switch a.s.b.Kind {
	case transcript.ToolCall:
		if !a.known {
			a.text, a.known = a.s.b.Tool+"\x00"+a.s.p.Name, true
		}
	case transcript.ToolResult:
		if !a.known {
			a.text, a.known = called(a.s), true
		}
	default:
		for a.read < l.lo {
			end := lineEnd(a.s.p.Text, a.read)
			if line := bare(a.s.p.Text[a.read:end]); solid(line, leastLineWords) && !isMarker(line) {
				a.text = line
			}
			a.read = end + 1
		}
	}
	return a.text
}

// follows reports whether the anchor is a line of the text itself.
func (a *anchor) follows() bool {
	return a.s.b.Kind != transcript.ToolCall && a.s.b.Kind != transcript.ToolResult
}

// passed records that a line was read; hasWords reports whether it has words.
func (a *anchor) passed(l *line, hasWords bool) {
	if !a.follows() {
		return
	}
	a.of(l)
	if hasWords {
		a.text = l.text()
	}
	a.read = min(len(a.s.p.Text), l.hi+1)
}

// called returns the call that a result answers, as text; its tool when there is no
// call.
func called(s *passage) string {
	ref, ok := s.conv.Partner(s.at)
	if !ok {
		return s.b.Tool
	}
	call := s.conv.Block(ref)
	return call.Tool + "\x00" + call.Text()
}
