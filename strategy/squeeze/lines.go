package squeeze

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Sizes of pieces, in bytes.
const (
	longest  = 240 // a line up to this is one piece
	cutAfter = 160 // most of a piece of a longer line, unless the next break is a little later
	cutFrom  = 80  // least of such a piece
	blob     = 512 // a run of this length without any break is not text
	blobHead = 64  // the beginning of such a run, from which a reader sees what it is
)

// each calls do for the lines of the source, with their line ends. Blank lines are
// joined to the line before.
func (t *Text) each(do func(start, end int)) {
	for start := 0; start < len(t.Source); {
		end := t.lineEnd(start)
		if t.blank(start, end) && t.join(start, end) {
			start = end
			continue
		}
		do(start, end)
		start = end
	}
}

// lineEnd returns the end of the line that begins at start, its line break included.
func (t *Text) lineEnd(start int) int {
	if i := strings.IndexByte(t.Source[start:], '\n'); i >= 0 {
		return start + i + 1
	}
	return len(t.Source)
}

func (t *Text) blank(start, end int) bool {
	if end-start > cutFrom {
		return false
	}
	for ; start < end; start++ {
		switch t.Source[start] {
		case ' ', '\t', '\r', '\n':
		default:
			return false
		}
	}
	return true
}

// join makes a blank line part of the piece before, and reports whether it could.
func (t *Text) join(start, end int) bool {
	last := len(t.Pieces) - 1
	if last < 0 || t.Source[start-1] != '\n' || end-int(t.Pieces[last].Start) > longest {
		return false
	}
	if n := len(t.marks()); n > 0 && int(t.marks()[n-1]) == last {
		return false
	}
	t.Pieces[last].End = max(t.Pieces[last].End, int32(end)) // the name of a test may hold the line
	return true
}

// add makes pieces of a line and returns the index of the first. The first piece has
// the cue; pieces that continue a long line have the cues of their own words.
func (t *Text) add(start, end int, cue float32, under int32) int32 {
	first := int32(len(t.Pieces))
	if t.marked {
		start, cue = t.addMarks(start, end, cue, under)
		if start == end {
			return first
		}
	}
	for end-start > longest {
		next := t.cutLong(start, end)
		if strings.TrimRight(t.Source[next:min(next+3, end)], "\r\n") == "" {
			next = end // a line break alone does not become a piece
		}
		t.piece(start, next, cue, under)
		start, cue = next, t.continued(next)
	}
	if start < end {
		t.piece(start, end, cue, under)
	}
	return first
}

func (t *Text) piece(start, end int, cue float32, under int32) {
	t.Pieces = append(t.Pieces, Piece{Start: int32(start), End: int32(end), Cue: cue, Under: under, Like: None})
}

// continued returns the cue of the piece of a long line that begins at next.
func (t *Text) continued(next int) float32 {
	if t.Kind == Code || t.Kind == Prose {
		return 0
	}
	piece := t.Source[next:min(next+longest, len(t.Source))]
	if strings.Contains(piece, `\n`) || strings.Contains(piece, `\"`) { // inside a string of saved data, not a message
		return 0
	}
	return wordCue(piece)
}

// addMarks makes pieces of the markers of an earlier run in a line, and of the text
// before them. It returns the start of the rest of the line, and its cue.
func (t *Text) addMarks(start, end int, cue float32, under int32) (int, float32) {
	line := t.Source[start:end]
	if n, _ := readMark(line); n > 0 {
		t.mark(len(t.Pieces))
		t.piece(start, end, none, None)
		return end, none
	}
	for {
		from, to, n := findMark(line)
		if n == 0 {
			return start, cue
		}
		if strings.Trim(line[to:], "\r\n") == "" { // the line break belongs to the marker
			to = len(line)
		}
		mark := start + from
		for start < mark {
			next := mark
			if mark-start > longest {
				next = t.cutLong(start, mark)
			}
			t.piece(start, next, cue, under)
			start, cue = next, none
		}
		start += to - from
		t.mark(len(t.Pieces))
		t.piece(mark, start, none, None)
		line = t.Source[start:end]
	}
}

// cutLong returns the end of the piece that begins at start in a line that ends at end
// and is too long: after a space or a closing sign, in prose after a sentence, and
// never inside a grapheme cluster.
func (t *Text) cutLong(start, end int) int {
	s := t.Source[start:end]
	if n := unbroken(s); n >= blob-blobHead && t.headed(start) {
		return start + n
	} else if n >= blob {
		return start + blobHead
	}
	if t.Kind == Prose {
		if n := sentence(s[:longest]); n > 0 {
			return start + n
		}
	}
	cut := cutAfter
	for i := cutAfter; i > cutFrom; i-- {
		if breaks(s[i-1]) && s[i] < utf8.RuneSelf {
			cut = i
			break
		}
	}
	return start + boundary(s, cut)
}

// headed reports whether the piece that ends at start is the head of a blob.
func (t *Text) headed(start int) bool {
	if len(t.Pieces) == 0 {
		return false
	}
	last := t.Pieces[len(t.Pieces)-1]
	return int(last.End) == start && start-int(last.Start) == blobHead && unbroken(t.Source[last.Start:start]) == blobHead
}

// breaks reports whether a line can be cut after a byte.
func breaks(c byte) bool {
	switch c {
	case ' ', ',', ';', '}', ']', ')', '>', '\t', '\r':
		return true
	}
	return false
}

// unbroken returns the number of bytes at the beginning of s that could be base64 or
// the like.
func unbroken(s string) int {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf {
			return max(0, i-1) // what follows may combine with the last one
		} else if !encoding[c] {
			return i
		}
	}
	return len(s)
}

// encoding has the bytes of base64, of its form for addresses, and of hexadecimal numbers.
var encoding = [utf8.RuneSelf]bool{
	'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true, 'g': true, 'h': true, 'i': true, 'j': true, 'k': true, 'l': true, 'm': true,
	'n': true, 'o': true, 'p': true, 'q': true, 'r': true, 's': true, 't': true, 'u': true, 'v': true, 'w': true, 'x': true, 'y': true, 'z': true,
	'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true, 'G': true, 'H': true, 'I': true, 'J': true, 'K': true, 'L': true, 'M': true,
	'N': true, 'O': true, 'P': true, 'Q': true, 'R': true, 'S': true, 'T': true, 'U': true, 'V': true, 'W': true, 'X': true, 'Y': true, 'Z': true,
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'+': true, '/': true, '=': true, '-': true, '_': true,
}

// boundary returns the end of the last grapheme cluster within the first n bytes of s,
// or of the first cluster when that is longer.
func boundary(s string, n int) int {
	if n >= len(s) || s[n-1] < utf8.RuneSelf && s[n] < utf8.RuneSelf && s[n] != '\n' {
		return min(n, len(s))
	}
	at, rest, state := 0, s, -1
	for rest != "" {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if at > 0 && at+len(cluster) > n {
			break
		}
		at += len(cluster)
	}
	return at
}

// addLines adds the lines of a part of the source, which stand under nothing.
func (t *Text) addLines(from, to int) {
	for from < to {
		end := min(t.lineEnd(from), to)
		t.add(from, end, wordCue(t.Source[from:end]), None)
		from = end
	}
}
