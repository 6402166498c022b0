package cmd

import (
	"bytes"
	"context"
	"errors"
	"io"

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

// outputError is standard output that cannot be written to.
type outputError struct{ err error }

func (e *outputError) Error() string { return "standard output: " + e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }
func (e *outputError) ExitCode() int { return exitOutput }

// publish prints the report where it belongs.
func (a *app) publish(ctx context.Context, o *runOptions, r *ui.Report) error {
	if o.json {
		if err := ui.JSON(a.out, r); err != nil {
			return &outputError{err}
		}
	}
	if o.diff {
		if err := ui.Diff(a.out, r, a.textOptions(&o.outputOptions, a.out)); err != nil {
			return &outputError{err}
		}
	}
	if o.report != "" {
		var text bytes.Buffer
		if err := a.render(o, r, &text, ui.TextOptions{Verbose: o.verbose, Explain: o.explain}); err != nil {
			return err
		}
		return source.Create(ctx, o.report, source.CreateOptions{Force: o.force}, func(w io.Writer) error {
			_, err := w.Write(text.Bytes())
			return err
		})
	}
	if o.quiet {
		return nil
	}
	text := a.textOptions(&o.outputOptions, a.err)
	text.Explain = o.explain
	return a.render(o, r, a.err, text)
}

func (a *app) render(o *runOptions, r *ui.Report, w io.Writer, t ui.TextOptions) error {
	switch o.reportFormat {
	case "json":
		return ui.JSON(w, r)
	case "markdown":
		return ui.Markdown(w, r)
	case "html":
		return ui.HTML(w, r)
	}
	return ui.Text(w, r, t)
}

func (a *app) textOptions(o *outputOptions, w io.Writer) ui.TextOptions {
	return ui.TextOptions{Color: ui.UseColor(o.color, w, a.env), Width: ui.Width(w), Verbose: o.verbose}
}
