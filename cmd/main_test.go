package cmd_test

import (
	"os"
	"path/filepath"
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
	os.Exit(m.Run())
}
