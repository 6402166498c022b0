package ui

import "strconv"

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
