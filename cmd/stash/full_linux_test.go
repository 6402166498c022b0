package stash

import (
	"crypto/sha256"
	"errors"
	"os"
	"syscall"
	"testing"
)

// TestDiskFull checks that on a full disk no part of an entry is left, and that the error has the
// cause.
func TestDiskFull(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16k"); err != nil {
		t.Skip("needs the right to mount:", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	r := chain(0)
	for sum := sha256.Sum256(nil); len(r.In) < 200_000; sum = sha256.Sum256(sum[:]) {
		r.In = append(r.In, sum[:]...)
	}
	_, err := (&Store{Dir: dir}).Put(t.Context(), r)
	var coded interface{ ExitCode() int }
	if !errors.Is(err, syscall.ENOSPC) || !errors.As(err, &coded) || coded.ExitCode() != exitOutput {
		t.Errorf("got %v, want no space left and exit code %d", err, exitOutput)
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("%v was left behind", files)
	}
}
