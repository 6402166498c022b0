//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package source

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// nonblock keeps an open from waiting for the other end of a FIFO.
const nonblock = syscall.O_NONBLOCK

// lacksReader reports whether err means that a FIFO has no reader.
func lacksReader(err error) bool { return errors.Is(err, syscall.ENXIO) }

// lock takes the advisory lock on f, which lasts until f is closed or the process ends. If
// another process holds the lock, it returns ErrLocked without waiting. Any other error means
// that this file system has no locks.
func lock(f *os.File) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err {
		case syscall.EINTR:
		case syscall.EWOULDBLOCK:
			return ErrLocked
		default:
			return err
		}
	}
}

// linkCount returns the number of names of a file.
func linkCount(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Nlink)
	}
	return 1
}

// keepOwner sets the owner and the group of f to those of like, as far as this process may do so.
// It reports whether f has the group of like.
func keepOwner(f *os.File, like fs.FileInfo) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	have, ok := info.Sys().(*syscall.Stat_t)
	want, ok2 := like.Sys().(*syscall.Stat_t)
	switch {
	case !ok || !ok2:
		return false
	case f.Chown(int(want.Uid), int(want.Gid)) == nil:
		return true
	}
	return have.Gid == want.Gid || f.Chown(-1, int(want.Gid)) == nil
}

// syncDir flushes the names in dir to the disk, if the file system supports that.
func syncDir(dir *os.Root) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}
