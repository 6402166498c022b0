package source

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func TestOpen(t *testing.T) {
	path := newFile(t, "a.json", "{}")
	link := filepath.Join(filepath.Dir(path), "link")
	must(t, os.Symlink("a.json", link))
	for _, name := range []string{path, link} {
		in := open(t, name)
		if in.Name != name || string(in.Data) != "{}" || in.Stream || in.Info.Size() != 2 {
			t.Errorf("got %+v", in)
		}
	}
	empty := newFile(t, "empty", "")
	if in := open(t, empty); len(in.Data) != 0 || in.Stream {
		t.Errorf("empty file: got %+v", in)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := scratch(t)
	dangling := filepath.Join(dir, "dangling")
	must(t, os.Symlink("nowhere", dangling))
	below := filepath.Join(newFile(t, "file", ""), "below")
	for _, path := range []string{dir, filepath.Join(dir, "missing"), dangling, below} {
		_, err := Open(t.Context(), path, 0)
		refused(t, err, path, exitInput)
	}
	_, err := Open(t.Context(), dangling, 0)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not wrap fs.ErrNotExist", err)
	}
	for path, hint := range map[string]string{dangling: "check the spelling", below: "check its permissions", dir: "name a file in it"} {
		_, err := Open(t.Context(), path, 0)
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Hint(), hint) {
			t.Errorf("%v has the hint %q, want %q", err, e.Hint(), hint)
		}
	}
}

func TestErrorQuotesNames(t *testing.T) {
	_, err := Open(t.Context(), "a\x1b[31m\nb\u202e.json", 0)
	if want := `"a\x1b[31m\nb\u202e.json": cannot be read: `; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %s, want the prefix %s", err, want)
	}
}

func TestLimit(t *testing.T) {
	path := newFile(t, "a.json", "12345")
	if _, err := Open(t.Context(), path, 5); err != nil {
		t.Error(err)
	}
	_, err := Open(t.Context(), path, 4)
	refused(t, err, path, exitInput)

	must(t, os.Truncate(path, 3<<30)) // a sparse file; Open refuses it by its size and does not read it
	_, err = Open(t.Context(), path, 0)
	refused(t, err, path, exitInput)

	if _, err := ReadStream(t.Context(), "-", strings.NewReader("12345"), 5); err != nil {
		t.Error(err)
	}
	_, err = ReadStream(t.Context(), "-", strings.NewReader("12345"), 4)
	refused(t, err, "-", exitInput)
	if in, err := ReadStream(t.Context(), "-", strings.NewReader("12345"), 1<<63-1); err != nil || len(in.Data) != 5 {
		t.Errorf("the largest limit: got %v, %v", in, err)
	}
}

func TestReadStream(t *testing.T) {
	in, err := ReadStream(t.Context(), "-", iotest.OneByteReader(strings.NewReader("héllo")), 0)
	must(t, err)
	if in.Name != "-" || string(in.Data) != "héllo" || !in.Stream || in.Info != nil {
		t.Errorf("got %+v", in)
	}
	broken := errors.New("broken")
	_, err = ReadStream(t.Context(), "-", iotest.ErrReader(broken), 0)
	refused(t, err, "-", exitInput)
	if !errors.Is(err, broken) {
		t.Errorf("%v does not wrap its cause", err)
	}
}

func TestReadStreamInterrupted(t *testing.T) {
	silent, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	if _, err := ReadStream(ctx, "-", silent, 0); err != context.DeadlineExceeded {
		t.Errorf("got %v, want the error of the context", err)
	}
}

// TestReadStreamOfFile checks that redirected input has the Info of its file.
func TestReadStreamOfFile(t *testing.T) {
	path := newFile(t, "a.json", "{}")
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	in, err := ReadStream(t.Context(), "-", f, 0)
	must(t, err)
	if !in.Stream || in.Info == nil {
		t.Errorf("got %+v, want a stream with the file's Info", in)
	}
	_, err = in.Replace(t.Context(), text(""), ReplaceOptions{})
	refused(t, err, "-", exitUsage)
	err = Create(t.Context(), path, CreateOptions{From: in, Force: true}, text(""))
	refused(t, err, path, exitUsage)
	wantContent(t, path, "{}")
}
