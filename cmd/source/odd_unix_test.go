//go:build unix

package source

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// TestVerifyReads checks that an output whose bytes on the disk differ from those written is refused.
func TestVerifyReads(t *testing.T) {
	spoil := func(dir string) func(string) error {
		return func(step string) error {
			if step != "verify" {
				return nil
			}
			for _, name := range names(t, dir) {
				if path := filepath.Join(dir, name); name != "a" && name != "a.out" {
					must(t, os.WriteFile(path, []byte("nEw"), 0o600))
				}
			}
			return nil
		}
	}
	path := newFile(t, "a", "old")
	dir := filepath.Dir(path)
	_, err := open(t, path).Replace(t.Context(), text("new"), ReplaceOptions{fault: spoil(dir)})
	refused(t, err, path, exitOutput)
	wantContent(t, path, "old")
	out := path + ".out"
	refused(t, Create(t.Context(), out, CreateOptions{fault: spoil(dir)}, text("new")), out, exitOutput)
	wantNames(t, dir, "a")
}

// TestSweepOfLiving checks which temporary files are in the way: those of a living writer.
func TestSweepOfLiving(t *testing.T) {
	path := filepath.Join(scratch(t), "out")
	dir, err := os.OpenRoot(filepath.Dir(path))
	must(t, err)
	defer dir.Close()
	if !sweep(dir, "none") {
		t.Error("a name that is free is taken")
	}
	tmp, err := newTemp(dir, path, "out", 0o644)
	must(t, err)
	if sweep(dir, tmp.name) {
		t.Error("the file of a living writer was removed")
	}
	_, err = newTemp(dir, path, "out", 0o644)
	refused(t, err, path, exitOutput)
	must(t, tmp.file.Close())
	if !sweep(dir, tmp.name) {
		t.Error("the file of a dead writer is in the way")
	}
	if isDead(dir, tmp.name, false) {
		t.Error("a file that is not there has a dead writer")
	}
}

// TestKeepAs checks that a backup takes the next name if another program takes the first one meanwhile, and
// that other errors are returned.
func TestKeepAs(t *testing.T) {
	path := newFile(t, "a", "old")
	r := &replacement{in: open(t, path), opts: ReplaceOptions{Backup: ".bak"}}
	defer r.close()
	must(t, r.open())
	var tried []string
	must(t, r.keepAs(func(name string) error {
		if tried = append(tried, name); len(tried) == 1 {
			return fs.ErrExist
		}
		return nil
	}))
	if len(tried) != 2 || tried[0] != "a.bak" || r.backup != tried[1] || !r.ours {
		t.Errorf("tried %v, and the backup is %q", tried, r.backup)
	}
	broken := errors.New("broken")
	r.backup, r.ours = "", false
	if err := r.keepAs(func(string) error { return broken }); err != broken || r.backup != "" {
		t.Errorf("got %v, and the backup is %q", err, r.backup)
	}
}

// TestOpenStreamFails checks that only a pipe without a reader is waited for.
func TestOpenStreamFails(t *testing.T) {
	fifo := filepath.Join(scratch(t), "fifo")
	must(t, syscall.Mkfifo(fifo, 0o600))
	info, err := os.Stat(fifo)
	must(t, err)
	done, stop := context.WithCancel(t.Context())
	stop()
	if _, err := openStream(done, fifo, info); !errors.Is(err, context.Canceled) {
		t.Errorf("a pipe without a reader: %v", err)
	}
	_, err = openStream(done, fifo+".none", info)
	refused(t, err, fifo+".none", exitOutput)
	if n := linkCount(odd{}); n != 1 {
		t.Errorf("a file that knows nothing of its links has %d", n)
	}
	f, err := os.Open(filepath.Dir(fifo))
	must(t, err)
	defer f.Close()
	if keepOwner(f, odd{}) {
		t.Error("a file that knows nothing of its group has the same")
	}
}

// TestClosedFile checks that a file that cannot be locked is not locked, nor in use, and that it has no group.
func TestClosedFile(t *testing.T) {
	path := newFile(t, "a", "old")
	f, err := os.Open(path)
	must(t, err)
	info, err := f.Stat()
	must(t, err)
	if !keepOwner(f, info) {
		t.Error("a file has another group than itself")
	}
	must(t, lock(f))
	must(t, lock(f)) // it has the lock already
	other, err := os.Open(path)
	must(t, err)
	if err := lock(other); err != ErrLocked {
		t.Errorf("a locked file is locked again: %v", err)
	}
	must(t, f.Close())
	must(t, lock(other))
	must(t, other.Close())
	if err := lock(f); err == nil || errors.Is(err, ErrLocked) {
		t.Errorf("a closed file is locked: %v", err)
	}
	if keepOwner(f, info) {
		t.Error("a closed file has a group")
	}
}

// TestSocketAsStream checks that a socket that is passed as an open file cannot be read as a source.
func TestSocketAsStream(t *testing.T) {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	must(t, err)
	defer syscall.Close(pair[0])
	defer syscall.Close(pair[1])
	name := "/dev/fd/" + strconv.Itoa(pair[0])
	if f, err := os.Open(name); err == nil {
		f.Close()
		t.Skip("this system opens a socket by its number")
	}
	in, stream, err := OpenStream(name, nil)
	if refused(t, err, name, exitInput); in != nil || stream != nil {
		t.Errorf("got %+v, %v", in, stream)
	}
	_, err = Open(t.Context(), name, 0)
	refused(t, err, name, exitInput)
}

// TestIsDescriptor checks which names are those of open files.
func TestIsDescriptor(t *testing.T) {
	for path, want := range map[string]bool{"/dev/stdout": true, "/dev/fd/3": true, "/proc/self/fd/3": true, "/dev/null": false, "/tmp/fd/3": false} {
		if got := isDescriptor(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// odd is information about a file that a system does not provide.
type odd struct{ fs.FileInfo }

func (odd) Sys() any { return nil }
