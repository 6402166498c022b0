package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Options are what holds for every program of a run.
type Options struct {
	Timeout time.Duration // how long a program may take; 0: DefaultTimeout
	Env     []string      // its whole environment, as [Environment] makes it
	// Show, when set, is given what a program that succeeded wrote for people, at
	// most 8 KiB of it. It may hold anything: it is not escaped.
	Show func(program, text string)
	// Skip makes a strategy that fails a stage that is skipped, instead of the end of
	// the run.
	Skip bool
}

// DefaultTimeout is how long a program may take when nothing else is said.
const DefaultTimeout = time.Minute

// Limits of what a program may write. An answer holds less than one conversation;
// the largest known has 58 MB.
const (
	maxAnswer = 64 << 20
	maxSaid   = 8 << 10
	grace     = 2 * time.Second // for what a program that has ended left behind to close its pipes
)

// Error is a program that failed.
type Error struct {
	Program string // as it was named
	Err     error  // how it ended
	Said    string // what it wrote to standard error, not escaped
}

func (e *Error) Error() string {
	text := e.Program + ": " + e.Err.Error()
	if said := strings.TrimSpace(e.Said); said != "" {
		text += ": " + said
	}
	return text
}

// Unwrap returns how it ended.
func (e *Error) Unwrap() error { return e.Err }

// Run starts a program that is a validator or a hook, with in on its standard
// input and more variables beside those of the options. All it writes is shown to
// people. A program that does not end well is an *Error; an interrupted one is the
// error of the context.
func (p Program) Run(ctx context.Context, in []byte, more []string, o *Options) error {
	said := &tail{max: maxSaid}
	err := p.start(ctx, in, more, o, said, said)
	if err == nil && o.Show != nil && said.text.Len() > 0 {
		o.Show(p.Name(), said.String())
	}
	return err
}

// ask starts a program that answers on standard output.
func (p Program) ask(ctx context.Context, in []byte, o *Options) ([]byte, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	answer := &limited{max: maxAnswer, full: func() { stop(errTooMuch) }}
	said := &tail{max: maxSaid}
	err := p.start(ctx, in, nil, o, answer, said)
	if err == nil && o.Show != nil && said.text.Len() > 0 {
		o.Show(p.Name(), said.String())
	}
	return answer.text.Bytes(), err
}

var (
	errTooMuch = fmt.Errorf("it wrote more than %d MiB", maxAnswer>>20)
	errTimeout = errors.New("timeout")
)

// start runs a program to its end, or to that of its time.
func (p Program) start(ctx context.Context, in []byte, more []string, o *Options, out io.Writer, said *tail) error {
	timeout := o.Timeout
	if timeout == 0 {
		timeout = DefaultTimeout
	}
	limited, cancel := context.WithTimeoutCause(ctx, timeout, errTimeout)
	defer cancel()
	c := exec.CommandContext(limited, p.words[0], p.words[1:]...)
	c.Env = append(append([]string{}, o.Env...), more...)
	c.Stdin = bytes.NewReader(in)
	c.Stdout, c.Stderr = out, said
	c.WaitDelay = grace
	kill := inGroup(c)
	c.Cancel = kill
	err := c.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = errors.New("it ended, but left a program behind that keeps its output open")
	}
	if err != nil && c.Process != nil {
		_ = kill() // what it left behind
	}
	switch cause := context.Cause(limited); {
	case err == nil:
		return nil
	case cause == errTimeout:
		err = fmt.Errorf("it took longer than its timeout of %s and was stopped", timeout)
	case cause == errTooMuch:
		err = errTooMuch
	case ctx.Err() != nil:
		return ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = errors.New(exit.Error()) // its exit code is not to be taken for ours
	}
	return &Error{p.Name(), err, said.String()}
}

// limited keeps what is written, and says when it is too much.
type limited struct {
	text bytes.Buffer
	max  int
	full func()
}

func (l *limited) Write(b []byte) (int, error) {
	if l.text.Len()+len(b) > l.max {
		l.full()
		return 0, errTooMuch
	}
	return l.text.Write(b)
}

// tail keeps the end of what is written: there stands why a program failed.
type tail struct {
	text bytes.Buffer
	max  int
	cut  bool
}

func (t *tail) Write(b []byte) (int, error) {
	t.text.Write(b)
	if extra := t.text.Len() - t.max; extra > 0 {
		t.text.Next(extra)
		t.cut = true
	}
	return len(b), nil
}

func (t *tail) String() string {
	if t.cut {
		return "…" + strings.ToValidUTF8(t.text.String(), "")
	}
	return t.text.String()
}
