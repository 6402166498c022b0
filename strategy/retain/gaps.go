package retain

import (
	"strings"

	"condense/transcript"
)

// omittedEnd is the end of every marker of omitted text.
const omittedEnd = " omitted]"

// gaps counts the markers of omitted text and the records after that are not in the view
// before.
func gaps(before, after *transcript.Conversation) (markers, records int) {
	was := map[string]int{}
	eachGap(before, func(text string) { was[text]++ })
	eachGap(after, func(text string) {
		switch {
		case was[text] > 0:
			was[text]--
		case strings.HasPrefix(text, transcript.RecordOpening):
			records++
		default:
			markers++
		}
	})
	return markers, records
}

// eachGap calls yield for every marker, wherever it stands in a line, and for the first
// line of every record.
func eachGap(c *transcript.Conversation, yield func(text string)) {
	passages(c, visible(c), 0, func(_ int, s *passage) {
		text := s.p.Text
		if strings.Contains(text, transcript.RecordOpening) {
			for line := range strings.Lines(text) {
				if strings.HasPrefix(line, transcript.RecordOpening) {
					yield(strings.TrimSpace(line))
				}
			}
		}
		for {
			end := strings.Index(text, omittedEnd)
			if end < 0 {
				return
			}
			end += len(omittedEnd)
			if at := openingOf(text[:end]); at >= 0 {
				yield(text[at:end])
			}
			text = text[end:]
		}
	})
}

// openingOf returns the offset of the marker with which a text ends, -1 when it ends with
// none. A marker has no bracket within.
func openingOf(text string) int {
	at := strings.LastIndexByte(text, '[')
	if at < 0 || strings.Contains(text[at:], "\n") || !transcript.IsMarker(text[at:]) {
		return -1
	}
	return at
}
