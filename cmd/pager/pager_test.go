package pager

import (
	"bytes"
	"errors"
	"io"
	"runtime"
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
