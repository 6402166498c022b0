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
// item, a paragraph, as far as they are neither too short nor too long. The frames of a stack trace are a
// region of their own, so that the error in front of them can stay alone. It returns the indices of the
// first pieces.
func (t *Text) Regions() (starts []int) {
	lines, bytes, framed, apart := 0, 0, false, false
	for i, p := range t.Pieces {
		ripe := lines >= regionLines || bytes >= regionLeast && lines < 2
		full := lines >= regionMost || bytes >= regionBytes
		was := framed
		framed = t.inFrames(i, was)
		if i == 0 || framed != was || ripe && (full || t.opens(i)) {
			starts = append(starts, i)
			lines, bytes, apart = 0, 0, framed != was
		}
		lines += strings.Count(t.Source[p.Start:p.End], "\n")
		bytes += int(p.End - p.Start)
	}
	if n := len(starts); n > 1 && !apart && lines < regionLines && bytes < regionLeast {
		starts = starts[:n-1]
	}
	return starts
}

// inFrames reports whether piece i of the output of a command is a frame of a stack trace, or belongs to the
// frame in front of it: the line of code that Python shows, or the function that Go names. was is the answer
// for the piece in front of it.
func (t *Text) inFrames(i int, was bool) bool {
	switch t.Kind {
	case Test, Trace, Log, Compiler, Plain:
	default:
		return false
	}
	p := t.Pieces[i]
	line := t.Source[p.Start:p.End]
	text := strings.TrimSpace(line)
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	return frame(text, indent) != plainLine || was && !strings.HasSuffix(t.Source[:p.Start], "\n\n") && (indent > 0 || calls(text))
}

// opens reports whether piece i begins something new: it is a declaration or a heading, or follows a
// blank line.
func (t *Text) opens(i int) bool {
	p := t.Pieces[i]
	before := t.Source[:p.Start]
	return p.Cue == outline || strings.HasSuffix(before, "\n\n") || strings.HasSuffix(before, "\n\r\n")
}
