package ui

import (
	"io"
	"slices"
	"testing"

	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/cmd/report/inventory"
	"condense/cmd/report/survey"
	"condense/transcript/token"
)

// results lists a result of every type that commands show.
var results = []any{
	&report.Report{}, &gate.Gate{}, &survey.Comparison{}, &survey.Stats{}, &survey.Batch{Sum: &survey.Summary{}}, &survey.Summary{},
	&gate.Findings{}, &gate.Mending{}, &survey.Difference{}, &survey.Explanation{}, &inventory.Restored{}, &inventory.Removed{},
	&inventory.Collected{}, []inventory.StashEntry{}, &survey.Tokens{}, token.Models{}, []inventory.Format{}, []inventory.Strategy{},
	&inventory.Settings{}, inventory.Version{}, &survey.View{}, []inventory.Undone{}, &inventory.Purged{},
}

// TestForms checks that the names of forms differ, that every form shows some results, and that every
// result has a form for people and one for programs.
func TestForms(t *testing.T) {
	var names []string
	for _, f := range forms {
		if slices.Contains(names, f.Name) {
			t.Errorf("two forms are called %s", f.Name)
		}
		names = append(names, f.Name)
		shown := slices.ContainsFunc(results, func(r any) bool { return f.shows(r) != nil })
		if !shown {
			t.Errorf("%s shows nothing", f.Name)
		}
	}
	for _, r := range results {
		for _, name := range []string{"text", "json"} {
			if !slices.Contains(FormNames(r), name) {
				t.Errorf("%T has no form %s", r, name)
			}
		}
		for _, name := range FormNames(r) {
			if err := Write(io.Discard, name, r, Options{}); err != nil {
				t.Errorf("%T as %s: %v", r, name, err)
			}
		}
	}
	if Write(io.Discard, "none", &gate.Gate{}, Options{}) == nil || Write(io.Discard, "tap", &survey.Stats{}, Options{}) == nil {
		t.Error("Write succeeds with an unknown form, or with one that does not show the result")
	}
}
