// Package pager shows long output in the program that the user chose for that, such as less.
package pager

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// A Pager is a program that shows its input on a terminal.
type Pager struct {
	command string   // for the shell
	env     []string // variables that the user did not set
}

// Exit codes of a shell for a program that it cannot start.
const (
	notExecutable = 126
	notFound      = 127
)

// Find returns the pager that PAGER names, or else less. It returns nil if PAGER is "cat", or if there
// is no pager.
func Find(env func(string) string) *Pager {
	p := &Pager{command: env("PAGER")}
	if strings.TrimSpace(p.command) == "" {
		if _, err := exec.LookPath("less"); err != nil {
			return nil
		}
		p.command = "less"
	}
	if strings.TrimSpace(p.command) == "cat" {
		return nil
	}
	// As git does: colours are shown, one screen is only printed, and it stays after the end.
	for _, v := range []struct{ name, value string }{{"LESS", "FRX"}, {"LV", "-c"}} {
		if env(v.name) == "" {
			p.env = append(p.env, v.name+"="+v.value)
		}
	}
	return p
}

// Show runs the pager on what write writes. It returns when the user quits the pager. The pager
// writes to out and to errs. If it cannot be started, write writes to out. The error is that of write;
// it is nil if the user quits before the end.
func (p *Pager) Show(out, errs io.Writer, write func(io.Writer) error) error {
	if p == nil {
		return write(out)
	}
	words := commandLine(runtime.GOOS, p.command)
	c := exec.Command(words[0], words[1:]...)
	c.Env = append(os.Environ(), p.env...)
	c.Stdout, c.Stderr = out, errs
	in, err := c.StdinPipe()
	if err != nil {
		return write(out)
	}
	if err := c.Start(); err != nil {
		return write(out)
	}
	to := &input{WriteCloser: in}
	failed := write(to)
	in.Close()
	var exit *exec.ExitError
	if err := c.Wait(); errors.As(err, &exit) && (exit.ExitCode() == notFound || exit.ExitCode() == notExecutable) {
		return write(out)
	}
	if to.closed {
		return nil
	}
	return failed
}

// commandLine returns the program, and its arguments, that runs the command of a pager: a shell, if the
// system has one.
func commandLine(system, command string) []string {
	if system == "windows" {
		return strings.Fields(command)
	}
	return []string{"sh", "-c", command}
}

// An input is the standard input of a pager.
type input struct {
	io.WriteCloser
	closed bool // the pager does not read any more
}

func (w *input) Write(b []byte) (int, error) {
	n, err := w.WriteCloser.Write(b)
	w.closed = w.closed || err != nil
	return n, err
}
