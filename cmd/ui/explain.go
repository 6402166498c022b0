package ui

import "strconv"

// explain writes a table of what became of each block, in the order of each conversation.
func (p *page) explain(r *Report) {
	for i := range r.Conversations {
		edits := withKept(&r.Conversations[i])
		if len(edits) > 0 && len(r.Conversations) > 1 {
			p.blank()
			p.line(strong, "edits of "+conversationName(r, i, EscapeLine))
		}
		p.table(editTable(edits, EscapeLine))
	}
}

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
