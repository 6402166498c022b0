package ui

import (
	"slices"
	"strings"
)

// asked says what came of asking a model, each thing once: that it could not be had,
// what of its answers was taken out, and what is less than was asked for.
func asked(r *Report, esc escaper) (out []remark) {
	removed := 0
	say := func(t tone, stage, text string) {
		m := remark{t, esc(stage) + ": " + esc(text)}
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	for i := range r.Conversations {
		for _, s := range r.Conversations[i].Stages {
			if s.Fallback != "" && !strings.Contains(s.Skipped, s.Fallback) {
				say(warn, s.Name, "done without the model: "+s.Fallback)
			}
			if s.Metrics == nil || s.Metrics.Asked == nil {
				continue
			}
			removed += s.Metrics.Asked.Removed
			for _, n := range s.Metrics.Asked.Notes {
				say(plain, s.Name, n)
			}
		}
	}
	if removed > 0 {
		out = append(out, remark{plain, plural(removed, "line") + " of the model's taken out: they quoted what nobody had said"})
	}
	return out
}
