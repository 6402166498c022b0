// Package cmd is the command line: it reads flags, calls the packages that do
// the work, and turns errors into exit codes. It computes nothing itself, and
// touches no global stream: everything impure arrives in an [app].
//
// A command is one file: a constructor that lists its flags, an options struct
// that they are read into, and a run function that tests can call.
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
)

// app is what a command may touch.
type app struct {
	in  io.Reader
	out io.Writer // data
	err io.Writer // everything for people
	env func(string) string
	now func() time.Time

	command  string   // that runs, as its help names it
	settings settings // of it
}

// Main runs the program with the given arguments (without its name) and gives
// the exit code. An interrupt cancels the work, which then leaves nothing behind.
func Main(args []string, in io.Reader, out, err io.Writer, env func(string) string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &app{in: in, out: out, err: err, env: env, now: time.Now, command: "condense"}
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
	root.PersistentFlags().String(configFlag, "", "read the settings in this file, in place of the project's and yours; none: of no file")
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var missing *pflag.NotExistError
		if errors.As(err, &missing) {
			err = &unknownName{err, "--" + missing.GetSpecifiedName(), flagNames(cmd)}
		}
		return &usageError{err, "see " + cmd.CommandPath() + " --help"}
	})
	root.AddCommand(newRun(a), newBatch(a), newFilter(a), newValidate(a), newRepair(a), newTokens(a), newStats(a), newCompare(a), newModels(a), newFormats(a), newStrategies(a), newVersion(a), newExecHelp())
	root.AddCommand(newRestore(a), newShow(a), newGrep(a), newStash(a), newConfig(a), newCompletion(a), newMan(a))
	root.AddCommand(newCheck(a), newDiff(a), newExplain(a))
	completeFlags(root)
	return root
}

// usageArgs makes wrong arguments a usage error.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return &usageError{err, "see " + cmd.CommandPath() + " --help"}
		}
		return nil
	}
}

// knownCommand refuses the arguments of the root: they would be commands.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return &unknownName{fmt.Errorf("unknown command %q", args[0]), args[0], names}
}

// flagNames lists the long names of the flags of a command.
func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}
