// Package squeeze cuts texts into pieces that can be left out one by one, and
// writes the text again with what was left out.
package squeeze

import (
	"fmt"
	"strings"
)

// Piece is a run of a text that is kept or left out as one.
type Piece struct {
	Start, End int // bytes of the source; pieces tile it
	Cue        float64
}

// Text is a text cut into pieces.
type Text struct {
	Source string
	Pieces []Piece
}

const longLine = 240

// Cut cuts a text into lines, and long lines into runs.
func Cut(source string) *Text {
	t := &Text{Source: source}
	for start := 0; start < len(source); {
		end := len(source)
		if i := strings.IndexByte(source[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		for end-start > longLine {
			cut := start + strings.LastIndexAny(source[start:start+160], " ,;}])>")
			if cut < start+80 {
				cut = start + 160
				for cut > start && source[cut]&0xC0 == 0x80 {
					cut--
				}
			} else {
				cut++
			}
			t.Pieces = append(t.Pieces, Piece{Start: start, End: cut, Cue: Cue(source[start:cut])})
			start = cut
		}
		t.Pieces = append(t.Pieces, Piece{Start: start, End: end, Cue: Cue(source[start:end])})
		start = end
	}
	return t
}

// Render writes the text with the pieces that keep says.
func (t *Text) Render(keep []bool) string {
	var b strings.Builder
	for i := 0; i < len(t.Pieces); {
		p := t.Pieces[i]
		if keep[i] {
			b.WriteString(t.Source[p.Start:p.End])
			i++
			continue
		}
		j := i
		for j < len(t.Pieces) && !keep[j] {
			j++
		}
		gone := t.Source[p.Start:t.Pieces[j-1].End]
		marker := Gap(gone)
		if len(marker) >= len(gone) {
			b.WriteString(gone)
		} else {
			b.WriteString(marker)
			if strings.HasSuffix(gone, "\n") {
				b.WriteByte('\n')
			}
		}
		i = j
	}
	return b.String()
}

// Gap is the marker for text that is left out.
func Gap(gone string) string {
	if n := strings.Count(gone, "\n"); n > 0 {
		return fmt.Sprintf("[%d lines omitted]", n)
	}
	return fmt.Sprintf("[%d characters omitted]", len(gone))
}

var cues = []string{"error", "fail", "panic", "fatal", "exception", "denied", "not found", "no such", "cannot", "undefined", "warning", "traceback"}

// Cue says how much a line matters whatever it mentions.
func Cue(line string) float64 {
	if len(line) > 400 {
		line = line[:400]
	}
	l := strings.ToLower(line)
	for _, c := range cues {
		if strings.Contains(l, c) {
			return 1
		}
	}
	return 0
}
