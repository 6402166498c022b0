//go:build darwin || freebsd || linux || netbsd

package source

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAttributes checks that a replaced file and a copy of the original as its backup have the extended
// attributes of the original.
func TestAttributes(t *testing.T) {
	path := newFile(t, "a", "old")
	const name, value = "user.condense.test", "label"
	switch err := unix.Setxattr(path, name, []byte(value), 0); {
	case errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.EPERM):
		t.Skip("this file system has no extended attributes: ", err)
	case err != nil:
		t.Fatal(err)
	}
	in, err := Open(t.Context(), path, 0)
	must(t, err)
	_, err = in.Replace(t.Context(), text("new"), ReplaceOptions{Backup: ".bak"})
	must(t, err)
	wantContent(t, path, "new")
	for _, p := range []string{path, path + ".bak"} {
		got := make([]byte, 64)
		n, err := unix.Getxattr(p, name, got)
		if err != nil || string(got[:n]) != value {
			t.Errorf("%s has %q, %v", filepath.Base(p), got[:max(n, 0)], err)
		}
	}
	from, err := os.Open(path)
	must(t, err)
	defer from.Close()
	to, err := os.Create(path + ".copy")
	must(t, err)
	defer to.Close()
	must(t, unix.Setxattr(path+".copy", name, []byte("another"), 0))
	keepAttributes(to, from)
	if n, err := unix.Getxattr(path+".copy", name, make([]byte, 64)); err != nil || n != len(value) {
		t.Errorf("a copy has %d bytes, %v", n, err)
	}
	for name, want := range map[string]bool{name: false, "security.selinux": false, "security.capability": true, "security.ima": true, "security.evm": true, "system.posix_acl_access": true} {
		if got := rightOrHash(name); got != want {
			t.Errorf("%s gives rights: %v", name, got)
		}
	}
}
