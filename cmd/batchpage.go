package cmd

import (
	"context"
	"io"

	"condense/cmd/source"
	"condense/cmd/ui"
)

// placeable asks whether the files that tell of the batch can be written: they must not
// take the place of what it reads, or of each other.
func (o *batchOptions) placeable(items []item) error {
	own := []struct{ flag, path string }{{"--summary", o.summary}, {"--html", o.html}, {"--manifest", o.manifest}}
	for i, one := range own {
		if one.path == "" || one.path == "-" {
			continue
		}
		for _, other := range own[:i] {
			if sameFile(one.path, other.path) {
				return usage("%s and %s are one file, %s", other.flag, one.flag, one.path)
			}
		}
		for _, it := range items { // those that were found in folders are others
			if it.named && sameFile(it.path, one.path) {
				return usage("%s %s is one of the files that are read", one.flag, one.path)
			}
		}
	}
	for _, path := range []string{o.summary, o.html} {
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
func (b *batch) publish(ctx context.Context) error {
	switch o := b.o; o.summary {
	case "":
	case "-":
		if err := ui.JSON(b.a.out, b.sum); err != nil {
			return &outputError{err}
		}
	default:
		write := func(w io.Writer) error { return ui.JSON(w, b.sum) }
		if err := source.Create(ctx, o.summary, o.over(), write); err != nil {
			return err
		}
	}
	if b.o.html == "" {
		return nil
	}
	return source.Create(ctx, b.o.html, b.o.over(), func(w io.Writer) error {
		return ui.BatchHTML(w, &ui.Batch{
			Condense: version(), Sum: b.sum, Ways: b.ways, Files: b.files, Notes: b.notes(), Manifest: b.o.manifest,
		})
	})
}
