package gate

import (
	"condense/cmd/report"
	"condense/transcript/format"
	"condense/transcript/rules"
)

// Findings lists the broken rules of files.
type Findings struct {
	Version  int       `json:"version"`  // version of this report format
	Condense string    `json:"condense"` // version of the program
	Errors   int       `json:"errors"`   // findings that make an API refuse the file or a client lose history
	Warnings int       `json:"warnings"` // findings that may do no harm
	Files    []Checked `json:"files"`    // in the order of the arguments
}

// A Checked lists the broken rules of one file.
type Checked struct {
	Input    string    `json:"input"`           // as the user wrote it; "-" for standard input
	Format   string    `json:"format"`          // dialect of the file; "" when it could not be read
	API      string    `json:"api"`             // the API or client whose rules were checked
	Error    string    `json:"error,omitempty"` // why the file could not be read; absent when it could
	Findings []Finding `json:"findings"`        // in the order of the file

	Unknown []report.Unknown `json:"unknown,omitempty"` // kinds of records that condense does not know, by name; no findings
}

// A Finding is one rule that is broken at one place.
type Finding struct {
	Severity     string `json:"severity"`           // error or warning
	Rule         string `json:"rule"`               // id of the rule: target/slug
	Line         int    `json:"line,omitempty"`     // line of the file, from 1
	Offset       int    `json:"offset"`             // bytes from the start of the file to the place
	Conversation int    `json:"conversation"`       // number in the file, from 1
	Message      int    `json:"message,omitempty"`  // number in the conversation, from 1
	Text         string `json:"text"`               // what is wrong, for people
	Provider     string `json:"provider,omitempty"` // the provider's error message, word for word
	Fix          string `json:"fix"`                // what to do about it
}

// NewMending returns the results of a repair.
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

// A Mending lists the changes that a repair made to one file.
type Mending struct {
	Version  int           `json:"version"`          // version of this report format
	Condense string        `json:"condense"`         // version of the program
	Input    string        `json:"input"`            // as the user wrote it; "-" for standard input
	Output   string        `json:"output"`           // where the result was written; "-" for standard output, "" when nothing was written
	Backup   string        `json:"backup,omitempty"` // where the original is kept, when it was replaced
	Format   string        `json:"format"`           // dialect of the file
	API      string        `json:"api"`              // the API or client whose rules were checked
	DryRun   bool          `json:"dry_run"`          // set if nothing was to be written
	Changed  bool          `json:"changed"`          // reports whether the output differs from the input
	Bytes    report.Change `json:"bytes"`            // size of the file
	Mended   []Mend        `json:"mended"`           // in the order of the changes
	Left     []Finding     `json:"left"`             // rules that the output still breaks
}

// A Mend is one change of a repair.
type Mend struct {
	Rule         string `json:"rule"`              // id of the rule that was broken
	Line         int    `json:"line,omitempty"`    // line of the input, from 1
	Conversation int    `json:"conversation"`      // number in the file, from 1
	Message      int    `json:"message,omitempty"` // number in the conversation, from 1
	Text         string `json:"text"`              // what was wrong, for people
	Done         string `json:"done"`              // what was dropped, added or changed
}
