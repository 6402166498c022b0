package cmd

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"condense/cmd/config"
	"condense/strategy"
)

// set returns the options of a run with these flags.
func set(t *testing.T, args ...string) *runOptions {
	t.Helper()
	o, cmd := newRunOptions(), &cobra.Command{}
	o.addFlags(cmd, cmd.Flags())
	if err := cmd.Flags().Parse(args); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Resolve(cmd.Flags(), nil); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestPresets checks that every preset can be set, alone and with flags to which it yields.
func TestPresets(t *testing.T) {
	for _, p := range config.Presets {
		o := set(t, "--preset", p.Name)
		if err := o.check("a.json"); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if !(o.strategy.Target.Share > 0 && o.strategy.Target.Share < 1) {
			t.Errorf("%s: target %v", p.Name, o.strategy.Target)
		}
		if o := set(t, "--preset", p.Name, "--fraction", "0.5", "-s", "truncate"); o.strategy.Target != (strategy.Target{}) {
			t.Errorf("%s: target %v beside --fraction", p.Name, o.strategy.Target)
		}
		if err := set(t, "--preset", p.Name, "--tag", "-s", "truncate").check("a.json"); err != nil {
			t.Errorf("%s with --tag: %v", p.Name, err)
		}
		for _, s := range p.Sets {
			if s.Why == "" {
				t.Errorf("%s: no reason for --%s", p.Name, s.Flag)
			}
		}
	}
	o := set(t, "--keep-rounds", "7", "--preset", "aggressive", "-t", "30%")
	s := o.strategy
	if s.KeepRounds != 7 || s.Target.Share != 0.3 || s.Images != (strategy.Images{Limited: true, Last: 1}) {
		t.Errorf("%+v", s)
	}
}

// TestMeasures checks that retention is measured only for those who see it: it takes a sixth of the time
// of a run.
func TestMeasures(t *testing.T) {
	for _, tt := range []struct {
		args string
		want bool
	}{
		{"", true},
		{"--quiet", false},
		{"--quiet --report r.json", true},
		{"--quiet --min-retention 0.5", true},
		{"--quiet --json -n", true},
	} {
		o, cmd := newRunOptions(), &cobra.Command{}
		o.addFlags(cmd, cmd.Flags())
		if err := cmd.ParseFlags(strings.Fields(tt.args)); err != nil {
			t.Fatal(err)
		}
		if got := o.measures(); got != tt.want {
			t.Errorf("%q: got %t", tt.args, got)
		}
	}
}
