package report

import (
	"fmt"
	"slices"
	"strings"

	"condense/strategy"
)

// maxReasons is how many reasons a line has room for. One conversation has fewer: there are more
// where a file has many, each with numbers of its own.
const maxReasons = 4

// whyUnchanged is what the stages said, or what was decided before they ran, each reason once.
// Of a stage that left the work to those behind it nothing is said: they say why it was not done.
func whyUnchanged(results []*strategy.Result) string {
	var reasons []string
	empty := true
	for _, r := range results {
		if r == nil || visible(r.From) == 0 {
			continue
		}
		empty = false
		for _, why := range reasonsOf(r) {
			if !slices.Contains(reasons, why) {
				reasons = append(reasons, why)
			}
		}
	}
	switch {
	case !empty && reasons == nil:
		return "what there was to condense failed"
	case empty:
		return "there are no messages in it"
	}
	if more := len(reasons) - maxReasons; more > 0 {
		reasons = append(reasons[:maxReasons], fmt.Sprintf("and %d more reasons", more))
	}
	return strings.Join(reasons, "; ")
}

// reasonsOf are the reasons of one conversation.
func reasonsOf(r *strategy.Result) (reasons []string) {
	if !r.Decision.Act {
		return []string{r.Decision.Why}
	}
	for _, s := range r.Stages {
		if !s.Left {
			reasons = append(reasons, s.Skipped)
		}
	}
	return reasons
}
