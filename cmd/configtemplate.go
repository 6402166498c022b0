package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

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

// checkValues tries every value on every command that has such a flag. root is a tree of
// commands for nothing else.
func (c *configFile) checkValues(root *cobra.Command) (problems []problem) {
	try := func(values map[string]entry, cmd *cobra.Command) {
		level := c.level(0, values)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			texts, _, ok, err := level.values(f)
			for _, text := range texts {
				if err == nil {
					err = setFlag(cmd.Flags(), f.Name, text)
				}
			}
			if ok && err != nil {
				problems = append(problems, problem{values[f.Name].line, err})
			}
		})
	}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		if configured(cmd) {
			try(c.values, cmd)
			for _, s := range c.files {
				try(s.values, cmd)
			}
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
	slices.SortStableFunc(problems, func(a, b problem) int { return a.line - b.line })
	return slices.CompactFunc(problems, func(a, b problem) bool { return a.line == b.line }) // one for each value
}
