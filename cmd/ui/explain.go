package ui

import "strconv"

// Left says what is left of a block.
type Left string

// What can be left.
const (
	LeftAll     Left = "all"     // it was only in the way of a tag that went
	LeftPart    Left = "part"    // some of its text
	LeftMarker  Left = "marker"  // one line that says what was there
	LeftNothing Left = "nothing" // it went, or is hidden
	LeftNew     Left = "new"     // it was not there before
)

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
			esc(e.What), esc(e.left()), esc(e.Stage), esc(e.Why))
	}
	return t
}

// left says what is left of a block, for people.
func (e *Edit) left() string {
	switch {
	case e.Lines != nil:
		return number(e.Lines.After) + " of " + number(e.Lines.Before) + " lines"
	case e.Left == LeftPart, e.Left == LeftMarker:
		return "a " + string(e.Left)
	}
	return string(e.Left)
}

// withKept puts what stays as it was among the edits, by place.
func withKept(c *Conversation) []Edit {
	all := byPlace(c.Edits)
	for _, k := range c.Kept {
		all = append(all, Edit{
			Message: k.Message, Block: k.Block, What: k.What, Tokens: Change{k.Tokens, k.Tokens}, Left: LeftAll, Stage: "–", Why: k.Why,
		})
	}
	return byPlace(all)
}
