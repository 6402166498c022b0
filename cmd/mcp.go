package cmd

import (
	"context"

	"github.com/spf13/cobra"

	"condense/cmd/mcp"
	"condense/cmd/report/inventory"
)

// newMCP returns the command that serves removed text to an agent.
func newMCP(a *app) *cobra.Command {
	dir := ""
	cmd := &cobra.Command{
		Use:   "mcp [FILE] --stash DIR",
		Short: "Serve the removed text of a session to an agent",
		Long: `Serve the text that runs with --stash DIR removed from a session to the agent that continues
it. The server speaks the Model Context Protocol on standard input and output, and has two
tools:

  expand ID        the text of a marker, word for word: [12 lines #482193 omitted]
  search PATTERN   the lines of all removed text that match a regular expression (RE2)

FILE is the session, as a path or an id that condense ls lists. The agent then gets only
text that runs removed from this file. Without FILE, all of DIR must belong to one session.

The server reads FILE and DIR again for each call. It writes no file and uses no network.
Long results are cut, and say what is left out. To let Claude Code start it:

  claude mcp add condense -- condense mcp SESSION-ID --stash DIR`,
		Example: `  condense run -q -w --stash undo session.jsonl && condense mcp session.jsonl --stash undo < /dev/null`,
		Args:    usageArgs(cobra.MaximumNArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return runMCP(cmd.Context(), a, dir, args) },
	}
	addStashFlag(cmd.Flags(), &dir, "directory that was given to the runs")
	return cmd
}

// runMCP serves until standard input ends.
func runMCP(ctx context.Context, a *app, dir string, args []string) error {
	store, err := openStash(dir)
	if err != nil {
		return err
	}
	session := &mcp.Session{Store: store}
	if len(args) > 0 {
		if args[0] == "-" {
			return usage("standard input has the requests of the agent: name the file of the session")
		}
		session.File = func(ctx context.Context) ([]byte, error) {
			in, err := a.open(ctx, args[0])
			if err != nil {
				return nil, err
			}
			return in.Raw, nil
		}
		if _, err := session.File(ctx); err != nil {
			return err
		}
	}
	if err := mcp.Serve(ctx, session, inventory.NewVersion().Version, a.in, a.out); err != nil {
		return &outputError{err}
	}
	return nil
}
