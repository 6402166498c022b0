//go:build unix

package source

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestReplaceHardLink(t *testing.T) {
	path := newFile(t, "a", "old")
	must(t, os.Link(path, path+".twin"))
	must(t, os.WriteFile(path+".orig", []byte("another file"), 0o644))
	in := open(t, path)
	for _, o := range []ReplaceOptions{{}, {Backup: ".bak"}, {Backup: ".orig"}} {
		refused(t, in.Replaceable(o), path, exitOutput)
		_, err := in.Replace(t.Context(), text("new"), o)
		refused(t, err, path, exitOutput)
	}
	wantContent(t, path, "old")
	_, err := in.Replace(t.Context(), text("new"), ReplaceOptions{Force: true})
	must(t, err)
	wantContent(t, path, "new")
	wantContent(t, path+".twin", "old")
}

func TestReplaceLocked(t *testing.T) {
	path := newFile(t, "a", "old")
	in := open(t, path)
	f, err := os.Open(path)
	must(t, err)
	must(t, syscall.Flock(int(f.Fd()), syscall.LOCK_SH))
	refused(t, in.Replaceable(ReplaceOptions{}), path, exitOutput)
	_, err = in.Replace(t.Context(), text("new"), ReplaceOptions{})
	refused(t, err, path, exitOutput)
	if !errors.Is(err, ErrLocked) {
		t.Errorf("%v does not wrap ErrLocked", err)
	}
	must(t, f.Close())
	_, err = in.Replace(t.Context(), text("new"), ReplaceOptions{})
	must(t, err)
}

// TestBusy checks that no other run can write the target of a run in progress.
func TestBusy(t *testing.T) {
	path := newFile(t, "a", "old")
	in := open(t, path)
	creation := CreateOptions{Force: true}
	for step, first := range map[string]func(write func(io.Writer) error) error{
		"replace": func(write func(io.Writer) error) error {
			_, err := in.Replace(t.Context(), write, ReplaceOptions{})
			return err
		},
		"create": func(write func(io.Writer) error) error { return Create(t.Context(), path, creation, write) },
	} {
		must(t, first(func(w io.Writer) error {
			err := Create(t.Context(), path, creation, text("second"))
			refused(t, err, path, exitOutput)
			if !errors.Is(err, ErrLocked) {
				t.Errorf("create during %s: %v does not wrap ErrLocked", step, err)
			}
			var e *Error
			if errors.As(err, &e) && step == "create" && e.Hint() != "wait for the other run of condense, or if there is none, remove .a.condense.tmp beside the file" {
				t.Errorf("the hint is %q", e.Hint())
			}
			_, err = in.Replace(t.Context(), text("second"), ReplaceOptions{})
			refused(t, err, path, exitOutput)
			return text("first")(w)
		}))
		wantContent(t, path, "first")
		in = open(t, path)
	}
	wantNames(t, filepath.Dir(path), "a")
}

// TestRace checks that one of many concurrent replacements and creations succeeds, and that the
// others return the reason.
func TestRace(t *testing.T) {
	path := newFile(t, "a", "old")
	in := open(t, path)
	for name, write := range map[string]func(content string) error{
		"replace": func(content string) error {
			_, err := in.Replace(t.Context(), text(content), ReplaceOptions{})
			return err
		},
		"create": func(content string) error {
			return Create(t.Context(), path+".out", CreateOptions{}, text(content))
		},
	} {
		var wg sync.WaitGroup
		errs := make([]error, 20)
		for i := range errs {
			wg.Go(func() { errs[i] = write(strings.Repeat(strconv.Itoa(i%10), 10_000)) })
		}
		wg.Wait()
		won := 0
		for _, err := range errs {
			switch {
			case err == nil:
				won++
			case !errors.Is(err, ErrLocked) && !errors.Is(err, ErrChanged) && !errors.Is(err, os.ErrExist):
				t.Errorf("%s: %v", name, err)
			}
		}
		if won != 1 {
			t.Errorf("%s: %d of %d succeeded, want 1", name, won, len(errs))
		}
	}
	wantNames(t, filepath.Dir(path), "a", "a.out")
}

// TestSweep checks that only a temporary file without a lock is removed.
func TestSweep(t *testing.T) {
	path := newFile(t, "a", "old")
	temp := filepath.Join(filepath.Dir(path), tempName("a"))
	neighbour := filepath.Join(filepath.Dir(path), tempName("b"))
	must(t, os.WriteFile(temp, []byte("half"), 0o600))
	must(t, os.WriteFile(neighbour, []byte("not ours"), 0o600))
	_, err := open(t, path).Replace(t.Context(), text("new"), ReplaceOptions{})
	must(t, err)
	wantContent(t, path, "new")
	wantNames(t, filepath.Dir(path), ".b.condense.tmp", "a")

	f, err := os.Create(temp)
	must(t, err)
	defer f.Close()
	must(t, lock(f))
	_, err = open(t, path).Replace(t.Context(), text("newer"), ReplaceOptions{})
	refused(t, err, path, exitOutput)
	must(t, os.Remove(temp))

	victim := newFile(t, "victim", "theirs")
	must(t, os.Symlink(victim, temp))
	_, err = open(t, path).Replace(t.Context(), text("newer"), ReplaceOptions{})
	refused(t, err, path, exitOutput)
	wantContent(t, path, "new")
	wantContent(t, victim, "theirs")
	wantNames(t, filepath.Dir(path), ".a.condense.tmp", ".b.condense.tmp", "a")
}

func TestOpenFIFO(t *testing.T) {
	fifo := filepath.Join(scratch(t), "fifo")
	must(t, syscall.Mkfifo(fifo, 0o600))
	go func() {
		if w, err := os.OpenFile(fifo, os.O_WRONLY, 0); err == nil {
			io.WriteString(w, "{}")
			w.Close()
		}
	}()
	in := open(t, fifo)
	if string(in.Data) != "{}" || !in.Stream || in.Info != nil {
		t.Errorf("got %+v", in)
	}
	_, err := in.Replace(t.Context(), text("new"), ReplaceOptions{})
	refused(t, err, fifo, exitUsage)
}

// TestFIFOInterrupted checks that reading and writing a FIFO can be interrupted while no process has
// the other end open.
func TestFIFOInterrupted(t *testing.T) {
	fifo := filepath.Join(scratch(t), "fifo")
	must(t, syscall.Mkfifo(fifo, 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Millisecond)
	defer cancel()
	if err := Create(ctx, fifo, CreateOptions{}, text("new")); err != context.DeadlineExceeded {
		t.Errorf("writing without a reader: got %v", err)
	}
	if _, err := Open(ctx, fifo, 0); err != context.DeadlineExceeded {
		t.Errorf("reading without a writer: got %v", err)
	}
	r, err := os.OpenFile(fifo, os.O_RDWR, 0)
	must(t, err) // ... and the Open above ends
	defer r.Close()

	asleep := fifo + ".asleep"
	must(t, syscall.Mkfifo(asleep, 0o600))
	r, err = os.OpenFile(asleep, os.O_RDWR, 0)
	must(t, err)
	defer r.Close()
	ctx, cancel = context.WithTimeout(t.Context(), 15*time.Millisecond)
	defer cancel()
	if err := Create(ctx, asleep, CreateOptions{}, failing(nil)); err != context.DeadlineExceeded {
		t.Errorf("writing to a reader that does not read: got %v", err)
	}
}

func TestCreateFIFO(t *testing.T) {
	fifo := filepath.Join(scratch(t), "fifo")
	must(t, syscall.Mkfifo(fifo, 0o600))
	got := make(chan string)
	go func() {
		time.Sleep(15 * time.Millisecond) // the writer has to wait for us
		data, _ := os.ReadFile(fifo)
		got <- string(data)
	}()
	must(t, Create(t.Context(), fifo, CreateOptions{}, text("new")))
	if data := <-got; data != "new" {
		t.Errorf("the reader got %q", data)
	}
}

func TestDevices(t *testing.T) {
	must(t, Create(t.Context(), "/dev/null", CreateOptions{}, failing(nil)))
	_, err := Open(t.Context(), "/dev/null", 0)
	refused(t, err, "/dev/null", exitInput)
	if _, err := os.Stat("/dev/full"); err == nil {
		for _, write := range []func(io.Writer) error{text("new"), failing(nil), failing(errors.New("mine"))} {
			err := Create(t.Context(), "/dev/full", CreateOptions{}, write)
			refused(t, err, "/dev/full", exitOutput)
			if !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%v does not wrap ENOSPC", err)
			}
		}
	}
	if _, err := os.Stat("/dev/full"); err == nil { // the error is returned even if write ignores it
		err := Create(t.Context(), "/dev/full", CreateOptions{}, func(w io.Writer) error {
			_ = failing(nil)(w)
			return nil
		})
		refused(t, err, "/dev/full", exitOutput)
	}
}

func TestSocket(t *testing.T) {
	path := filepath.Join(scratch(t), "socket")
	l, err := net.Listen("unix", path)
	must(t, err)
	defer l.Close()
	refused(t, Create(t.Context(), path, CreateOptions{Force: true}, text("new")), path, exitOutput)
	_, err = Open(t.Context(), path, 0)
	refused(t, err, path, exitInput)
	for _, err := range []error{Creatable(path, CreateOptions{Force: true}), err} {
		if !strings.Contains(err.Error(), "device or a socket, not a file") {
			t.Error(err)
		}
	}
}

// TestDescriptors tests the names that a shell passes for >>FILE, <FILE and <(command).
func TestDescriptors(t *testing.T) {
	path := newFile(t, "log", "old")
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	defer f.Close()
	name := "/dev/fd/" + strconv.Itoa(int(f.Fd()))
	must(t, Create(t.Context(), name, CreateOptions{}, text("+new")))
	wantContent(t, path, "old+new")
	in := open(t, name)
	if string(in.Data) != "old+new" || !in.Stream {
		t.Errorf("got %+v", in)
	}
	refused(t, Create(t.Context(), name, CreateOptions{From: open(t, path)}, text("")), name, exitUsage)
	wantNames(t, filepath.Dir(path), "log")

	r, w, err := os.Pipe()
	must(t, err)
	must(t, w.Close())
	defer r.Close()
	if in := open(t, "/dev/fd/"+strconv.Itoa(int(r.Fd()))); len(in.Data) != 0 || !in.Stream {
		t.Errorf("empty pipe: got %+v", in)
	}
}
