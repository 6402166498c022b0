package ui

import (
	"strconv"
	"strings"

	"condense/transcript"
)

// explain writes a table of what became of each block, in the order of each conversation.
func (p *page) explain(r *Report) {
	for i := range r.Conversations {
		edits := byPlace(r.Conversations[i].Edits)
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
		columns: []column{figures, figures, words, words, figures, figures, words, words},
		head:    []string{"message", "block", "what", "left", "tokens", "after", "stage", "why"},
	}
	for i := range edits {
		e := &edits[i]
		block := "–"
		if e.Block > 0 {
			block = strconv.Itoa(e.Block)
		}
		t.add(strconv.Itoa(e.Message), block, esc(e.What), e.left(),
			number(e.Tokens.Before), number(e.Tokens.After), esc(e.Stage), esc(e.Why))
	}
	return t
}

// left says what an edit leaves of a block.
func (e *Edit) left() string {
	switch after := strings.TrimSpace(e.After); {
	case e.Op == "untag":
		return "all"
	case e.Op == "insert":
		return "new"
	case e.Op != "rewrite":
		return "nothing"
	case transcript.IsMarker(after) && !strings.Contains(after, "\n"):
		return "a marker"
	}
	return "a part"
}
