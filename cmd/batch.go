package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/batch"
	"condense/cmd/report/survey"
	"condense/cmd/source"
	"condense/cmd/ui"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
)

func newBatch(a *app) *cobra.Command {
	o := newBatchOptions()
	cmd := &cobra.Command{
		Use:   "batch PATH…",
		Short: "Condense many files, and continue after an interrupt",
		Long: `Condense many files, each as condense run does, into --out-dir or in place with -w.

A PATH is a file, a folder, or a quoted pattern (* ? [a-z], ** for any folders). In a
folder, batch takes all .json, .jsonl, .ndjson, .traj, .parquet and .eval files, also
compressed ones, or the files that --include names. It skips hidden folders and does not
follow links. --tool takes the sessions of a tool, which are in hidden folders (condense ls
lists them). Below --out-dir, a file that was found in a folder keeps its path in that
folder, and a session its path in the folder of its tool. A file that was named keeps its
own path without / and .. at the start. Control characters in names become %1b. An output
that exists with the same bytes stays. One with other bytes is overwritten only with
--force, or with --resume if the manifest records that an earlier batch wrote it. Settings
of condense.yaml for some files (condense config --help) affect these files only.

Each file ends in one status:

  condensed         it became smaller
  unchanged         nothing to do; it is copied to --out-dir
  partly-condensed  some of its conversations failed and stay as they are: exit code 1
  missed-target     condensed, but not to the target, and --strict was given: exit code 1
  refused           the output missed a demand or broke a promise, nothing was written: 1
  left-out          with --drop-rows: no row of it fits, nothing was written
  not-a-transcript  3 if it was named, 0 if it was found in a folder or by a pattern
  failed            anything else that went wrong: 3, 4 or 5

A file that fails does not stop the others, except with --fail-fast. The exit code is the
highest of all. After an interrupt, batch finishes the writes that began, prints how to
continue, and exits with 130.

--manifest FILE keeps a line of JSON for each file: hashes of the input, of the flags and
of the output, version, status, tokens. --resume skips the files that the manifest records
as done, if the input, the output, the flags and the version are still the same. Their
numbers are part of the sums.

--shard 3/7 takes one of seven parts of the files, chosen by a hash of the path in the
folder. --shard auto reads the variables of AWS Batch, Slurm or Kubernetes. Kubernetes does
not set the number of parts: write auto/7 there. condense stats --merge adds up the
--summary files of all parts.

--report FILE --report-format html writes a single self-contained page that lists up to a
thousand files.`,
		Example: `  condense batch --out-dir smaller .
  condense batch --out-dir smaller --manifest done.jsonl --resume .
  condense batch -w --target 30% session.jsonl chat.json
  condense batch -n '*.json*'
  condense batch --tool claude-code --project . --out-dir smaller
  condense batch --shard 1/2 --summary 1.json --out-dir smaller . && condense stats --merge 1.json`,
		Args: usageArgs(batchArgs),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.run.replaces = cmd.Flags().Changed("in-place")
			return runBatch(cmd.Context(), a, o, cmd.Flags(), args)
		},
	}
	o.addFlags(cmd, cmd.Flags())
	return cmd
}

// batchArgs demands a path, or sessions.
func batchArgs(cmd *cobra.Command, args []string) error {
	if cmd.Flags().Changed("tool") {
		return nil
	}
	return cobra.MinimumNArgs(1)(cmd, args)
}

// runBatch condenses the files that paths name. o holds the values of the flags in fs.
func runBatch(ctx context.Context, a *app, o *batchOptions, fs *pflag.FlagSet, paths []string) error {
	if err := o.check(a, paths); err != nil {
		return err
	}
	a.memory = batch.NewMemory(o.run.maxMemory)
	defer a.memory.CollectLater(1)()
	b := &batchRun{a: a, o: o, sum: &survey.Summary{Version: survey.SummaryVersion, DryRun: o.run.dryRun}}
	err := b.ready(ctx, o, fs)
	if err != nil {
		return err
	}
	if err := b.find(ctx, paths); err != nil {
		return err
	}
	if err := o.placeable(b.items); err != nil {
		return err
	}
	if err := b.settings(ctx); err != nil {
		return err
	}
	if o.outDir != "" && !o.run.dryRun {
		if err := os.MkdirAll(o.outDir, 0o777); err != nil {
			return &unwritable{"--out-dir", err}
		}
		if b.root, err = os.OpenRoot(o.outDir); err != nil {
			return &unwritable{"--out-dir", err}
		}
		defer b.root.Close()
	}
	if b.manifest, err = batch.OpenManifest(o.manifest); err != nil {
		return err
	}
	if b.manifest == nil {
		b.group = &source.Group{}
	}
	b.work(ctx)
	if err := errors.Join(b.manifest.Close(), b.group.Flush()); err != nil && b.fatal == nil {
		b.fatal = err
	}
	if !o.run.quiet {
		if err := b.printSums(); err != nil {
			return err
		}
	}
	switch {
	case b.fatal != nil:
		return b.fatal
	case ctx.Err() != nil:
		return &interruptedError{fmt.Sprintf("interrupted: %d of %d files are done", b.sum.Files, len(b.items)), o.howToContinue()}
	case b.sum.Files == len(b.items):
		if err := b.publish(ctx); err != nil {
			return err
		}
	}
	if b.code != exitOK {
		return &printedError{b.code}
	}
	return nil
}

// printSums prints the totals and the notes on standard error.
func (b *batchRun) printSums() error {
	a, o := b.a, b.o
	if err := ui.Write(a.err, defaultForm, b.sum, a.textOptions(&o.run.outputOptions, a.err)); err != nil {
		return err
	}
	notes := b.notes()
	if unlike := content.Unlike(b.tokenizers()); unlike != "" {
		notes = append(notes, unlike)
	}
	notes = append(notes, b.same.notes("unchanged")...)
	notes = append(notes, b.alone.notes("condensed without the model")...)
	if b.taken > 1 {
		notes = append(notes, fmt.Sprintf("%d outputs exist with other bytes, and were not overwritten: %s", b.taken, (&batch.TakenError{}).Hint()))
	}
	if left := len(b.items) - b.sum.Files; left > 0 {
		notes = append(notes, fmt.Sprintf("%d more files were found and not finished", left))
	}
	if len(b.items) == 0 {
		notes = append(notes, "there is no file to condense: in folders, batch takes "+batch.SavedNames+", or the files that --include names")
	}
	for _, n := range notes {
		fmt.Fprintln(a.err, escape.Line(n))
	}
	return nil
}
