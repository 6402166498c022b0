package ui

import "io"

// WriteMending writes the report of a repair for a person.
func WriteMending(w io.Writer, m *Mending, o TextOptions) error {
	p := newPage(w, o)
	text, t := "nothing to mend", good
	if len(m.Mended) > 0 {
		text = number(len(m.Mended)) + " mended, " + change(m.Bytes) + " bytes"
	}
	if len(m.Left) > 0 {
		text, t = text+", "+number(len(m.Left))+" left as it is", warn
	}
	name := "standard input"
	if m.Input != "-" {
		name = EscapeLine(m.Input)
	}
	with := p.paint(faint, "["+EscapeLine(m.Format)+", by the rules of "+EscapeLine(m.API)+"]")
	p.line(plain, p.paint(strong, name+":")+" "+p.paint(t, text)+" "+with)
	switch {
	case m.DryRun:
		p.line(plain, "dry run: nothing was written")
	case m.Backup != "":
		p.line(plain, "written to "+EscapeLine(m.Output)+", the original is kept as "+EscapeLine(m.Backup))
	case m.Output != "" && m.Output != "-":
		p.line(plain, "written to "+EscapeLine(m.Output))
	}
	for i, x := range m.Mended {
		if i == 0 {
			p.blank()
			p.line(strong, "mended")
		}
		place := Finding{Line: x.Line, Conversation: x.Conversation, Message: x.Message}
		p.sentence(plain, findingPlace(m.Input, place, x.Conversation > 1)+": "+EscapeLine(x.Rule)+": "+EscapeLine(x.Text)+": "+EscapeLine(x.Done))
	}
	for i, x := range m.Left {
		if i == 0 {
			p.blank()
			p.line(strong, "left as it is (lines and messages of the output)")
		}
		p.sentence(plain, findingPlace("output", x, x.Conversation > 1)+": "+EscapeLine(x.Rule)+": "+EscapeLine(x.Text)+" ("+EscapeLine(x.Severity)+")")
		if p.Verbose > 0 && x.Fix != "" {
			p.sentence(faint, "    fix: "+EscapeLine(x.Fix))
		}
	}
	return p.Flush()
}
