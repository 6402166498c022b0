package source

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
)

// temp is an unfinished file beside its target. Only the holder of its lock may remove or rename
// it. If the lock is free, the writer has died.
type temp struct {
	target string // as the user named it, for messages
	dir    *os.Root
	name   string
	file   *os.File
	sum    maphash.Hash // of the written bytes; it detects errors, not forgery
}

// tempName returns the name of the unfinished file for base. A long base is replaced by its hash,
// so that the name stays within the limits of file systems.
func tempName(base string) string {
	if len(base) > 100 {
		base = fmt.Sprintf("%x", sha256.Sum256([]byte(base)))[:32]
	}
	return "." + base + tempSuffix
}

const tempSuffix = ".condense.tmp"

// Abandoned returns the names of the unfinished files that killed runs left in the directory at
// path. With remove it removes these files. It does not return the files of living runs, and none
// on a file system without locks.
func Abandoned(path string, remove bool) (names []string, err error) {
	dir, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := fs.ReadDir(dir.FS(), ".")
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") && strings.HasSuffix(name, tempSuffix) && isDead(dir, name, remove) {
			names = append(names, name)
		}
	}
	return names, err
}

// newTemp creates and locks the file. It replaces the file of a killed run, and returns an error
// if there is one of a living run.
func newTemp(dir *os.Root, target, base string, perm fs.FileMode) (*temp, error) {
	const fresh = os.O_RDWR | os.O_CREATE | os.O_EXCL
	name := tempName(base)
	f, err := dir.OpenFile(name, fresh, perm)
	if errors.Is(err, fs.ErrExist) && sweep(dir, name) {
		f, err = dir.OpenFile(name, fresh, perm)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, inUse(target, name)
	case err != nil:
		return nil, writeFailed(target, err)
	}
	// Another run may remove the file before it is locked; then that run goes on and this one fails.
	if err := lock(f); errors.Is(err, ErrLocked) || !isNamed(dir, name, f) {
		f.Close()
		return nil, inUse(target, name)
	}
	return &temp{target: target, dir: dir, name: name, file: f}, nil
}

// sweep removes a temporary file whose writer is dead, and reports whether the name is free now.
func sweep(dir *os.Root, name string) bool {
	if isDead(dir, name, true) {
		return true
	}
	_, err := dir.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// isDead reports whether the writer of a temporary file is dead. With remove it removes such a
// file, and reports whether that succeeded.
func isDead(dir *os.Root, name string, remove bool) bool {
	f, err := dir.OpenFile(name, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return lock(f) == nil && isNamed(dir, name, f) && (!remove || dir.Remove(name) == nil)
}

func inUse(target, name string) error {
	return outputError(target, "not written",
		"wait for the other run of condense, or if there is none, remove "+printable(name)+" beside the file", ErrLocked)
}

// isNamed reports whether name in dir is f itself, and not a symbolic link or another file.
func isNamed(dir *os.Root, name string, f *os.File) bool {
	there, err := dir.Lstat(name)
	if err != nil {
		return false
	}
	here, err := f.Stat()
	return err == nil && os.SameFile(there, here)
}

// fill writes the content with write.
func (t *temp) fill(ctx context.Context, write func(io.Writer) error) error {
	return pour(ctx, t.target, io.MultiWriter(t.file, &t.sum), write)
}

// setMode sets the mode to perm, and with like also the owner and the group to those of like, as
// far as this process may. If the group cannot be set, the rights of the group are removed, so
// that another group does not get them. With from, it copies the extended attributes.
func (t *temp) setMode(perm fs.FileMode, like fs.FileInfo, from *os.File) error {
	if from != nil {
		keepAttributes(t.file, from)
	}
	if like != nil && !keepOwner(t.file, like) {
		perm &^= 0o070
	}
	info, err := t.file.Stat()
	if err == nil && info.Mode().Perm() != perm {
		err = t.file.Chmod(perm)
	}
	if err != nil {
		return writeFailed(t.target, err)
	}
	return nil
}

func (t *temp) sync() error {
	if err := t.file.Sync(); err != nil {
		return writeFailed(t.target, err)
	}
	return nil
}

// verify reads the file back and compares it with the written bytes.
func (t *temp) verify() error {
	var sum maphash.Hash
	sum.SetSeed(t.sum.Seed())
	if _, err := io.Copy(&sum, content(t.file)); err != nil {
		return writeFailed(t.target, err)
	}
	if sum.Sum64() != t.sum.Sum64() || !isNamed(t.dir, t.name, t.file) {
		return outputError(t.target, "not written: the bytes read back differ from those written",
			"do not trust this disk; write elsewhere with -o FILE", nil)
	}
	return nil
}

// rename moves the file to its final name and replaces a file of that name.
func (t *temp) rename(base string) error {
	err := t.dir.Rename(t.name, base)
	if err != nil && !isNamed(t.dir, base, t.file) { // a network drive may rename the file and yet return an error
		return writeFailed(t.target, err)
	}
	return nil
}

// discard closes the file, and removes it if it still has its first name.
func (t *temp) discard() {
	if isNamed(t.dir, t.name, t.file) {
		t.dir.Remove(t.name)
	}
	t.file.Close()
}

// content returns a reader of f from its beginning, which ignores the offset of f.
func content(f *os.File) io.Reader { return io.NewSectionReader(f, 0, math.MaxInt64) }

// pour calls write with a buffer for w, which fails when ctx is done. An error of w becomes an
// *Error about name, even if write does not return it. Other errors of write are returned
// unchanged.
func pour(ctx context.Context, name string, w io.Writer, write func(io.Writer) error) error {
	s := &sink{ctx: ctx, w: w}
	b := bufio.NewWriterSize(s, 64<<10)
	err := write(b)
	if err == nil {
		err = b.Flush()
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case s.err != nil:
		return writeFailed(name, s.err)
	}
	return err
}

// sink is a writer that remembers the first error of w, and fails when ctx is done.
type sink struct {
	ctx context.Context
	w   io.Writer
	err error
}

func (s *sink) Write(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.w.Write(p)
	if s.err == nil {
		s.err = err
	}
	return n, err
}
