package cmd

import (
	"testing"

	"condense/strategy"
)

// TestStrategyOptions checks that every option of a strategy is a flag of condense run.
func TestStrategyOptions(t *testing.T) {
	run := newRun(&app{env: func(string) string { return "" }})
	list := strategies()
	if len(list) != len(strategy.Names()) {
		t.Errorf("%d of %d strategies are described", len(list), len(strategy.Names()))
	}
	for i, s := range list {
		if s.Name != strategy.Names()[i] || s.Doc == "" {
			t.Errorf("%d: %s is described as %q", i, s.Name, s.Doc)
		}
		for _, name := range s.Options {
			if run.Flags().Lookup(name) == nil {
				t.Errorf("%s: there is no --%s", s.Name, name)
			}
		}
	}
}
