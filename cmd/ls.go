package cmd

import (
	"context"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/batch"
	"condense/cmd/config"
	"condense/cmd/report/inventory"
	"condense/cmd/session"
	"condense/cmd/ui"
)

// lsOptions holds the flags of condense ls.
type lsOptions struct {
	query  session.Query
	models string
	showing
	verbose int
	color   ui.ColorMode
}

// listedSessions is the default of --limit.
const listedSessions = 20

func newLs(a *app) *cobra.Command {
	o := &lsOptions{query: session.Query{Limit: listedSessions}, color: ui.ColorAuto}
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List the saved sessions on this machine",
		Long: `List the sessions that tools saved on this machine, the newest first. Each line has the
beginning of the id, the tool, the folder in which it ran, and the time since the last
change. The size, the tokens, their share of the model's context window, and the first
request follow.

condense run, stats, validate and other commands take the id in place of a FILE, or a
beginning of at least 4 characters that no other session has. --last is the newest one.

Only the beginning and the end of each file are read. The tokens are those that the provider
recorded for the last answer: they include the system prompt and the tools, and no message
after that answer. --tokens counts the conversation instead, as its model does. A ~ marks
estimates, such as the provider's count for a conversation that it was not made for. A – stands
for what the beginning and the end of the file do not say. A * marks a session that condense
made smaller after its last message: its conversation is counted, because the recorded count
is that of the longer one. That holds for the newest 50 such files of up to 8 MB.

These tools have known places, which their own variables can change:
` + toolHelp(),
		Example: `  condense ls
  condense ls --project . --within 7d
  condense ls --tool codex --min-size 1M --json`,
		Args:        usageArgs(cobra.NoArgs),
		Annotations: map[string]string{config.Annotation: config.Ignored},
		RunE:        func(cmd *cobra.Command, _ []string) error { return runLs(cmd.Context(), a, o) },
	}
	o.addFlags(cmd, cmd.Flags())
	return cmd
}

func (o *lsOptions) addFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	q := &o.query
	fs.Var(toolsFlag(&q.Tools), "tool", "only sessions of this tool, or of the only one whose name begins so (repeatable)")
	fs.StringVar(&q.Project, "project", "", "only sessions of this folder or below it; without such a folder, those with this text in their folder")
	fs.Var(&parsed[time.Duration]{to: &q.Within, parse: parseAge, kind: "AGE"}, "within", "only sessions that changed within this time: 90m, 36h, 7d, 4w")
	fs.Var(&parsed[time.Duration]{to: &q.Before, parse: parseAge, kind: "AGE"}, "older", "only sessions that did not change within this time")
	fs.Var(&parsed[int64]{to: &q.Least, parse: batch.ParseBytes, kind: "BYTES"}, "min-size", "only files of at least this size: 500K, 2M")
	fs.Var(&parsed[int64]{to: &q.Most, parse: batch.ParseBytes, kind: "BYTES"}, "max-size", "only files of at most this size")
	fs.IntVar(&q.Limit, "limit", q.Limit, "number of sessions to list; 0: all")
	fs.BoolVar(&q.Count, "tokens", false, "read the whole files and count their tokens")
	addModelsFlag(fs, &o.models)
	o.showing.addFlags(fs, &inventory.Sessions{}, "print an object for programs")
	fs.CountVarP(&o.verbose, "verbose", "v", "print paths, and what was skipped")
	fs.Var(&o.color, "color", "colour")
}

// toolsFlag returns the value of a flag that names tools, each by a beginning that no other has.
func toolsFlag(to *[]string) pflag.Value {
	parse := func(name string) (string, error) {
		tool, err := session.Tool(name)
		if err != nil {
			err = config.Unknown(err, name, session.Tools())
		}
		return tool, err
	}
	return &repeated[string]{to: to, parse: parse, kind: "TOOL"}
}

// toolHelp returns the names of the tools with known places, in lines.
func toolHelp() string {
	const perLine = 7
	var lines []string
	for names := range slices.Chunk(session.Tools(), perLine) {
		lines = append(lines, "  "+strings.Join(names, ", "))
	}
	return strings.Join(lines, ",\n")
}

// system returns the variables by which the places of sessions are found.
func (a *app) system() session.System { return session.System{Env: a.env, OS: runtime.GOOS} }

// listGC is the percentage of garbage from which on it is collected while sessions are listed: each
// leaves much, and little stays.
const listGC = 400

// runLs lists sessions.
func runLs(ctx context.Context, a *app, o *lsOptions) error {
	if o.query.Limit < 0 {
		return usage("--limit is a number of sessions, 0 or more")
	}
	if a.env("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(listGC))
	}
	models, err := readModels(ctx, o.models)
	if err != nil {
		return err
	}
	o.query.Replaced = a.replacedAt()
	list, err := o.query.List(ctx, a.system(), models, a.now())
	if err != nil {
		return err
	}
	return a.show(ctx, &o.showing, list, a.screen(o.color, o.verbose))
}
