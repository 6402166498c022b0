package cmd_test

import (
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

// withState runs the tests with a state directory of their own, in which runs with -w keep old content.
func withState(m *testing.M) int {
	dir, err := os.MkdirTemp("", "state")
	if err == nil {
		defer os.RemoveAll(dir)
		err = os.Setenv("XDG_STATE_HOME", dir)
	}
	if err != nil {
		panic(err)
	}
	return m.Run()
}
