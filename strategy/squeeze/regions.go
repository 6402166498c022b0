package squeeze

import "strings"

// Sizes of a region: enough lines to be read together, and few enough for a small budget.
const (
	regionLines = 5
	regionMost  = 14    // lines after which a region ends as soon as it can
	regionBytes = 1_600 // the same in bytes
	regionLeast = 320   // least bytes of a region with fewer lines
)

// Regions joins adjacent pieces into regions that can be read by themselves: a function, a hunk, an
// item, a paragraph, as far as they are neither too short nor too long. It returns the indices of their
// first pieces.
func (t *Text) Regions() (starts []int) {
	lines, bytes := 0, 0
	for i, p := range t.Pieces {
		ripe := lines >= regionLines || bytes >= regionLeast && lines < 2
		full := lines >= regionMost || bytes >= regionBytes
		if i == 0 || ripe && (full || t.opens(i)) {
			starts = append(starts, i)
			lines, bytes = 0, 0
		}
		lines += strings.Count(t.Source[p.Start:p.End], "\n")
		bytes += int(p.End - p.Start)
	}
	if n := len(starts); n > 1 && lines < regionLines && bytes < regionLeast {
		starts = starts[:n-1]
	}
	return starts
}

// opens reports whether piece i begins something new: it is a declaration or a heading, or follows a
// blank line.
func (t *Text) opens(i int) bool {
	p := t.Pieces[i]
	before := t.Source[:p.Start]
	return p.Cue == outline || strings.HasSuffix(before, "\n\n") || strings.HasSuffix(before, "\n\r\n")
}
