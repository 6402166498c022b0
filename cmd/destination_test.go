package cmd

import (
	"errors"
	"testing"

	"github.com/creack/pty"

	"condense/cmd/source"
)

// Compressed output is for files and pipes.
func TestCompressedNotToTerminal(t *testing.T) {
	control, tty, err := pty.Open()
	if err != nil {
		t.Skip("no terminal to test with: ", err)
	}
	defer control.Close()
	defer tty.Close()
	for path, want := range map[string]bool{
		"../testdata/compressed/chat.json.zst":   true,
		"../testdata/sessions/openai/array.json": false,
	} {
		in, err := source.Open(t.Context(), path, 0)
		if err != nil {
			t.Fatal(err)
		}
		o := newRunOptions()
		d := destination{a: &app{out: tty}, in: in, o: &o.outputOptions}
		var usage *usageError
		if got := errors.As(d.possible(), &usage); got != want {
			t.Errorf("%s: refused is %v, want %v", path, got, want)
		}
		o.dryRun = true
		if err := d.possible(); err != nil {
			t.Errorf("%s, dry run: %v", path, err)
		}
	}
}
