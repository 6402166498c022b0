// Package terminaltest opens pseudo-terminals for tests of programs that draw and read keys.
package terminaltest

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Terminal is a pseudo-terminal. The program reads from Program and draws on it.
type Terminal struct {
	Program *os.File

	person *os.File
	lock   sync.Mutex
	seen   bytes.Buffer
}

// New opens a pseudo-terminal of a size, which is closed when the test ends. It skips the test where the
// system has none.
func New(t *testing.T, columns, rows uint16) *Terminal {
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
	tty := &Terminal{Program: program, person: person}
	go tty.watch()
	return tty
}

// watch collects what the program draws, until the terminal is closed.
func (tty *Terminal) watch() {
	buf := make([]byte, 4096)
	for {
		n, err := tty.person.Read(buf)
		tty.lock.Lock()
		tty.seen.Write(buf[:n])
		tty.lock.Unlock()
		if err != nil {
			return
		}
	}
}

// Type sends keys to the program.
func (tty *Terminal) Type(t *testing.T, keys string) {
	t.Helper()
	if _, err := tty.person.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// Text returns what a person has seen since the last text that Await found.
func (tty *Terminal) Text() string {
	tty.lock.Lock()
	defer tty.lock.Unlock()
	return tty.seen.String()
}

// Await waits until a person has seen a text, and forgets what was seen up to its end. It ends the test
// after 20 seconds.
func (tty *Terminal) Await(t *testing.T, text string) {
	t.Helper()
	for range 4000 {
		tty.lock.Lock()
		at := strings.Index(tty.seen.String(), text)
		if at >= 0 {
			tty.seen.Next(at + len(text))
		}
		tty.lock.Unlock()
		if at >= 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("%q was not shown, but %q", text, tty.Text())
}
