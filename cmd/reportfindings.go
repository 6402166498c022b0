package cmd

import (
	"condense/cmd/report"
	"condense/transcript/format"
	"condense/transcript/rules"
)

// newMending puts together what a repair did.
func newMending(name string, file *format.File, r *format.Repaired, p *rules.Profile) *report.Mending {
	m := &report.Mending{
		Version: report.ReportVersion, Condense: version(), Input: name, Format: file.Dialect.Name, API: p.Name,
		Bytes: report.Change{Before: file.Len(), After: len(r.Out)}, Left: findings(r.File, p),
	}
	for _, x := range r.Mended {
		m.Mended = append(m.Mended, report.Mend{
			Rule: x.Rule, Line: x.Line, Conversation: x.Conv + 1, Message: x.Message, Text: x.Finding.Message, Done: x.Why,
		})
	}
	return m
}

// findings lists what is wrong with a file, for people and programs.
func findings(file *format.File, p *rules.Profile) []report.Finding {
	var list []report.Finding
	for _, f := range file.Check(p) {
		x := report.Finding{
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
