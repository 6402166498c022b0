package cmd

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/cmd/session"
	"condense/cmd/source"
	"condense/cmd/stash"
	"condense/cmd/ui/escape"
	"condense/strategy"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/token"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a completion script for a shell",
		Long: `Print a script with which a shell completes commands, flags, and values such as strategies,
formats, models and presets. To install it:

  bash        source <(condense completion bash), in ~/.bashrc; needs bash-completion
  zsh         condense completion zsh > "${fpath[1]}/_condense"
  fish        condense completion fish > ~/.config/fish/completions/condense.fish
  powershell  condense completion powershell | Out-String | Invoke-Expression, in $PROFILE`,
		Example:     "  condense completion bash > condense.bash",
		ValidArgs:   shells,
		Args:        usageArgs(cobra.MatchAll(cobra.ExactArgs(1), knownShell)),
		Annotations: map[string]string{config.Annotation: config.Ignored},
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			switch root := cmd.Root(); args[0] {
			case "bash":
				err = root.GenBashCompletionV2(a.out, true)
			case "zsh":
				err = root.GenZshCompletion(a.out)
			case "fish":
				err = root.GenFishCompletion(a.out, true)
			case "powershell":
				err = root.GenPowerShellCompletionWithDesc(a.out)
			}
			if err != nil {
				return &outputError{err}
			}
			return nil
		},
	}
}

func knownShell(_ *cobra.Command, args []string) error {
	for _, s := range shells {
		if s == args[0] {
			return nil
		}
	}
	return config.Unknown(fmt.Errorf("unknown shell %q, expected one of %s", args[0], strings.Join(shells, ", ")), args[0], shells)
}

// isCompleting reports whether a shell asks for completions, as the scripts of condense completion do.
func isCompleting(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// completeFlags registers completions for the flags of cmd and of all commands below it.
// cobra keeps them for the rest of the process, so that only a run that completes has them.
func completeFlags(cmd *cobra.Command, values map[string]cobra.CompletionFunc) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		complete := values[cmd.Name()+" "+f.Name]
		if complete == nil {
			complete = values[f.Name]
		}
		words := kindWords(f.Value.Type())
		switch {
		case complete != nil:
		case strings.HasPrefix(f.Value.Type(), "NAME[,"):
			complete = completePipeline
		case len(words) > 0:
			complete = fixed(words...)
		default:
			return
		}
		if err := cmd.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
			panic(err) // a flag of two commands is visited once more
		}
	})
	for _, sub := range cmd.Commands() {
		completeFlags(sub, values)
	}
}

// completions returns what completes a flag that does not list its values: by the name of the flag, or by
// those of the command and the flag.
func (a *app) completions() map[string]cobra.CompletionFunc {
	return map[string]cobra.CompletionFunc{
		"column":          fixed(format.UsualColumns()...),
		"for":             fixed(forTraining),
		"format":          fixed(formatNames()...),
		"model":           completeModels,
		"select":          completeConversations,
		"tokenizer":       fixed(token.Names()...),
		"tool":            fixed(session.Tools()...),
		"unpin":           fixed("user", "last"),
		"explain message": completeMessages,
		"restore via":     a.completeEntries,
	}
}

// fixed completes one of these words.
func fixed(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// kindWord matches a literal value in the kind of a flag, not a placeholder such as TOKENS.
var kindWord = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)

// kindWords returns the literal values that the kind of a flag lists, as in
// keep|drop-old|drop.
func kindWords(kind string) (words []string) {
	if !strings.Contains(kind, "|") {
		return nil
	}
	for word := range strings.SplitSeq(kind, "|") {
		if kindWord.MatchString(word) {
			words = append(words, word)
		}
	}
	return words
}

// completeModels completes the name of a model. The table of models is read only then.
func completeModels(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return append([]string{autoModel}, modelNames(token.BuiltIn())...), cobra.ShellCompDirectiveNoFileComp
}

// completePipeline completes the last of several strategies between commas.
func completePipeline(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndex(typed, ",")+1]
	var list []string
	for _, name := range strategy.Names() {
		list = append(list, before+name)
	}
	return list, cobra.ShellCompDirectiveNoFileComp // with NoSpace, fish would also offer a name that does not exist
}

func modelNames(table token.Models) []string {
	var names []string
	for _, m := range table {
		names = append(names, m.Name)
	}
	return names
}

// completeEntries completes the id of an entry of the stash that is named, with the file that the entry is about.
func (a *app) completeEntries(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	list, _ := a.stashEntries(valueOf(cmd, "stash")) // without entries, there is nothing to complete
	ids := make([]string, len(list))
	for i, e := range list {
		ids[i] = cobra.CompletionWithDesc(e.ID[:min(len(e.ID), stash.MinID)], escape.Line(e.File+", "+e.How))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// valueOf returns the value of a flag of cmd, "" if it has none of this name.
func valueOf(cmd *cobra.Command, name string) string {
	if f := cmd.Flags().Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// largestCompleted limits the files that are read while a command line is typed, in bytes.
const largestCompleted = 64 << 20

// decodeNamed decodes the file that the arguments of a command name, as its flags say, nil if they name
// none that can be read.
func decodeNamed(cmd *cobra.Command, args []string) *format.File {
	if len(args) == 0 {
		return nil
	}
	in, err := source.Open(cmd.Context(), args[0], largestCompleted)
	if err != nil {
		return nil
	}
	how := reading{format: valueOf(cmd, "format"), column: valueOf(cmd, "column")}
	file, err := how.decode(in.Data)
	if err != nil {
		return nil
	}
	return file
}

// completeConversations completes the id of a conversation of the file that is named.
func completeConversations(cmd *cobra.Command, args []string, _ string) (ids []string, _ cobra.ShellCompDirective) {
	if file := decodeNamed(cmd, args); file != nil {
		for i, c := range file.Convs {
			ids = append(ids, cobra.CompletionWithDesc(cmp.Or(c.ID, strconv.Itoa(i+1)), transcript.Plural(len(c.Messages), "message")))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// completeMessages completes the number of a message of the file that is named, with its beginning.
func completeMessages(cmd *cobra.Command, args []string, _ string) (numbers []string, _ cobra.ShellCompDirective) {
	file := decodeNamed(cmd, args)
	if file == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	picked, err := pick(file.Convs, valueOf(cmd, "select"))
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if at := slices.Index(picked, true); at >= 0 {
		for i, m := range file.Convs[at].Messages {
			numbers = append(numbers, cobra.CompletionWithDesc(strconv.Itoa(i+1), beginning(m)))
		}
	}
	return numbers, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// beginning returns the role of a message and the beginning of its first text, on one line.
func beginning(m *transcript.Message) string {
	const most = 60 // runes
	for _, b := range m.Blocks {
		if text := strings.Join(strings.Fields(b.Text()), " "); text != "" {
			if r := []rune(text); len(r) > most {
				text = string(r[:most]) + "…"
			}
			return escape.Line(m.Role.String() + ": " + text)
		}
	}
	return m.Role.String()
}
