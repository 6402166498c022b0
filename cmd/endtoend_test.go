package cmd

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestEndToEnd runs the tests of testdata/endtoend. It is a module of its own: what only
// those tests import is then no requirement of this one.
func TestEndToEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a second test binary")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command here: ", err)
	}
	// Files that this process reads are part of the key of a cached result; those of its
	// children are not.
	err := filepath.WalkDir("../testdata", func(path string, d fs.DirEntry, err error) error {
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
	c.Dir = "../testdata/endtoend"
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %v\n%s", args, err, out)
	}
}
