package source

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// open finds and locks the original. It returns an error if it must not be replaced.
func (r *replacement) open() error {
	name := r.in.Name
	if r.in.Stream {
		return usageError(name, "is a stream, which cannot be replaced in place", "name a file, or write elsewhere with -o FILE")
	}
	if strings.ContainsAny(r.opts.Backup, `/\`) {
		return usageError(name, "the backup suffix "+printable(r.opts.Backup)+" holds a path separator", "use a suffix such as .bak")
	}
	if err := r.find(); err != nil {
		return vanished(name, err)
	}
	if !r.unmoved() {
		return changed(name)
	}
	if err := lock(r.file); errors.Is(err, ErrLocked) {
		return outputError(name, "not replaced", "wait until the other program is done with it", ErrLocked)
	}
	return r.examine()
}

// find resolves symbolic links in the input's name, and opens the directory and the file.
func (r *replacement) find() error {
	path, err := filepath.EvalSymlinks(r.in.Name)
	if err != nil {
		return err
	}
	r.base = filepath.Base(path)
	if r.dir, err = os.OpenRoot(filepath.Dir(path)); err != nil {
		return err
	}
	r.file, err = r.dir.OpenFile(r.base, os.O_RDONLY|nonblock, 0)
	return err
}

// examine returns an error for a file that its owner would not expect to be replaced: a
// read-only file, or one with several names.
func (r *replacement) examine() (err error) {
	if twin := tempName(r.base); r.isOriginal(twin) { // a Create was killed between link and remove
		r.dir.Remove(twin)
	}
	name := r.in.Name
	r.info, err = r.file.Stat()
	switch {
	case err != nil:
		return writeFailed(name, err)
	case r.opts.Force:
		return nil
	case r.info.Mode().Perm()&0o222 == 0:
		return outputError(name, "not replaced: it is read-only", "make it writable, or use --force", nil)
	case r.otherNames() > 0:
		return outputError(name, "not replaced: it has other names (hard links), which would keep the old content",
			"use --force to replace this name only, or write elsewhere with -o FILE", nil)
	}
	return nil
}

// unmoved reports whether the input's name still leads to the file that was read, and whether
// this is the open file.
func (r *replacement) unmoved() bool {
	info, err := os.Stat(r.in.Name)
	return err == nil && os.SameFile(info, r.in.Info) && isNamed(r.dir, r.base, r.file) && r.isOriginal(r.base)
}

// isOriginal reports whether base names the file that was read.
func (r *replacement) isOriginal(base string) bool {
	info, err := r.dir.Lstat(base)
	return err == nil && os.SameFile(info, r.in.Info)
}

// check compares the original with the bytes that were read from it.
func (r *replacement) check() (err error) {
	r.checked, err = r.file.Stat()
	if err != nil {
		return writeFailed(r.in.Name, err)
	}
	same, err := holds(content(r.file), r.in.Raw)
	if err != nil {
		return writeFailed(r.in.Name, err)
	}
	if !same || !r.unmoved() {
		return changed(r.in.Name)
	}
	return nil
}

// settle finishes the replacement after the rename. It flushes the directory to the disk, and
// looks for late writes to the old file, which has lost its name but is still open.
func (r *replacement) settle() error {
	unsynced := syncDir(r.dir)
	now, err := r.file.Stat()
	if err == nil && now.Size() == r.checked.Size() && now.ModTime().Equal(r.checked.ModTime()) {
		if unsynced != nil {
			return outputError(r.in.Name, "replaced, but its directory could not be synced", "check the disk", unsynced)
		}
		return nil
	}
	if err := r.rescue(); err != nil {
		return outputError(r.in.Name, "replaced, but lines that were written to it meanwhile are lost", "check the end of the file", err)
	}
	return outputError(r.in.Name, "replaced, but lines that were written to it meanwhile are only in "+printable(r.path(r.backup)),
		"append these lines to the file, or put the backup back in its place", ErrChanged)
}

// holds reports whether r yields exactly want.
func holds(r io.Reader, want []byte) (bool, error) {
	buf := make([]byte, 256<<10)
	for {
		n, err := r.Read(buf)
		if n > len(want) || !bytes.Equal(buf[:n], want[:n]) {
			return false, nil
		}
		want = want[n:]
		if err == io.EOF {
			return len(want) == 0, nil
		}
		if err != nil {
			return false, err
		}
	}
}
