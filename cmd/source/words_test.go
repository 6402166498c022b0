package source

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "add to testdata/errors.txt the errors that tests meet")

// errorNumbers are the numbers in the words of an error.
var errorNumbers = regexp.MustCompile(`[0-9]+`)

// wantWords fails the test unless the words of an error are in testdata/errors.txt. They are for people, so
// a change of them shows there. -update adds new ones; remove the old ones by hand.
func wantWords(t *testing.T, e *Error) {
	t.Helper()
	if runtime.GOOS != "linux" { // names of files and words of causes differ
		return
	}
	line := fmt.Sprintf("%d %s | %s", e.ExitCode(), e.Problem, e.Hint())
	if dir := filepath.Dir(e.Name); dir != "." && dir != "/" {
		line = strings.ReplaceAll(line, dir, "DIR")
	}
	line = line[:2] + errorNumbers.ReplaceAllString(line[2:], "0")
	const golden = "testdata/errors.txt"
	data, err := os.ReadFile(golden)
	if err != nil && !*update {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if slices.Contains(lines, line) {
		return
	}
	if !*update {
		t.Errorf("the words are not in %s: %s", golden, line)
		return
	}
	lines = append(lines, line)
	slices.Sort(lines)
	if err := os.WriteFile(golden, []byte(strings.TrimSpace(strings.Join(lines, "\n"))+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestWordsOfErrors checks the words of errors that no other test can cause.
func TestWordsOfErrors(t *testing.T) {
	cause := errors.New("the cause")
	for _, err := range []error{
		changed("x"), vanished("x", os.ErrNotExist), vanished("x", cause), writeFailed("x", cause), unreadable("x", cause), tooLarge("x", 10),
		nameTaken("x"), inUse("x", "y"), unpacksTo(&Input{Name: "x"}, 10, 10), unpacksTo(&Input{Name: "x"}, 10, 20), (&Input{Name: "x"}).unreadable("Parquet", cause),
	} {
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%v is no *Error", err)
			continue
		}
		wantWords(t, e)
	}
	for _, err := range []error{cause, &os.PathError{Op: "open", Path: "x", Err: cause}, &os.LinkError{Op: "link", Old: "x", New: "y", Err: cause}} {
		if got := bare(err); got != cause {
			t.Errorf("%v: the cause is %v", err, got)
		}
	}
	for _, err := range []error{ErrChanged, ErrLocked, errTooLarge} {
		if len(err.Error()) < 5 {
			t.Errorf("%q says nothing", err)
		}
	}
}

// TestSinkKeepsTheFirstError checks what a writer knows of errors, and that it writes nothing after an interrupt.
func TestSinkKeepsTheFirstError(t *testing.T) {
	broken := errors.New("broken")
	s := &sink{ctx: t.Context(), w: failingWriter{broken}}
	if n, err := s.Write([]byte("x")); n != 0 || err != broken || s.err != broken {
		t.Errorf("wrote %d, %v, %v", n, err, s.err)
	}
	s.w = failingWriter{io.ErrShortWrite}
	if s.Write([]byte("x")); s.err != broken {
		t.Errorf("the first error became %v", s.err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out bytes.Buffer
	s = &sink{ctx: ctx, w: &out}
	if n, err := s.Write([]byte("x")); n != 0 || !errors.Is(err, context.Canceled) || out.Len() > 0 {
		t.Errorf("wrote %d, %v", n, err)
	}
	c := &contextReader{ctx: ctx, r: strings.NewReader("x")}
	if n, err := c.Read(make([]byte, 1)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("read %d, %v", n, err)
	}
}

// TestLimited checks that a buffer takes as many bytes as its limit, and not one more.
func TestLimited(t *testing.T) {
	b := &limited{limit: 4}
	if _, err := b.Write([]byte("abc")); err != nil {
		t.Error(err)
	}
	if n, err := b.Write([]byte("de")); n != 0 || err != errTooLarge {
		t.Errorf("five bytes: wrote %d, %v", n, err)
	}
	if _, err := b.Write([]byte("d")); err != nil || b.buf.String() != "abcd" {
		t.Errorf("four bytes: %v, %q", err, b.buf.String())
	}
}

// TestWithGaps checks the places of lines that are left out.
func TestWithGaps(t *testing.T) {
	for _, tt := range []struct {
		lines   string
		without []int
		want    string
	}{
		{"b\nc\n", []int{0}, "\nb\nc\n"},
		{"a\nc\n", []int{1}, "a\n\nc\n"},
		{"a\nb\n", []int{2, 3}, "a\nb\n\n\n"},
		{"c\n", []int{0, 1, 3}, "\n\nc\n\n"},
		{"", []int{0}, "\n"},
		{"a\n", nil, "a\n"},
	} {
		if got := string(withGaps([]byte(tt.lines), tt.without)); got != tt.want {
			t.Errorf("%q without %v is %q, want %q", tt.lines, tt.without, got, tt.want)
		}
	}
}

// TestParquetInPipe checks that a Parquet file in a pipe is refused with the reason.
func TestParquetInPipe(t *testing.T) {
	in, _, err := readPacked("PAR1 and more")
	if refused(t, err, "in", exitInput); in.Encoding != nil || !strings.Contains(err.Error(), "Parquet file in a pipe") {
		t.Error(err)
	}
	if _, _, err := readPacked("\x1f\x8b\x08\xff broken"); err == nil {
		t.Error("a broken header of gzip is no error")
	}
	for _, e := range encodings {
		in := &Input{Name: "in", Encoding: e}
		if err := in.corrupt(errors.New(e.Name + ": of no use")); !strings.Contains(err.Error(), "the "+e.Name+" data is corrupt: of no use") {
			t.Error(err)
		}
	}
}

// TestReadsWholeLimit checks that a source may have just as many bytes as the limit.
func TestReadsWholeLimit(t *testing.T) {
	for n, fits := range map[int]bool{9: true, 10: true, 11: false} {
		in, err := read("x", strings.NewReader(strings.Repeat("a", n)), 10)
		if (err == nil) != fits || fits && len(in.Raw) != n {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for n, fits := range map[int]bool{9: true, 10: true, 11: false, 1000: false} {
		in := &Input{Name: "x", Raw: gzipped(t, strings.Repeat("a", n))}
		if err := in.unpack(t.Context(), 10); (err == nil) != fits || fits && len(in.Data) != n {
			t.Errorf("%d unpacked bytes: %v", n, err)
		}
	}
}
