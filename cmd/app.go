// Package cmd is the command line: it reads flags, calls the packages that do
// the work, and turns errors into exit codes. It computes nothing itself, and
// touches no global stream: everything impure arrives in an [app].
//
// A command is one file: a constructor that lists its flags, an options struct
// that they are read into, and a run function that tests can call.
package cmd

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"condense/cmd/config"
	"condense/cmd/report"
)

// app is what a command may touch.
type app struct {
	in  io.Reader
	out io.Writer // data
	err io.Writer // everything for people
	env func(string) string
	now func() time.Time

	running  *cobra.Command  // nil before the command line is read
	settings config.Settings // of it
}

// Main runs the program with the given arguments (without its name) and gives
// the exit code. An interrupt cancels the work, which then leaves nothing behind.
func Main(args []string, in io.Reader, out, err io.Writer, env func(string) string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{in: in, out: out, err: err, env: env, now: time.Now}
	root := newRoot(a)
	root.SetArgs(args)
	return a.exit(ctx, root.ExecuteContext(ctx))
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "condense",
		Short: "Shrink saved LLM conversations without breaking them",
		Long: `condense shrinks saved conversations with language models: coding-agent sessions,
API logs, chat exports. It keeps the format, every byte it has no reason to touch,
every call with its result, and every word that the user typed.

Data goes to standard output, everything for people to standard error.

Flags can also stand in files and in the environment: condense config --help.

Exit codes:
` + exitHelp(),
		Example:       "  condense run --strategy hybrid --target 50% session.jsonl -o smaller.jsonl",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usageArgs(knownCommand),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
		PersistentPreRunE: a.configure,
	}
	root.PersistentFlags().String(config.FlagName, "", "read the settings in this file, in place of the project's and yours; none: of no file")
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &usageError{flagError(cmd, err), "see " + cmd.CommandPath() + " --help"}
	})
	root.Version = report.CondenseVersion()
	root.SetVersionTemplate("condense {{.Version}}\n")
	root.Flags().Bool("version", false, "print the version, as condense version does")
	if err := root.Flags().MarkHidden("version"); err != nil { // or it would be a key of files
		panic(err)
	}
	root.AddCommand(newRun(a), newBatch(a), newFilter(a), newValidate(a), newRepair(a), newTokens(a), newStats(a), newCompare(a), newModels(a), newFormats(a), newStrategies(a), newVersion(a), newExecHelp())
	root.AddCommand(newRestore(a), newShow(a), newGrep(a), newStash(a), newConfig(a), newCompletion(a), newMan(a))
	root.AddCommand(newCheck(a), newDiff(a), newExplain(a))
	completeFlags(root)
	refuseUnknownTopics(root)
	return root
}
