package source

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ReplaceOptions are the choices of [Input.Replace]. The zero value keeps no backup and refuses
// what could surprise.
type ReplaceOptions struct {
	Backup string                  // suffix of the backup's name, such as ".bak"; "" keeps none
	Force  bool                    // replace a file that is read-only or has other names (hard links)
	Verify func(path string) error // nil, or a last look at the finished temporary file; an error refuses it

	fault func(step string) error // see run
}

// Replaceable returns the error that Replace would begin with, for asking before the work is
// done: a stream, a file that is locked, read-only, linked or not the one that was read any more.
func (in *Input) Replaceable(o ReplaceOptions) error {
	r := &replacement{in: in, opts: o}
	defer r.close()
	return r.open()
}

// Replace puts what write produces in place of the file that in was read from. It returns the
// path of the backup, or "" if there is none.
//
// Unless an error says that the file was replaced, it was not touched: package source tells the
// plan. Errors are an [*Error] (exit code 5, or 2 for a stream and for a suffix that is not one),
// those of ctx, and those of write and Verify, unchanged. A file that was modified since it was
// read gives ErrChanged. So does one that was written to in the instant of the replacement; then
// the path is not empty, and names the old file with the late lines.
func (in *Input) Replace(ctx context.Context, write func(io.Writer) error, o ReplaceOptions) (backup string, err error) {
	r := &replacement{in: in, opts: o}
	defer r.close()
	err = run(ctx, o.fault, []step{
		{"open", r.open},
		{"temp", r.create},
		{"write", func() error { return r.temp.fill(ctx, write) }},
		{"mode", func() error { return r.temp.setMode(r.info.Mode().Perm(), r.info) }},
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

// replacement is one Replace under way. Its names are relative to dir.
type replacement struct {
	in   *Input
	opts ReplaceOptions

	dir     *os.Root
	base    string
	file    *os.File    // the original, locked
	info    fs.FileInfo // the original when it was locked
	checked fs.FileInfo // the original when it was compared, just before the rename
	temp    *temp
	backup  string // "" as long as there is none
	ours    bool   // backup was made by this run
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

// path is a name in the original's directory as other programs would write it.
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
	if r.file != nil {
		r.file.Close()
	}
	if r.dir != nil {
		r.dir.Close()
	}
}
