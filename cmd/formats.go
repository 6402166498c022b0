package cmd

import (
	"github.com/spf13/cobra"

	"condense/cmd/report"
	"condense/cmd/ui"
	"condense/transcript/format"
)

func newFormats(a *app) *cobra.Command {
	o := &showing{}
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.show(cmd.Context(), o, formats(), a.screen(ui.ColorAuto, 0))
		},
	}
	o.addFlags(cmd.Flags(), []report.Format{}, "print an array for programs")
	return cmd
}

// formats describes the dialects. Every one is read and written.
func formats() []report.Format {
	list := make([]report.Format, len(format.Dialects))
	for i, d := range format.Dialects {
		list[i] = report.Format{
			Name: d.Name, Doc: d.Doc, Where: d.Where, Read: true, Write: true, Rules: d.Target().Name, Hidden: d.Hidden, Mirrors: d.Mirrors,
		}
	}
	return list
}
