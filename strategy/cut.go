package strategy

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"condense/transcript"
)

// How far a cut goes back so as not to end in a tag or in an object.
const (
	maxTag    = 1_000 // bytes
	maxObject = 100
)

// cutSafely keeps the start of a text that is longer than max characters, marker
// included. It does not end inside a tag, at the start of an object or in a character.
func cutSafely(text string, max int) string {
	n := utf8.RuneCountInString(text)
	if n <= max {
		return text
	}
	const beside = 40 // for the marker
	cut := clusterBefore(text, runes(text, max-beside))
	if open := strings.LastIndexByte(text[:cut], '<'); open > strings.LastIndexByte(text[:cut], '>') && cut-open < maxTag {
		cut = open
	}
	if open := strings.LastIndexByte(text[:cut], '{'); open >= 0 && cut-open < maxObject {
		cut = open
	}
	head := strings.TrimRightFunc(text[:cut], unicode.IsSpace)
	marker := transcript.Marker(thousands(utf8.RuneCountInString(text[len(head):])) + " characters")
	if head == "" {
		return marker
	}
	return head + "\n" + marker
}

// runes returns the offset of rune number n of text; 0 for less than none.
func runes(text string, n int) int {
	for i := range text {
		if n <= 0 {
			return i
		}
		n--
	}
	return len(text)
}

// reach is how far before an offset the search for borders of characters begins.
// One that is longer is cut.
const reach = 512 // bytes

// clusterBefore returns the last border of a grapheme cluster that is not behind offset at.
func clusterBefore(text string, at int) int {
	border, _ := clusterAround(text, at)
	return border
}

// clusterAfter returns the first border that is not before it.
func clusterAfter(text string, at int) int {
	_, border := clusterAround(text, at)
	return border
}

func clusterAround(text string, at int) (before, after int) {
	if at <= 0 || at >= len(text) {
		return at, at
	}
	start := max(0, at-reach)
	for start > 0 && !utf8.RuneStart(text[start]) {
		start--
	}
	if nl := strings.LastIndexByte(text[start:at], '\n'); nl >= 0 {
		start += nl + 1
	}
	rest, state := text[start:], -1
	for len(rest) > 0 {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if end := start + len(cluster); end >= at {
			if end == at {
				return at, at
			}
			return start, end
		}
		start += len(cluster)
	}
	return at, at
}
