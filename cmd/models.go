package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"condense/cmd/ui"
	"condense/transcript/token"
)

func newModels(a *app) *cobra.Command {
	asJSON, file := false, ""
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
		RunE: func(cmd *cobra.Command, _ []string) error { return runModels(cmd.Context(), a, file, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array for programs")
	addModelsFlag(cmd.Flags(), &file)
	return cmd
}

func runModels(ctx context.Context, a *app, file string, asJSON bool) error {
	table, err := readModels(ctx, file)
	if err != nil {
		return err
	}
	if asJSON {
		err = ui.JSON(a.out, table)
	} else {
		err = ui.Models(a.out, table, token.ModelsDate, ui.TextOptions{Color: ui.UseColor(ui.ColorAuto, a.out, a.env), Width: ui.Width(a.out)})
	}
	if err != nil {
		return &outputError{err}
	}
	return nil
}
