package cmd

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"condense/cmd/config"
	"condense/cmd/report/inventory"
	"condense/cmd/ui"
	"condense/strategy"
	"condense/transcript/format"
	"condense/transcript/token"
)

func newFormats(a *app) *cobra.Command {
	o := &showing{}
	cmd := &cobra.Command{
		Use:   "formats",
		Short: "List the formats of saved conversations",
		Long: `List the formats of saved conversations that condense reads and writes back.

hidden   files can hold messages outside the effective view: abandoned branches,
         messages that a compaction replaced, sub-agents. They are copied.
mirrors  files repeat texts of messages elsewhere. The copies change with the messages.

With --json the list is an array of objects with the members name, description,
where, read, write, rules, hidden_history and mirrors. Later versions may add members.`,
		Example: `  condense formats
  condense formats --json | jq -r '.[].name'`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.show(cmd.Context(), o, formats(), a.screen(ui.ColorAuto, 0))
		},
	}
	o.addFlags(cmd.Flags(), []inventory.Format{}, "print an array for programs")
	return cmd
}

// formats describes the dialects. All of them can be read and written.
func formats() []inventory.Format {
	list := make([]inventory.Format, len(format.Dialects))
	for i, d := range format.Dialects {
		list[i] = inventory.Format{
			Name: d.Name, Doc: d.Doc, Where: d.Where, Read: true, Write: true, Rules: d.Target().Name, Hidden: d.Hidden, Mirrors: d.Mirrors,
		}
	}
	return list
}

func newModels(a *app) *cobra.Command {
	o, file := &showing{}, ""
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List the models, their tokenizers and limits",
		Long: `List the models that --model and --tokenizer take. A name stands for all models whose
names begin with it.

  tokenizer  the encoding by which texts are counted
  factor     tokens of the model for each token of the tokenizer
  ±          percent by which counts may differ, in either direction
  method     exact: the model's own tokenizer; calibrated: the factor was measured;
             estimate: the factor was not measured
  window     tokens that the model accepts, request and answer
  output     tokens of the longest answer
  images     the rule by which images are counted

With --json the list is an array of objects with the members name, tokenizer, factor,
method, band, source, context_window, max_output, images and framing. --models takes a file
with such an array, or with some of its objects.`,
		Example: `  condense models
  condense models --json | jq -r '.[] | select(.method == "exact") | .name'`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return runModels(cmd.Context(), a, file, o) },
	}
	o.addFlags(cmd.Flags(), token.Models{}, "print an array for programs")
	addModelsFlag(cmd.Flags(), &file)
	return cmd
}

func runModels(ctx context.Context, a *app, file string, o *showing) error {
	table, err := readModels(ctx, file)
	if err != nil {
		return err
	}
	return a.show(ctx, o, table, a.screen(ui.ColorAuto, 0))
}

func newStrategies(a *app) *cobra.Command {
	o := &showing{}
	cmd := &cobra.Command{
		Use:   "strategies",
		Short: "List the strategies and their options",
		Long: `List the strategies that --strategy takes, alone or in a pipeline.

aims   the strategy works towards --target, by default what --window has room for,
       or half of the tokens; the others remove all that they can, and stop early only
       if a target is given
model  the strategy asks a language model if --llm is given; no strategy needs one

Each strategy is followed by its own options. Options for all strategies are not repeated:
the target (--target), the trigger (--window and others), and the pins (--keep-*, --pin,
--protect-*, --only, --messages). For programs as strategies, see condense help exec.

With --json the list is an array of objects with the members name, description, loses,
aims, asks_model, needs_model (always false), options and, for a preset, runs. Later
versions may add members.`,
		Example: `  condense strategies
  condense strategies --json | jq -r '.[].name'`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.show(cmd.Context(), o, strategies(), a.screen(ui.ColorAuto, 0))
		},
	}
	o.addFlags(cmd.Flags(), []inventory.Strategy{}, "print an array for programs")
	return cmd
}

// strategies describes the preset and the strategies, in the order of the help.
func strategies() []inventory.Strategy {
	preset := inventory.Strategy{Name: strategy.HybridName, Doc: strategy.HybridDoc, Loses: "as little as the target allows", Options: []string{}}
	for _, s := range strategy.Hybrid {
		preset.Stages = append(preset.Stages, s.Name)
		preset.Aims = preset.Aims || s.Aims
		preset.Asks = preset.Asks || asks(s)
		for _, f := range flagsOf(s) {
			if !slices.Contains(preset.Options, f) && f != "tag" { // --tag works only if all strategies remove whole messages
				preset.Options = append(preset.Options, f)
			}
		}
	}
	list := []inventory.Strategy{preset}
	for _, s := range strategy.All {
		list = append(list, inventory.Strategy{Name: s.Name, Doc: s.Doc, Loses: s.Loses, Aims: s.Aims, Asks: asks(s), Options: append([]string{}, flagsOf(s)...)})
	}
	return list
}

// asks reports whether a strategy asks a model if one is given.
func asks(s *strategy.Strategy) bool { return slices.Contains(s.Options, "Ask") }

func newVersion(a *app) *cobra.Command {
	o := &showing{}
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version of condense, and where the program comes from: release archive, npm,
Debian package, container image, go install, or source.

With --json the output is an object with the members version, from, revision, modified,
go, os and arch. The revision is that of the source, "" if the build does not know it. The member
modified is true if the source differed from the revision.`,
		Example: `  condense version
  condense version --json | jq -r .go`,
		Args:        usageArgs(cobra.NoArgs),
		Annotations: map[string]string{config.Annotation: config.Ignored},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.show(cmd.Context(), o, inventory.NewVersion(), ui.Options{})
		},
	}
	o.addFlags(cmd.Flags(), inventory.Version{}, "print an object for programs")
	return cmd
}
