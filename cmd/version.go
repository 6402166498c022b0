package cmd

import (
	"runtime"
	"runtime/debug"

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
			return a.show(cmd.Context(), o, build(), ui.Options{})
		},
	}
	o.addFlags(cmd.Flags(), report.Version{}, "print an object for programs")
	return cmd
}

// version is what the build says of itself.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// build is what is known of the program.
func build() report.Version {
	v := report.Version{Version: version(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
