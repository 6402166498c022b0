package source

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
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

// withoutFiles calls f in a process that cannot open another file. What f does must have been done before: tests of
// mutants note in a file what they reach first.
func withoutFiles(t *testing.T, f func()) {
	t.Helper()
	var limit syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Max: limit.Max}))
	defer func() { must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)) }()
	f()
}

// failBefore does in vain what the tests below do without files, and links a file.
func failBefore(t *testing.T, path string) {
	t.Helper()
	dir, err := os.OpenRoot(filepath.Dir(path))
	must(t, err)
	tmp, err := newTemp(dir, path, "before", 0o644)
	must(t, err)
	must(t, dir.Close())
	refused(t, tmp.claim("before"), path, exitOutput)
	refused(t, tmp.link("before"), path, exitOutput)
	tmp.discard()
	must(t, os.Remove(filepath.Join(filepath.Dir(path), tempName("before"))))
	dir, err = os.OpenRoot(filepath.Dir(path))
	must(t, err)
	defer dir.Close()
	tmp, err = newTemp(dir, path, "before", 0o644)
	must(t, err)
	must(t, tmp.hardLink("before"))
	tmp.discard()
	wantNames(t, dir.Name(), "a", "before")
	must(t, dir.Remove("before"))
}

// TestClaimFails checks that a name that could not be claimed stays free, although the file could be renamed to it.
func TestClaimFails(t *testing.T) {
	failBefore(t, newFile(t, "a", ""))
	path := filepath.Join(scratch(t), "out")
	dir, err := os.OpenRoot(filepath.Dir(path))
	must(t, err)
	defer dir.Close()
	for _, base := range []string{"first", "second"} {
		tmp, err := newTemp(dir, path, "out", 0o644)
		must(t, err)
		must(t, tmp.fill(t.Context(), text("new")))
		if base == "first" {
			must(t, tmp.claim(base))
			tmp.discard()
			continue
		}
		withoutFiles(t, func() { err = tmp.claim(base) })
		refused(t, err, path, exitOutput)
		if !errors.Is(err, syscall.EMFILE) {
			t.Errorf("%v does not wrap EMFILE", err)
		}
		wantNames(t, dir.Name(), tempName("out"), "first")
		tmp.discard()
	}
	wantNames(t, dir.Name(), "first")
}

// TestLinkAfterFailure checks that a new file gets its name by a hard link if it cannot be renamed, and that this
// does not overwrite a file either.
func TestLinkAfterFailure(t *testing.T) {
	failBefore(t, newFile(t, "a", ""))
	path := newFile(t, "theirs", "theirs")
	dir, err := os.OpenRoot(filepath.Dir(path))
	must(t, err)
	defer dir.Close()
	for _, tt := range []struct {
		base           string
		limited, taken bool
	}{{"theirs", false, true}, {"theirs", true, true}, {"out", true, false}, {"out", true, true}, {"out", false, true}} {
		tmp, err := newTemp(dir, path, "out", 0o644)
		must(t, err)
		must(t, tmp.fill(t.Context(), text("out")))
		if tt.limited {
			withoutFiles(t, func() { err = tmp.link(tt.base) })
		} else {
			err = tmp.link(tt.base)
		}
		if !tt.taken {
			must(t, err)
		} else if refused(t, err, path, exitOutput); !errors.Is(err, os.ErrExist) {
			t.Errorf("%s is taken: %v", tt.base, err)
		}
		wantContent(t, filepath.Join(dir.Name(), tt.base), tt.base)
		tmp.discard()
	}
	wantNames(t, dir.Name(), "out", "theirs")
}

// TestNothingStaysOpen checks that a replacement and new files, finished or not, leave no file open.
func TestNothingStaysOpen(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // it closes files, too
	open := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		must(t, err)
		return len(list)
	}
	path := newFile(t, "a", "old")
	before := open()
	in, err := Open(t.Context(), path, 0)
	must(t, err)
	_, err = in.Replace(t.Context(), text("new"), ReplaceOptions{Backup: ".bak"})
	must(t, err)
	for _, name := range []string{path + ".new", path} {
		_ = Create(t.Context(), name, CreateOptions{}, text("new"))
	}
	dir, err := os.OpenRoot(filepath.Dir(path))
	must(t, err)
	for range 2 {
		tmp, err := newTemp(dir, path, "b", 0o644)
		must(t, err)
		_ = tmp.claim("b")
		tmp.discard()
	}
	if _, err = Abandoned(filepath.Dir(path), true); err != nil || dir.Close() != nil {
		t.Error(err)
	}
	if n := open(); n != before {
		t.Errorf("%d files are open, %d before", n, before)
	}
}

// TestSyncDir checks that a folder of a file system that cannot be flushed is no error, and that another failure is.
func TestSyncDir(t *testing.T) {
	for _, path := range []string{scratch(t), "/proc/self", "/sys"} {
		dir, err := os.OpenRoot(path)
		if err != nil {
			t.Log(err)
			continue
		}
		must(t, syncDir(dir))
		must(t, dir.Close())
		if err := syncDir(dir); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s is closed: %v", path, err)
		}
	}
}
