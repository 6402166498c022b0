package ui

import (
	"io"

	"condense/cmd/report"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
)

// writeMending writes the report of a repair for a person.
func writeMending(w io.Writer, m *report.Mending, o Options) error {
	p := newPage(w, o)
	text, t := "nothing to mend", content.Good
	if len(m.Mended) > 0 {
		text = content.Number(len(m.Mended)) + " mended, " + content.Change(m.Bytes) + " bytes"
	}
	if len(m.Left) > 0 {
		text, t = text+", "+content.Number(len(m.Left))+" left as it is", content.Warn
	}
	name := "standard input"
	if m.Input != "-" {
		name = escape.Line(m.Input)
	}
	with := p.paint(content.Faint, "["+escape.Line(m.Format)+", by the rules of "+escape.Line(m.API)+"]")
	p.line(content.Plain, p.paint(content.Strong, name+":")+" "+p.paint(t, text)+" "+with)
	switch {
	case m.DryRun:
		p.line(content.Plain, "dry run: nothing was written")
	case m.Backup != "":
		p.line(content.Plain, "written to "+escape.Line(m.Output)+", the original is kept as "+escape.Line(m.Backup))
	case m.Output != "" && m.Output != "-":
		p.line(content.Plain, "written to "+escape.Line(m.Output))
	}
	for i, x := range m.Mended {
		if i == 0 {
			p.blank()
			p.line(content.Strong, "mended")
		}
		place := report.Finding{Line: x.Line, Conversation: x.Conversation, Message: x.Message}
		p.sentence(content.Plain, findingPlace(m.Input, place, x.Conversation > 1)+": "+escape.Line(x.Rule)+": "+escape.Line(x.Text)+": "+escape.Line(x.Done))
	}
	for i, x := range m.Left {
		if i == 0 {
			p.blank()
			p.line(content.Strong, "left as it is (lines and messages of the output)")
		}
		p.sentence(content.Plain, findingPlace("output", x, x.Conversation > 1)+": "+escape.Line(x.Rule)+": "+escape.Line(x.Text)+" ("+escape.Line(x.Severity)+")")
		if p.Verbose > 0 && x.Fix != "" {
			p.sentence(content.Faint, "    fix: "+escape.Line(x.Fix))
		}
	}
	return p.Flush()
}
