package squeeze

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Render returns the text with the pieces to keep, and those that they stand under;
// keep has one element for each piece. Each run of other pieces becomes one marker for
// whole lines, and one for each part of a line, with the amount that was left out. A
// marker that would be longer than the omitted text is not written, so the result is
// never longer than the source.
func (t *Text) Render(keep []bool) string {
	keep = t.closed(keep)
	var b strings.Builder
	b.Grow(t.kept(keep))
	less := false // something was left out
	for i := 0; i < len(t.Pieces); {
		if keep[i] {
			b.WriteString(t.body(i))
			i++
			continue
		}
		j := i
		for j < len(t.Pieces) && !keep[j] {
			j++
		}
		if t.omit() == nil {
			less = t.gap(&b, keep, i, j) || less
		} else if gone, marker := t.Source[t.Pieces[i].Start:t.Pieces[j-1].End], t.omit()(t, i, j); len(marker) < len(gone) {
			b.WriteString(marker)
			less = true
		} else {
			b.WriteString(gone)
		}
		i = j
	}
	if !less {
		return t.Source
	}
	return b.String()
}

// markerSize is the usual length of a marker in bytes, with its line break.
const markerSize = 24

// kept returns the approximate length in bytes of the text that Render returns.
func (t *Text) kept(keep []bool) (size int) {
	for i, p := range t.Pieces {
		switch {
		case keep[i]:
			size += int(p.End - p.Start)
		case i == 0 || keep[i-1]:
			size += markerSize
		}
	}
	return min(size, len(t.Source))
}

// body returns a piece as Render writes it when it is kept and others are not: the
// bytes of the source without a line number.
func (t *Text) body(i int) string {
	p := t.Pieces[i]
	s := t.Source[p.Start:p.End]
	if t.Gutter && (p.Start == 0 || t.Source[p.Start-1] == '\n') {
		s = s[gutterLen(s, t.gutter()):]
	}
	return s
}

// closed returns keep with the pieces added that kept pieces stand under and the tags around kept
// pieces, and without the tags around none, the markers of an earlier run that have an omission beside
// them, and blank pieces between two omissions.
func (t *Text) closed(keep []bool) []bool {
	keep = slices.Clone(keep)
	for i := len(keep) - 1; i >= 0; i-- {
		if under := t.Pieces[i].Under; keep[i] && under != None {
			keep[under] = true
		}
	}
	t.closeElements(keep)
	for _, m := range t.marks() {
		keep[m] = m == 0 || keep[m-1]
	}
	for _, m := range slices.Backward(t.marks()) {
		if int(m)+1 < len(keep) && !keep[m+1] {
			keep[m] = false
		}
	}
	for i := 1; i+1 < len(keep) && t.omit() == nil; i++ {
		if p := t.Pieces[i]; keep[i] && !keep[i-1] && !keep[i+1] && strings.TrimSpace(t.Source[p.Start:p.End]) == "" {
			keep[i] = false
		}
	}
	return keep
}

// closeElements keeps both tags of each element that has a kept piece, and no tag of another.
func (t *Text) closeElements(keep []bool) {
	if len(t.elements()) == 0 {
		return
	}
	for _, e := range t.elements() {
		keep[e[0]], keep[e[1]] = false, false
	}
	before := make([]int32, len(keep)+1) // kept pieces before each piece, without tags
	for i, kept := range keep {
		before[i+1] = before[i]
		if kept {
			before[i+1]++
		}
	}
	for _, e := range t.elements() {
		keep[e[0]] = before[e[1]] > before[e[0]]
		keep[e[1]] = keep[e[0]]
	}
}

// gap writes the replacement of the pieces i to j-1, and reports whether that is a
// marker. The end of a line whose beginning stays, whole lines, and the beginning of a
// line whose end stays are counted separately.
func (t *Text) gap(b *strings.Builder, keep []bool, i, j int) bool {
	from, to := int(t.Pieces[i].Start), int(t.Pieces[j-1].End)
	gone, less := t.Source[from:to], false
	if t.spoken && len(gone) >= longest && strings.Contains(strings.TrimSuffix(gone, "\n"), "\n") {
		if from > 0 && t.Source[from-1] != '\n' { // a sentence begins a line as well: one marker is enough
			b.WriteByte('\n')
		}
		t.lines(b, gone, t.phrase(keep, i, j))
		if to < len(t.Source) && t.Source[to-1] != '\n' {
			b.WriteByte('\n')
		}
		return true
	}
	if from > 0 && t.Source[from-1] != '\n' {
		end := strings.IndexByte(gone, '\n') + 1
		if end == 0 {
			end = len(gone)
		}
		less = characters(b, gone[:end])
		gone = gone[end:]
	}
	tail := ""
	if to < len(t.Source) {
		end := strings.LastIndexByte(gone, '\n') + 1
		gone, tail = gone[:end], gone[end:]
	}
	if gone != "" {
		less = t.lines(b, gone, t.phrase(keep, i, j)) || less
	}
	return characters(b, tail) || less
}

// The phrases of markers for lines.
const (
	linesGone    = "[%d lines omitted]"
	lineGone     = "[%d line omitted]"
	similarGone  = "[%d similar lines omitted]"
	repeatedGone = "[repeated %d more times, omitted]"
	charsGone    = "[%d characters omitted]"
	omitted      = " omitted]"
)

// mostGone is the largest amount in a marker; one with a larger number was not written
// by this package.
const mostGone = 999_999_999

// phrase returns the wording for pieces that are left out: repetitions of the line
// before, lines similar to kept ones, or just lines.
func (t *Text) phrase(keep []bool, i, j int) string {
	similar, repeated, marks := true, i > 0, 0
	for k := i; k < j && similar; k++ {
		p := t.Pieces[k]
		if _, old := slices.BinarySearch(t.marks(), int32(k)); old {
			n, form := readMark(t.Source[p.Start:p.End])
			similar = n > 0 && (form == similarGone || form == repeatedGone)
			repeated = repeated && form == repeatedGone
			marks++
			continue
		}
		similar = p.Like != None && keep[p.Like]
		repeated = repeated && similar && t.Source[p.Start:p.End] == t.Source[t.Pieces[i-1].Start:t.Pieces[i-1].End]
	}
	switch {
	case !similar || marks == j-i:
		return linesGone
	case repeated:
		return repeatedGone
	}
	return similarGone
}

// lines writes a marker for whole lines, or the lines themselves when it would not be
// shorter. Markers count as the lines that they replaced.
func (t *Text) lines(b *strings.Builder, gone, phrase string) bool {
	n := strings.Count(gone, "\n")
	if !strings.HasSuffix(gone, "\n") {
		n++
	}
	if t.marked {
		for line := range strings.Lines(gone) {
			if old := linesBehind(line); old > 0 {
				n += old - 1
			}
		}
	}
	if n == 1 && phrase != repeatedGone {
		phrase = lineGone
	}
	marker := fmt.Sprintf(phrase, n)
	switch {
	case strings.HasSuffix(gone, "\r\n"):
		marker += "\r\n"
	case strings.HasSuffix(gone, "\n"):
		marker += "\n"
	}
	if len(marker) >= substance(gone) || n > mostGone {
		for line := range strings.Lines(gone) {
			if t.Gutter {
				line = line[gutterLen(line, t.gutter()):]
			}
			b.WriteString(line)
		}
		return false
	}
	b.WriteString(marker)
	return true
}

// substance returns the length of a text without the indentation of its lines, which
// costs next to no tokens.
func substance(text string) int {
	if len(text) > 4*longest {
		return len(text)
	}
	n := 0
	for line := range strings.Lines(text) {
		n += len(strings.TrimLeft(line, " \t"))
	}
	return n
}

// characters writes a marker for a part of a line, which may end with the line break,
// or the part itself when the marker is not shorter.
func characters(b *strings.Builder, gone string) bool {
	text := strings.TrimRight(gone, "\r\n")
	n := utf8.RuneCountInString(text)
	for rest := text; ; {
		start, end, old := findMark(rest)
		if end == 0 {
			break
		}
		n += old - (end - start)
		rest = rest[end:]
	}
	marker := fmt.Sprintf(charsGone, n)
	if len(marker) >= len(text) || n > mostGone {
		b.WriteString(gone)
		return false
	}
	b.WriteString(marker)
	b.WriteString(gone[len(text):])
	return true
}

// readMark returns the amount and the phrase of a line that is a marker of an earlier
// run; 0 when it is none.
func readMark(line string) (n int, form string) {
	line = strings.TrimRight(line, "\r\n")
	if !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, omitted) {
		return 0, ""
	}
	line = withoutID(line)
	for _, form := range [...]string{linesGone, lineGone, similarGone, repeatedGone, charsGone} {
		before, after, _ := strings.Cut(form, "%d")
		if digits, ok := strings.CutPrefix(line, before); ok {
			if digits, ok = strings.CutSuffix(digits, after); ok {
				if n, err := strconv.Atoi(digits); err == nil && n > 0 && n <= mostGone && digits[0] >= '1' && digits[0] <= '9' {
					return n, form
				}
			}
		}
	}
	return 0, ""
}

// linesBehind returns the number of lines that a marker replaced, also one of another strategy, such as
// "[repeated later: 75 lines omitted]"; 0 for any other line.
func linesBehind(line string) int {
	if n, form := readMark(line); n > 0 && form != charsGone {
		return n
	}
	if line = strings.TrimRight(line, "\r\n"); !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, omitted) || strings.ContainsAny(line[1:len(line)-1], "[]") {
		return 0
	}
	what := strings.TrimSuffix(withoutID(line), omitted)
	what = what[strings.LastIndex(what, ": ")+1:]
	digits, found := strings.CutSuffix(strings.TrimSuffix(what, "s"), " line")
	n, err := strconv.Atoi(strings.ReplaceAll(strings.TrimSpace(digits), ",", ""))
	if !found || err != nil || n < 0 || n > mostGone {
		return 0
	}
	return n
}

// withoutID returns a marker without the id of the removed text: "[12 lines #482193 omitted]".
func withoutID(marker string) string {
	inside := strings.TrimSuffix(marker, omitted)
	if bare := strings.TrimRight(inside, "0123456789"); len(bare) < len(inside) && strings.HasSuffix(bare, " #") {
		return bare[:len(bare)-len(" #")] + omitted
	}
	return marker
}

// findMark returns the place of the first marker for characters within a line; end is
// 0 without one.
func findMark(line string) (start, end, n int) {
	for at := 0; ; {
		i := strings.Index(line[at:], omitted)
		if i < 0 {
			return 0, 0, 0
		}
		end = at + i + len(omitted)
		start = at + strings.LastIndexByte(line[at:end], '[')
		if start >= at && apart(line, start, end) {
			if n, form := readMark(line[start:end]); form == charsGone {
				return start, end, n
			}
		}
		at = end
	}
}

// apart reports whether no character around line[start:end], which stands in brackets,
// combines with a bracket into one grapheme cluster.
func apart(line string, start, end int) bool {
	if end < len(line) && line[end] >= utf8.RuneSelf {
		if c, _, _, _ := uniseg.FirstGraphemeClusterInString(line[end-1:], -1); len(c) > 1 {
			return false
		}
	}
	if start > 0 && line[start-1] >= utf8.RuneSelf {
		_, n := utf8.DecodeLastRuneInString(line[:start])
		if c, _, _, _ := uniseg.FirstGraphemeClusterInString(line[start-n:start+1], -1); len(c) > n {
			return false
		}
	}
	return true
}
