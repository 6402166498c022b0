package cmd

import (
	"github.com/spf13/cobra"

	"condense/cmd/ui"
	"condense/transcript/format"
)

func newFormats(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "formats",
		Short: "List the formats of saved conversations",
		Long: `List the formats of saved conversations that condense reads and writes back.

hidden   files can hold history that the model does not see: abandoned branches,
         what a compaction replaced, sub-agents. It is copied.
mirrors  files repeat texts of the messages elsewhere. The copies change along.

With --json the list is an array of objects with the members name, description,
where, read, write, rules, hidden_history and mirrors. Others may be added.`,
		Example: `  condense formats
  condense formats --json | jq -r '.[].name'`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error { return runFormats(a, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array for programs")
	return cmd
}

func runFormats(a *app, asJSON bool) error {
	var err error
	if asJSON {
		err = ui.JSON(a.out, formats())
	} else {
		err = ui.Formats(a.out, formats(), ui.TextOptions{Color: ui.UseColor(ui.ColorAuto, a.out, a.env), Width: ui.Width(a.out)})
	}
	if err != nil {
		return &outputError{err}
	}
	return nil
}

// formats describes the dialects. Every one is read and written.
func formats() []ui.Format {
	list := make([]ui.Format, len(format.Dialects))
	for i, d := range format.Dialects {
		list[i] = ui.Format{
			Name: d.Name, Doc: d.Doc, Where: d.Where, Read: true, Write: true, Rules: d.Target().Name, Hidden: d.Hidden, Mirrors: d.Mirrors,
		}
	}
	return list
}
