package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// environmentPrefix begins the variables that stand for flags:
// CONDENSE_KEEP_LAST=4 is --keep-last 4.
const environmentPrefix = "CONDENSE_"

// fromEnvironment sets the flags of cmd that were not given from the variables
// named after them. Flags win.
func fromEnvironment(cmd *cobra.Command, env func(string) string) error {
	var failed error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := environmentPrefix + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value := env(name)
		if failed != nil || f.Changed || value == "" || f.Name == "help" {
			return
		}
		if err := cmd.Flags().Set(f.Name, value); err != nil {
			failed = &usageError{fmt.Errorf("%s: %w", name, err), "see " + cmd.CommandPath() + " --help"}
		}
	})
	return failed
}
