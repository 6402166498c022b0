package cmd

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/cmd/session"
	"condense/cmd/ui/escape"
)

// Commands that read files take sessions of tools, too: by the id or its beginning in place of a FILE,
// or the newest one by --last. [app.nameSessions] replaces them by paths before anything else sees the
// arguments.

// takeSessions lists the commands that take sessions, and whether they have --last.
var takeSessions = map[string]bool{
	"run": true, "stats": true, "validate": true, "repair": true, "explain": true, "compare": true, "check": true, "tokens": true,
	"view": true, "rescue": true, "undo": true, "restore": true, "diff": false, "mcp": false,
}

// addSessionFlags adds the flags that name a session, and the completion of ids, to the commands that
// take one.
func (a *app) addSessionFlags(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		last, takes := takeSessions[cmd.Name()]
		if takes && cmd.ValidArgsFunction == nil {
			cmd.ValidArgsFunction = a.completeSessions
		}
		if !last {
			continue
		}
		fs := cmd.Flags()
		fs.Bool("last", false, "read the newest session on this machine (condense ls)")
		fs.String("project", "", "with --last or on a terminal: only sessions of this folder or below it; without such a folder, those with this text in their folder")
		fs.Var(toolsFlag(new([]string)), "tool", "with --last or on a terminal: only sessions of this tool (repeatable)")
		for _, name := range []string{"last", "project", "tool"} {
			config.TypedOnly(fs, name)
		}
	}
}

// completeSessions completes the ids of sessions in place of a FILE, with their tools and first
// requests, beside the names of files.
func (a *app) completeSessions(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if single := !strings.Contains(cmd.Use, "…"); single && len(args) > strings.Count(cmd.Use, " ")-1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var list []string
	for _, s := range a.system().Matching(typed, a.now()) {
		list = append(list, cobra.CompletionWithDesc(s.ID, escape.Line(s.Tool+": "+s.First)))
	}
	return list, cobra.ShellCompDirectiveDefault
}

// nameSessions returns the arguments with the paths of the sessions that they name. It changes args,
// which the command gets later, and sets a.last to the path that --last means.
func (a *app) nameSessions(cmd *cobra.Command, args []string) ([]string, error) {
	last, takes := takeSessions[cmd.Name()]
	if !takes || cmd.Parent() != cmd.Root() {
		return args, nil
	}
	for i, word := range args {
		path, err := a.namedSession(word)
		if err != nil {
			return nil, err
		}
		args[i] = path
	}
	switch {
	case !last:
		return args, nil
	case a.last != "": // picked
		return []string{a.last}, nil
	}
	return a.lastSession(cmd, args)
}

// namedSession returns the path of the session that word names, or word if it names none.
func (a *app) namedSession(word string) (string, error) {
	if _, err := os.Lstat(word); !session.IsName(word) || !errors.Is(err, fs.ErrNotExist) {
		return word, nil
	}
	found, err := a.system().Named(word)
	switch {
	case err != nil:
		return "", &usageError{err, "name more characters of the id, or the path"}
	case found != nil:
		return found.Path, nil
	}
	if export := session.InDatabase(word); export != "" {
		return "", &usageError{fmt.Errorf("%s is the id of a session in a database, which condense does not read", word), export + " > FILE writes it to a file"}
	}
	return word, nil
}

// lastSession returns the arguments, or the path of the session that --last means. It sets a.query.
func (a *app) lastSession(cmd *cobra.Command, args []string) ([]string, error) {
	fs := cmd.Flags()
	a.query.Project = fs.Lookup("project").Value.String()
	if tools, ok := fs.Lookup("tool").Value.(interface{ GetSlice() []string }); ok {
		for _, name := range tools.GetSlice() {
			tool, err := session.Tool(name) // as the flag has found
			if err != nil {
				return nil, err
			}
			a.query.Tools = append(a.query.Tools, tool)
		}
	}
	switch last, err := fs.GetBool("last"); {
	case err != nil:
		return nil, err
	case !last && (fs.Changed("project") || fs.Changed("tool")) && (len(args) > 0 || !a.canPick(cmd)):
		return nil, usage("--project and --tool select the session of --last: add --last")
	case !last:
		return args, nil
	case len(args) > 0:
		return nil, usage("--last and %q name two files: give one of them", args[0])
	}
	found, err := a.query.Newest(cmd.Context(), a.system(), a.now())
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, &usageError{errors.New("--last: there is no such session"), "condense ls lists all"}
	}
	a.last = found.Path
	return []string{a.last}, nil
}

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

// oneDash returns an error for a long flag with one dash, such as -output, which would be read as letters:
// as -o with the value "utput".
func oneDash(root *cobra.Command, args []string) error {
	const shortest = 3
	cmd, rest, err := root.Find(args)
	if err != nil {
		return nil // the error of the command line comes later
	}
	for i, arg := range rest {
		name, _, _ := strings.Cut(arg, "=")
		switch {
		case arg == "--":
			return nil
		case len(name) <= shortest || name[0] != '-' || cmd.Flag(name[1:]) == nil || i > 0 && wantsValue(cmd, rest[i-1]):
			continue
		}
		return &usageError{fmt.Errorf("unknown flag: %s", name), "did you mean -" + name + "? see " + cmd.CommandPath() + " --help"}
	}
	return nil
}

// wantsValue reports whether an argument is a flag whose value is the next argument.
func wantsValue(cmd *cobra.Command, arg string) bool {
	name, long := strings.CutPrefix(arg, "--")
	f := cmd.Flag(name)
	if !long && len(arg) == 2 && arg[0] == '-' {
		f = cmd.Flags().ShorthandLookup(arg[1:])
	}
	return f != nil && f.NoOptDefVal == "" && strings.HasPrefix(arg, "-")
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
	if (cmd.Name() == "run" || cmd.Name() == "filter") && len(args) > 1 {
		return "condense batch takes many files; "
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
		return config.Unknown(err, missingFlag(missing), flagNames(cmd))
	}
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	if expected := config.Expected(invalid); expected != "" {
		err = fmt.Errorf("invalid argument %q for \"--%s\" flag: expected %s", invalid.GetValue(), invalid.GetFlag().Name, expected)
	}
	return err
}

// missingFlag returns the flag that was given and does not exist: "--name", or "-n" for a letter.
func missingFlag(missing *pflag.NotExistError) string {
	if missing.GetSpecifiedShortnames() == "" {
		return "--" + missing.GetSpecifiedName()
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
	if strings.HasPrefix(path, "-") {
		path = "./" + path // or it would be a flag
	}
	return quoted(path)
}

// quoted returns a word of a command line as a shell reads it, in quotes if it needs them.
func quoted(word string) string {
	plain := func(r rune) bool {
		return strings.ContainsRune("/.-_%,:+=", r) || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if word != "" && word[0] != '=' && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
