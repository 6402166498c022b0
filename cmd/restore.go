package cmd

import (
	"bytes"
	"context"

	"github.com/spf13/cobra"

	"condense/cmd/report"
	"condense/cmd/report/inventory"
	"condense/cmd/stash"
	"condense/cmd/ui"
)

// restoreOptions holds the flags of condense restore.
type restoreOptions struct {
	outputOptions
	dir string
	via string // id of the entry to use if there are two
}

func newRestore(a *app) *cobra.Command {
	o := &restoreOptions{outputOptions: outputOptions{color: ui.ColorAuto}}
	cmd := &cobra.Command{
		Use:   "restore [FILE|-]",
		Short: "Restore the original, byte for byte",
		Long: `Restore the original of a file that condense wrote with -w, or with --stash DIR, byte for
byte. It goes to standard output, to -o FILE, or in place of the file with -w. Without
--stash, it is found where runs with -w keep old content for condense undo.

The stash identifies the file by its hash, so its name does not matter. If the file was
condensed several times, the first original is restored. Every step is checked by its
hash.

If a session continued in the condensed file, its new lines follow the restored ones. A
JSON document that continued cannot be restored, because the new content is inside it.

The exit code is 1 if the stash has no original of this file.`,
		Example: `  condense run -q -w --stash undo session.jsonl && condense restore session.jsonl --stash undo -o original.jsonl
  condense run -q --stash undo chat.json | condense restore --stash undo > original.json`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: a.onFile(&o.outputOptions, func(ctx context.Context, path string) error { return runRestore(ctx, a, o, path) }),
	}
	fs := cmd.Flags()
	addStashFlag(fs, &o.dir, "directory that was given to the runs (default: that of condense undo)")
	fs.StringVar(&o.via, "via", "", "id of the entry to use if two originals became this file")
	o.outputOptions.addFlags(fs, "list each run that is undone")
	fs.Lookup("output").Usage = "write to this file instead of standard output" // never compressed: these are the original's bytes
	return cmd
}

// runRestore restores the original of the file at path, or of standard input for "-".
func runRestore(ctx context.Context, a *app, o *restoreOptions, path string) error {
	if err := o.check(path); err != nil {
		return err
	}
	in, dest, err := a.openFor(ctx, path, &o.outputOptions)
	if err != nil {
		return err
	}
	store, err := a.anyStash(o.dir) // only now: the run at the other end of a pipe may have created it
	if err != nil {
		return err
	}
	r, err := store.Restore(in.Raw, o.via)
	if err != nil {
		return &namedError{in.Name, err}
	}
	restored := newRestored(in.Name, r)
	restored.DryRun, restored.Changed = o.dryRun, !bytes.Equal(r.Data, in.Raw)
	restored.Bytes.Before = len(in.Raw)
	if restored.Output, restored.Backup, err = dest.put(ctx, r.Data, restored.Changed); err != nil {
		return err
	}
	if n := len(r.Way); o.replaces && !o.dryRun && restored.Changed && n > 0 && r.Later == 0 {
		setModified(in.Name, r.Way[n-1].Modified)
	}
	if restored.Backup != "" {
		restored.Backup = replacedBackup(in.Name, restored.Backup, o.inPlace, restored.Sum)
	}
	if o.json {
		if err := ui.Write(a.out, "json", restored, ui.Options{}); err != nil {
			return &outputError{err}
		}
	}
	if o.quiet {
		return nil
	}
	return ui.Write(a.err, defaultForm, restored, a.textOptions(&o.outputOptions, a.err))
}

func newRestored(name string, r *stash.Restored) *inventory.Restored {
	out := &inventory.Restored{
		Version: report.ReportVersion, Condense: report.CondenseVersion(), Input: name, Bytes: report.Change{After: len(r.Data)}, Sum: r.Sum, Later: r.Later,
	}
	for _, s := range r.Way {
		out.Way = append(out.Way, inventory.StashEntry{
			ID: s.ID, File: s.File, Format: s.Format, How: s.How, Bytes: report.Change{Before: s.InputBytes, After: s.OutputBytes}, Edits: s.Edits,
		})
	}
	return out
}
