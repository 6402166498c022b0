package pager

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestShow runs pagers that read all, quit early, do not exist, or are no pagers.
func TestShow(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a POSIX shell")
	}
	text := strings.Repeat("a line\n", 50_000) // more than a pipe holds
	for pager, want := range map[string]string{
		"sed s/a/b/":               strings.ReplaceAll(text, "a line", "b line"),
		"head -n 1":                "a line\n",
		"no-such-pager":            text,
		"cat":                      text,
		`printf '%s' "$LESS"; cat`: "FRX" + text,
	} {
		vars := map[string]string{"PAGER": pager}
		var out, errs bytes.Buffer
		err := Find(func(name string) string { return vars[name] }).Show(&out, &errs, func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
		if err != nil || out.String() != want {
			t.Errorf("%s: %d bytes, %v; want %d", pager, out.Len(), err, len(want))
		}
	}
}

// TestFind checks which pager a user has who names one: none for cat, as nothing is shown page by page then.
func TestFind(t *testing.T) {
	for named, want := range map[string]string{"more": "more", "less -S": "less -S", "cat": "", " cat\n": "", "cat -u": "cat -u", "bat": "bat"} {
		p, got := Find(func(name string) string { return map[string]string{"PAGER": named}[name] }), ""
		if p != nil {
			got = p.command
		}
		if got != want {
			t.Errorf("%q: the pager is %q, want %q", named, got, want)
		}
	}
}

// TestCommandLine checks how the command of a pager is run: by a shell, except on Windows.
func TestCommandLine(t *testing.T) {
	for _, tt := range []struct {
		system, command string
		want            []string
	}{
		{"linux", "less  -S", []string{"sh", "-c", "less  -S"}},
		{"darwin", "sed 's/a b/c/' | less", []string{"sh", "-c", "sed 's/a b/c/' | less"}},
		{"windows", "less  -S", []string{"less", "-S"}},
		{"windows", " more ", []string{"more"}},
	} {
		if got := commandLine(tt.system, tt.command); !slices.Equal(got, tt.want) {
			t.Errorf("%s on %s: %q, want %q", tt.command, tt.system, got, tt.want)
		}
	}
}

// TestShowReturnsTheError checks that an error of the writer is not lost.
func TestShowReturnsTheError(t *testing.T) {
	broken := errors.New("broken")
	vars := map[string]string{"PAGER": "cat -u", "LESS": "R", "LV": "-a"}
	p := Find(func(name string) string { return vars[name] })
	if len(p.env) != 0 {
		t.Errorf("variables of the user are replaced: %v", p.env)
	}
	if err := p.Show(io.Discard, io.Discard, func(io.Writer) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// TestFindLess checks that less is the pager of a user who names none, if it is there.
func TestFindLess(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a POSIX shell")
	}
	dir, env := t.TempDir(), func(string) string { return "" }
	path := os.Getenv("PATH")
	t.Setenv("PATH", dir)
	if p := Find(env); p != nil {
		t.Errorf("there is no less, and the pager is %q", p.command)
	}
	if err := os.WriteFile(filepath.Join(dir, "less"), []byte("#!/bin/sh\nsed 's/^/less: /'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+path)
	var out bytes.Buffer
	err := Find(env).Show(&out, io.Discard, func(w io.Writer) error {
		_, err := io.WriteString(w, "a line\n")
		return err
	})
	if err != nil || out.String() != "less: a line\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// TestQuitStopsTheWriter checks that what is written to a pager that has quit fails, so that its writer stops,
// and that a pager which reads takes all of it.
func TestQuitStopsTheWriter(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a POSIX shell")
	}
	text := strings.Repeat("a line\n", 500_000)
	for pager, whole := range map[string]bool{"head -n 1": false, "cat -u": true} {
		vars := map[string]string{"PAGER": pager}
		err := Find(func(name string) string { return vars[name] }).Show(io.Discard, io.Discard, func(w io.Writer) error {
			n, err := io.WriteString(w, text)
			if (n == len(text)) != whole || (err == nil) != whole {
				t.Errorf("%s: wrote %d bytes of %d, %v", pager, n, len(text), err)
			}
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", pager, err)
		}
	}
}
