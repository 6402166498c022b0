package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/cmd/report/inventory"
	"condense/cmd/source"
	"condense/cmd/ui"
	"condense/cmd/ui/escape"
	"condense/transcript"
)

// newConfig returns the command. tree returns a new tree of all commands, whose flags are set
// to try values.
func newConfig(a *app, tree func() *cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show, check and create the files that set flags",
		Long: `Flags that are not given are set from these places, the strongest first:

  CONDENSE_KEEP_ROUNDS=5  a variable in the environment, named after the flag
  condense.yaml           of the project: in the working directory or above it, up to
                          the root of the repository or your home
  condense/condense.yaml  your own, in $XDG_CONFIG_HOME or the system's folder for
                          configuration: condense config path

The keys are the names of flags, without the dashes:

  strategy: [dedupe, smart-compress]   # in this order
  target: 40%
  pin: ["TODO", "(?i)do not"]          # a flag that can be given several times
  cap: {Bash: 500, "mcp__*": 200}      # one that takes NAME=VALUE
  files:                               # of some transcripts only
    "evals/**/*.jsonl": {preset: aggressive, format: openai}

Under files, globs begin at the folder of condense.yaml ("*.json" matches in any folder
below it, "/*.json" only in that folder; in your own file, ~/ is your home). If several
match, the last is the strongest. A command with several files applies to each its own
settings. Keys that hold for a whole command, such as jobs, out-dir and json, are not
allowed there. A preset is weaker than the place that names it, and stronger than all
weaker places. A list replaces the lists of weaker places. Relative paths begin at the
folder of condense.yaml.

A command ignores keys for which it has no flag; compare takes no strategy and no target
from files. A key that no command has is an error, and so is a value that its flag does
not accept. A project file comes with a checkout, so it must not start programs, send
anything to a model, instruct it, or spend money. It must not change the id of a session,
choose what is overwritten, or give up typed text. Its folders must lie in the project. Reports name the
limits that it sets. --config FILE reads only this file, and trusts it.`,
		Example: "  condense config show --all",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		Annotations: map[string]string{config.Annotation: config.Ignored},
	}
	cmd.AddCommand(newConfigShow(a, tree), newConfigPath(a), newConfigInit(a), newConfigCheck(a, tree))
	return cmd
}

// configShowOptions holds the flags of condense config show.
type configShowOptions struct {
	command string // the command whose flags are shown
	all     bool
	showing
}

func newConfigShow(a *app, tree func() *cobra.Command) *cobra.Command {
	o := &configShowOptions{command: "run"}
	cmd := &cobra.Command{
		Use:   "show [FILE]",
		Short: "Show the values of flags and their sources",
		Long: `Show the values that the flags of a command have if none is given, and the source of each
value: the variable, the file with its line, or the preset. With FILE, show the values for
that file.

With --json the list is an array of objects with the members key, value and from.`,
		Example: `  condense config show
  condense config show --command validate session.jsonl
  condense config show --all --json | jq -r '.[].key'`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runConfigShow(a, tree(), cmd, o, args) },
	}
	fs := cmd.Flags()
	fs.StringVar(&o.command, "command", o.command, "show the flags of this command")
	fs.BoolVarP(&o.all, "all", "a", false, "also show flags that have their defaults")
	o.showing.addFlags(fs, &inventory.Settings{}, "print an array for programs")
	return cmd
}

func runConfigShow(a *app, root, cmd *cobra.Command, o *configShowOptions, args []string) error {
	of, rest, err := root.Find(strings.Fields(o.command))
	if err != nil || len(rest) > 0 || !configured(of) || !of.HasLocalFlags() {
		return &usageError{fmt.Errorf("--command %s: no command that has settings", o.command), "see condense --help"}
	}
	files, err := config.Load(a.env, namedConfig(a, cmd), configKeys(cmd.Root()))
	if err != nil {
		return err
	}
	s := config.Settings{Env: a.env, Files: files}
	path := ""
	if len(args) > 0 {
		path = args[0]
	}
	fs := of.Flags()
	origins, err := config.Resolve(fs, s.Levels(path))
	if err != nil {
		return &usageError{err, "see " + of.CommandPath() + " --help"}
	}
	list := &inventory.Settings{}
	fs.VisitAll(func(f *pflag.Flag) {
		from, set := origins[f.Name]
		switch {
		case f.Name == "help" || f.Name == config.FlagName || f.Hidden || config.Annotated(f, config.Ignored):
			return
		case !set && !o.all:
			list.Defaults++
			return
		case !set:
			from = "default"
		}
		list.List = append(list.List, inventory.Setting{Key: f.Name, Value: strings.Join(config.Given(f), ", "), From: from})
	})
	return a.show(cmd.Context(), &o.showing, list, a.screen(ui.ColorAuto, 0))
}

// namedConfig returns the file that --config or its variable names, "" for none.
func namedConfig(a *app, cmd *cobra.Command) string {
	if named := cmd.Flags().Lookup(config.FlagName).Value.String(); named != "" {
		return named
	}
	return a.env(config.Variable(config.FlagName))
}

func newConfigPath(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "List the files that settings are read from",
		Long: `List the files from which settings are read in the working directory, one line each: its
kind, whether it exists, and its path. If there is no project file, the path is the one
where config init would create it.`,
		Example: "  condense config path",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runConfigPath(a, cmd) },
	}
}

func runConfigPath(a *app, cmd *cobra.Command) error {
	places, err := config.Places(a.env, namedConfig(a, cmd))
	if err != nil {
		return err
	}
	list := make([]inventory.ConfigPlace, len(places))
	for i, p := range places {
		list[i] = inventory.ConfigPlace(p)
	}
	if err := ui.ConfigPlaces(a.out, list, a.screen(ui.ColorAuto, 0)); err != nil {
		return &outputError{err}
	}
	return nil
}

func newConfigInit(a *app) *cobra.Command {
	user, force := false, false
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Create a file of settings",
		Long: `Write a condense.yaml with a key for every flag of condense run, all of them commented
out. It goes to FILE ("-" is standard output); without FILE, to the working directory, or
with --user to your own folder for configuration.`,
		Example: `  condense config init && condense config check
  condense config init --user - | head`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := config.FileName
			if len(args) > 0 {
				path = args[0]
			} else if user {
				var err error
				if path, err = config.UserFile(a.env); err != nil {
					return err
				}
			}
			return runConfigInit(cmd.Context(), a, path, user, force)
		},
	}
	cmd.Flags().BoolVar(&user, "user", false, "include the keys that only your own file may set; without FILE, write that file")
	cmd.Flags().BoolVarP(&force, "force", "f", false, "overwrite an existing file")
	return cmd
}

func runConfigInit(ctx context.Context, a *app, path string, user, force bool) error {
	text := config.Template(newRun(a).Flags(), !user)
	if path == "-" {
		if _, err := io.WriteString(a.out, text); err != nil {
			return &outputError{err}
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return &unwritable{path, err}
	}
	err := source.Create(ctx, path, source.CreateOptions{Force: force}, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err == nil {
		fmt.Fprintf(a.err, "wrote %s, with all keys commented out\n", escape.Line(path))
	}
	return err
}

func newConfigCheck(a *app, tree func() *cobra.Command) *cobra.Command {
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
		RunE:    func(cmd *cobra.Command, args []string) error { return runConfigCheck(a, tree, cmd, args, !user) },
	}
	cmd.Flags().BoolVar(&user, "user", false, "check FILE as your own file, which may set all keys")
	return cmd
}

func runConfigCheck(a *app, tree func() *cobra.Command, cmd *cobra.Command, args []string, project bool) error {
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
		problems, err := a.checkConfig(tree(), place.Path, of)
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
	problems = append(problems, checkValues(c, root)...)
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
