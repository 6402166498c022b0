package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Expected says what a flag accepts, for an error that the flag library words itself. It
// returns "" if the error is worded by the flag.
func Expected(invalid *pflag.InvalidValueError) string {
	var number *strconv.NumError
	switch kind := invalid.GetFlag().Value.Type(); {
	case kind == "duration":
		return "a duration, such as 90s"
	case !errors.As(invalid, &number):
		return ""
	case errors.Is(invalid, strconv.ErrRange):
		return "a smaller number"
	case kind == "bool":
		return "true or false"
	case strings.HasPrefix(kind, "float"):
		return "a number"
	}
	return "a whole number"
}

// Given returns the texts to which a flag was set. Setting another flag of its kind to them, one
// after the other, copies its value.
func Given(f *pflag.Flag) []string {
	if list, ok := f.Value.(interface{ GetSlice() []string }); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

const (
	// FlagName is the name of the flag that names a file of settings.
	FlagName = "config"
	// Annotation is the key of annotations on commands and flags. Its values say how settings
	// affect them.
	Annotation = "config"
	Ignored    = "ignored" // settings do not affect the command or flag
	Whole      = "whole"   // the flag has one value for all files of the command
)

// TypedOnly keeps settings from affecting a flag of a command, because flags of that name mean
// something else in other commands.
func TypedOnly(fs *pflag.FlagSet, name string) { annotate(fs, name, Ignored) }

// WholeCommand marks flags that have one value for all files of a command, such as the form of
// its report. Sections of files must not set them.
func WholeCommand(fs *pflag.FlagSet, names ...string) {
	for _, name := range names {
		annotate(fs, name, Whole)
	}
}

func annotate(fs *pflag.FlagSet, name, how string) {
	if err := fs.SetAnnotation(name, Annotation, []string{how}); err != nil {
		panic(err) // the caller named a flag that does not exist
	}
}

// Annotated reports whether a flag has the annotation how, which is Ignored or Whole.
func Annotated(f *pflag.Flag, how string) bool {
	return slices.Contains(f.Annotations[Annotation], how)
}

// ValueError reports a setting with a value that its flag does not accept.
type ValueError struct {
	where string // a variable, FILE:LINE, or a preset
	err   error
}

func (e *ValueError) Error() string { return e.where + ": " + e.err.Error() }

func (e *ValueError) Unwrap() error { return e.err }

// setFlag sets a flag. Its errors do not speak of a command line.
func setFlag(fs *pflag.FlagSet, name, text string) error {
	err := fs.Set(name, text)
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	if expected := Expected(invalid); expected != "" {
		return fmt.Errorf("%s: expected %s, not %q", name, expected, text)
	}
	return fmt.Errorf("%s: %w", name, invalid.Unwrap())
}
