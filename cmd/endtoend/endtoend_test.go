// Package endtoend holds a test alone, so that go test runs it beside those of package cmd.
package endtoend

import (
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files in the scripts")

// TestEndToEnd runs the tests of testdata/endtoend. That is a module of its own, so that this module
// does not require the packages that only those tests import.
func TestEndToEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a second test binary")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command here: ", err)
	}
	// The key of a cached test result covers the files that this process reads, but not those that
	// its children read.
	err := filepath.WalkDir("../../testdata", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			_, err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"test", "./..."}
	if *update {
		args = append(args, "-update")
	}
	c := exec.Command("go", args...)
	c.Dir = "../../testdata/endtoend"
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %v\n%s", args, err, out)
	}
}
