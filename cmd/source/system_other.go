//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package source

import (
	"errors"
	"io/fs"
	"os"
)

// The functions of system_unix.go for other systems. Without locks a temporary file never counts
// as abandoned, hard links are not noticed, and owners stay. On Windows, os.Root opens files with
// POSIX semantics: a file can be renamed over another while both are open. File systems without
// these semantics (FAT, some network drives) refuse to rename over the open original, which then
// stays.

const nonblock = 0

func lacksReader(error) bool { return false }

func lock(*os.File) error { return errors.ErrUnsupported }

func linkCount(fs.FileInfo) int { return 1 }

func keepOwner(*os.File, fs.FileInfo) bool { return true }

func syncDir(*os.Root) error { return nil }
