package cmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/cmd/ui/escape"
	"condense/transcript"
)

func newConfigCheck(a *app) *cobra.Command {
	user := false
	cmd := &cobra.Command{
		Use:   "check [FILE…]",
		Short: "Find errors in files of settings",
		Long: `List all errors in the files from which settings are read in the working directory, or in
the named files, one line each: FILE:LINE: what is wrong. Values are tried on every command
that has such a flag. Without FILE, variables that look like a misspelt flag are also
listed. FILE must keep the rules of project files or, with --user, those of your own file.

The exit code is 2 if there are errors.`,
		Example: "  condense config init && condense config check condense.yaml",
		RunE:    func(cmd *cobra.Command, args []string) error { return runConfigCheck(a, cmd, args, !user) },
	}
	cmd.Flags().BoolVar(&user, "user", false, "check FILE as your own file, which may set all keys")
	return cmd
}

func runConfigCheck(a *app, cmd *cobra.Command, args []string, project bool) error {
	var places []config.Place
	for _, path := range args {
		places = append(places, config.Place{Path: path, Exists: true})
	}
	if len(args) == 0 {
		var err error
		if places, err = config.Places(a.env, namedConfig(a, cmd)); err != nil {
			return err
		}
	}
	checked, wrong := 0, 0
	for _, place := range places {
		if !place.Exists {
			continue
		}
		of := project
		if len(args) == 0 {
			of = place.What == "project"
		}
		problems, err := a.checkConfig(cmd.Root(), place.Path, of)
		if err != nil {
			return err
		}
		for _, p := range problems {
			line := (&config.Error{Path: place.Path, Problem: p}).Error()
			if near := config.DidYouMean(p.Err); near != "" {
				line += " (" + strings.TrimSpace(near) + ")"
			}
			if _, err := fmt.Fprintln(a.out, escape.Line(line)); err != nil {
				return &outputError{err}
			}
		}
		checked, wrong = checked+1, wrong+len(problems)
	}
	if len(args) == 0 {
		for _, err := range config.Misspelt(a.env, configKeys(cmd.Root())) {
			if _, err := fmt.Fprintln(a.out, escape.Line(err.Error())); err != nil {
				return &outputError{err}
			}
			wrong++
		}
	}
	if wrong > 0 {
		return &printedError{exitUsage}
	}
	fmt.Fprintln(a.err, transcript.Plural(checked, "file")+", nothing wrong")
	return nil
}

// checkConfig returns all errors in a file of settings, including wrong values, by line.
func (a *app) checkConfig(root *cobra.Command, path string, project bool) ([]config.Problem, error) {
	c, problems, err := config.Open(path, project, configKeys(root))
	var broken *config.Error
	if errors.As(err, &broken) {
		return []config.Problem{broken.Problem}, nil
	}
	if err != nil {
		return nil, err
	}
	problems = append(problems, checkValues(c, newRoot(a))...)
	slices.SortStableFunc(problems, func(a, b config.Problem) int { return a.Line - b.Line })
	return problems, nil
}

// checkValues tries every value of a file on every command that has such a flag, and returns
// one error for each line. It changes the flags of root, so root must not be in use.
func checkValues(c *config.File, root *cobra.Command) (problems []config.Problem) {
	differs := map[string]bool{} // keys that may differ by file in at least one command
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if configured(cmd) {
			cmd.Flags().VisitAll(func(f *pflag.Flag) {
				differs[f.Name] = differs[f.Name] || takesFiles(cmd) && !config.Annotated(f, config.Whole)
			})
			problems = append(problems, c.Try(cmd.Flags(), outOfRange)...)
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
	problems = append(problems, c.Misplaced(differs)...)
	slices.SortStableFunc(problems, func(a, b config.Problem) int { return a.Line - b.Line })
	return slices.CompactFunc(problems, func(a, b config.Problem) bool { return a.Line == b.Line })
}

// outOfRange returns the error of condense run for a flag that is set to texts, if all other
// flags have their defaults. It finds errors that only the check of all flags reports. It
// returns nil for flags that condense run does not have.
func outOfRange(name string, texts []string) error {
	o := newRunOptions()
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	o.addStrategyFlags(fs)
	if fs.Lookup(name) == nil {
		return nil
	}
	for _, text := range texts {
		if fs.Set(name, text) != nil {
			return nil // another command has a flag of this name with other values
		}
	}
	return o.checkRanges()
}
