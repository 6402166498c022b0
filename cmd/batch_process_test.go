//go:build unix

package cmd_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sessions creates a folder with n different sessions in subfolders, and returns its path.
func sessions(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		path := filepath.Join(dir, fmt.Sprint(i%3), fmt.Sprintf("%d.jsonl", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		text := bytes.ReplaceAll(fixture(t), []byte("main"), []byte(fmt.Sprintf("main%d", i)))
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree returns the contents of the files below a folder by their paths, except files that end in
// one of the suffixes but.
func tree(t *testing.T, dir string, but ...string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		for _, suffix := range but {
			if strings.Contains(d.Name(), suffix) {
				return nil
			}
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// succeed runs condense in another process, fails the test unless its exit code is 0, and returns
// its output.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	out, err := program(t, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// sameTree compares the outputs of two runs.
func sameTree(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s: %s has %d bytes, want %d", what, name, len(got[name]), len(want[name]))
			}
		}
	}
}

// TestBatchTwice checks that one worker, four workers and seven shards write the same bytes.
func TestBatchTwice(t *testing.T) {
	in, out := sessions(t, 15), t.TempDir()
	succeed(t, "batch", "-q", "-j", "1", "--out-dir", filepath.Join(out, "1"), in)
	succeed(t, "batch", "-q", "-j", "4", "--out-dir", filepath.Join(out, "4"), in)
	for i := 1; i <= 7; i++ {
		succeed(t, "batch", "-q", "--shard", fmt.Sprintf("%d/7", i), "--out-dir", filepath.Join(out, "7"), in)
	}
	want := tree(t, filepath.Join(out, "1"))
	if len(want) != 15 {
		t.Fatalf("%d files", len(want))
	}
	sameTree(t, "four workers", tree(t, filepath.Join(out, "4")), want)
	sameTree(t, "seven shards", tree(t, filepath.Join(out, "7")), want)
}

// TestBatchKilled checks that a batch that is killed and resumed several times writes the same files
// as an undisturbed one, to a folder and in place. In place, no file may be condensed twice.
func TestBatchKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills many processes")
	}
	for _, inPlace := range []bool{false, true} {
		args := func(dir, to string) []string {
			if inPlace {
				return []string{"batch", "-q", "-j", "2", "-w", "--target", "50%", dir}
			}
			return []string{"batch", "-q", "-j", "2", "--out-dir", to, "--target", "50%", dir}
		}
		in, out := sessions(t, 12), filepath.Join(t.TempDir(), "out")
		originals := tree(t, in)
		start := time.Now()
		succeed(t, args(in, out)...)
		whole := time.Since(start)
		want := tree(t, place(inPlace, in, out), ".bak")

		killed := 0
		for range 8 {
			in, out := sessions(t, 12), filepath.Join(t.TempDir(), "out")
			resume := []string{"--resume", "--manifest", filepath.Join(t.TempDir(), "m.jsonl"), "--summary", filepath.Join(t.TempDir(), "s.json")}
			for range 3 {
				c := program(t, append(args(in, out), resume...)...)
				if err := c.Start(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(whole/10 + rand.N(whole/2))
				_ = c.Process.Kill() // it may have ended already
				if c.Wait() != nil {
					killed++
				}
			}
			succeed(t, append(args(in, out), resume...)...)
			sameTree(t, fmt.Sprintf("in place %v", inPlace), tree(t, place(inPlace, in, out), ".bak"), want)
			for name, text := range originals {
				if got, err := os.ReadFile(filepath.Join(in, name+".bak")); inPlace && (err != nil || string(got) != text) {
					t.Errorf("the backup of %s is not the original: %v", name, err)
				}
			}
		}
		t.Logf("in place %v: %d killed", inPlace, killed)
	}
}

// place returns the folder of the outputs.
func place(inPlace bool, in, out string) string {
	if inPlace {
		return in
	}
	return out
}

// TestBatchIntoHead checks that a batch whose standard output is closed ends without a message, and
// that all written files are whole.
func TestBatchIntoHead(t *testing.T) {
	in, calm := sessions(t, 6), filepath.Join(t.TempDir(), "calm")
	succeed(t, "batch", "-q", "--out-dir", calm, in)
	want := tree(t, calm)
	for name, both := range map[string]bool{"sums": false, "sums and progress": true} {
		out := filepath.Join(t.TempDir(), "out")
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c := program(t, "batch", "-j", "1", "--out-dir", out, "--summary", "-", in)
		var stderr bytes.Buffer
		c.Stdout, c.Stderr = w, &stderr
		if both {
			c.Stderr = w
		} else {
			c.Args = append(c.Args, "-q")
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		w.Close()
		if both { // one line is read, as head -n 1 does
			if _, err := r.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
		}
		r.Close()
		err = c.Wait()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGPIPE || stderr.Len() > 0 {
			t.Errorf("%s: ended with %v and printed %q", name, err, stderr.String())
		}
		got := tree(t, out)
		for file, text := range want {
			if left, there := got[file]; there && left != text || !there && !both {
				t.Errorf("%s: %s is not whole", name, file)
			}
		}
	}
}

// TestBatchInterrupted checks that an interrupted batch exits with 130, leaves only complete outputs
// and prints how to continue, and that this works.
func TestBatchInterrupted(t *testing.T) {
	in, out := sessions(t, 12), filepath.Join(t.TempDir(), "out")
	manifest := filepath.Join(t.TempDir(), "m.jsonl")
	slow := filepath.Join(t.TempDir(), "slow.sh")
	if err := os.WriteFile(slow, []byte("test -e '"+manifest+".go' || sleep 1000"), 0o600); err != nil {
		t.Fatal(err)
	}
	calm := filepath.Join(t.TempDir(), "calm")
	succeed(t, "batch", "-q", "--out-dir", calm, in)
	want := tree(t, calm)

	// While the file .go exists, files are condensed; after that, the validator makes every file wait.
	if err := os.WriteFile(manifest+".go", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"batch", "-j", "2", "--out-dir", out, "--manifest", manifest, "--resume", "--validator", "exec:sh '" + slow + "'", in}
	c := program(t, args...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for { // the test's own timeout ends this
		text, _ := os.ReadFile(manifest)
		if bytes.Count(text, []byte(`"done":true`)) > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := os.Remove(manifest + ".go"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := c.Wait()
	if err == nil {
		t.Skip("the batch ended before it could be interrupted")
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("ended with %v, want exit code 130", err)
	}
	if got := stderr.String(); !strings.Contains(got, "interrupted: ") || !strings.Contains(got, "with --resume") || strings.Contains(got, "failed") {
		t.Errorf("printed %q", got)
	}
	for name, text := range tree(t, out) {
		if text != want[name] {
			t.Errorf("%s is incomplete, or a temporary file", name)
		}
	}
	if err := os.WriteFile(manifest+".go", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, args...)
	sameTree(t, "resumed", tree(t, out), want)
}
