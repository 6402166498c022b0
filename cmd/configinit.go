package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"condense/cmd/source"
	"condense/cmd/ui"
)

func newConfigInit(a *app) *cobra.Command {
	user, force := false, false
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Begin a file of settings",
		Long: `Write a condense.yaml with every key that condense run has a flag for, all of them commented
out, into the working directory; with --user, your own; or FILE. "-" writes it to standard
output.`,
		Example: `  condense config init && condense config check
  condense config init --user - | head`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := configName
			if len(args) > 0 {
				path = args[0]
			} else if user {
				var err error
				if path, err = userConfig(a.env); err != nil {
					return err
				}
			}
			return runConfigInit(cmd.Context(), a, path, user, force)
		},
	}
	cmd.Flags().BoolVar(&user, "user", false, "with the keys that only your own file may set, and there when no FILE is named")
	cmd.Flags().BoolVarP(&force, "force", "f", false, "overwrite what exists")
	return cmd
}

func runConfigInit(ctx context.Context, a *app, path string, user, force bool) error {
	text := configTemplate(newRun(a).Flags(), !user)
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
		fmt.Fprintf(a.err, "%s is written, with everything commented out\n", ui.EscapeLine(path))
	}
	return err
}

// configTemplate is a file with a commented line for each flag, as it stands by default.
// A flag without a default shows what it takes.
func configTemplate(fs *pflag.FlagSet, project bool) string {
	var b strings.Builder
	b.WriteString("## Settings of condense. Keys are names of flags: condense run --help, condense config --help.\n" +
		"## Flags that are given, and variables such as CONDENSE_TARGET, are stronger.\n")
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Name == configFlag || f.Hidden || project && userOnly[f.Name] != "" {
			return
		}
		value := f.DefValue
		_, repeatable := f.Value.(interface{ GetSlice() []string })
		switch {
		case repeatable:
			value = "[]"
		case value == "" && f.Value.Type() != "string":
			value = quoted(f.Value.Type())
		case value == "" || strings.ContainsAny(value, " %|"):
			value = quoted(value)
		}
		fmt.Fprintf(&b, "\n## %s\n# %s: %s\n", f.Usage, f.Name, value)
	})
	b.WriteString("\n## What holds for some transcripts only; the last glob that matches is the strongest.\n" +
		"# files:\n#   \"logs/**/*.jsonl\": {preset: aggressive}\n")
	return b.String()
}

// quoted is a text as YAML spells it.
func quoted(text string) string {
	out, err := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Value: text, Style: yaml.DoubleQuotedStyle})
	if err != nil {
		return `""`
	}
	return strings.TrimSpace(string(out))
}
