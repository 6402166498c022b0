// Package config sets the flags that are not given on the command line: from the environment,
// from the condense.yaml of the project and of the user, and from presets.
//
// A key of a file, a variable in the environment and a flag have the same name. [Resolve] takes
// the value of each flag from the strongest [Level] that has one. A file that came with a
// checkout is not trusted: [UserOnly] lists the keys that it must not set. The package knows
// flags, not commands.
package config

import (
	"slices"

	"github.com/spf13/pflag"
)

// Settings holds all sources of values for flags.
type Settings struct {
	Env   func(string) string
	Files []*File             // the strongest first
	Given map[string][]string // texts of each flag on the command line
}

// takesPlace lists, for each flag, the flags that replace it: if a stronger level sets one of
// them, a weaker level does not set the flag.
var takesPlace = map[string][]string{
	"target":        {"fraction"},
	"fraction":      {"target"},
	"tokenizer":     {"model"},
	"model":         {"tokenizer"},
	"api-key-env":   {"api-key-file"},
	"api-key-file":  {"api-key-env"},
	"in-place":      {"output"},
	"output":        {"in-place"},
	"json":          {"diff", "markdown"},
	"diff":          {"json"},
	"markdown":      {"json", "report-format"},
	"report":        {"html"},
	"report-format": {"html", "markdown", "output-format"},
	"html":          {"report", "report-format"},
	"output-format": {"report-format"},
	"quiet":         {"verbose"},
	"verbose":       {"quiet"},
}

// Sectioned reports whether settings can differ by file.
func (s *Settings) Sectioned() bool {
	return slices.ContainsFunc(s.Files, func(c *File) bool { return len(c.files) > 0 })
}

// Resolve sets each flag of fs that was not given from the strongest level that has a value for
// it. origins maps each flag that has a value to the place of that value, "flag" for the command
// line.
func Resolve(fs *pflag.FlagSet, levels []Level) (origins map[string]string, err error) {
	levels = withPreset(fs, levels)
	rank := map[string]int{} // by flag: number of the level that sets it, from 1; 0 if it was given
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			rank[f.Name] = 0
			return
		}
		for i, l := range levels {
			if _, _, ok, _ := l.values(f); ok {
				rank[f.Name] = i + 1
				return
			}
		}
	})
	origins = map[string]string{}
	fs.VisitAll(func(f *pflag.Flag) {
		at, ok := rank[f.Name]
		switch {
		case err != nil || !ok || f.Name == "help" || f.Name == FlagName:
			return
		case at == 0:
			origins[f.Name] = "flag"
			return
		}
		l := levels[at-1]
		if replaced(f.Name, at, l.preset, rank) {
			return
		}
		texts, where, _, wrong := l.values(f)
		for _, text := range texts {
			if wrong == nil {
				wrong = setFlag(fs, f.Name, text)
			}
		}
		if wrong != nil {
			err = &ValueError{where, wrong}
		}
		origins[f.Name] = where
	})
	return origins, err
}

// replaced reports whether the level at rank at must not set a flag, because a stronger level
// sets a flag that replaces it.
func replaced(name string, at int, preset bool, rank map[string]int) bool {
	stronger := func(other string) bool { r, ok := rank[other]; return ok && r < at }
	return slices.ContainsFunc(takesPlace[name], stronger) || preset && slices.ContainsFunc(yields[name], stronger)
}
