package cmd

import (
	"slices"

	"github.com/spf13/cobra"

	"condense/cmd/report"
	"condense/cmd/ui"
	"condense/strategy"
)

func newStrategies(a *app) *cobra.Command {
	o := &showing{}
	cmd := &cobra.Command{
		Use:   "strategies",
		Short: "List the strategies and what they take",
		Long: `List the strategies that --strategy takes, alone or in a pipeline.

aims   works towards --target, half of the tokens when none is given; the others do all
       they can, and stop early only for a target
model  asks a language model when --llm is given; none needs one

Below each stand the options that say how it works. Those for all are not repeated: how
far to go (--target), whether at all (--window and the like), and what is kept (--keep-*,
--pin, --protect-*, --only, --messages). For programs as strategies: condense help exec.

With --json the list is an array of objects with the members name, description, loses,
aims, asks_model, needs_model (always false), options and, for a preset, runs. Others may
be added.`,
		Example: `  condense strategies
  condense strategies --json | jq -r '.[].name'`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.show(cmd.Context(), o, strategies(), a.screen(ui.ColorAuto, 0))
		},
	}
	o.addFlags(cmd.Flags(), []report.Strategy{}, "print an array for programs")
	return cmd
}

// strategies describes the preset and the strategies, in the order of the help.
func strategies() []report.Strategy {
	preset := report.Strategy{Name: strategy.HybridName, Doc: strategy.HybridDoc, Loses: "as little as the target allows", Options: []string{}}
	for _, s := range strategy.Hybrid {
		preset.Stages = append(preset.Stages, s.Name)
		preset.Aims = preset.Aims || s.Aims
		preset.Asks = preset.Asks || asks(s)
		for _, f := range flagsOf(s) {
			if !slices.Contains(preset.Options, f) && f != "tag" { // --tag goes with strategies that remove whole messages only
				preset.Options = append(preset.Options, f)
			}
		}
	}
	list := []report.Strategy{preset}
	for _, s := range strategy.All {
		list = append(list, report.Strategy{Name: s.Name, Doc: s.Doc, Loses: s.Loses, Aims: s.Aims, Asks: asks(s), Options: append([]string{}, flagsOf(s)...)})
	}
	return list
}

// asks reports whether a strategy asks a model when there is one.
func asks(s *strategy.Strategy) bool { return slices.Contains(s.Options, "Ask") }
