// Package config sets the flags that a command line leaves alone: from the environment, from
// condense.yaml of the project and of the user, and from presets.
//
// A key of a file, a variable of the environment and a flag have one name; [Resolve] goes through
// the flags once and takes each value from the strongest [Level] that has one. A file that came
// with a checkout is not trusted: [UserOnly] lists what it must not set. The package knows flags,
// not commands.
package config

import (
	"slices"

	"github.com/spf13/pflag"
)

// Settings sets the flags that the command line leaves alone.
type Settings struct {
	Env   func(string) string
	Files []*File             // the strongest first
	Given map[string][]string // on the command line, as it was typed
}

// takesPlace says which flags take the place of a flag: what a stronger level says of
// one of them leaves no room for what a weaker level says of it.
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

// Sectioned reports whether settings can differ from file to file.
func (s *Settings) Sectioned() bool {
	return slices.ContainsFunc(s.Files, func(c *File) bool { return len(c.files) > 0 })
}

// Resolve sets each flag of fs that was not given from the strongest level that says
// anything of it, and tells for each that was set where from.
func Resolve(fs *pflag.FlagSet, levels []Level) (origins map[string]string, err error) {
	levels = withPreset(fs, levels)
	rank := map[string]int{} // of the level that sets a flag, from 1; 0: it was given
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
		if givesWay(f.Name, at, l.preset, rank) {
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

// givesWay reports whether a flag that a level sets is left alone because a stronger one
// says something that takes its place.
func givesWay(name string, at int, preset bool, rank map[string]int) bool {
	stronger := func(other string) bool { r, ok := rank[other]; return ok && r < at }
	return slices.ContainsFunc(takesPlace[name], stronger) || preset && slices.ContainsFunc(yields[name], stronger)
}
