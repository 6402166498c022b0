package cmd_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"condense/cmd"
)

// TestMain runs condense itself if this test binary is started under that name, as
// the tests of processes do.
func TestMain(m *testing.M) {
	if name := filepath.Base(os.Args[0]); strings.TrimSuffix(name, ".exe") == "condense" {
		os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
	}
	debug.SetGCPercent(400) // half of the time of these tests is that of the garbage collector otherwise
	os.Exit(withState(m))
}

// withState runs the tests with directories of their own for the state, in which runs with -w keep old content, and for
// the user's settings.
func withState(m *testing.M) int {
	dir, err := os.MkdirTemp("", "state")
	if err == nil {
		defer os.RemoveAll(dir)
		err = errors.Join(os.Setenv("XDG_STATE_HOME", dir), os.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "settings")))
	}
	if err != nil {
		panic(err)
	}
	return m.Run()
}
