package ui

import (
	"io"
	"strconv"
)

// explainedEdit is the entry of a report that it was taken from.
func explainedEdit(x *Explained) Edit {
	return Edit{
		Message: x.Message, Block: x.Block, Stage: x.Stage, Op: x.Op, What: x.What, Tokens: x.Tokens, Left: x.Left,
		Why: x.Why, Lines: x.Lines, Before: x.Before, After: x.After,
	}
}

// WriteExplanation writes a table of what would become of each block, and of one message what
// changes in its text.
func WriteExplanation(w io.Writer, e *Explanation, o TextOptions) error {
	p := newPage(w, o)
	if at := e.Place; at != nil {
		text := "message " + strconv.Itoa(at.Message) + " of " + number(at.Of) + " · " + EscapeLine(at.Role)
		if at.Line > 0 {
			text += " · " + EscapeLine(e.Input) + ":" + strconv.Itoa(at.Line)
		}
		p.sentence(strong, text)
		switch {
		case at.Hidden && len(e.Blocks) == 0:
			p.sentence(plain, "the model does not see it: it is copied as it is")
		case len(e.Blocks) == 0:
			p.sentence(plain, "there is no content in it that a strategy could change")
		}
	}
	if e.Unchanged != "" {
		p.sentence(plain, "a run would change nothing: "+EscapeLine(e.Unchanged))
	}
	for blocks := e.Blocks; len(blocks) > 0; {
		n := 0
		var edits []Edit
		for ; n < len(blocks) && blocks[n].Conversation == blocks[0].Conversation; n++ {
			edits = append(edits, explainedEdit(&blocks[n]))
		}
		if n < len(e.Blocks) {
			p.blank()
			p.line(strong, "conversation number "+strconv.Itoa(blocks[0].Conversation))
		}
		p.table(editTable(edits, EscapeLine))
		if e.Place != nil {
			for i := range edits {
				edits[i].Why = ""
			}
			if err := p.changes("", changed(edits)); err != nil {
				return err
			}
		}
		blocks = blocks[n:]
	}
	return p.Flush()
}

// changed leaves out what stays as it is.
func changed(edits []Edit) (list []Edit) {
	for _, e := range edits {
		if e.Op != "keep" {
			list = append(list, e)
		}
	}
	return list
}
