package cmd

import (
	"github.com/spf13/cobra"

	"condense/cmd/config"
	"condense/cmd/report"
	"condense/cmd/ui"
)

func newVersion(a *app) *cobra.Command {
	o := &showing{}
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version of condense.

With --json the output is an object with the members version, revision (of the source; ""
where the build does not know it), modified (whether the source differed from that), go, os
and arch.`,
		Example: `  condense version
  condense version --json | jq -r .go`,
		Args:        usageArgs(cobra.NoArgs),
		Annotations: map[string]string{config.Annotation: config.Ignored},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.show(cmd.Context(), o, report.NewVersion(), ui.Options{})
		},
	}
	o.addFlags(cmd.Flags(), report.Version{}, "print an object for programs")
	return cmd
}
