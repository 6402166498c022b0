package content

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

const (
	contextLines = 3 // unchanged lines around a change
	RunEnds      = 5 // lines shown at each end of a long run
)

// Diff compares two texts line by line. Blocks rarely end in a line feed; both texts get one,
// or every last line would differ from its like.
func Diff(before, after string) (udiff.UnifiedDiff, error) {
	from, to := ended(before), ended(after)
	return udiff.ToUnifiedDiff("", "", from, udiff.Lines(from, to), contextLines)
}

// ended is text with a line feed at its end, unless it is empty.
func ended(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}
