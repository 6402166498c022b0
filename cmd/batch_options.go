package cmd

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/batch"
	"condense/cmd/config"
	"condense/cmd/report/survey"
	"condense/cmd/session"
	"condense/strategy"
)

// batchOptions holds the flags of condense batch.
type batchOptions struct {
	run      *runOptions // how each file is condensed, and whether it is replaced
	outDir   string
	include  []strategy.Glob
	exclude  []strategy.Glob
	tools    []string // whose sessions are condensed
	project  string   // only sessions of this folder
	workers  int
	manifest string // file, "" for none
	resume   bool
	shard    batch.Shard
	failFast bool
	summary  string // file, "-" for standard output, "" for none
	reportOptions
	noProgress bool

	// Derived from the options:
	hash  string // of the flags that affect the outputs
	count *counting
}

func newBatchOptions() *batchOptions {
	o := &batchOptions{run: newRunOptions(), workers: runtime.GOMAXPROCS(0)}
	o.run.many = true
	return o
}

func (o *batchOptions) addFlags(cmd *cobra.Command, fs *pflag.FlagSet) {
	fs.StringVarP(&o.outDir, "out-dir", "o", "", "write the outputs below this folder, which is created")
	o.run.addPlaceFlags(fs, "replace the files; keep the old ones under their names with this suffix")
	globs := func(to *[]strategy.Glob) pflag.Value {
		return &repeated[strategy.Glob]{to: to, parse: unmarshal[strategy.Glob], kind: "GLOB"}
	}
	fs.Var(globs(&o.include), "include", "in folders, take the files whose path matches instead of "+batch.SavedNames+" (repeatable)")
	fs.Var(globs(&o.exclude), "exclude", "in folders and patterns, leave out the files whose path matches (repeatable)")
	fs.Var(toolsFlag(&o.tools), "tool", "condense the sessions of this tool, too (repeatable); see condense ls")
	fs.StringVar(&o.project, "project", "", "with --tool: only sessions of this folder or below it; without such a folder, those with this text in their folder")
	config.TypedOnly(fs, "tool")
	config.TypedOnly(fs, "project")
	fs.IntVarP(&o.workers, "jobs", "j", o.workers, "files to condense at the same time")
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
		"prices", "llm-cache", "llm-stream", "llm-temperature", "llm-fallback-model", "no-redact")
}

// withoutEffect returns the flags that do not affect the bytes of an output. --preset is one
// of them, because it acts through the flags that it sets.
func withoutEffect() map[string]bool {
	leave := map[string]bool{}
	for _, name := range []string{
		"out-dir", "force", "dry-run", "tool", "project", "include", "exclude", "jobs", "max-memory", "manifest", "resume", "shard",
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
	case o.project != "" && len(o.tools) == 0:
		return usage("--project selects sessions of --tool: add --tool")
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

// addSessions adds the sessions of --tool. Their outputs lie in a folder for each tool.
func (b *batchRun) addSessions(ctx context.Context, g *batch.Gathering) error {
	if len(b.o.tools) == 0 {
		return nil
	}
	q := session.Query{Tools: b.o.tools, Project: b.o.project}
	files, err := q.Files(ctx, b.a.system(), b.a.now())
	if err != nil {
		return err
	}
	for _, f := range files {
		below, _ := filepath.Rel(f.Root, f.Path) // no error, as the path begins with the root
		g.Add(f.Path, f.Tool+"/"+filepath.ToSlash(below))
	}
	return nil
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
