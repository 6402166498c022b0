//go:build unix

package stash

import (
	"bufio"
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// putSteps lists the steps of Put that write.
var putSteps = []string{"directory", "create", "write", "written"}

// wantChain restores the first original from the last file, and checks that the directory has only
// entries.
func wantChain(t *testing.T, dir string) {
	t.Helper()
	r, err := (&Store{Dir: dir}).Restore(version(runs), "")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(r.Data, version(0)) || len(r.Way) != runs {
		t.Fatalf("%d bytes in %d steps, want %d in %d", len(r.Data), len(r.Way), len(version(0)), runs)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(f.Name(), suffix) || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", f.Name(), info.Mode())
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has mode %v, %v", info.Mode(), err)
	}
}

// TestManyWriters checks that many processes can put the same runs at the same time, and that all
// entries exist afterwards.
func TestManyWriters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "undo")
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			if out, err := child("fill", dir).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	wantChain(t, dir)
}

// TestKilledAtEveryStep checks that the next run succeeds after a kill at any step.
func TestKilledAtEveryStep(t *testing.T) {
	for _, step := range putSteps {
		dir := filepath.Join(t.TempDir(), "undo")
		if err := child("put", dir, step).Run(); err == nil {
			t.Fatalf("%s: the process was not killed", step)
		}
		if r, err := (&Store{Dir: dir}).Restore(version(1), ""); step == "written" {
			if err != nil || !bytes.Equal(r.Data, version(0)) {
				t.Errorf("no entry after %s: %v", step, err)
			}
		} else if err == nil {
			t.Errorf("%s: the entry exists already", step)
		}
		if err := fill(dir); err != nil {
			t.Fatal(step, err)
		}
		wantChain(t, dir)
	}
}

// TestKilledAnywhere kills a process that puts entries again and again. Every entry that exists then
// must be whole.
func TestKilledAnywhere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "undo")
	patience := time.Now().Add(3 * time.Second)
	for i := 0; i < 60 && time.Now().Before(patience); i++ {
		cmd := child("loop", dir)
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		bufio.NewReader(stdout).ReadString('\n')
		time.Sleep(rand.N(10 * time.Millisecond))
		cmd.Process.Kill()
		cmd.Wait()
		s := &Store{Dir: dir}
		places, err := s.places()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places {
			if _, err := s.read(p); err != nil {
				t.Fatalf("kill %d left %s damaged: %v", i, p.name, err)
			}
		}
	}
	if err := fill(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := (&Store{Dir: dir}).Collect(CollectOptions{}); err != nil {
		t.Fatal(err)
	}
	wantChain(t, dir)
}

// TestFaultAtEveryStep checks that Put returns the error of any step and leaves no part of an entry.
func TestFaultAtEveryStep(t *testing.T) {
	broken := errors.New("broken")
	for _, when := range putSteps {
		dir := filepath.Join(t.TempDir(), "undo")
		s := &Store{Dir: dir, fault: func(step string) error {
			if step == when {
				return broken
			}
			return nil
		}}
		if _, err := s.Put(t.Context(), chain(0)); !errors.Is(err, broken) {
			t.Errorf("%s: got %v", when, err)
		}
		files, _ := os.ReadDir(dir)
		if len(files) > 0 && when != "written" {
			t.Errorf("%s left %v", when, files)
		}
	}
}
