package ui

import (
	"io"
	"strconv"

	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
	"condense/transcript"
)

// explainedEdit returns the edit of the report that x was made from.
func explainedEdit(x *survey.Explained) report.Edit {
	return report.Edit{
		Message: x.Message, Block: x.Block, Stage: x.Stage, Op: x.Op, What: x.What, Tokens: x.Tokens, Left: x.Left,
		Why: x.Why, Lines: x.Lines, Before: x.Before, After: x.After,
	}
}

// writeExplanation writes a table of the changes that a run would make to each block. For a single
// message it also writes the difference of the texts.
func writeExplanation(w io.Writer, e *survey.Explanation, o Options) error {
	p := newPage(w, o)
	if at := e.Place; at != nil {
		text := "message " + strconv.Itoa(at.Message) + " of " + transcript.Number(at.Of) + " · " + escape.Line(at.Role)
		if at.Line > 0 {
			text += " · " + escape.Line(e.Input) + ":" + strconv.Itoa(at.Line)
		}
		p.sentence(content.Strong, text)
		switch {
		case at.Hidden && len(e.Blocks) == 0:
			p.sentence(content.Plain, "the model does not see it, and it is copied")
		case len(e.Blocks) == 0:
			p.sentence(content.Plain, "it has no content that a strategy could change")
		}
	}
	if e.Unchanged != "" {
		p.sentence(content.Plain, "a run would change nothing: "+escape.Line(e.Unchanged))
	}
	for blocks := e.Blocks; len(blocks) > 0; {
		n := 0
		var edits []report.Edit
		for ; n < len(blocks) && blocks[n].Conversation == blocks[0].Conversation; n++ {
			edits = append(edits, explainedEdit(&blocks[n]))
		}
		if n < len(e.Blocks) {
			p.blank()
			p.line(content.Strong, "conversation number "+strconv.Itoa(blocks[0].Conversation))
		}
		p.table(content.EditTable(edits, escape.Line))
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

// changed returns the edits without kept blocks.
func changed(edits []report.Edit) (list []report.Edit) {
	for _, e := range edits {
		if e.Op != "keep" {
			list = append(list, e)
		}
	}
	return list
}
