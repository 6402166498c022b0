package source

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestDiskFull checks that on a full disk the old file stays, no temporary file is left, and the
// error has the cause.
func TestDiskFull(t *testing.T) {
	dir := scratch(t)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("needs the right to mount:", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	path := filepath.Join(dir, "a")
	must(t, os.WriteFile(path, []byte("old"), 0o644))
	large := text(strings.Repeat("x", 100_000))

	_, err := open(t, path).Replace(t.Context(), large, ReplaceOptions{Backup: ".bak"})
	refused(t, err, path, exitOutput)
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v does not wrap ENOSPC", err)
	}
	for _, force := range []bool{false, true} {
		err = Create(t.Context(), path+".out", CreateOptions{Force: force}, large)
		refused(t, err, path+".out", exitOutput)
	}
	wantContent(t, path, "old")
	wantNames(t, dir, "a")
}
