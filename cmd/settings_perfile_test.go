package cmd

import (
	"context"
	"fmt"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
)

// TestPerFile checks that files with the same settings share options, and that a file without
// settings of its own has those of the command.
func TestPerFile(t *testing.T) {
	newCommand := func() (*runOptions, *cobra.Command) {
		o, cmd := newRunOptions(), &cobra.Command{}
		o.addFlags(cmd, cmd.Flags())
		return o, cmd
	}
	whole, cmd := newCommand()
	s := config.Settings{Env: func(string) string { return "" }, Files: []*config.File{file(t, "/p/condense.yaml", `target: 40%
files:
  "*.json": {target: 5k}
  "deep/**": {target: 5k}
  "same/*": {target: 40%}
  "wrong": {target: 9k}`, true)}}
	if _, err := config.Resolve(cmd.Flags(), s.Levels("")); err != nil {
		t.Fatal(err)
	}
	made := 0
	options := &config.PerFile[*runOptions]{
		Settings: &s, Whole: whole, Flags: cmd.Flags(),
		Fresh: func() (*runOptions, *pflag.FlagSet) {
			own, cmd := newCommand()
			return own, cmd.Flags()
		},
		Ready: func(own *runOptions, _ *pflag.FlagSet) error {
			made++
			if own.strategy.Target.String() == "9000" {
				return usage("it is too much")
			}
			return nil
		},
	}
	of := func(path string) *runOptions {
		own, err := options.Of(path)
		if err != nil {
			t.Fatal(err)
		}
		return own
	}
	first := of("/p/0.json")
	for i := range 100 {
		if of(fmt.Sprintf("/p/%d.json", i)) != first || of(fmt.Sprintf("/p/deep/%d.txt", i)) != first {
			t.Fatalf("options of file %d are not shared", i)
		}
	}
	if of("/p/a.txt") != whole || of("/p/same/a.txt") != whole || of("-") != whole {
		t.Error("a file without settings of its own does not have the options of the command")
	}
	if first == whole || first.strategy.Target.String() != "5000" || made != 1 {
		t.Errorf("target %s, made %d times", first.strategy.Target, made)
	}
	if _, err := options.Of("/p/wrong"); err == nil || err.Error() != "/p/wrong: it is too much" {
		t.Errorf("unexpected error %v", err)
	}
}

// TestBatchHasOneModel checks that all files of a batch share one client, so that --max-cost and
// --rpm limit all of them together.
func TestBatchHasOneModel(t *testing.T) {
	b := &batchRun{a: &app{env: func(string) string { return "key" }}}
	var all []*batchOptions
	for _, args := range [][]string{{}, {"--llm", "--focus", "a"}, {"--llm", "--focus", "b"}} {
		o, cmd := newBatchOptions(), &cobra.Command{}
		o.addFlags(cmd, cmd.Flags())
		if err := cmd.Flags().Parse(append(args, "--llm-model", "gpt-4o-mini", "--base-url", "http://127.0.0.1:1/v1", "--max-cost", "1")); err != nil {
			t.Fatal(err)
		}
		if err := b.ready(context.Background(), o, cmd.Flags()); err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
	if all[0].run.client != nil {
		t.Error("a file without llm has a client")
	}
	if all[1].run.client == nil || all[1].run.client != all[2].run.client {
		t.Error("two sections have two clients, each with its own limit of the cost")
	}
	if all[1].run.asked.Focus != "a" || all[2].run.asked.Focus != "b" {
		t.Error("the settings of a section for the question are lost")
	}
}
