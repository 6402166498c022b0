package cmd

import (
	"testing"

	"condense/strategy"
)

// Every option that a strategy names is a flag of condense run.
func TestStrategyOptions(t *testing.T) {
	run := newRun(&app{env: func(string) string { return "" }})
	list := strategies()
	if len(list) != len(strategy.Names()) {
		t.Errorf("%d strategies are described, of %d", len(list), len(strategy.Names()))
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
