package ui

import (
	"io"
	"slices"
	"testing"

	"condense/cmd/report"
	"condense/transcript/token"
)

// results has a result of every type that a command shows.
var results = []any{
	&report.Report{}, &report.Gate{}, &report.Comparison{}, &report.Stats{}, &report.Batch{Sum: &report.Summary{}}, &report.Summary{},
	&report.Findings{}, &report.Mending{}, &report.Difference{}, &report.Explanation{}, &report.Restored{}, &report.Removed{},
	&report.Collected{}, []report.StashEntry{}, &report.Tokens{}, token.Models{}, []report.Format{}, []report.Strategy{},
	&report.Settings{}, report.Version{},
}

// TestForms: names differ, every form shows results of some type, and every result is there for
// people and for programs.
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
	if Write(io.Discard, "none", &report.Gate{}, Options{}) == nil || Write(io.Discard, "tap", &report.Stats{}, Options{}) == nil {
		t.Error("a form that does not exist, or shows no such result, writes it")
	}
}
