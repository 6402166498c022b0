package ui

import (
	"io"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/cmd/report/survey"
)

// TestJSON compares reports of all kinds with testdata/json/SCHEMA-NAME.json. Package
// testdata/endtoend validates these files against the published schemas.
func TestJSON(t *testing.T) {
	exact := report.Tokenizer{Method: "exact"}
	one := session()
	one.Conversations[0].Number = 1
	explained := survey.Explain(one, 14)
	explained.Place = &survey.Place{Message: 14, Of: 70, Line: 3, Role: "user"}
	all := map[string]any{
		"report-session": session(), "report-several": several(14), "report-unchanged": unchangedRun(), "report-floor": belowFloor(),
		"report-estimated": estimated(), "report-calibrated": calibrated(), "report-tagged": tagged(), "report-program": byProgram(),
		"report-model": byModel(), "report-left-alone": leftAlone(), "report-hostile": hostile(nasty),
		"report-least": &report.Report{Version: report.ReportVersion, Tokenizer: exact, Conversations: make([]report.Conversation, 1)},

		"findings": someFindings(""), "findings-none": &gate.Findings{Version: report.ReportVersion},
		"mending": someMending(""), "mending-none": &gate.Mending{Version: report.ReportVersion},
		"gate-hostile": someGate(nasty), "difference-hostile": someDifference(nasty), "difference-none": &survey.Difference{Version: 1, Tokenizer: exact},
		"explanation": explained, "summary": shard(3),
	}
	for name, s := range everyStats() {
		all["stats-"+least(name)] = s
	}
	for name, c := range everyComparison() {
		all["comparison-"+least(name)] = c
	}
	for name, r := range all {
		golden(t, "json/"+name+".json", rendered(t, func(w io.Writer) error { return report.JSON(w, r) }))
	}
}

// least renames the samples named empty: they are the smallest results that follow a schema.
func least(name string) string {
	if name == "empty" {
		return "least"
	}
	return name
}
