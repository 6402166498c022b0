package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLiveSession condenses a file again and again while an agent appends a line to it every
// millisecond. The agent opens the file for each line, or keeps it open for a while. No line may be
// lost.
func TestLiveSession(t *testing.T) {
	for name, keepOpen := range map[string]int{"by name": 1, "kept open": 20} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := newFile(t, "session.jsonl", "")
			stop := make(chan struct{})
			lines := make(chan int)
			go func() { lines <- appendLines(path, keepOpen, stop) }()

			var done, refusals, late int
			for end := time.Now().Add(700 * time.Millisecond); time.Now().Before(end); {
				switch backup, err := condense(t, path); {
				case err == nil:
					done++
				case !errors.Is(err, ErrChanged):
					t.Fatal(err)
				case backup != "":
					late++
				default:
					refusals++
				}
			}
			close(stop)
			total := <-lines
			t.Logf("%d lines, %d replacements, %d of them with late lines, %d refusals", total, done+late, late, refusals)
			if done == 0 || total == 0 {
				t.Error("nothing happened")
			}
			wantLines(t, filepath.Dir(path), total)
		})
	}
}

// condense drops the older half of the file. It waits around the rename, so that lines are written
// late.
func condense(t *testing.T, path string) (backup string, err error) {
	in := open(t, path)
	o := ReplaceOptions{Backup: ".bak", fault: func(step string) error {
		if step == "rename" {
			time.Sleep(time.Millisecond / 2)
		}
		return nil
	}}
	return in.Replace(t.Context(), func(w io.Writer) error {
		all := bytes.SplitAfter(in.Data, []byte("\n"))
		_, err := w.Write(bytes.Join(all[len(all)/2:], nil))
		return err
	}, o)
}

// appendLines appends numbered lines until stop is closed, and returns their number.
func appendLines(path string, keepOpen int, stop <-chan struct{}) (n int) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return n // the test failed and removed the directory
		}
		for range keepOpen {
			select {
			case <-stop:
				f.Close()
				return n
			case <-tick.C:
				fmt.Fprintf(f, "line %d\n", n)
				n++
			}
		}
		f.Close()
	}
}

// wantLines fails the test unless each of the lines is in some file of dir.
func wantLines(t *testing.T, dir string, total int) {
	t.Helper()
	found := map[string]bool{}
	for _, name := range names(t, dir) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		for line := range bytes.Lines(data) {
			found[string(line)] = true
		}
	}
	for i := range total {
		if line := fmt.Sprintf("line %d\n", i); !found[line] {
			t.Errorf("lost: %s", line)
		}
	}
}
