package report

import (
	"condense/transcript/format"
	"condense/transcript/rules"
)

// NewMending puts together what a repair did.
func NewMending(name string, file *format.File, r *format.Repaired, p *rules.Profile) *Mending {
	m := &Mending{
		Version: ReportVersion, Condense: CondenseVersion(), Input: name, Format: file.Dialect.Name, API: p.Name,
		Bytes: Change{Before: file.Len(), After: len(r.Out)}, Left: NewFindings(r.File, p),
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
