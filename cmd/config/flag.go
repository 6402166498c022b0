package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Expected is what a flag takes in place of a value of which the library says what went
// wrong in its own words; "" where the flag says it.
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

// Given are the texts that a flag was set to: what sets another to the same.
func Given(f *pflag.Flag) []string {
	if list, ok := f.Value.(interface{ GetSlice() []string }); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

const (
	// FlagName is the name of the flag that names a file of settings.
	FlagName = "config"
	// Annotation says how a command, or a flag of it, goes by files of settings.
	Annotation = "config"
	Ignored    = "ignored" // not at all: a command works where they are broken, a flag means something else
	Whole      = "whole"   // a flag is one for all files of the command
)

// TypedOnly keeps files from setting a flag of a command, because the flag of that name
// means something else there.
func TypedOnly(fs *pflag.FlagSet, name string) { annotate(fs, name, Ignored) }

// WholeCommand says of flags that they cannot differ by file: what a command has one of, as
// the form of its output and the file that it goes to. Sections must not set them.
func WholeCommand(fs *pflag.FlagSet, names ...string) {
	for _, name := range names {
		annotate(fs, name, Whole)
	}
}

func annotate(fs *pflag.FlagSet, name, how string) {
	if err := fs.SetAnnotation(name, Annotation, []string{how}); err != nil {
		panic(err) // no flag of that name: a fault of the caller
	}
}

// Annotated reports whether a flag goes by files of settings in a way of its own.
func Annotated(f *pflag.Flag, how string) bool {
	return slices.Contains(f.Annotations[Annotation], how)
}

// ValueError is a value that its flag does not take.
type ValueError struct {
	where string // the variable, FILE:LINE, or preset that says it
	err   error
}

func (e *ValueError) Error() string { return e.where + ": " + e.err.Error() }

func (e *ValueError) Unwrap() error { return e.err }

// setFlag sets a flag. Its error is about the value, and not about a command line.
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
