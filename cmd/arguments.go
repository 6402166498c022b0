package cmd

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
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
		switch {
		case errors.As(err, &missing):
		case cmd.HasSubCommands():
			err = unknownCommand(cmd, args[0])
		default:
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
		return config.Unknown(err, missingFlag(cmd, missing), flagNames(cmd))
	}
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	f := invalid.GetFlag()
	if expected := config.Expected(invalid); expected != "" {
		err = fmt.Errorf("invalid argument %q for \"--%s\" flag: expected %s", invalid.GetValue(), f.Name, expected)
	}
	if f.Shorthand+invalid.GetValue() == f.Name { // -target instead of --target
		return config.Unknown(err, f.Name, []string{"--" + f.Name})
	}
	return err
}

// missingFlag returns the flag that was given and does not exist: "--name", or "-n" for a letter. The
// letters of a long name after a single hyphen are taken for its end.
func missingFlag(cmd *cobra.Command, missing *pflag.NotExistError) string {
	letters, _, _ := strings.Cut(missing.GetSpecifiedShortnames(), "=")
	if letters == "" {
		return "--" + missing.GetSpecifiedName()
	}
	const few = 2 // letters before it that are flags, as in -dry-run
	for _, name := range flagNames(cmd) {
		if before, ok := strings.CutSuffix(name, letters); ok && len(letters) > few && len(before) <= len("--")+few {
			return name
		}
	}
	return "-" + missing.GetSpecifiedName()
}

// flagNames lists the long names of the flags of a command that help lists.
func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// shellWord quotes a path for a POSIX shell.
func shellWord(path string) string {
	plain := func(r rune) bool {
		return r == '/' || r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if strings.HasPrefix(path, "-") {
		path = "./" + path // or it would be a flag
	}
	if path != "" && !strings.ContainsFunc(path, func(r rune) bool { return !plain(r) }) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
