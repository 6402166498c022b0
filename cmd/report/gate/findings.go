package gate

import (
	"condense/cmd/report"
	"condense/transcript/format"
	"condense/transcript/rules"
)

// Findings lists the broken rules of some files.
type Findings struct {
	Version  int       `json:"version"`  // version of this report format
	Condense string    `json:"condense"` // version of the program
	Errors   int       `json:"errors"`   // findings that an API refuses, or by which a client loses history
	Warnings int       `json:"warnings"` // findings that may do no harm
	Files    []Checked `json:"files"`    // in the order they were named
}

// Checked lists the broken rules of one file.
type Checked struct {
	Input    string    `json:"input"`           // as the user wrote it; "-" for standard input
	Format   string    `json:"format"`          // dialect of the file; "" when it could not be read
	API      string    `json:"api"`             // the API or client whose rules were asked
	Error    string    `json:"error,omitempty"` // why it could not be read, when it could not
	Findings []Finding `json:"findings"`        // in the order of the file
}

// Finding is one rule broken in one place.
type Finding struct {
	Severity     string `json:"severity"`           // error or warning
	Rule         string `json:"rule"`               // id of the rule: target/slug
	Line         int    `json:"line,omitempty"`     // of the file, from 1
	Offset       int    `json:"offset"`             // of the place, in bytes from the start of the file
	Conversation int    `json:"conversation"`       // number in the file, from 1
	Message      int    `json:"message,omitempty"`  // number in the conversation, from 1
	Text         string `json:"text"`               // what is wrong, for people
	Provider     string `json:"provider,omitempty"` // the error of the provider, as it spells it
	Fix          string `json:"fix"`                // what to do about it
}

// NewMending puts together what a repair did.
func NewMending(name string, file *format.File, r *format.Repaired, p *rules.Profile) *Mending {
	m := &Mending{
		Version: report.ReportVersion, Condense: report.CondenseVersion(), Input: name, Format: file.Dialect.Name, API: p.Name,
		Bytes: report.Change{Before: file.Len(), After: len(r.Out)}, Left: NewFindings(r.File, p),
	}
	for _, x := range r.Mended {
		m.Mended = append(m.Mended, Mend{
			Rule: x.Rule, Line: x.Line, Conversation: x.Conv + 1, Message: x.Message, Text: x.Finding.Message, Done: x.Why,
		})
	}
	return m
}

// NewFindings lists what is wrong with a file, for people and programs.
func NewFindings(file *format.File, p *rules.Profile) []Finding {
	var list []Finding
	for _, f := range file.Check(p) {
		x := Finding{
			Severity: f.Severity.String(), Rule: f.Rule, Line: f.Line, Offset: f.Offset, Conversation: f.Conv + 1, Text: f.Message,
		}
		if len(file.Convs) > 0 {
			x.Message = file.Convs[f.Conv].Position(f.At.Msg) + 1
		}
		if r := p.Rule(f.Rule); r != nil {
			x.Provider, x.Fix = r.Provider, r.Fix
		}
		list = append(list, x)
	}
	return list
}

// Mending lists the changes that a repair made to one file.
type Mending struct {
	Version  int           `json:"version"`          // version of this report format
	Condense string        `json:"condense"`         // version of the program
	Input    string        `json:"input"`            // as the user wrote it; "-" for standard input
	Output   string        `json:"output"`           // where the result was written; "-" for standard output, "" when nothing was written
	Backup   string        `json:"backup,omitempty"` // where the original is kept, when it was replaced
	Format   string        `json:"format"`           // dialect of the file
	API      string        `json:"api"`              // the API or client whose rules were asked
	DryRun   bool          `json:"dry_run"`          // nothing was to be written
	Changed  bool          `json:"changed"`          // the output differs from the input
	Bytes    report.Change `json:"bytes"`            // size of the file
	Mended   []Mend        `json:"mended"`           // in the order it was done
	Left     []Finding     `json:"left"`             // what is wrong with the output still
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
