package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"time"
)

// Options apply to every program of a run.
type Options struct {
	Timeout time.Duration // largest duration of a program; 0: DefaultTimeout
	Env     []string      // complete environment of the program; see [Environment]
	// Show, when set, is called with the messages for people of a program that succeeded,
	// at most their last 8 KiB. The text may contain anything: it is not escaped.
	Show func(program, text string)
	// Skip makes a strategy that fails a skipped stage instead of an error of the run.
	Skip bool
}

// DefaultTimeout is the largest duration of a program when the options set none.
const DefaultTimeout = time.Minute

// Limits of the output of a program. An answer is smaller than a conversation; the
// largest known conversation has 58 MB.
const (
	maxAnswer = 64 << 20
	maxSaid   = 8 << 10
	grace     = 2 * time.Second // delay for the children of a program that ended to close its pipes
)

// Error is a program that failed.
type Error struct {
	Program string // name of the program, with its prefix
	Err     error  // cause of the failure
	Said    string // its standard error, at most the last 8 KiB, not escaped
}

func (e *Error) Error() string {
	text := e.Program + ": " + e.Err.Error()
	if said := strings.TrimSpace(e.Said); said != "" {
		text += ": " + said
	}
	return text
}

// Unwrap returns the cause of the failure.
func (e *Error) Unwrap() error { return e.Err }

// Run starts a program that is a validator or a hook, with in as its standard input
// and the variables of more in addition to those of the options. All of its output is
// for people. The error is an *Error, or that of the context when the run was
// interrupted.
func (p Program) Run(ctx context.Context, in []byte, more []string, o *Options) error {
	said := &tail{max: maxSaid}
	err := p.start(ctx, in, more, o, said, said)
	if err == nil && o.Show != nil && said.text.Len() > 0 {
		o.Show(p.Name(), said.String())
	}
	return err
}

// Ask starts a program with in as its standard input and returns its standard output, of
// at most 64 MiB. The error is an *Error, or that of the context when the run was
// interrupted.
func (p Program) Ask(ctx context.Context, in []byte, o *Options) ([]byte, error) {
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

// start runs a program until it ends, its time is over, or the context is done.
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
	kill := inGroup(c, fmt.Sprintf("CONDENSE_EXEC_ID=%016x", rand.Uint64()))
	c.Cancel = kill
	err := c.Run()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = errors.New("it ended, but one of its children keeps its output open")
	}
	if err != nil && c.Process != nil {
		_ = kill() // its children
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
		err = errors.New(exit.Error()) // callers must not mistake its exit code for their own
	}
	return &Error{p.Name(), err, said.String()}
}

// limited keeps the output of a program, and calls full when it is too long.
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

// tail keeps the end of the output, where a program states why it failed.
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

// passed are the variables that every program gets: they lead to programs and to the
// files of the user, and set the language. Other variables, such as keys of models and
// tokens of services, are withheld.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TERM", "TZ",
	"LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME",
	"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "VIRTUAL_ENV",
	"SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA", // Windows
}

// Environment returns the variables of a program, as NAME=value: those above and those
// named in more. env returns the value of a variable. Variables without a value are
// left out.
func Environment(env func(string) string, more []string) []string {
	list := []string{}
	for _, names := range [][]string{passed, more} {
		for _, name := range names {
			if value := env(name); value != "" && !strings.ContainsAny(name, "=\x00") {
				list = append(list, name+"="+value)
			}
		}
	}
	return list
}
