package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestGroup checks that a group flushes its files when it is full and at the end, and that a file that is
// gone, or that may only be read, is no error.
func TestGroup(t *testing.T) {
	dir := t.TempDir()
	g := &Group{}
	text := func(w io.Writer) error { _, err := io.WriteString(w, "text"); return err }
	for i := range groupSize + 3 {
		path := filepath.Join(dir, fmt.Sprint(i%3), fmt.Sprint(i))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := Create(context.Background(), path, CreateOptions{Group: g}, text); err != nil {
			t.Fatal(err)
		}
		if want := (i + 1) % groupSize; len(g.paths) != want {
			t.Fatalf("%d files wait after %d, want %d", len(g.paths), i+1, want)
		}
	}
	if err := os.Chmod(g.paths[0], 0o400); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(g.paths[1]); err != nil {
		t.Fatal(err)
	}
	if err := g.Flush(); err != nil || len(g.paths) != 0 {
		t.Errorf("%d files wait, %v", len(g.paths), err)
	}
	if err := (*Group)(nil).Flush(); err != nil {
		t.Error(err)
	}
	path := filepath.Join(dir, "0", "0")
	if err := Create(context.Background(), path, CreateOptions{Group: g}, text); err == nil || len(g.paths) != 0 {
		t.Errorf("a file that exists is replaced, or waits: %v", err)
	}
	if err := Create(context.Background(), path, CreateOptions{Group: g, Force: true}, text); err != nil || len(g.paths) != 0 {
		t.Errorf("a file that replaces another waits: %v", err)
	}
	g.paths = []string{dir} // a folder cannot be opened for writing
	if err := g.Flush(); err == nil {
		t.Error("a folder is flushed as a file")
	}
	g.paths = slices.Repeat([]string{dir}, groupSize-1)
	if err := Create(context.Background(), path+".full", CreateOptions{Group: g}, text); err == nil || len(g.paths) != 0 {
		t.Errorf("a group that cannot be flushed is full: %v", err)
	}
	var failed *Error
	if err := flush([]string{dir + "\x00"}); !errors.As(err, &failed) {
		t.Errorf("got %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeType != 0 {
		t.Error(err)
	}
}
