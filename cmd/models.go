package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"condense/cmd/ui"
	"condense/transcript/token"
)

func newModels(a *app) *cobra.Command {
	o, file := &showing{}, ""
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List the models, how each counts and what it takes",
		Long: `List the models that --model and --tokenizer take, by the beginning of their names.

tokenizer  the encoding that texts are counted in
factor     tokens of the model for each of these
±          percent by which the count of a text is known to be off, either way
method     exact: it is the model's own tokenizer; calibrated: somebody measured the
           factor; estimate: nobody did
window     tokens that the model takes, request and answer
output     tokens of the longest answer
images     the rule by which images count

With --json the list is an array of objects with the members name, tokenizer, factor,
method, band, source, context_window, max_output, images and framing. A file with
such an array, whole or in part, can be given to --models.`,
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
