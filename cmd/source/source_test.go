package source

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// exitCode returns the exit code of err. Like callers, it uses the method, not the type.
func exitCode(err error) int {
	var coded interface{ ExitCode() int }
	if errors.As(err, &coded) {
		return coded.ExitCode()
	}
	return 1
}

// refused fails the test unless err is a one-line error about the file at path, with a hint and the
// exit code exit.
func refused(t *testing.T, err error, path string, exit int) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *Error", err)
	}
	if e.Name != path || !strings.HasPrefix(e.Error(), path+": ") || strings.Contains(e.Error(), "\n") {
		t.Errorf("got %q about %q, want one line that begins with %q", e, e.Name, path)
	}
	if e.Hint() == "" || e.ExitCode() != exit {
		t.Errorf("%v: hint %q and exit code %d, want a hint and %d", e, e.Hint(), e.ExitCode(), exit)
	}
	wantWords(t, e)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// scratch returns a temporary directory, in memory if possible, because these tests sync often.
func scratch(t *testing.T) string {
	t.Helper()
	parent := "/dev/shm"
	if _, err := os.Stat(parent); err != nil {
		parent = ""
	}
	dir, err := os.MkdirTemp(parent, "condense-source-")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	dir, err = filepath.EvalSymlinks(dir)
	must(t, err)
	return dir
}

// newFile creates a file in a new directory and returns its path.
func newFile(t *testing.T, name, content string) (path string) {
	t.Helper()
	path = filepath.Join(scratch(t), name)
	must(t, os.WriteFile(path, []byte(content), 0o644))
	must(t, os.Chmod(path, 0o644)) // whatever the umask is
	return path
}

func open(t *testing.T, path string) *Input {
	t.Helper()
	in, err := Open(t.Context(), path, 0)
	must(t, err)
	return in
}

func wantContent(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	must(t, err)
	if string(got) != want {
		t.Errorf("%s holds %.80q, want %.80q", filepath.Base(path), got, want)
	}
}

// wantNames fails the test unless dir has exactly these names, and so no temporary file.
func wantNames(t *testing.T, dir string, want ...string) {
	t.Helper()
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the directory holds %q, want %q", got, want)
	}
}

func wantMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	if got := info.Mode().Perm(); got != want && runtime.GOOS != "windows" {
		t.Errorf("%s has mode %v, want %v", filepath.Base(path), got, want)
	}
}

func names(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// text returns a function that writes s in small pieces.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		for piece := range slices.Chunk([]byte(s), 1000) {
			if _, err := w.Write(piece); err != nil {
				return err
			}
		}
		return nil
	}
}

// failing returns a function that writes more than any buffer holds, and then returns err.
func failing(err error) func(io.Writer) error {
	return func(w io.Writer) error {
		if err := text(strings.Repeat("x", 1<<20))(w); err != nil {
			return err
		}
		return err
	}
}
