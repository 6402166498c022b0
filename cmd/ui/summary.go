package ui

import (
	"slices"
	"strconv"
	"strings"
)

// listed is how many conversations are listed when not all of them are asked for.
const listed = 10

// inputName is the name of the input as people read it.
func inputName(r *Report, esc escaper) string {
	if r.Input == "-" {
		return "standard input"
	}
	return esc(r.Input)
}

// counted is what the run changed, in numbers: tokens, bytes, messages, conversations.
func counted(r *Report) []string {
	tokens := change(r.Tokens) + " tokens"
	if r.Tokens.Before != r.Tokens.After {
		tokens += " (" + percent(r.Tokens) + ")"
	}
	out := []string{tokens, change(r.Bytes) + " bytes", change(r.Messages) + " messages"}
	if n := len(r.Conversations); n > 1 {
		out = append(out, number(n)+" conversations")
	}
	return out
}

// unchanged is the sentence for a run that did nothing.
func unchanged(r *Report, esc escaper) string {
	if r.Unchanged == "" {
		return "unchanged"
	}
	return "unchanged: " + esc(r.Unchanged)
}

// means are what the run worked with: the strategy and the tokenizer.
func means(r *Report, esc escaper) []string {
	tokenizer := esc(r.Tokenizer.Name)
	if r.Tokenizer.Model != "" {
		tokenizer += " for " + esc(r.Tokenizer.Model)
	}
	return []string{esc(r.Strategy), tokenizer}
}

// conversationName is the name of conversation i, or its number if it has none.
func conversationName(r *Report, i int, esc escaper) string {
	if id := r.Conversations[i].ID; id != "" {
		return esc(id)
	}
	return "number " + strconv.Itoa(i+1)
}

// conversationTable has a row for each conversation of a file with several, but at most limit,
// and a total.
func conversationTable(r *Report, limit int, esc escaper) table {
	t := table{
		columns: []column{words, figures, figures, saving, figures, figures, aside},
		head:    []string{"conversation", "tokens", "after", "saved", "messages", "first changed", ""},
	}
	if len(r.Conversations) < 2 {
		return t
	}
	missed := 0
	for i := range r.Conversations {
		c := &r.Conversations[i]
		note := ""
		if c.missed() {
			note = "over its target of " + number(c.Budget)
		}
		if i < limit {
			t.add(conversationName(r, i, esc), number(c.Tokens.Before), number(c.Tokens.After),
				percent(c.Tokens), change(c.Messages), orDash(c.FirstChanged), note)
		} else if note != "" {
			missed++
		}
	}
	if more := len(r.Conversations) - limit; more > 0 {
		note := ""
		if missed > 0 {
			note = number(missed) + " over their target"
		}
		t.add("… and "+number(more)+" more", "", "", "", "", "", note)
	}
	t.add("total", number(r.Tokens.Before), number(r.Tokens.After), percent(r.Tokens), change(r.Messages), "", "")
	return t
}

// missed tells whether a conversation is over its budget still.
func (c *Conversation) missed() bool { return c.Budget > 0 && !c.Reached }

func orDash(n int) string {
	if n == 0 {
		return "–"
	}
	return strconv.Itoa(n)
}

// stageTable has a row for each stage, added up over all conversations.
func stageTable(r *Report, esc escaper) table {
	t := table{
		columns: []column{words, figures, figures, saving, aside},
		head:    []string{"stage", "edits", "tokens saved", "", ""},
	}
	for _, s := range stages(r) {
		if s.ran() == 0 {
			t.add(esc(s.name), "–", "–", "", s.note(esc))
		} else {
			t.add(esc(s.name), number(s.edits), number(s.tokens.Before-s.tokens.After), percent(s.tokens), s.note(esc))
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

// kinds adds up the kinds of content over all conversations.
func kinds(r *Report) []Kind {
	var out []Kind
	for i := range r.Conversations {
		for _, k := range r.Conversations[i].Kinds {
			at := slices.IndexFunc(out, func(o Kind) bool { return o.Name == k.Name })
			if at < 0 {
				at = len(out)
				out = append(out, Kind{Name: k.Name})
			}
			out[at].Tokens.Before += k.Tokens.Before
			out[at].Tokens.After += k.Tokens.After
		}
	}
	return slices.DeleteFunc(out, func(k Kind) bool { return k.Tokens == Change{} })
}

// kindTable has a row for each kind of content, with bars to compare them by eye if asked.
func kindTable(r *Report, bars bool, esc escaper) table {
	t := table{
		columns: []column{words, figures, figures, saving, aside},
		head:    []string{"kind", "tokens", "after", "saved", ""},
	}
	all, largest := kinds(r), 0
	for _, k := range all {
		largest = max(largest, k.Tokens.Before)
	}
	for _, k := range all {
		drawn := ""
		if bars {
			drawn = bar(k.Tokens, largest)
		}
		t.add(esc(k.Name), number(k.Tokens.Before), number(k.Tokens.After), percent(k.Tokens), drawn)
	}
	return t
}
