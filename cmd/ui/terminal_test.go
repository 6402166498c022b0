package ui

import (
	"bytes"
	"os"
	"testing"
)

// openTerminal returns a new pseudo terminal, which does not know its size.
func openTerminal(t *testing.T) *os.File {
	t.Helper()
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("there are no pseudo terminals: ", err)
	}
	t.Cleanup(func() { tty.Close() })
	return tty
}

// TestWidth tests all but terminals that know their size, which testdata/endtoend tests.
func TestWidth(t *testing.T) {
	if got := Width(openTerminal(t)); got != defaultWidth {
		t.Errorf("Width = %d on a terminal that does not know its size", got)
	}
	if got := Width(new(bytes.Buffer)); got != 0 {
		t.Errorf("Width = %d on a buffer", got)
	}
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got := Width(file); got != 0 {
		t.Errorf("Width = %d on a file", got)
	}
}

func TestUseColor(t *testing.T) {
	tty := openTerminal(t)
	type vars map[string]string
	for _, c := range []struct {
		mode       ColorMode
		env        vars
		tty, other bool // wanted on a terminal, and elsewhere
	}{
		{ColorAuto, vars{}, true, false},
		{"", vars{}, true, false},
		{ColorAlways, vars{"NO_COLOR": "1", "TERM": "dumb", "CLICOLOR": "0"}, true, true},
		{ColorNever, vars{"CLICOLOR_FORCE": "1"}, false, false},
		{ColorAuto, vars{"TERM": "xterm-256color"}, true, false},
		{ColorAuto, vars{"NO_COLOR": "1"}, false, false},
		{ColorAuto, vars{"NO_COLOR": "0"}, false, false},
		{ColorAuto, vars{"NO_COLOR": ""}, true, false},
		{ColorAuto, vars{"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, false, false},
		{ColorAuto, vars{"CLICOLOR": "0"}, false, false},
		{ColorAuto, vars{"CLICOLOR": "1"}, true, false},
		{ColorAuto, vars{"CLICOLOR_FORCE": "1"}, true, true},
		{ColorAuto, vars{"CLICOLOR_FORCE": "0"}, true, false},
		{ColorAuto, vars{"CLICOLOR_FORCE": "1", "CLICOLOR": "0", "TERM": "dumb"}, true, true},
		{ColorAuto, vars{"TERM": "dumb"}, false, false},
	} {
		env := func(name string) string { return c.env[name] }
		if got := UseColor(c.mode, tty, env); got != c.tty {
			t.Errorf("%q with %v on a terminal: %v", c.mode, c.env, got)
		}
		if got := UseColor(c.mode, new(bytes.Buffer), env); got != c.other {
			t.Errorf("%q with %v elsewhere: %v", c.mode, c.env, got)
		}
	}
}

func TestColorMode(t *testing.T) {
	for _, mode := range []ColorMode{ColorAuto, ColorAlways, ColorNever} {
		var m ColorMode
		if err := m.Set(m.String()); err == nil {
			t.Error("the empty mode was accepted")
		}
		if err := m.Set(string(mode)); err != nil || m != mode {
			t.Errorf("Set(%q) = %v and %q", mode, err, m)
		}
	}
	m := ColorNever
	err := m.Set("\x1b[1mblink")
	if err == nil || m != ColorNever {
		t.Fatalf("a wrong mode sets %q with error %v", m, err)
	}
	safe(t, err.Error(), "")
}
