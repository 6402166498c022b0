//go:build unix

package source

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestKilledAnywhere kills processes that replace a file again and again. It does this 200 times at
// random moments, or as often as possible in three seconds. The file must be whole every time, and
// the next process must not be hindered.
func TestKilledAnywhere(t *testing.T) {
	const kills, workers = 200, 4
	patience := time.Now().Add(3 * time.Second)
	var done atomic.Int32
	defer func() { t.Logf("%d kills", done.Load()) }()
	var wg sync.WaitGroup
	for range workers {
		path := newFile(t, "a", version(0))
		wg.Go(func() {
			for range kills / workers {
				if time.Now().After(patience) {
					break
				}
				done.Add(1)
				if err := killLoop(path); err != nil {
					t.Error(err)
					return
				}
			}
			if err := replaceOnce(path, nil); err != nil {
				t.Error(err)
			}
			for _, name := range names(t, filepath.Dir(path)) {
				if !strings.HasPrefix(name, "a") {
					t.Errorf("%s still exists", name)
				}
			}
		})
	}
	wg.Wait()
}

// killLoop starts the process, kills it a moment later, and checks the files that it left.
func killLoop(path string) error {
	var stderr strings.Builder
	cmd := child("loop", path)
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	bufio.NewReader(stdout).ReadString('\n')
	time.Sleep(rand.N(4 * time.Millisecond))
	cmd.Process.Kill()
	cmd.Wait()
	if stderr.Len() > 0 {
		return fmt.Errorf("the process ended by itself: %s", stderr.String())
	}
	files, err := filepath.Glob(path + "*")
	if err != nil {
		return err
	}
	for _, file := range append(files, path) {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if s := string(data); s != version(0) && s != version(1) {
			return fmt.Errorf("%s holds %d bytes that are neither the old nor the new content", file, len(s))
		}
	}
	return nil
}

// TestKilledAtEveryStep checks that a kill before any step leaves the old file, and that the next run
// succeeds and cleans up.
func TestKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, step := range replaceSteps {
		path := newFile(t, "a", version(0))
		if err := child("replace", path, step).Run(); err == nil {
			t.Fatalf("%s: the process was not killed", step)
		}
		wantContent(t, path, version(0))
		must(t, replaceOnce(path, nil))
		wantContent(t, path, version(1))
		wantContent(t, path+".bak", version(0))
		wantNames(t, filepath.Dir(path), "a", "a.bak")
	}
	for _, step := range createSteps {
		path := filepath.Join(scratch(t), "a")
		if err := child("create", path, step).Run(); err == nil {
			t.Fatalf("%s: the process was not killed", step)
		}
		must(t, Create(t.Context(), path, CreateOptions{}, text("new")))
		wantNames(t, filepath.Dir(path), "a")
	}
}

// TestKilledAfterLink checks that a new file with two names, which a kill between link and remove
// leaves, can be replaced: the second name is not a hard link of the user.
func TestKilledAfterLink(t *testing.T) {
	path := newFile(t, "a", "old")
	must(t, os.Link(path, filepath.Join(filepath.Dir(path), tempName("a"))))
	_, err := open(t, path).Replace(t.Context(), text("new"), ReplaceOptions{})
	must(t, err)
	wantNames(t, filepath.Dir(path), "a")
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	path := newFile(t, "a", "old")
	var stderr strings.Builder
	cmd := child("interrupted", path)
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	bufio.NewReader(stdout).ReadString('\n')
	must(t, cmd.Process.Signal(os.Interrupt))
	cmd.Wait()
	if got := stderr.String(); got != "context canceled\n" {
		t.Errorf("the process printed %q", got)
	}
	wantContent(t, path, "old")
	wantNames(t, filepath.Dir(path), "a")
}
