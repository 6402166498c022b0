package cmd

import (
	"context"

	"condense/cmd/batch"
	"condense/cmd/report"
	"condense/cmd/source"
	"condense/cmd/ui"
)

// placeable asks whether the files that tell of the batch can be written: they must not
// take the place of what it reads, or of each other.
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
		for _, it := range items { // those that were found in folders are others
			if it.Named && batch.SameFile(it.Path, one.path) {
				return usage("%s %s is one of the files that are read", one.flag, one.path)
			}
		}
	}
	for _, path := range []string{o.summary, o.report} {
		if path == "" || path == "-" {
			continue
		}
		if err := source.Creatable(path, o.over()); err != nil {
			return err
		}
	}
	return nil
}

// over is how files that tell of the batch are written.
func (o *batchOptions) over() source.CreateOptions {
	return source.CreateOptions{Force: o.run.force || o.resume}
}

// publish writes the sums and the page, where they are asked for.
func (b *batchRun) publish(ctx context.Context) error {
	switch o := b.o; o.summary {
	case "":
	case "-":
		if err := ui.Write(b.a.out, "json", b.sum, ui.Options{}); err != nil {
			return &outputError{err}
		}
	default:
		if err := writeReport(ctx, o.summary, "json", b.sum, ui.Options{}, o.over()); err != nil {
			return err
		}
	}
	if b.o.report == "" {
		return nil
	}
	return writeReport(ctx, b.o.report, b.o.form(), &report.Batch{
		Condense: report.CondenseVersion(), Sum: b.sum, Ways: b.ways, Files: b.files, Notes: b.notes(), Manifest: b.o.manifest,
	}, ui.Options{}, b.o.over())
}
