package cmd

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/batch"
	"condense/cmd/config"
	"condense/cmd/report/survey"
	"condense/cmd/ui"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
	"condense/strategy"
	"condense/transcript/token"
)

// batchOptions holds the flags of condense batch.
type batchOptions struct {
	run      *runOptions // how each file is condensed, and whether it is replaced
	outDir   string
	include  []strategy.Glob
	exclude  []strategy.Glob
	workers  int
	manifest string // file, "" for none
	resume   bool
	shard    batch.Shard
	failFast bool
	summary  string // file, "-" for standard output, "" for none
	reportOptions
	maxMemory  int64 // bytes, 0 for no limit
	noProgress bool

	// Derived from the options:
	hash    string // of the flags that affect the outputs
	counter *token.Counter
}

func newBatchOptions() *batchOptions {
	o := &batchOptions{run: newRunOptions(), workers: runtime.GOMAXPROCS(0)}
	o.run.many = true
	return o
}

func newBatch(a *app) *cobra.Command {
	o := newBatchOptions()
	cmd := &cobra.Command{
		Use:   "batch PATH…",
		Short: "Condense many files, and continue after an interrupt",
		Long: `Condense many files, each as condense run does, into --out-dir or in place with -w.

A PATH is a file, a folder, or a quoted pattern (* ? [a-z], ** for any folders). In a
folder, batch takes all .json, .jsonl, .ndjson and .traj files, also compressed ones, or
the files that --include names. It skips hidden folders and does not follow links. Below
--out-dir, a file that was found in a folder keeps its path in that folder; a file that
was named keeps its own path without / and .. at the start. Control characters in names
become %1b. An output that exists with the same bytes stays. One with other bytes is
overwritten only with --force, or with --resume if the manifest records that an earlier
batch wrote it. If condense.yaml has other settings for some files (condense config
--help), each of them is condensed with its own.

Each file ends in one status:

  condensed         it became smaller
  unchanged         nothing to do; it is copied to --out-dir
  partly-condensed  some of its conversations failed and stay as they are: exit code 1
  missed-target     condensed, but not to the target, and --strict was given: exit code 1
  refused           the output missed a demand or broke a promise, nothing was written: 1
  not-a-transcript  3 if it was named, 0 if it was found in a folder or by a pattern
  failed            anything else that went wrong: 3, 4 or 5

A file that fails does not stop the others, except with --fail-fast. The exit code is the
highest of all. After an interrupt, batch finishes the writes that began, prints how to
continue, and exits with 130.

--manifest FILE keeps a line of JSON for each file: hashes of the input, of the flags and
of the output, version, status, tokens. --resume skips the files that the manifest records
as done, if the input, the output, the flags and the version are still the same, and
includes their numbers in the sums.

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
  condense batch -n --report batch.html --report-format html .
  condense batch --shard 1/2 --summary 1.json --out-dir smaller . && condense stats --merge 1.json`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.run.replaces = cmd.Flags().Changed("in-place")
			return runBatch(cmd.Context(), a, o, cmd.Flags(), args)
		},
	}
	o.addFlags(cmd, cmd.Flags())
	return cmd
}

func (o *batchOptions) addFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	fs.StringVarP(&o.outDir, "out-dir", "o", "", "write the outputs below this folder, which is created")
	o.run.addPlaceFlags(fs, "replace the files; keep the old ones under their names with this suffix")
	globs := func(to *[]strategy.Glob) pflag.Value {
		return &repeated[strategy.Glob]{to: to, parse: unmarshal[strategy.Glob], kind: "GLOB"}
	}
	fs.Var(globs(&o.include), "include", "in folders, take the files whose path matches instead of "+batch.SavedNames+" (repeatable)")
	fs.Var(globs(&o.exclude), "exclude", "in folders and patterns, leave out the files whose path matches (repeatable)")
	fs.IntVarP(&o.workers, "jobs", "j", o.workers, "files to condense at the same time")
	fs.Var(&parsed[int64]{to: &o.maxMemory, parse: batch.ParseBytes, kind: "SIZE"},
		"max-memory", "memory limit, estimated from the sizes of the files (500M, 2G); a file that needs more is condensed alone")
	fs.StringVar(&o.manifest, "manifest", "", "append the result of each file to this file, one JSON object a line")
	fs.BoolVar(&o.resume, "resume", false, "skip the files that the manifest records as done")
	fs.Var(&parsed[batch.Shard]{to: &o.shard, parse: batch.ParseShard, kind: "I/N|auto"}, "shard", "condense only this part of the files")
	fs.BoolVar(&o.failFast, "fail-fast", false, "start no more files after one has failed")
	fs.StringVar(&o.summary, "summary", "", "write the totals as JSON to this file, or - for standard output, if all files were processed")
	o.reportOptions.addFlags(fs, &survey.Batch{}, "also write the report to this file if all files were processed; html lists the result of each file with its reason")
	o.addPageFlag(fs)
	fs.BoolVar(&o.noProgress, "no-progress", false, "print no progress, only files that need attention")
	o.run.addVerbosityFlags(fs, "print no progress and no summary, only errors", "print a line for each file, with hints")
	o.run.addStrictFlag(fs)
	o.run.stash.addFlags(fs)
	o.run.addCondensingFlags(cmd, fs)
	config.WholeCommand(fs, "out-dir", "in-place", "force", "dry-run", "include", "exclude", "jobs", "max-memory", "manifest", "resume",
		"shard", "fail-fast", "summary", "report", "report-format", "html", "no-progress", "quiet", "verbose", "color")
	// All files share one model, and --max-cost limits their total cost.
	config.WholeCommand(fs, "llm-model", "base-url", "api-key-env", "api-key-file", "retries", "timeout", "rpm", "tpm", "max-cost",
		"prices", "llm-cache", "llm-stream", "no-redact")
	addCompletions(cmd)
}

// withoutEffect returns the flags that do not affect the bytes of an output. --preset is one
// of them, because it acts through the flags that it sets.
func withoutEffect() map[string]bool {
	leave := map[string]bool{}
	for _, name := range []string{
		"out-dir", "force", "dry-run", "include", "exclude", "jobs", "max-memory", "manifest", "resume", "shard",
		"fail-fast", "summary", "report", "report-format", "html", "no-progress", "quiet", "verbose", "color", "preset", "exec-timeout", "timeout",
	} {
		leave[name] = true
	}
	return leave
}

// check completes the options and refuses combinations that contradict each other.
func (o *batchOptions) check(a *app, paths []string) (err error) {
	if err := o.run.check(""); err != nil {
		return err
	}
	places := 0
	for _, given := range []bool{o.outDir != "", o.run.replaces, o.run.dryRun && o.outDir == "" && !o.run.replaces} {
		if given {
			places++
		}
	}
	switch {
	case places != 1:
		return usage("no place for the outputs: give either --out-dir DIR or -w, or -n to write nothing")
	case o.resume && o.manifest == "":
		return usage("--resume needs the --manifest FILE of the batch that was interrupted")
	case o.manifest != "" && o.run.dryRun:
		return usage("-n writes nothing, so there is nothing to record in a --manifest")
	case o.workers < 1:
		return usage("--jobs is a number of files from 1, not %d", o.workers)
	case slices.Contains(paths, "-"):
		return usage("batch takes files; condense run and condense filter read standard input")
	case slices.ContainsFunc(paths, func(p string) bool { return o.outDir != "" && batch.SameFile(p, o.outDir) }):
		return usage("--out-dir %s is one of the folders that are read", o.outDir)
	}
	if o.shard, err = o.shard.Resolve(a.env); err != nil {
		return usage("%w", err)
	}
	return nil
}

// runBatch condenses the files that paths name. o holds the values of the flags in fs.
func runBatch(ctx context.Context, a *app, o *batchOptions, fs *pflag.FlagSet, paths []string) error {
	if err := o.check(a, paths); err != nil {
		return err
	}
	b := &batchRun{a: a, o: o, memory: batch.NewMemory(o.maxMemory), sum: &survey.Summary{Version: survey.SummaryVersion}}
	err := b.ready(ctx, o, fs)
	if err != nil {
		return err
	}
	if err := b.find(paths); err != nil {
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
	b.work(ctx)
	if err := b.manifest.Close(); err != nil && b.fatal == nil {
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
	if unlike := content.Unlike(b.ways); unlike != "" {
		notes = append(notes, unlike)
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

// notes returns remarks for the report: what the model cost, and how many files were done
// before.
func (b *batchRun) notes() (notes []string) {
	if b.asking != nil {
		notes = b.asking.spent()
	}
	if b.before > 0 {
		notes = append(notes, fmt.Sprintf("%d of them were done before", b.before))
	}
	return notes
}

// howToContinue returns the hint for an interrupted batch.
func (o *batchOptions) howToContinue() string {
	switch {
	case o.manifest != "":
		return "run the same command again with --resume"
	case o.outDir != "":
		return "run the same command again: outputs that exist in " + o.outDir + " are computed again, compared and kept; with a --manifest they would be skipped"
	case o.run.replaces:
		return "files that were replaced would be condensed again; with a --manifest, --resume skips them"
	}
	return "nothing was written"
}

// interruptedError reports that work on many conversations was interrupted.
type interruptedError struct{ problem, hint string }

func (e *interruptedError) Error() string { return e.problem }
func (e *interruptedError) ExitCode() int { return exitInterrupted }
func (e *interruptedError) Hint() string  { return e.hint }
