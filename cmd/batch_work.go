package cmd

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/batch"
	"condense/cmd/config"
	"condense/cmd/report"
	"condense/cmd/report/survey"
	"condense/cmd/source"
	"condense/cmd/ui"
	"condense/transcript/format"
)

// batchRun is the state of one run of condense batch.
type batchRun struct {
	a        *app
	o        *batchOptions   // of the batch as a whole
	own      []*batchOptions // o, and the options of files with settings of their own
	asking   *llmOptions     // holds the client that all files share; nil without a model
	items    []*batchItem
	root     *os.Root // --out-dir, nil for none
	manifest *batch.Manifest
	progress *ui.Progress
	group    *source.Group // of the files below --out-dir; nil with a manifest, whose entries name files that are on the disk
	stop     atomic.Bool   // if set, no further file is started

	mu     sync.Mutex // guards the fields below
	sum    *survey.Summary
	files  []survey.BatchFile // for the report; empty without --report
	before int                // number of files that an earlier batch finished
	taken  int                // number of outputs that exist with other bytes
	same   reasons            // files that did not change
	alone  reasons            // files that were condensed without the model that was to be asked
	code   int                // highest exit code so far
	fatal  error              // ends the batch: the manifest cannot be written
	unkept int                // number of replaced files whose old content could not be kept
}

// find collects the files of this shard. It reports folders that cannot be searched, and
// continues.
func (b *batchRun) find(ctx context.Context, paths []string) error {
	o := b.o
	g := &batch.Gathering{Include: o.include, Exclude: o.exclude}
	for _, own := range []string{o.outDir, o.manifest, o.summary, o.report} {
		if own != "" && own != "-" {
			g.Own = append(g.Own, own)
		}
	}
	if err := b.addSessions(ctx, g); err != nil {
		return err
	}
	g.Gather(paths)
	for i, err := range g.Failed {
		var unlisted *batch.WalkError
		if !errors.As(err, &unlisted) { // a malformed pattern
			g.Failed[i] = &usageError{err: err}
		}
	}
	b.code = b.a.exitAll(context.Background(), g.Failed)
	if o.outDir != "" {
		if both := batch.Clash(g.Items); both != "" {
			return &usageError{errors.New(both), "name the folder above them, or condense them into two folders"}
		}
	}
	for _, it := range g.Items {
		if o.shard.Has(it.Rel) {
			b.items = append(b.items, &batchItem{Item: it})
		}
	}
	return nil
}

// batchItem is a file of a batch, with the options by which it is condensed.
type batchItem struct {
	batch.Item
	o   *batchOptions
	how *report.Tokenizer // which counted the file; nil if it was not counted
}

// work condenses the items. It starts no further item after ctx is done.
func (b *batchRun) work(ctx context.Context) {
	quiet := b.o.run.quiet || b.o.noProgress
	live := !quiet && b.a.redraws()
	each := !quiet && !live || b.o.run.verbose > 0
	total := int64(0)
	for _, it := range b.items {
		total += it.Size
	}
	b.progress = ui.NewProgress(b.a.err, live, each, len(b.items), total, b.a.now)
	defer b.progress.Close()
	quieter := *b.a
	quieter.err = b.progress
	for _, own := range b.own {
		own.run.external.limit(&quieter, own.run.quiet)
	}

	work := batch.Pool{Workers: b.o.workers, Memory: b.a.memory, Stopped: b.stop.Load}
	sizes := make([]int64, len(b.items))
	for i, it := range b.items {
		sizes[i] = b.a.memory.NeedOfItem(&it.Item)
	}
	work.Run(ctx, sizes, func(i int) {
		b.progress.Begin(b.items[i].Path)
		b.record(ctx, b.items[i], b.condense(ctx, b.items[i]))
	})
}

// result holds how an item ended.
type result struct {
	batch.Entry
	err    error        // nil if the item is done
	before bool         // an earlier batch did it
	prior  *batch.Entry // entry of an earlier batch, with --resume; may be nil
	exists bool         // a file was in the place of the output
	unkept bool         // the old content could not be kept
	same   string       // why the file did not change, "" if it did
	alone  string       // why the model was not asked, or did not answer; "" if that is not so
}

// record adds a result to the totals and the manifest. It ignores an item that an interrupt
// stopped.
func (b *batchRun) record(ctx context.Context, it *batchItem, r *result) {
	if r.err != nil && ctx.Err() != nil && errors.Is(r.err, context.Canceled) {
		return
	}
	failed := error(nil)
	if !r.before || !r.Done {
		r.Done = true
		failed = b.manifest.Add(r.Entry)
	}
	var broken *batch.ManifestError
	if errors.As(r.err, &broken) {
		failed = broken
	}
	b.mu.Lock()
	addEntry(b.sum, &r.Entry)
	if b.o.report != "" {
		b.files = append(b.files, survey.BatchFile{Input: it.Path, Status: string(r.Status), Why: r.Error, Before: r.before, Tokens: r.Tokens})
	}
	b.code = max(b.code, r.Exit)
	if r.before {
		b.before++
	}
	if r.unkept {
		b.unkept++
	}
	if b.fatal == nil {
		b.fatal = failed
	}
	again := errors.As(r.err, new(*batch.TakenError)) && b.isTaken()
	b.same.add(it.Path, r.same)
	b.alone.add(it.Path, r.alone)
	b.mu.Unlock()
	if failed != nil || b.o.failFast && r.Exit != exitOK {
		b.stop.Store(true)
	}
	b.progress.End(it.Path, it.Size, r.Tokens, b.line(it, r, again), r.Exit != exitOK || r.Status == batch.NotTranscript && !b.o.run.quiet)
}

// line returns the line about a result, "" if none is due: again is set if its error was reported
// for another file.
func (b *batchRun) line(it *batchItem, r *result, again bool) string {
	if again && b.o.run.verbose == 0 {
		return ""
	}
	what, why := string(r.Status), cmp.Or(r.Error, r.same)
	switch {
	case r.before && r.Status == batch.Condensed:
		what = "already condensed by an earlier run of batch:"
	case r.before:
		what += " in an earlier run of batch:"
	}
	if hint := b.a.hint(r.err); b.o.run.verbose > 0 && hint != "" {
		why += "; " + hint
	}
	return ui.ItemLine(what, it.Path, r.Tokens, why)
}

// isTaken counts an output that exists with other bytes, and reports whether one was counted before.
func (b *batchRun) isTaken() bool {
	b.taken++
	return b.taken > 1
}

var numbers = regexp.MustCompile(`[0-9][0-9,.]*`)

// maxReasons limits the reasons in notes about files.
const maxReasons = 3

// condense condenses one file, unless an earlier batch did.
func (b *batchRun) condense(ctx context.Context, it *batchItem) *result {
	o := *it.o.run
	o.quiet, o.group = true, b.group
	r := &result{Entry: batch.Entry{Condense: report.CondenseVersion(), Options: it.o.hash, Input: it.Path}}
	if b.o.resume {
		r.prior = b.manifest.Last(it.Path)
	}
	if b.root != nil {
		o.output = filepath.Join(b.o.outDir, it.Out())
	}
	now := batch.Now{Condense: r.Condense, Options: r.Options, Output: o.output, Folder: b.root != nil, InPlace: b.o.run.replaces}
	if r.prior != nil && r.prior.UpToDate(&it.Item, now) {
		r.Entry, r.before = *r.prior, true
		return r
	}
	if b.root != nil {
		if r.exists, r.err = batch.MakePlace(b.root, &it.Item); r.err != nil {
			return r.fail(it, b.manifest != nil)
		}
		o.force = o.force || r.exists // announce decides
	}
	var made *report.Report
	done, err := b.a.condenseTo(ctx, &o, it.Path, it.o.count, noEvents(), func(_ context.Context, in *source.Input, of *report.Report, packed []byte) error {
		made = of
		return b.announce(it, &o, r, in, of, packed)
	})
	switch {
	case errors.Is(err, batch.ErrSame):
		r.Output, err = o.output, nil
	case done != nil:
		made = done
	}
	if made != nil {
		it.how = &made.Tokenizer
		r.take(made, &o)
		if err == nil {
			r.finish(o.external.runAfter(ctx, made))
		}
	}
	if err != nil {
		r.err = err
		return r.fail(it, b.manifest != nil)
	}
	return r
}

// announce checks that the output packed may be written, and adds an entry to the manifest that
// says so. It is called before the output is written.
func (b *batchRun) announce(it *batchItem, o *runOptions, r *result, in *source.Input, of *report.Report, packed []byte) error {
	if b.manifest != nil {
		r.Read, r.Written = batch.HashOf(in.Raw), batch.HashOf(packed)
	}
	r.take(of, o)
	if r.exists {
		if err := batch.MayReplace(o.output, packed, r.prior, b.o.run.force); err != nil {
			return err
		}
	}
	if r.Output = o.output; o.replaces {
		r.Output = it.Path
		if !of.Changed {
			return nil // the file is not written
		}
	}
	return b.manifest.Add(r.Entry)
}

// take copies the numbers of a report and sets the status. [result.fail] changes the status
// if a later step fails.
func (r *result) take(made *report.Report, o *runOptions) {
	r.Conversations, r.Tokens, r.Bytes = made.Len(), made.Tokens, made.Bytes
	r.Rows = made.Rows
	r.Status = batch.Unchanged
	r.alone = made.Fallback()
	r.same = cmp.Or(made.Unchanged, "nothing to save")
	if made.Changed {
		r.Status, r.same = batch.Condensed, ""
	}
	if err := verdict(o, made); err != nil {
		r.Status, r.Exit, r.Error = batch.MissedTarget, exitPolicy, err.Error()
		if errors.As(err, new(*leftError)) {
			r.Status = batch.PartFailed
		}
	}
}

// finish adds the error of --after, if there is one. The output is written, so the status and the numbers stay.
func (r *result) finish(after error) {
	if after != nil {
		r.Exit, r.Error = exitCode(context.Background(), after), after.Error()
	}
}

// fail sets the status for r.err and returns r. It hashes the input if hash is set.
func (r *result) fail(it *batchItem, hash bool) *result {
	r.Error = strings.TrimPrefix(r.err.Error(), it.Path+": ")
	r.Exit = exitCode(context.Background(), r.err)
	r.Tokens.After = r.Tokens.Before
	if r.Bytes.Before == 0 {
		r.Bytes.Before = int(it.Size)
	}
	r.Bytes.After = r.Bytes.Before
	var unread *format.Error
	var unfit *unfitError
	switch {
	case errors.As(r.err, &unfit):
		r.Status, r.Exit, r.Rows = batch.LeftOut, exitOK, &report.Rows{Dropped: unfit.Rows}
	case errors.As(r.err, &unread):
		r.Status = batch.NotTranscript
		if !it.Named {
			r.Exit = exitOK
		}
	case r.Exit == exitPolicy:
		r.Status = batch.Refused
	default:
		r.Status = batch.Failed
	}
	r.Output, r.Written, r.same, r.alone = "", "", "", ""
	if hash && r.Read == "" {
		r.Read = batch.HashFile(it.Path)
	}
	return r
}

// placeable checks that --summary, --report and --manifest name different files that can be
// written, and that none of them is an input.
func (o *batchOptions) placeable(items []*batchItem) error {
	own := []struct{ flag, path string }{{"--summary", o.summary}, {"--report", o.report}, {"--manifest", o.manifest}}
	for i, one := range own {
		if one.path == "" || one.path == "-" {
			continue
		}
		for _, other := range own[:i] {
			if batch.SameFile(one.path, other.path) {
				return usage("%s and %s are one file, %s", other.flag, one.flag, one.path)
			}
		}
		for _, it := range items { // the search of folders left out the files of the batch
			if it.Named && batch.SameFile(it.Path, one.path) {
				return usage("%s %s is one of the files that are read", one.flag, one.path)
			}
		}
	}
	for _, path := range []string{o.summary, o.report} {
		if path == "" || path == "-" {
			continue
		}
		if err := source.Creatable(path, overReport(path, o.over())); err != nil {
			return err
		}
	}
	return nil
}

// over returns the options for writing the summary and the report. --resume overwrites them.
func (o *batchOptions) over() source.CreateOptions {
	return source.CreateOptions{Force: o.run.force || o.resume}
}

// publish writes the files of --summary and --report.
func (b *batchRun) publish(ctx context.Context) error {
	switch o := b.o; o.summary {
	case "":
	case "-":
		if err := ui.Write(b.a.out, "json", b.sum, ui.Options{}); err != nil {
			return &outputError{err}
		}
	default:
		if err := b.a.writeReport(ctx, o.summary, "json", b.sum, ui.Options{}, o.over()); err != nil {
			return err
		}
	}
	if b.o.report == "" {
		return nil
	}
	return b.a.writeReport(ctx, b.o.report, b.o.form(), &survey.Batch{
		Condense: report.CondenseVersion(), Sum: b.sum, Tokenizers: b.tokenizers(), Files: b.files, Notes: b.notes(), Manifest: b.o.manifest,
	}, ui.Options{}, b.o.over())
}

// settings resolves the options of every item. It runs before the first item is started, so
// that wrong settings are found before anything is written.
func (b *batchRun) settings(ctx context.Context) error {
	fresh := func() (*batchOptions, *pflag.FlagSet) {
		own, cmd := newBatchOptions(), &cobra.Command{}
		own.addFlags(cmd, cmd.Flags())
		return own, cmd.Flags()
	}
	ready := func(own *batchOptions, fs *pflag.FlagSet) error {
		own.run.replaces = fs.Changed("in-place")
		if err := own.run.check(""); err != nil {
			return err
		}
		return b.ready(ctx, own, fs)
	}
	options := &config.PerFile[*batchOptions]{Settings: &b.a.settings, Whole: b.o, Flags: b.a.flags(), Fresh: fresh, Ready: ready}
	for i := range b.items {
		it := b.items[i]
		var err error
		if it.o, err = options.Of(it.Path); err != nil {
			return err
		}
	}
	return nil
}

// ready makes the counting, the hash and the client for items with these options. All items
// share one client.
func (b *batchRun) ready(ctx context.Context, own *batchOptions, fs *pflag.FlagSet) (err error) {
	if b.asking != nil && own.run.use {
		own.run.client, own.run.second = b.asking.client, b.asking.second
	}
	if own.count, err = own.run.ready(ctx, b.a); err != nil {
		return err
	}
	if own.run.client != nil {
		b.asking = &own.run.llmOptions
	}
	own.hash = hashFlags(fs, withoutEffect())
	b.own = append(b.own, own)
	return nil
}

// hashFlags returns a hash of the values of all flags that are not in leave.
func hashFlags(fs *pflag.FlagSet, leave map[string]bool) string {
	return batch.HashOf([]byte(config.FlagValues(fs, leave)))
}
