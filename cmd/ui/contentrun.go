package ui

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// editTable has a row for each edit: where, what, what is left of it, and why.
func editTable(edits []Edit, esc escaper) table {
	t := table{
		columns: []column{figures, figures, figures, figures, words, words, words, words},
		head:    []string{"message", "block", "tokens", "after", "what", "left", "stage", "why"},
		long:    4,
	}
	for i := range edits {
		e := &edits[i]
		block := "–"
		if e.Block > 0 {
			block = strconv.Itoa(e.Block)
		}
		t.add(strconv.Itoa(e.Message), block, number(e.Tokens.Before), number(e.Tokens.After),
			esc(e.What), esc(leftOf(e)), esc(e.Stage), esc(e.Why))
	}
	return t
}

// leftOf says what is left of a block, for people.
func leftOf(e *Edit) string {
	switch {
	case e.Lines != nil:
		return number(e.Lines.After) + " of " + number(e.Lines.Before) + " lines"
	case e.Left == LeftPart, e.Left == LeftMarker:
		return "a " + string(e.Left)
	}
	return string(e.Left)
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

// retained is "retained: facts 0.83 (bound 0.79) · user text 1.00 · todos 3/3", without what the
// input had none of, and "" when nothing changed.
func retained(r *Report) string {
	k := r.Retained
	if k == nil {
		return ""
	}
	var parts []string
	if k.Facts > 0 {
		parts = append(parts, fmt.Sprintf("facts %s (bound %s)", hundredths(k.Present), hundredths(k.Bound)))
	}
	if k.Typed.Before > 0 {
		parts = append(parts, "user text "+hundredths(k.User))
	}
	if k.Todos.Before > 0 {
		parts = append(parts, "todos "+strconv.Itoa(k.Todos.After)+"/"+strconv.Itoa(k.Todos.Before))
	}
	if parts == nil {
		return ""
	}
	return "retained: " + strings.Join(parts, " · ")
}

// retainedTable has a row for each kind of facts.
func retainedTable(r *Report, esc escaper) table {
	t := table{
		columns: []column{words, figures, figures, figures},
		head:    []string{"retained", "facts", "present", "bound"},
	}
	if r.Retained == nil {
		return t
	}
	for _, k := range r.Retained.Kinds {
		t.add(esc(k.Name), number(k.Facts), hundredths(k.Present), hundredths(k.Bound))
	}
	return t
}

// hundredths is a share of 1, never rounded up: 1.00 is all.
func hundredths(share float64) string {
	return strconv.FormatFloat(math.Floor(share*100+1e-9)/100, 'f', 2, 64)
}

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

func tokenizerName(t *Tokenizer) string {
	r := Report{Tokenizer: *t}
	return means(&r, EscapeLine)[1]
}

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
	tokens := changeOf(r.Tokens, "token")
	if r.Tokens.Before != r.Tokens.After {
		tokens += " (" + percent(r.Tokens) + ")"
	}
	out := []string{tokens, changeOf(r.Bytes, "byte"), changeOf(r.Messages, "message")}
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
	if f := r.Tokenizer.Factor; f != 0 && f != 1 {
		tokenizer += " × " + factor(f)
	}
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
		columns: []column{words, figures, figures, saving, figures, aside},
		head:    []string{"conversation", "tokens", "after", "saved", "messages", ""},
	}
	if len(r.Conversations) < 2 {
		return t
	}
	missed := 0
	for i := range r.Conversations {
		c := &r.Conversations[i]
		note := ""
		if c.missed() {
			note = "over target"
		}
		if i < limit {
			t.add(conversationName(r, i, esc), number(c.Tokens.Before), number(c.Tokens.After),
				percent(c.Tokens), change(c.Messages), note)
		} else if note != "" {
			missed++
		}
	}
	if more := len(r.Conversations) - limit; more > 0 {
		note := ""
		if missed > 0 {
			note = number(missed) + " over target"
		}
		t.add("… and "+number(more)+" more", "", "", "", "", note)
	}
	t.add("total", number(r.Tokens.Before), number(r.Tokens.After), percent(r.Tokens), change(r.Messages), "")
	return t
}
