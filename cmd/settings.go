package cmd

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"
)

// settings are what sets the flags that were not given on the command line.
type settings struct {
	env   func(string) string
	files []*configFile       // the strongest first
	given map[string][]string // on the command line, as it was typed
}

// takesPlace says which flags take the place of a flag: what a stronger level says of
// one of them leaves no room for what a weaker level says of it.
var takesPlace = map[string][]string{
	"target":       {"fraction"},
	"fraction":     {"target"},
	"tokenizer":    {"model"},
	"model":        {"tokenizer"},
	"api-key-env":  {"api-key-file"},
	"api-key-file": {"api-key-env"},
	"in-place":     {"output"},
	"output":       {"in-place"},
	"json":         {"diff", "markdown"},
	"diff":         {"json"},
	"markdown":     {"json"},
	"quiet":        {"verbose"},
	"verbose":      {"quiet"},
}

const (
	configFlag = "config"
	// configAnnotation says how a command, or a flag of it, goes by files of settings.
	configAnnotation = "config"
	configIgnored    = "ignored" // not at all: a command works where they are broken, a flag means something else
	configWhole      = "whole"   // a flag is one for all files of the command
)

// typedOnly keeps files from setting a flag of a command, because the flag of that name
// means something else there.
func typedOnly(fs *pflag.FlagSet, name string) { annotate(fs, name, configIgnored) }

// wholeCommand says of flags that they cannot differ by file: what a command has one of, as
// the form of its output and the file that it goes to. Sections must not set them.
func wholeCommand(fs *pflag.FlagSet, names ...string) {
	for _, name := range names {
		annotate(fs, name, configWhole)
	}
}

func annotate(fs *pflag.FlagSet, name, how string) {
	if err := fs.SetAnnotation(name, configAnnotation, []string{how}); err != nil {
		panic(err) // no flag of that name: a fault of the caller
	}
}

// annotated reports whether a flag goes by files of settings in a way of its own.
func annotated(f *pflag.Flag, how string) bool {
	return slices.Contains(f.Annotations[configAnnotation], how)
}

// sectioned reports whether settings can differ from file to file.
func (s *settings) sectioned() bool {
	return slices.ContainsFunc(s.files, func(c *configFile) bool { return len(c.files) > 0 })
}

// resolve sets each flag of fs that was not given from the strongest level that says
// anything of it, and tells for each that was set where from.
func resolve(fs *pflag.FlagSet, levels []level) (origins map[string]string, err error) {
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
		case err != nil || !ok || f.Name == "help" || f.Name == configFlag:
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
			err = &valueError{where, wrong}
		}
		origins[f.Name] = where
	})
	return origins, err
}

// valueError is a value that its flag does not take.
type valueError struct {
	where string // the variable, FILE:LINE, or preset that says it
	err   error
}

func (e *valueError) Error() string { return e.where + ": " + e.err.Error() }
func (e *valueError) Unwrap() error { return e.err }

// setFlag sets a flag. Its error is about the value, and not about a command line.
func setFlag(fs *pflag.FlagSet, name, text string) error {
	err := fs.Set(name, text)
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	if expected := expectedOf(invalid); expected != "" {
		return fmt.Errorf("%s: expected %s, not %q", name, expected, text)
	}
	return fmt.Errorf("%s: %w", name, invalid.Unwrap())
}

// givesWay reports whether a flag that a level sets is left alone because a stronger one
// says something that takes its place.
func givesWay(name string, at int, preset bool, rank map[string]int) bool {
	stronger := func(other string) bool { r, ok := rank[other]; return ok && r < at }
	return slices.ContainsFunc(takesPlace[name], stronger) || preset && slices.ContainsFunc(yields[name], stronger)
}
