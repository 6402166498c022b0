package cmd

import (
	"strings"

	"github.com/spf13/pflag"
)

// environmentPrefix begins the variables that stand for flags:
// CONDENSE_KEEP_LAST=4 is --keep-last 4.
const environmentPrefix = "CONDENSE_"

// variable is the name of the variable that stands for a flag.
func variable(flag string) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// environmentLevel is what the variables of the environment say. An empty one says nothing.
func environmentLevel(env func(string) string) level {
	return level{name: "environment", values: func(f *pflag.Flag) ([]string, string, bool, error) {
		value := env(variable(f.Name))
		return []string{value}, variable(f.Name), value != "", nil
	}}
}
