package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"condense/cmd/config"
	"condense/cmd/source"
	"condense/cmd/ui/escape"
)

func newConfigInit(a *app) *cobra.Command {
	user, force := false, false
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Begin a file of settings",
		Long: `Write a condense.yaml with every key that condense run has a flag for, all of them commented
out, into the working directory; with --user, your own; or FILE. "-" writes it to standard
output.`,
		Example: `  condense config init && condense config check
  condense config init --user - | head`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := config.FileName
			if len(args) > 0 {
				path = args[0]
			} else if user {
				var err error
				if path, err = config.UserFile(a.env); err != nil {
					return err
				}
			}
			return runConfigInit(cmd.Context(), a, path, user, force)
		},
	}
	cmd.Flags().BoolVar(&user, "user", false, "with the keys that only your own file may set, and there when no FILE is named")
	cmd.Flags().BoolVarP(&force, "force", "f", false, "overwrite what exists")
	return cmd
}

func runConfigInit(ctx context.Context, a *app, path string, user, force bool) error {
	text := config.Template(newRun(a).Flags(), !user)
	if path == "-" {
		if _, err := io.WriteString(a.out, text); err != nil {
			return &outputError{err}
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return &unwritable{path, err}
	}
	err := source.Create(ctx, path, source.CreateOptions{Force: force}, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err == nil {
		fmt.Fprintf(a.err, "%s is written, with everything commented out\n", escape.Line(path))
	}
	return err
}
