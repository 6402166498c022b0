package cmd

import (
	"slices"

	"github.com/spf13/cobra"

	"condense/cmd/ui"
	"condense/strategy"
)

func newStrategies(a *app) *cobra.Command {
	asJSON := false
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
		RunE: func(*cobra.Command, []string) error { return runStrategies(a, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array for programs")
	return cmd
}

func runStrategies(a *app, asJSON bool) error {
	var err error
	if asJSON {
		err = ui.JSON(a.out, strategies())
	} else {
		err = ui.Strategies(a.out, strategies(), ui.TextOptions{Color: ui.UseColor(ui.ColorAuto, a.out, a.env), Width: ui.Width(a.out)})
	}
	if err != nil {
		return &outputError{err}
	}
	return nil
}

// strategies describes the preset and the strategies, in the order of the help.
func strategies() []ui.Strategy {
	preset := ui.Strategy{Name: strategy.HybridName, Doc: strategy.HybridDoc, Loses: "as little as the target allows", Options: []string{}}
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
	list := []ui.Strategy{preset}
	for _, s := range strategy.All {
		list = append(list, ui.Strategy{Name: s.Name, Doc: s.Doc, Loses: s.Loses, Aims: s.Aims, Asks: asks(s), Options: append([]string{}, flagsOf(s)...)})
	}
	return list
}

// asks reports whether a strategy asks a model when there is one.
func asks(s *strategy.Strategy) bool { return slices.Contains(s.Options, "Ask") }
