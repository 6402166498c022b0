package config

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// Template is a file with a commented line for each flag, as it stands by default.
// A flag without a default shows what it takes.
func Template(fs *pflag.FlagSet, project bool) string {
	var b strings.Builder
	b.WriteString("## Settings of condense. Keys are names of flags: condense run --help, condense config --help.\n" +
		"## Flags that are given, and variables such as CONDENSE_TARGET, are stronger.\n")
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Name == FlagName || f.Hidden || project && UserOnly[f.Name] != "" {
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
