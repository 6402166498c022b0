package cmd

import (
	"encoding"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/strategy"
)

// usageArgs wraps check: wrong arguments become a usage error that names what the command
// takes.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		if err == nil {
			return nil
		}
		var own *usageError
		if errors.As(err, &own) {
			return own
		}
		var missing *config.UnknownName
		if !errors.As(err, &missing) && !cmd.HasSubCommands() {
			err = wrongNumber(cmd, args)
		}
		return &usageError{err, moreOf(cmd, args) + "see " + cmd.CommandPath() + " --help"}
	}
}

// wrongNumber returns the error for too many or too few arguments. It takes what the command
// expects from cmd.Use.
func wrongNumber(cmd *cobra.Command, args []string) error {
	takes, _, _ := strings.Cut(strings.TrimPrefix(cmd.Use, cmd.Name()), " --")
	takes = strings.TrimSpace(takes)
	name := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	if takes == "" {
		takes = "no arguments"
	}
	switch len(args) {
	case 0:
		return fmt.Errorf("%s takes %s, and was given nothing", name, takes)
	case 1:
		return fmt.Errorf("%s takes %s, and was given %q", name, takes, args[0])
	}
	return fmt.Errorf("%s takes %s, and was given %d arguments", name, takes, len(args))
}

// moreOf returns a hint at another way to pass the arguments, "" if none is known.
func moreOf(cmd *cobra.Command, args []string) string {
	switch {
	case cmd.Name() == "run" && len(args) > 1:
		return "condense batch takes many files; "
	case cmd.Name() == "filter":
		return "it reads standard input, as in condense filter < " + shellWord(args[0]) + "; "
	}
	return ""
}

// knownCommand rejects any argument of the root command: the first one was meant as a
// command, and no command has that name.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if info, err := os.Stat(args[0]); err == nil && info.Mode().IsRegular() {
		return &usageError{fmt.Errorf("%q is a file, not a command", args[0]), "condense run " + shellWord(args[0]) + " condenses it; see condense --help"}
	}
	return unknownCommand(root, args[0])
}

// unknownCommand returns the error for a name that is no command below of. It suggests
// similar names.
func unknownCommand(of *cobra.Command, name string) error {
	var names []string
	for _, c := range of.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return config.Unknown(fmt.Errorf("unknown command %q", name), name, names)
}

// refuseUnknownTopics makes condense help fail with a usage error if there is no such topic.
func refuseUnknownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = usageArgs(func(_ *cobra.Command, args []string) error {
				found, rest, err := root.Find(args)
				if err == nil && len(rest) > 0 {
					err = &usageError{unknownCommand(found, rest[0]), "see " + found.CommandPath() + " --help"}
				}
				return err
			})
		}
	}
}

// flagError rewrites an error of the flag library for users: it suggests similar flags and
// says what an invalid value should be.
func flagError(cmd *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	if errors.As(err, &missing) {
		return config.Unknown(err, "--"+missing.GetSpecifiedName(), flagNames(cmd))
	}
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	expected := config.Expected(invalid)
	if expected == "" {
		return err
	}
	return fmt.Errorf("invalid argument %q for \"--%s\" flag: expected %s", invalid.GetValue(), invalid.GetFlag().Name, expected)
}

// flagNames lists the long names of the flags of a command.
func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}

// parsed is a flag value of type T. Its text is parsed as soon as it is set, so a wrong
// value is an error of the command line that names the flag.
type parsed[T any] struct {
	to    *T
	parse func(string) (T, error)
	text  string // as given, or the default
	kind  string // placeholder for the value in help
}

func (p *parsed[T]) Set(text string) error {
	v, err := p.parse(text)
	if err != nil {
		return err
	}
	*p.to, p.text = v, text
	return nil
}

func (p *parsed[T]) String() string { return p.text }

func (p *parsed[T]) Type() string { return p.kind }

// repeated is the value of a flag that may be given several times.
type repeated[T any] struct {
	to    *[]T
	parse func(string) (T, error)
	kind  string   // placeholder for one value in help
	texts []string // as given
}

func (r *repeated[T]) Set(text string) error {
	v, err := r.parse(text)
	if err == nil {
		*r.to, r.texts = append(*r.to, v), append(r.texts, text)
	}
	return err
}

func (r *repeated[T]) String() string { return strings.Join(r.texts, ", ") }

func (r *repeated[T]) Type() string { return r.kind }

func (r *repeated[T]) GetSlice() []string { return r.texts }

// oneOf returns a flag value that accepts only the given words.
func oneOf(to *string, words []string) pflag.Value {
	return &parsed[string]{to: to, text: *to, kind: strings.Join(words, "|"), parse: func(s string) (string, error) {
		if !slices.Contains(words, s) {
			return "", config.Unknown(fmt.Errorf("expected one of %s", strings.Join(words, ", ")), s, words)
		}
		return s, nil
	}}
}

// unmarshal parses the text of a flag as a T.
func unmarshal[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](text string) (v T, err error) {
	err = P(&v).UnmarshalText([]byte(text))
	return v, err
}

// parseOnly parses "tool:GLOB", the value of --only.
func parseOnly(s string) (strategy.Glob, error) {
	name, ok := strings.CutPrefix(s, "tool:")
	if !ok {
		return strategy.Glob{}, errors.New("expected tool:GLOB, such as tool:Bash")
	}
	return unmarshal[strategy.Glob](name)
}

// parseWindow parses a number of tokens: "200000" or "200k".
func parseWindow(s string) (int, error) {
	t, err := unmarshal[strategy.Target](s)
	if err != nil || t.Tokens == 0 {
		return 0, fmt.Errorf("malformed window %q, expected tokens (200000, 200k)", s)
	}
	return t.Tokens, nil
}

// parseThreshold parses a percentage from 5 to 100, with or without a percent sign, and
// returns it as a share.
func parseThreshold(s string) (float64, error) {
	percent, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
	if err != nil || !(percent >= 5 && percent <= 100) {
		return 0, fmt.Errorf("malformed threshold %q, expected a percentage from 5 to 100", s)
	}
	return percent / 100, nil
}
