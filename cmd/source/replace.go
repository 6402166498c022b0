package source

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ReplaceOptions holds the options of [Input.Replace]. The zero value keeps no backup and refuses
// read-only and linked files.
type ReplaceOptions struct {
	Backup string                  // suffix of the backup's name, such as ".bak"; "" for no backup
	Force  bool                    // replace a file that is read-only or has other names (hard links)
	Verify func(path string) error // checks the finished temporary file; an error prevents the replacement; may be nil

	fault func(step string) error // see run
}

// Replaceable returns the errors of [Input.Replace] that can be found before the content is
// known: for a stream, and for a file that is locked, read-only, linked or no longer the one that
// was read.
func (in *Input) Replaceable(o ReplaceOptions) error {
	r := &replacement{in: in, opts: o}
	defer r.close()
	return r.open()
}

// Replace replaces the file of in with the content that write writes, in the steps of the package
// documentation. It returns the path of the backup, or "" if there is none.
//
// Replace returns an [*Error] (exit code 5, or 2 for a stream and for an invalid suffix), or an
// error of ctx, write or Verify, unchanged. The file is unchanged unless the error says that it
// was replaced. The cause is [ErrChanged] if the file was modified after it was read, or written
// to during the replacement. In the latter case the returned path is that of the old file with the
// late lines.
func (in *Input) Replace(ctx context.Context, write func(io.Writer) error, o ReplaceOptions) (backup string, err error) {
	r := &replacement{in: in, opts: o}
	defer r.close()
	err = run(ctx, o.fault, []step{
		{"open", r.open},
		{"temp", r.create},
		{"write", func() error { return r.temp.fill(ctx, write) }},
		{"mode", func() error { return r.temp.setMode(r.info.Mode().Perm(), r.info, r.file) }},
		{"sync", func() error { return r.temp.sync() }},
		{"verify", r.verify},
		{"backup", r.keep},
		{"check", r.check},
		{"rename", func() error { return r.temp.rename(r.base) }},
	})
	if err != nil {
		r.unkeep()
		return "", err
	}
	err = r.settle()
	return r.path(r.backup), err
}

// replacement is the state of one Replace. Its names are relative to dir.
type replacement struct {
	in   *Input
	opts ReplaceOptions

	dir     *os.Root
	base    string
	file    *os.File    // the original, locked
	info    fs.FileInfo // the original when it was locked
	checked fs.FileInfo // the original when it was compared, just before the rename
	temp    *temp
	backup  string // "" before there is one
	ours    bool   // this run made the backup
}

func (r *replacement) create() (err error) {
	r.temp, err = newTemp(r.dir, r.in.Name, r.base, 0o600)
	return err
}

func (r *replacement) verify() error {
	if r.opts.Verify != nil {
		if err := r.opts.Verify(r.path(r.temp.name)); err != nil {
			return err
		}
	}
	return r.temp.verify()
}

// path returns the path of a name in the original's directory, or "" for "".
func (r *replacement) path(name string) string {
	if name == "" {
		return ""
	}
	return filepath.Join(r.dir.Name(), name)
}

func (r *replacement) close() {
	if r.temp != nil {
		r.temp.discard()
	}
	r.file.Close() // it may be nil
	if r.dir != nil {
		r.dir.Close()
	}
}

// step is one step of Replace or Create.
type step struct {
	name string
	do   func() error
}

// run does the steps in order. It stops at the first error, or when ctx is done. Only tests set
// fault: run calls it before each step, and an error of it replaces the step.
func run(ctx context.Context, fault func(step string) error, plan []step) error {
	for _, s := range plan {
		if err := ctx.Err(); err != nil {
			return err
		}
		if fault != nil {
			if err := fault(s.name); err != nil {
				return err
			}
		}
		if err := s.do(); err != nil {
			return err
		}
	}
	return nil
}
