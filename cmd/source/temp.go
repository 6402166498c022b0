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

// temp is a file under construction beside its target. Only who holds the lock on it may remove
// it or rename it: a lock that can be had is the proof that the writer died.
type temp struct {
	target string // as the user wrote it, for messages
	dir    *os.Root
	name   string // "" once the file has found its final name
	file   *os.File
	sum    maphash.Hash // of everything written: a disk fails, it does not forge
}

// tempName is the one name that a file under construction for base can have. A long base is
// replaced by its hash, so that the name stays within what file systems allow.
func tempName(base string) string {
	if len(base) > 100 {
		base = fmt.Sprintf("%x", sha256.Sum256([]byte(base)))[:32]
	}
	return "." + base + tempSuffix
}

const tempSuffix = ".condense.tmp"

// Abandoned lists the files in a directory that killed runs left under construction there, by
// name. With remove they are gone when it returns. Those of living runs are not among them, and
// where a file system has no locks, none is.
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

// newTemp creates and locks the file, in place of one that a killed run left behind. That of a
// living run is an error.
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
	// A sweep by another run in just this moment takes our file for a dead one and wins.
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

// isDead reports whether the writer of a temporary file is dead, and with remove, whether the file
// was removed then.
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

// isNamed reports whether name in dir is f itself: not a link to it, not another file.
func isNamed(dir *os.Root, name string, f *os.File) bool {
	there, err := dir.Lstat(name)
	if err != nil {
		return false
	}
	here, err := f.Stat()
	return err == nil && os.SameFile(there, here)
}

// fill lets write produce the content.
func (t *temp) fill(ctx context.Context, write func(io.Writer) error) error {
	return pour(ctx, t.target, io.MultiWriter(t.file, &t.sum), write)
}

// setMode makes the file as accessible as perm says. When like is there, the file gets its owner
// and its group too, as far as this process may give them away; a group that cannot be kept must
// not hand its rights to another one, so they fall.
func (t *temp) setMode(perm fs.FileMode, like fs.FileInfo) error {
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

// verify reads the file back and compares it with what was written.
func (t *temp) verify() error {
	var sum maphash.Hash
	sum.SetSeed(t.sum.Seed())
	if _, err := io.Copy(&sum, content(t.file)); err != nil {
		return writeFailed(t.target, err)
	}
	if sum.Sum64() != t.sum.Sum64() || !isNamed(t.dir, t.name, t.file) {
		return outputError(t.target, "not written: what was read back differs from what was written",
			"do not trust this disk; write elsewhere with -o FILE", nil)
	}
	return nil
}

// rename gives the file its final name, in place of whatever had it.
func (t *temp) rename(base string) error {
	err := t.dir.Rename(t.name, base)
	if err != nil && !isNamed(t.dir, base, t.file) { // a network may lose the answer, not the deed
		return writeFailed(t.target, err)
	}
	t.name = ""
	return nil
}

// discard closes the file, and removes it if it has no final name.
func (t *temp) discard() {
	if t.name != "" && isNamed(t.dir, t.name, t.file) {
		t.dir.Remove(t.name)
	}
	t.file.Close()
}

// content reads f from its beginning, wherever its offset is.
func content(f *os.File) io.Reader { return io.NewSectionReader(f, 0, math.MaxInt64) }

// pour lets write write into w through a buffer, until ctx is done. An error of w becomes an
// *Error about name, even if write keeps it to itself; an error of write's own comes back as it is.
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

// sink remembers the first error of the writer under it, and ends when its context does.
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
