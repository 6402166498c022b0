package cmd

import (
	"context"
	"errors"
	"io"

	"condense/cmd/report"
	"condense/cmd/source"
	"condense/cmd/ui"
)

// destination is where the output of a run goes: standard output, a new file,
// the place of the original, or nowhere.
type destination struct {
	a  *app
	in *source.Input
	o  *outputOptions

	keep func(ctx context.Context, packed []byte) error // done with the output before it is written; nil: nothing
}

// openFor reads the file at path, or standard input for "-", and asks whether what
// is made of it can be written.
func (a *app) openFor(ctx context.Context, path string, o *outputOptions) (*source.Input, *destination, error) {
	in, err := a.open(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	d := &destination{a: a, in: in, o: o}
	return in, d, d.possible()
}

// possible asks before the work is done whether the output can be written.
func (d *destination) possible() error {
	if d.o.report != "" {
		if err := source.Creatable(d.o.report, d.create()); err != nil {
			return err
		}
	}
	switch {
	case d.o.dryRun:
		return nil
	case d.o.replaces:
		return d.in.Replaceable(d.replace())
	case d.o.toFile():
		return source.Creatable(d.o.output, d.create())
	case d.in.Encoding != nil && isTerminal(d.a.out):
		return &usageError{errors.New("the output is compressed as the input is, which is not for a terminal"), "write it to a file with -o FILE, or into a pipe"}
	}
	return nil
}

// packing is how the output is compressed: as the name that was chosen for it says, else as the
// input is. Of many files the names are those of the inputs.
func packing(in *source.Input, o *outputOptions) *source.Encoding {
	if o.many || !o.toFile() {
		return in.Encoding
	}
	return in.EncodingFor(o.output)
}

// write writes the output, compressed as its name or the input says, and tells where it went,
// "" for nowhere, and where the original is kept, if it was replaced. In place of
// a file that did not change, nothing is written: it is there already.
func (d *destination) write(ctx context.Context, out []byte, changed bool) (to, backup string, err error) {
	if d.o.dryRun {
		return "", "", ctx.Err()
	}
	packed, err := d.in.Pack(out, packing(d.in, d.o))
	if err != nil {
		return "", "", err
	}
	if err := ctx.Err(); err != nil {
		return "", "", err
	}
	if d.o.many {
		ctx = context.WithoutCancel(ctx)
	}
	if d.keep != nil {
		if err := d.keep(ctx, packed); err != nil {
			return "", "", err
		}
	}
	return d.put(ctx, packed, changed)
}

// put writes bytes as they are.
func (d *destination) put(ctx context.Context, packed []byte, changed bool) (to, backup string, err error) {
	if d.o.dryRun || d.o.replaces && !changed {
		return "", "", ctx.Err()
	}
	put := func(w io.Writer) error {
		_, err := w.Write(packed)
		return err
	}
	switch {
	case d.o.replaces:
		backup, err = d.in.Replace(ctx, put, d.replace())
		return d.in.Name, backup, err
	case d.o.toFile():
		return d.o.output, "", source.Create(ctx, d.o.output, d.create(), put)
	}
	if err = ctx.Err(); err == nil {
		if err = put(d.a.out); err != nil {
			err = &outputError{err}
		}
	}
	return "-", "", err
}

func (d *destination) replace() source.ReplaceOptions {
	return source.ReplaceOptions{Backup: d.o.inPlace, Force: d.o.force}
}

func (d *destination) create() source.CreateOptions {
	return source.CreateOptions{From: d.in, Force: d.o.force}
}

// publish prints the report where it belongs.
func (a *app) publish(ctx context.Context, o *runOptions, r *report.Report) error {
	if o.json {
		if err := ui.Write(a.out, "json", r, ui.Options{}); err != nil {
			return &outputError{err}
		}
	}
	if o.diff {
		if err := ui.Diff(a.out, r, a.textOptions(&o.outputOptions, a.out)); err != nil {
			return &outputError{err}
		}
	}
	text := a.textOptions(&o.outputOptions, a.err)
	text.Explain = o.explain
	switch {
	case o.report != "":
		return writeReport(ctx, o.report, o.form(), r, text, source.CreateOptions{Force: o.force})
	case o.quiet:
		return nil
	}
	return ui.Write(a.err, o.form(), r, text)
}

func (a *app) textOptions(o *outputOptions, w io.Writer) ui.Options {
	return ui.Options{Color: ui.UseColor(o.color, w, a.env), Width: ui.Width(w), Verbose: o.verbose}
}
