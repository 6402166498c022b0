package ui

import "io"

// Mending is what a repair did to one file.
type Mending struct {
	Version  int       `json:"version"`          // version of this report format
	Condense string    `json:"condense"`         // version of the program
	Input    string    `json:"input"`            // as the user wrote it; "-" for standard input
	Output   string    `json:"output"`           // where the result was written; "-" for standard output, "" when nothing was written
	Backup   string    `json:"backup,omitempty"` // where the original is kept, when it was replaced
	Format   string    `json:"format"`           // dialect of the file
	API      string    `json:"api"`              // the API or client whose rules were asked
	DryRun   bool      `json:"dry_run"`          // nothing was to be written
	Changed  bool      `json:"changed"`          // the output differs from the input
	Bytes    Change    `json:"bytes"`            // size of the file
	Mended   []Mend    `json:"mended"`           // in the order it was done
	Left     []Finding `json:"left"`             // what is wrong with the output still
}

// Mend is one thing put right.
type Mend struct {
	Rule         string `json:"rule"`              // id of the rule that was broken
	Line         int    `json:"line,omitempty"`    // of the input, from 1
	Conversation int    `json:"conversation"`      // number in the file, from 1
	Message      int    `json:"message,omitempty"` // number in the conversation, from 1
	Text         string `json:"text"`              // what was wrong, for people
	Done         string `json:"done"`              // what was dropped, added or changed
}

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

// MendingJSON writes the report of a repair for programs, as [MendingSchema] describes it.
func MendingJSON(w io.Writer, m *Mending) error {
	c := *m
	c.Mended, c.Left = list(m.Mended), list(m.Left)
	return writeJSON(w, &c)
}
