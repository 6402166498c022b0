package picker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal: person types and sees, and program reads and draws.
type terminal struct {
	person, program *os.File
	lock            sync.Mutex
	seen            bytes.Buffer
}

// newTerminal opens a pseudo-terminal of a size.
func newTerminal(t *testing.T, columns, rows uint16) *terminal {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { person.Close() })
	fd := int(person.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: columns})
	}
	if err != nil {
		t.Skip(err)
	}
	program, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { program.Close() })
	tty := &terminal{person: person, program: program}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := person.Read(buf)
			tty.lock.Lock()
			tty.seen.Write(buf[:n])
			tty.lock.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return tty
}

// await waits until the person has seen a text.
func (tty *terminal) await(t *testing.T, text string) {
	t.Helper()
	for range 2000 {
		tty.lock.Lock()
		found := bytes.Contains(tty.seen.Bytes(), []byte(text))
		tty.lock.Unlock()
		if found {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%q was not shown, but %q", text, tty.seen.String())
}

// TestPick takes and leaves on a terminal: which row is taken, and that what is drawn has its size.
func TestPick(t *testing.T) {
	type result struct {
		item int
		ok   bool
		err  error
	}
	for _, tt := range []struct {
		name, keys string
		stop       bool
		want       result
	}{
		{"the third", "\x1b[B\x1b[B\r", false, result{2, true, nil}},
		{"by its words", "apri\r", false, result{3, true, nil}},
		{"leave", "\x1b", false, result{}},
		{"interrupted", "", true, result{err: context.Canceled}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tty := newTerminal(t, 40, 7) // room for two rows
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			done := make(chan result)
			go func() {
				p := &Picker{Title: "Fruit", Items: fruits(), Preview: func(_ context.Context, item int) string { return fmt.Sprint("about ", item) }}
				item, ok, err := p.Pick(ctx, tty.program, tty.program)
				done <- result{item, ok, err}
			}()
			tty.await(t, "Fruit: ▏ 4 of 4\r\n> apple\r\n  banana\r\n\r\n…\r\n")
			tty.await(t, "about 0")
			if tt.stop {
				stop()
			} else if _, err := tty.person.WriteString(tt.keys); err != nil {
				t.Fatal(err)
			}
			if got := <-done; got.item != tt.want.item || got.ok != tt.want.ok || !errors.Is(got.err, tt.want.err) {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			tty.await(t, "\x1b[J\x1b[?25h")
		})
	}
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, ok, err := (&Picker{}).Pick(t.Context(), file, file); ok || err == nil {
		t.Errorf("what is no terminal: %v, %v", ok, err)
	}
}
