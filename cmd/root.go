package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/batch"
	"condense/cmd/config"
	"condense/cmd/help"
	"condense/cmd/report/inventory"
	"condense/cmd/ui"
)

// Main runs the program with the given arguments, without the program's name, and returns
// the exit code. An interrupt cancels the work, and no unfinished output is left behind.
func Main(args []string, in io.Reader, out, err io.Writer, env func(string) string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	for last := ""; ; {
		a := &app{args: args, in: in, out: out, err: err, env: env, now: time.Now, last: last}
		root := newRoot(a)
		root.SetArgs(args)
		failed := oneDash(root, args)
		if failed == nil {
			failed = root.ExecuteContext(ctx)
		}
		var picked *pickedError
		if !errors.As(failed, &picked) {
			return a.exit(ctx, failed)
		}
		last = picked.path
	}
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "condense",
		Short: "Shrink saved LLM conversations without breaking them",
		Long: `condense shrinks saved conversations with language models: coding-agent sessions,
API logs, chat exports. It keeps the format, all bytes that need no change, every call
together with its result, and every word that the user typed.

Data goes to standard output, reports and errors go to standard error.

Files and the environment can also set flags: see condense config --help.

Exit codes:
` + exitHelp(),
		Example: `  condense ls
  condense run --target 50% session.jsonl -o smaller.jsonl
  condense view session.jsonl`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usageArgs(knownCommand),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if isPiped(a.in) && !isTerminal(a.out) {
				return &usageError{errors.New("no command is named"), "condense run condenses a conversation from standard input; see condense --help"}
			}
			return cmd.Help()
		},
		PersistentPreRunE: a.configure,
	}
	root.PersistentFlags().String(config.FlagName, "", "read settings from this file only; none: read no file")
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if errors.Is(err, pflag.ErrHelp) { // -h, which is no flag
			a.brief = true
			return err
		}
		return &usageError{flagError(cmd, err), "see " + cmd.CommandPath() + " --help"}
	})
	version := inventory.NewVersion()
	root.Version = version.Version
	root.SetVersionTemplate("condense {{.Version}} (from " + version.From + ")\n")
	root.Flags().Bool("version", false, "print the version, as condense version does")
	if err := root.Flags().MarkHidden("version"); err != nil { // a visible flag would be a key of condense.yaml
		panic(err)
	}
	tree := func() *cobra.Command { return newRoot(a) }
	root.AddCommand(newRun(a), newBatch(a), newFilter(a), newValidate(a), newRepair(a), newTokens(a), newStats(a), newCompare(a), newModels(a), newFormats(a), newStrategies(a), newVersion(a), newExecHelp(), newLLMHelp(), newReportHelp())
	root.AddCommand(newUndo(a), newRestore(a), newShow(a), newGrep(a), newStash(a), newConfig(a, tree), newCompletion(a), newMan(a, tree))
	root.AddCommand(newCheck(a), newDiff(a), newExplain(a), newRescue(a), newView(a), newLs(a), newMCP(a))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.help(cmd) })
	addHelpFlags(root)
	a.addSessionFlags(root)
	if isCompleting(a.args) {
		completeFlags(root, a.completions())
	}
	refuseUnknownTopics(root)
	return root
}

// addHelpFlags adds --help to cmd and to all commands below it. It has no letter, so that -h is an
// error by which short help is known.
func addHelpFlags(cmd *cobra.Command) {
	cmd.Flags().Bool(helpFlag, false, "show all flags, and explain them; -h: only the common flags")
	for _, sub := range cmd.Commands() {
		addHelpFlags(sub)
	}
}

const helpFlag = "help"

// help prints the help of a command: short for -h, long for --help and condense help.
func (a *app) help(cmd *cobra.Command) {
	err := help.Write(a.out, cmd, help.Options{Brief: a.brief, Width: ui.Width(a.out)})
	if err != nil {
		fmt.Fprintln(a.err, "condense:", &outputError{err})
	}
}

// configure reads condense.yaml and the environment, and sets the flags of cmd from them.
func (a *app) configure(cmd *cobra.Command, args []string) error {
	a.running = cmd
	a.settings = config.Settings{Env: a.env, Given: map[string][]string{}}
	cmd.Flags().Visit(func(f *pflag.Flag) { a.settings.Given[f.Name] = config.Given(f) })
	args, err := a.nameSessions(cmd, args)
	if err != nil || !configured(cmd) {
		return err
	}
	files, err := config.Load(a.env, namedConfig(a, cmd), configKeys(cmd.Root()))
	if err != nil {
		return err
	}
	a.settings.Files = files
	origins, err := config.Resolve(cmd.Flags(), a.levelsOf(cmd, args))
	a.limits = a.settings.Limits(cmd.Flags(), origins)
	return err
}

// levelsOf returns the settings for a command with these arguments. If the command reads
// exactly one file, they include the settings for that file. If it reads several, a
// [config.PerFile] resolves the settings of each.
func (a *app) levelsOf(cmd *cobra.Command, args []string) []config.Level {
	s := &a.settings
	if len(args) != 1 || !takesFiles(cmd) || !s.Sectioned() {
		return s.Levels("")
	}
	list, _ := batch.Expand(args) // the command itself reports the errors
	if len(list) != 1 {
		return s.Levels("")
	}
	return s.Levels(list[0].Path)
}
