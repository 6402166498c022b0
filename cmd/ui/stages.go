package ui

import (
	"slices"
	"strings"
)

// stageTable has a row for each stage, added up over all conversations. Stages have names of
// their own, which may be set apart from what is said about them.
func stageTable(r *Report, name, esc escaper) table {
	t := table{
		columns: []column{words, figures, figures, saving, aside},
		head:    []string{"stage", "edits", "tokens saved", "", ""},
	}
	for _, s := range stages(r) {
		if s.ran() == 0 {
			t.add(name(s.name), s.note(esc))
		} else {
			t.add(name(s.name), number(s.edits), number(s.tokens.Before-s.tokens.After), percent(s.tokens), s.note(esc))
		}
	}
	return t
}

// stageSum is one strategy in all conversations.
type stageSum struct {
	name           string
	tokens         Change
	edits, refused int
	runs           int      // times that its turn came
	skipped        int      // times that it was skipped
	reasons        []string // for it, each once
}

func (s *stageSum) ran() int { return s.runs - s.skipped }

// note says why the stage did not do more.
func (s *stageSum) note(esc escaper) string {
	reasons := make([]string, len(s.reasons))
	for i, r := range s.reasons {
		reasons[i] = esc(r)
	}
	switch {
	case s.ran() == 0 && len(reasons) > 3:
		return "skipped for " + number(len(reasons)) + " reasons"
	case s.ran() == 0:
		return "skipped: " + strings.Join(reasons, "; ")
	}
	var notes []string
	if s.skipped > 0 {
		notes = append(notes, "skipped in "+number(s.skipped)+" of "+number(s.runs))
	}
	if s.refused > 0 {
		notes = append(notes, plural(s.refused, "edit")+" refused, would save nothing")
	}
	return strings.Join(notes, "; ")
}

// stages adds up the stages over all conversations, in the order they ran.
func stages(r *Report) []*stageSum {
	var out []*stageSum
	for i := range r.Conversations {
		for _, s := range r.Conversations[i].Stages {
			at := slices.IndexFunc(out, func(o *stageSum) bool { return o.name == s.Name })
			if at < 0 {
				at = len(out)
				out = append(out, &stageSum{name: s.Name})
			}
			out[at].add(s)
		}
	}
	return out
}

func (s *stageSum) add(one Stage) {
	s.runs++
	s.edits += one.Edits
	s.refused += one.Refused
	s.tokens.Before += one.Tokens.Before
	s.tokens.After += one.Tokens.After
	if one.Skipped != "" {
		s.skipped++
		if !slices.Contains(s.reasons, one.Skipped) {
			s.reasons = append(s.reasons, one.Skipped)
		}
	}
}
