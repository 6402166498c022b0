//go:build unix

package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestFileSizeLimit(t *testing.T) {
	path := newFile(t, "a", "old")
	out, err := child("limited", path).CombinedOutput()
	wantExit(t, err, exitOutput, string(out))
	wantContent(t, path, "old")
	wantNames(t, filepath.Dir(path), "a")
}

func TestRights(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, whose rights can be dropped")
	}
	for _, test := range []struct {
		name      string
		dir, file os.FileMode
		exit      int
		after     os.FileMode // of the new file
	}{
		{"unreadable file", 0o777, 0o600, exitInput, 0o600},
		{"unwritable directory", 0o755, 0o666, exitOutput, 0o666},
		// The user nobody may neither link root's file nor set its group. So the backup is a copy, and
		// the rights of the group are not passed to the group of nobody.
		{"file of another user", 0o777, 0o667, 0, 0o607},
		{"file of another user and one of our groups", 0o777, 0o664, 0, 0o664},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := newFile(t, "a", "old")
			if strings.HasSuffix(test.name, "our groups") {
				must(t, os.Chown(path, 1234, second))
			}
			must(t, os.Chmod(path, test.file))
			must(t, os.Chmod(filepath.Dir(path), test.dir))
			out, err := child("nobody", path, "").CombinedOutput()
			wantExit(t, err, test.exit, string(out))
			wantMode(t, path, test.after)
			if test.exit == exitInput && !strings.Contains(string(out), path+": cannot be read: permission denied") {
				t.Errorf("got %q", out)
			}
			if test.exit != 0 {
				wantContent(t, path, "old")
				wantNames(t, filepath.Dir(path), "a")
				return
			}
			wantContent(t, path, "new")
			wantContent(t, path+".bak", "old")
			wantNames(t, filepath.Dir(path), "a", "a.bak")
		})
	}
}

// TestRightsOfStreams checks that a file that may not be read is no stream, and that a file is flushed to the disk
// with the rights to read it and its folder.
func TestRightsOfStreams(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, whose rights can be dropped")
	}
	open := scratch(t) // where a child without rights writes its coverage
	must(t, os.Chmod(open, 0o777))
	for _, tt := range []struct {
		role      string
		dir, file os.FileMode
		exit      int
		want      string // in the error
	}{
		{"stream", 0o755, 0o644, 0, ""},
		{"stream", 0o755, 0o600, exitInput, "a: cannot be read: permission denied"},
		{"stream", 0o700, 0o644, exitInput, "a: cannot be read: permission denied"},
		{"flush", 0o755, 0o644, 0, ""},
		{"flush", 0o777, 0o666, 0, ""},
		{"flush", 0o755, 0o600, exitOutput, "a: could not be written: permission denied"},
		{"flush", 0o711, 0o644, exitOutput, ": could not be written: permission denied"},
		{"flush", 0o700, 0o644, exitOutput, "a: could not be written: permission denied"},
	} {
		path := newFile(t, "a", "old")
		must(t, os.Chmod(path, tt.file))
		must(t, os.Chmod(filepath.Dir(path), tt.dir))
		c := child(tt.role, path)
		c.Env = append(c.Environ(), "GOCOVERDIR="+open)
		out, err := c.CombinedOutput()
		wantExit(t, err, tt.exit, string(out))
		if !strings.Contains(string(out), tt.want) || (len(out) > 0) != (tt.exit > 0) {
			t.Errorf("%s, a folder of %v and a file of %v: %q", tt.role, tt.dir, tt.file, out)
		}
		must(t, os.Chmod(filepath.Dir(path), 0o755))
		wantContent(t, path, "old")
	}
}

// TestLateCopy checks that late lines are in a second backup if the first is a copy, which does not
// grow with the file.
func TestLateCopy(t *testing.T) {
	if data, _ := os.ReadFile("/proc/sys/fs/protected_hardlinks"); os.Getuid() != 0 || string(data) != "1\n" {
		t.Skip("needs root, and a kernel that does not let the user nobody link root's file")
	}
	path := newFile(t, "a", "old")
	must(t, os.Chmod(filepath.Dir(path), 0o777))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	defer f.Close()
	cmd := child("nobody", path, "late")
	cmd.ExtraFiles = []*os.File{f}
	out, err := cmd.CombinedOutput()
	wantExit(t, err, exitOutput, string(out))
	wantContent(t, path, "new")
	wantContent(t, path+".bak", "old")
	wantContent(t, path+".bak.1", "old+late")
}

// TestCreateMode checks that no more users can read an output than the input, and that the owner can.
func TestCreateMode(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	for _, test := range []struct{ from, old, want fs.FileMode }{
		{0, 0, 0o644},
		{0o600, 0, 0o600},
		{0o640, 0, 0o640},
		{0o400, 0, 0o600},
		{0o755, 0, 0o644},
		{0o600, 0o644, 0o600},
		{0o644, 0o600, 0o600},
		{0o600, 0o755, 0o700},
	} {
		path := newFile(t, "in", "")
		o := CreateOptions{Force: true}
		if test.from != 0 {
			must(t, os.Chmod(path, test.from))
			o.From = open(t, path)
		}
		path += ".out"
		if test.old != 0 {
			must(t, os.WriteFile(path, nil, 0o600))
			must(t, os.Chmod(path, test.old))
		}
		unfinished := test.want // nobody else can read it before it has its mode
		if test.old != 0 {
			unfinished = 0o600
		}
		o.fault = func(step string) error {
			if step == "write" {
				wantMode(t, filepath.Join(filepath.Dir(path), tempName(filepath.Base(path))), unfinished)
			}
			return nil
		}
		must(t, Create(t.Context(), path, o, text("")))
		wantMode(t, path, test.want)
	}
}

// TestReplaceKeepsOwner checks that a replacement by root keeps the owner of the file.
func TestReplaceKeepsOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to change the owner of a file")
	}
	path := newFile(t, "a", "old")
	must(t, os.Chown(path, 1234, 5678))
	must(t, os.Chmod(path, 0o660))
	_, err := open(t, path).Replace(t.Context(), text("new"), ReplaceOptions{})
	must(t, err)
	info, err := os.Stat(path)
	must(t, err)
	if stat := info.Sys().(*syscall.Stat_t); stat.Uid != 1234 || stat.Gid != 5678 {
		t.Errorf("owner %d:%d, want 1234:5678", stat.Uid, stat.Gid)
	}
	wantMode(t, path, 0o660)
}

// wantExit fails the test unless a child ended with the exit code want.
func wantExit(t *testing.T, err error, want int, output string) {
	t.Helper()
	got := 0
	if exit, ok := err.(interface{ ExitCode() int }); ok {
		got = exit.ExitCode()
	}
	if got != want {
		t.Errorf("exit code %d, want %d; output %q", got, want, output)
	}
}
