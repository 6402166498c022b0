package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

// failing is a writer of which one call fails.
type failing struct {
	calls int // before the one that fails
	bytes.Buffer
}

var errFull = errors.New("the disk is full")

func (w *failing) Write(b []byte) (int, error) {
	if w.calls--; w.calls == -1 {
		return 0, errFull
	}
	return w.Buffer.Write(b)
}

// TestWriteErrors checks that each error in writing a file is returned, also if later writes succeed.
func TestWriteErrors(t *testing.T) {
	for _, name := range []string{"row-groups", "arrow-rs-groups"} {
		file := shapes(t)[name]
		f, err := Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewStream(f, &failing{}); err != errFull {
			t.Errorf("%s: the stream begins with %v", name, err)
		}
		same := func(row []byte) ([]byte, error) { return row, nil }
		for calls := 0; ; calls++ {
			out := failing{calls: calls}
			_, err := f.Rewrite(&out, same)
			if out.calls >= 0 { // all calls came before the one that fails
				if err != nil || calls < 5 || !bytes.Equal(out.Bytes(), file) {
					t.Errorf("%s: %d bytes of %d in %d calls, %v", name, out.Len(), len(file), calls, err)
				}
				break
			}
			if err != errFull {
				t.Errorf("%s: call %d fails, and the error is %v", name, calls, err)
			}
		}
	}
}

// TestTooManyRows checks the error for rows that are written before they were read.
func TestTooManyRows(t *testing.T) {
	file := shapes(t)["row-groups"]
	f, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	row, _, _ := bytes.Cut(rowsOf(t, file), []byte("\n"))
	row = append(row[:len(row):len(row)], '\n')
	for _, read := range []int{0, 1, 3} {
		s, err := NewStream(f, new(bytes.Buffer))
		if err != nil {
			t.Fatal(err)
		}
		for range read {
			if err := s.next(); err != nil {
				t.Fatal(err)
			}
		}
		n, err := s.Write(bytes.Repeat(row, read+1))
		if want := "more rows are written than were read"; n != read*len(row) || fmt.Sprint(err) != want {
			t.Errorf("%d rows were read: wrote %d bytes, %v, want %s", read, n, err, want)
		}
	}
}

// TestOneByteLarger checks that a row group is copied if it would become larger by one byte, and written if
// its size stays.
func TestOneByteLarger(t *testing.T) {
	made := func(file []byte, from, to string) (out []byte, copied int) {
		f, err := Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		copied, err = f.Rewrite(&b, func(row []byte) ([]byte, error) {
			return bytes.Replace(row, []byte(from), []byte(to), 1), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return b.Bytes(), copied
	}
	file, _ := made(shapes(t)["nested-uncompressed"], "The reef map 0", "map 0") // as this package writes it
	if out, copied := made(file, "Chart reef 0", "Chart reef 1"); copied != 0 || bytes.Equal(out, file) {
		t.Errorf("%d rows copied of a row group of the same size", copied)
	}
	if out, copied := made(file, "Chart reef 0", "Chart reefs 0"); copied != 1 || !bytes.Equal(out, file) {
		t.Errorf("%d rows copied of a row group that is one byte larger", copied)
	}
}
