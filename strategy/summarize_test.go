package strategy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// ending is a story, and behind it so many answers of one short line each, which
// nothing can shorten.
func ending(answers int) *transcript.Conversation {
	msgs := slices.Clone(story(20).Messages)
	for i := range answers {
		msgs = append(msgs, model(fmt.Sprintf("Check %d of the valves is done and well now.", i)))
	}
	return conv(msgs...)
}

// What cannot be shortened beside a summary takes more than the part of the budget
// that was set aside for it: the summary is written again, with less.
func TestSummarizeLands(t *testing.T) {
	tests := []struct {
		name   string
		kept   int // messages at the end
		target int
		reach  bool
	}{
		{"the rest fits", 4, 700, true},
		{"the rest is large", 40, 700, true},
		{"nothing but the summary is left to shorten", 40, 600, true},
		// A few lines are written all the same; the report says what stays.
		{"what stays is over the target", 40, 300, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, after := summarizing(t, ending(tt.kept), tt.target, func(o *Options) { o.KeepLast = tt.kept })
			if got := total(after); (got <= tt.target) != tt.reach {
				t.Errorf("%d tokens, target %d", got, tt.target)
			}
			if !strings.Contains(all(after), "### ") || !strings.Contains(all(after), "ErrStuck") {
				t.Errorf("no summary: %s", shape(after))
			}
		})
	}
}
