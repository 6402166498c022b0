package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/batch"
	"condense/cmd/config"
)

// configure reads the configuration and sets the flags of cmd from it.
func (a *app) configure(cmd *cobra.Command, args []string) error {
	a.running = cmd
	a.settings = config.Settings{Env: a.env, Given: map[string][]string{}}
	cmd.Flags().Visit(func(f *pflag.Flag) { a.settings.Given[f.Name] = config.Given(f) })
	if !configured(cmd) {
		return nil
	}
	files, err := config.Load(a.env, namedConfig(a, cmd), configKeys(cmd.Root()))
	if err != nil {
		return err
	}
	a.settings.Files = files
	_, err = config.Resolve(cmd.Flags(), a.levelsOf(cmd, args))
	return err
}

// configured reports whether files and the environment set flags of the command.
func configured(cmd *cobra.Command) bool {
	ignored := cmd.Hidden || cmd.Name() == "help"
	for c := cmd; c != nil; c = c.Parent() {
		ignored = ignored || c.Annotations[config.Annotation] == config.Ignored
	}
	return !ignored
}

// configKeys are the names of the flags of all commands: the keys of a file.
func configKeys(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && f.Name != config.FlagName && configured(c) && (!f.Hidden || isOld(f)) {
			names = append(names, f.Name)
		}
	})
	for _, sub := range c.Commands() {
		names = append(names, configKeys(sub)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// levelsOf are the levels that hold for the arguments of a command: those of the file that
// it is given, when it is given one. Where there are several, [perFile] has those of each.
func (a *app) levelsOf(cmd *cobra.Command, args []string) []config.Level {
	s := &a.settings
	if len(args) != 1 || !takesFiles(cmd) || !s.Sectioned() {
		return s.Levels("")
	}
	list, _ := batch.Expand(args) // who reads them says what is wrong with them
	if len(list) != 1 {
		return s.Levels("")
	}
	return s.Levels(list[0].Path)
}

func takesFiles(cmd *cobra.Command) bool {
	return strings.Contains(cmd.Use, "FILE") || strings.Contains(cmd.Use, "PATH")
}

// flags are those of the command that runs; nil before the command line is read.
func (a *app) flags() *pflag.FlagSet {
	if a.running == nil {
		return nil
	}
	return a.running.Flags()
}

// isOld reports whether a flag is an old spelling, which stays a key of files.
func isOld(f *pflag.Flag) bool {
	_, old := f.Annotations[oldAnnotation]
	return old
}
