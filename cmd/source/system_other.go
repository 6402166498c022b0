//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package source

import (
	"errors"
	"io/fs"
	"os"
)

// What system_unix.go explains, for systems without it: nothing is locked, so a temporary file
// that is found is never taken for a dead one; hard links are not noticed; owners stay. On
// Windows a file can be renamed over another while both are open, because os.Root opens them so
// that they may be, and renames by the rules of POSIX. On a file system without these rules (FAT,
// some network drives) the system refuses to rename over the open original, which then stays.

const nonblock = 0

func lacksReader(error) bool { return false }

func lock(*os.File) error { return errors.ErrUnsupported }

func linkCount(fs.FileInfo) int { return 1 }

func keepOwner(*os.File, fs.FileInfo) bool { return true }

func syncDir(*os.Root) error { return nil }
