package ui

import (
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff"

	"condense/cmd/ui/content"
)

// longestLine limits the bytes of a line that is compared word by word. A screen shows no more, and
// a line can have a megabyte.
const longestLine = 4096

// marked writes a line after its sign in a tone. With colour, it reverses the words that are not in
// the partner, unless that would be all words or the partner is "".
func (p *page) marked(t content.Tone, sign, text, partner string) {
	if !p.Color || partner == "" || len(text) > longestLine || len(partner) > longestLine {
		p.line(t, sign+text)
		return
	}
	text = p.cut(text, p.Width-len(sign))
	pieces := differentWords(text, partner)
	same := false
	for i := 0; i < len(pieces); i += 2 {
		same = same || strings.TrimSpace(pieces[i]) != ""
	}
	if !same {
		p.line(t, sign+text)
		return
	}
	p.started = true
	p.WriteString(p.paint(t, sign))
	for i, piece := range pieces {
		if i%2 == 0 {
			p.WriteString(p.paint(t, piece))
		} else if piece != "" {
			p.WriteString(p.styles[t].Reverse(true).Render(piece))
		}
	}
	p.WriteByte('\n')
}

// differentWords cuts text into pieces that partner has and pieces that it lacks, in turn. The first
// piece is a common one. A piece may be "".
func differentWords(text, partner string) []string {
	words := splitWords(text)
	joined := strings.Join(words, "\n") // a diff of lines then compares words
	edits := udiff.Lines(joined+"\n", strings.Join(splitWords(partner), "\n")+"\n")
	pieces := []string{""}
	at, next := 0, 0 // byte of joined, index of edits
	for _, word := range words {
		for next < len(edits) && edits[next].End <= at {
			next++
		}
		different := next < len(edits) && edits[next].Start <= at && at < edits[next].End
		if odd := len(pieces)%2 == 0; odd != different {
			pieces = append(pieces, "")
		}
		pieces[len(pieces)-1] += word
		at += len(word) + 1
	}
	return pieces
}

// splitWords cuts a line into words, runs of space, and single other characters.
func splitWords(line string) []string {
	var words []string
	start, last := 0, 0 // last: 1 for a letter or digit, 2 for space, 3 for others
	for i, r := range line {
		class := 3
		switch {
		case unicode.In(r, unicode.L, unicode.N, unicode.M) || r == '_':
			class = 1
		case unicode.IsSpace(r):
			class = 2
		}
		if i > start && (class != last || class == 3) {
			words = append(words, line[start:i])
			start = i
		}
		last = class
	}
	if start < len(line) {
		words = append(words, line[start:])
	}
	return words
}
