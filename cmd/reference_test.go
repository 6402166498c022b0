package cmd

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"condense/cmd/config"
	"condense/cmd/help"
)

// Tables of the documents that are generated from the commands.

// cell escapes a text for a cell of a Markdown table.
var cell = strings.NewReplacer("|", `\|`, "*", `\*`, "<", `\<`, "\n", " ")

// commandsTable returns a table with a row for each command.
func commandsTable() string {
	var b strings.Builder
	b.WriteString("| command | what it does |\n|---|---|\n")
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			if !sub.IsAvailableCommand() {
				continue
			}
			if !sub.HasSubCommands() {
				fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(strings.TrimSuffix(sub.UseLine(), " [flags]"), "|", `\|`), sub.Short)
			}
			walk(sub)
		}
	}
	walk(newRoot(&app{env: func(string) string { return "" }}))
	return b.String()
}

// strategiesTable returns a table with a row for each strategy, the preset last.
func strategiesTable() string {
	var b strings.Builder
	b.WriteString("| name | what it does | what it loses |\n|---|---|---|\n")
	list := strategies()
	for _, s := range append(list[1:], list[0]) {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, cell.Replace(s.Doc), cell.Replace(s.Loses))
	}
	return b.String()
}

// flagsTable returns a table with a row for each flag of condense run, in the groups of its help.
func flagsTable() string {
	var b strings.Builder
	b.WriteString("| flag | what it does |\n|---|---|\n")
	for _, g := range help.Groups(newRun(&app{env: func(string) string { return "" }})) {
		fmt.Fprintf(&b, "| **%s** | |\n", g.Title)
		for _, f := range g.Flags {
			fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(strings.TrimSpace(help.Signature(f)), "|", `\|`), cell.Replace(help.Description(f)))
		}
	}
	return b.String()
}

// userOnlyTable returns a table of the keys that a project file must not set, by reason.
func userOnlyTable() string {
	keys := map[string][]string{}
	for _, key := range slices.Sorted(maps.Keys(config.UserOnly)) {
		why := config.UserOnly[key]
		keys[why] = append(keys[why], "`"+key+"`")
	}
	var b strings.Builder
	b.WriteString("| keys | reason |\n|---|---|\n")
	for _, why := range slices.Sorted(maps.Keys(keys)) {
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(keys[why], ", "), cell.Replace(why))
	}
	return b.String()
}

// exitTable returns a table with a row for each exit code.
func exitTable() string {
	var b strings.Builder
	b.WriteString("| code | meaning |\n|---|---|\n")
	for _, c := range exitCodes {
		fmt.Fprintf(&b, "| %d | %s |\n", c.code, cell.Replace(c.meaning))
	}
	return b.String()
}
