package cmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"condense/cmd/report"
	"condense/cmd/source"
	"condense/cmd/ui"
	"condense/transcript/format"
)

// status is how a file of a batch ended.
type status string

const (
	condensedFile status = "condensed"
	unchangedFile status = "unchanged"
	partFailed    status = "partly-condensed"
	missedTarget  status = "missed-target"
	refusedFile   status = "refused"
	notTranscript status = "not-a-transcript"
	failedFile    status = "failed"
)

// stays reports whether the status is that of a file that need not be looked at again.
func (s status) stays() bool { return s != refusedFile && s != failedFile }

// batch is many files under way.
type batch struct {
	a        *app
	o        *batchOptions   // of the batch as a whole
	own      []*batchOptions // as they differ by file, and o
	asking   *llmOptions     // with the client, which is one for all; nil for none
	ways     []report.Way    // in which tokens are counted
	memory   *memory
	items    []*batchItem
	root     *os.Root // --out-dir, nil for none
	manifest *manifest
	progress *ui.Progress
	stop     atomic.Bool // no other file is begun

	mu     sync.Mutex // holds what follows
	sum    *report.Summary
	files  []report.BatchFile // for the page, if there is to be one
	before int                // files that were done before
	code   int                // the highest so far
	fatal  error              // what ends the batch: the manifest cannot be written
}

// find gathers the files of this part. What cannot be searched is told, and the rest is done.
func (b *batch) find(paths []string) error {
	o := b.o
	g := &gathering{include: o.include, exclude: o.exclude}
	for _, own := range []string{o.outDir, o.manifest, o.summary, o.report} {
		if own != "" && own != "-" {
			g.own = append(g.own, own)
		}
	}
	g.gather(paths)
	for i, err := range g.failed {
		var unlisted *walkError
		if !errors.As(err, &unlisted) { // a pattern that is none
			g.failed[i] = &usageError{err: err}
		}
	}
	b.code = b.a.exitAll(context.Background(), g.failed)
	if o.outDir != "" {
		if both := meeting(g.items); both != "" {
			return &usageError{errors.New(both), "name the folder above them, or condense them into two folders"}
		}
	}
	for _, it := range g.items {
		if o.shard.has(it.rel) {
			b.items = append(b.items, &batchItem{item: it})
		}
	}
	return nil
}

// batchItem is a file of a batch, and how it is condensed.
type batchItem struct {
	item
	o *batchOptions
}

// redraws reports whether a line on standard error can be drawn again and again.
func (a *app) redraws() bool { return ui.Width(a.err) > 0 && a.env("TERM") != "dumb" }

// work goes through the items. None is begun once ctx is done.
func (b *batch) work(ctx context.Context) {
	quiet := b.o.run.quiet || b.o.noProgress
	live := !quiet && b.a.redraws()
	each := !quiet && !live || b.o.run.verbose > 0
	total := int64(0)
	for _, it := range b.items {
		total += it.size
	}
	b.progress = ui.NewProgress(b.a.err, live, each, len(b.items), total, b.a.now)
	defer b.progress.Close()
	quieter := *b.a
	quieter.err = b.progress
	for _, own := range b.own {
		own.run.external.limit(&quieter, own.run.quiet)
	}

	work := pool{workers: b.o.workers, memory: b.memory, stopped: b.stop.Load}
	sizes := make([]int64, len(b.items))
	for i, it := range b.items {
		sizes[i] = estimate(&it.item)
	}
	work.run(ctx, sizes, func(i int) {
		b.progress.Begin(b.items[i].path)
		b.settle(ctx, b.items[i], b.condense(ctx, b.items[i]))
	})
}

// result is what became of an item.
type result struct {
	manifestEntry
	err    error // nil when it is done
	before bool  // it was done by an earlier batch
}

// settle records a result. What an interrupt cut short is none.
func (b *batch) settle(ctx context.Context, it *batchItem, r *result) {
	if r.err != nil && ctx.Err() != nil && errors.Is(r.err, context.Canceled) {
		return
	}
	failed := error(nil)
	if !r.before || !r.Done {
		r.Done = true
		failed = b.manifest.add(r.manifestEntry)
	}
	var broken *manifestError
	if errors.As(r.err, &broken) {
		failed = broken
	}
	b.mu.Lock()
	b.sum.Add(&report.Summary{Files: 1, Conversations: r.Conversations, Tokens: r.Tokens, Bytes: r.Bytes})
	b.sum.Count(string(r.Status), 1)
	if b.o.report != "" {
		b.files = append(b.files, report.BatchFile{Input: it.path, Status: string(r.Status), Why: r.Error, Before: r.before, Tokens: r.Tokens})
	}
	b.code = max(b.code, r.Exit)
	if r.before {
		b.before++
	}
	if b.fatal == nil {
		b.fatal = failed
	}
	b.mu.Unlock()
	if failed != nil || b.o.failFast && r.Exit != exitOK {
		b.stop.Store(true)
	}
	what, why := string(r.Status), r.Error
	if r.before {
		what += " before"
	}
	if hint := b.a.hint(r.err); b.o.run.verbose > 0 && hint != "" {
		why += "; " + hint
	}
	matters := r.Exit != exitOK || r.Status == notTranscript && !b.o.run.quiet
	b.progress.End(it.path, it.size, r.Tokens, ui.ItemLine(what, it.path, r.Tokens, why), matters)
}

// condense takes one file through, or finds that it was before.
func (b *batch) condense(ctx context.Context, it *batchItem) *result {
	o := *it.o.run
	o.quiet = true
	r := &result{manifestEntry: manifestEntry{Condense: report.CondenseVersion(), Options: it.o.hash, Input: it.path}}
	var prior *manifestEntry
	if b.o.resume {
		prior = b.manifest.last(it.path)
	}
	if b.root != nil {
		o.output = filepath.Join(b.o.outDir, it.out())
	}
	if prior != nil && prior.stands(&it.item, now{report.CondenseVersion(), it.o.hash, o.output, b.root != nil, b.o.run.replaces}) {
		r.manifestEntry, r.before = *prior, true
		return r
	}
	var there bool
	if b.root != nil {
		if there, r.err = makePlace(b.root, &it.item); r.err != nil {
			return r.fail(it, b.manifest != nil)
		}
		o.force = o.force || there // what is there is compared below
	}
	var made *report.Report
	first := func(_ context.Context, in *source.Input, of *report.Report, packed []byte) error {
		made = of
		if b.manifest != nil {
			r.Read, r.Written = hashOf(in.Raw), hashOf(packed)
		}
		r.take(of, &o)
		if there {
			if err := mayReplace(o.output, packed, prior, b.o.run.force); err != nil {
				return err
			}
		}
		if r.Output = o.output; o.replaces {
			r.Output = it.path
			if !of.Changed {
				return nil // and nothing is written
			}
		}
		return b.manifest.add(r.manifestEntry)
	}
	done, err := b.a.condenseTo(ctx, &o, it.path, it.o.counter, noEvents(), first)
	switch {
	case errors.Is(err, errThere):
		r.Output, err = o.output, nil
	case done != nil:
		made = done
	}
	if made == nil {
		r.err = err
		return r.fail(it, b.manifest != nil)
	}
	r.take(made, &o)
	if err == nil {
		err = o.external.runAfter(ctx, made)
	}
	if err != nil {
		r.err = err
		return r.fail(it, b.manifest != nil)
	}
	return r
}

// take takes in the numbers of a report, and the status of what it is about if all goes well.
func (r *result) take(made *report.Report, o *runOptions) {
	r.Conversations, r.Tokens, r.Bytes = len(made.Conversations), made.Tokens, made.Bytes
	r.Status = unchangedFile
	if made.Changed {
		r.Status = condensedFile
	}
	if err := verdict(o, made); err != nil {
		r.Status, r.Exit, r.Error = missedTarget, exitPolicy, err.Error()
		if errors.As(err, new(*leftError)) {
			r.Status = partFailed
		}
	}
}

// fail takes in an error. Nothing came of the file: what it was it is.
func (r *result) fail(it *batchItem, hash bool) *result {
	r.Error = strings.TrimPrefix(r.err.Error(), it.path+": ")
	r.Exit = exitCode(context.Background(), r.err)
	r.Tokens.After = r.Tokens.Before
	if r.Bytes.Before == 0 {
		r.Bytes.Before = int(it.size)
	}
	r.Bytes.After = r.Bytes.Before
	var unread *format.Error
	switch {
	case errors.As(r.err, &unread):
		r.Status = notTranscript
		if !it.named {
			r.Exit = exitOK
		}
	case r.Exit == exitPolicy:
		r.Status = refusedFile
	default:
		r.Status = failedFile
	}
	r.Output, r.Written = "", ""
	if hash && r.Read == "" {
		r.Read = hashFile(it.path)
	}
	return r
}
