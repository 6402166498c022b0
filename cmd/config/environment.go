package config

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// environmentPrefix begins the variables that stand for flags:
// CONDENSE_KEEP_LAST=4 is --keep-last 4.
const environmentPrefix = "CONDENSE_"

// Variable is the name of the variable that stands for a flag.
func Variable(flag string) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// environmentLevel is what the variables of the environment say. An empty one says nothing.
func environmentLevel(env func(string) string) Level {
	return Level{name: "environment", values: func(f *pflag.Flag) ([]string, string, bool, error) {
		value := env(Variable(f.Name))
		return []string{value}, Variable(f.Name), value != "", nil
	}}
}

// Misspelt lists the variables that no flag has and that resemble one that some flag has, each
// with that one. Others that begin alike may be of other programs.
func Misspelt(env func(string) string, keys []string) (list []error) {
	known := []string{environmentPrefix + "CONFIG"}
	for _, key := range keys {
		known = append(known, Variable(key))
	}
	environment := os.Environ()
	slices.Sort(environment)
	for _, e := range environment {
		name, _, _ := strings.Cut(e, "=")
		rest, ours := strings.CutPrefix(name, environmentPrefix)
		if !ours || strings.HasPrefix(rest, "EXEC_") || env(name) == "" || slices.Contains(known, name) {
			continue
		}
		for _, k := range known {
			if distance(name, k) <= maxTypos {
				list = append(list, fmt.Errorf("%s is the variable of no flag: did you mean %s?", name, k))
				break
			}
		}
	}
	return list
}

// maxTypos is how many letters of a variable may differ from another's that was meant.
const maxTypos = 2
