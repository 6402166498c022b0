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
	"condense/cmd/report"
	"condense/cmd/ui"
	"condense/cmd/ui/content"
	"condense/cmd/ui/escape"
	"condense/strategy"
	"condense/transcript/token"
)

// batchOptions are the flags of condense batch.
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

	// What is made of the options:
	hash    string         // of the flags that decide what comes out
	counter *token.Counter // of tokens
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
		Short: "Condense many files, and go on where it was interrupted",
		Long: `Condense many files, each as condense run does, into --out-dir or in place with -w.

A PATH is a file, a folder, or a pattern (* ? [a-z], ** for any folders) in quotes. Of a
folder all .json, .jsonl, .ndjson and .traj files are taken, compressed ones too, or
those of --include; hidden folders are left out and links are not followed. Under --out-dir a file of a folder
goes where it is in that folder, any other where its path says, less / and .. at its start;
control characters in names become %1b. A file that is there already with the same bytes
is left; with others it is overwritten only with --force, or with --resume where the
manifest says that its bytes are from an earlier batch. Where a condense.yaml says something
else of some files (condense config --help), each is condensed as it says.

Each file ends in one status:

  condensed         it became smaller
  unchanged         nothing to do; it is copied to --out-dir
  partly-condensed  some conversations of it failed and were left as they are: exit code 1
  missed-target     condensed, but not to the target, and --strict was given: exit code 1
  refused           the output broke a demand or a promise, nothing was written: 1
  not-a-transcript  3 when it was named, 0 when it was found in a folder or by a pattern
  failed            anything else that went wrong: 3, 4 or 5

One bad file stops none of the others (--fail-fast: it does). The exit code is the
highest of all. An interrupt lets writes that began come to their end, tells how to go
on, and the exit code is 130.

--manifest FILE keeps a line of JSON for each file: hashes of the input, of the flags and
of the output, version, status, tokens. --resume skips what that file says is done, if the
input, the output, the flags and the version are still the same, and takes its numbers
over. --shard 3/7 takes the files of one part of seven, by a hash of the path in the
folder; auto goes by the variables of Kubernetes (auto/7, which does not tell how many),
AWS Batch or Slurm. condense stats --merge adds up the --summary files of all parts.
--report FILE --report-format html writes a page that needs nothing else; it lists up
to a thousand files.`,
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
	fs.StringVarP(&o.outDir, "out-dir", "o", "", "write the outputs below this folder, which is made")
	o.run.addPlaceFlags(fs, "replace the files; the old ones are kept under their names with this suffix")
	globs := func(to *[]strategy.Glob) pflag.Value {
		return &repeated[strategy.Glob]{to: to, parse: strategy.ParseGlob, kind: "GLOB"}
	}
	fs.Var(globs(&o.include), "include", "of folders, take the files with such a path instead of "+batch.SavedNames+" (repeatable)")
	fs.Var(globs(&o.exclude), "exclude", "of folders and patterns, leave out the files with such a path (repeatable)")
	fs.IntVarP(&o.workers, "jobs", "j", o.workers, "files in work at a time")
	fs.Var(&parsed[int64]{to: &o.maxMemory, parse: batch.ParseBytes, kind: "SIZE"},
		"max-memory", "memory to stay within as far as can be told by sizes (500M, 2G): files wait for each other; one that needs more is alone")
	fs.StringVar(&o.manifest, "manifest", "", "append what became of each file to this file, one JSON object a line")
	fs.BoolVar(&o.resume, "resume", false, "skip what the manifest says is done")
	fs.Var(&parsed[batch.Shard]{to: &o.shard, parse: batch.ParseShard, kind: "I/N|auto"}, "shard", "only this part of the files")
	fs.BoolVar(&o.failFast, "fail-fast", false, "begin no other file once one has failed")
	fs.StringVar(&o.summary, "summary", "", "write the sums as JSON to this file, or - for standard output, when no file was left out")
	o.reportOptions.addFlags(fs, &report.Batch{}, "write the report to this file too, when no file was left out; as html: sums, how much was saved, what became of each file and why")
	o.addPageFlag(fs)
	fs.BoolVar(&o.noProgress, "no-progress", false, "do not tell how far it is; files that need attention are told of anyway")
	o.run.addTellingFlags(fs, "no progress and no summary, only errors", "a line for each file, with hints")
	o.run.addStrictFlag(fs)
	o.run.stash.addFlags(fs)
	o.run.addCondensingFlags(cmd, fs)
	config.WholeCommand(fs, "out-dir", "in-place", "force", "dry-run", "include", "exclude", "jobs", "max-memory", "manifest", "resume",
		"shard", "fail-fast", "summary", "report", "report-format", "html", "no-progress", "quiet", "verbose", "color")
	// One model is asked, and what that may cost is for all files together.
	config.WholeCommand(fs, "llm-model", "base-url", "api-key-env", "api-key-file", "retries", "timeout", "rpm", "tpm", "max-cost",
		"prices", "llm-cache", "llm-stream", "no-redact")
	addCompletions(cmd)
}

// undeciding are the flags that leave the bytes of every output as they are. A preset is in the
// flags that it sets.
func undeciding() map[string]bool {
	leave := map[string]bool{}
	for _, name := range []string{
		"out-dir", "force", "dry-run", "include", "exclude", "jobs", "max-memory", "manifest", "resume", "shard",
		"fail-fast", "summary", "report", "report-format", "html", "no-progress", "quiet", "verbose", "color", "preset", "exec-timeout", "timeout",
	} {
		leave[name] = true
	}
	return leave
}

// check finishes the options and refuses combinations that contradict each other.
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
		return usage("where to? give --out-dir DIR or -w, or -n to write nothing")
	case o.resume && o.manifest == "":
		return usage("--resume goes by the --manifest FILE of the batch that was interrupted")
	case o.manifest != "" && o.run.dryRun:
		return usage("-n does nothing that a --manifest could tell of")
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

// runBatch condenses the files that paths name. fs has the flags that o was read from.
func runBatch(ctx context.Context, a *app, o *batchOptions, fs *pflag.FlagSet, paths []string) error {
	if err := o.check(a, paths); err != nil {
		return err
	}
	b := &batchRun{a: a, o: o, memory: batch.NewMemory(o.maxMemory), sum: &report.Summary{Version: report.SummaryVersion}}
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
		if err := b.tell(); err != nil {
			return err
		}
	}
	switch {
	case b.fatal != nil:
		return b.fatal
	case ctx.Err() != nil:
		return &interruptedError{fmt.Sprintf("interrupted: %d of %d files are done", b.sum.Files, len(b.items)), o.goOn()}
	case b.sum.Files == len(b.items):
		if err := b.publish(ctx); err != nil {
			return err
		}
	}
	if b.code != exitOK {
		return &saidError{b.code}
	}
	return nil
}

// tell prints the sums.
func (b *batchRun) tell() error {
	a, o := b.a, b.o
	if err := ui.Write(a.err, defaultForm, b.sum, a.textOptions(&o.run.outputOptions, a.err)); err != nil {
		return err
	}
	notes := b.notes()
	if unlike := content.Unlike(b.ways); unlike != "" {
		notes = append(notes, unlike)
	}
	if left := len(b.items) - b.sum.Files; left > 0 {
		notes = append(notes, fmt.Sprintf("%d more files were found, and not begun or not finished", left))
	}
	if len(b.items) == 0 {
		notes = append(notes, "there is no file to condense: folders are searched for "+batch.SavedNames+", or what --include names")
	}
	for _, n := range notes {
		fmt.Fprintln(a.err, escape.Line(n))
	}
	return nil
}

// notes are what there is to know of a batch besides its sums.
func (b *batchRun) notes() (notes []string) {
	if b.asking != nil {
		notes = b.asking.spent()
	}
	if b.before > 0 {
		notes = append(notes, fmt.Sprintf("%d of them were done before", b.before))
	}
	return notes
}

// goOn is how an interrupted batch is continued.
func (o *batchOptions) goOn() string {
	switch {
	case o.manifest != "":
		return "give the same command again with --resume"
	case o.outDir != "":
		return "give the same command again: what is in " + o.outDir + " already is made again, compared and left; a --manifest would have it skipped"
	case o.run.replaces:
		return "files that were replaced would be condensed again: with a --manifest, --resume knows them"
	}
	return "nothing was written"
}

// interruptedError is work on many conversations that was interrupted.
type interruptedError struct{ problem, hint string }

func (e *interruptedError) Error() string { return e.problem }
func (e *interruptedError) ExitCode() int { return exitInterrupted }
func (e *interruptedError) Hint() string  { return e.hint }
