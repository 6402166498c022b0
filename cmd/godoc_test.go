package cmd_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// maxDoc is the number of lines that go doc may print for a package: two screens.
const maxDoc = 60

// longDocs lists packages that may exceed maxDoc, with the reasons.
var longDocs = map[string]string{
	"transcript/token": "families, limits and units of all tokenizers are one table",
}

// TestGoDoc checks that the output of go doc for each package is short enough to be read at once.
// Internal packages are exempt.
func TestGoDoc(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go doc for every package")
	}
	long := map[string]bool{}
	for _, l := range layers {
		if l.dir == "." || slices.Contains(strings.Split(l.dir, "/"), "internal") {
			continue
		}
		c := exec.Command("go", "doc", "./"+l.dir)
		c.Dir = ".."
		out, err := c.Output()
		if err != nil {
			continue // the row is written before its package
		}
		lines := strings.Count(string(out), "\n")
		long[l.dir] = lines > maxDoc
		if long[l.dir] && longDocs[l.dir] == "" {
			t.Errorf("go doc of %s prints %d lines, more than %d: unexport names, or split the package by subject", l.dir, lines, maxDoc)
		}
	}
	for dir := range longDocs {
		if !long[dir] {
			t.Errorf("%s is not longer than %d lines: remove it from longDocs", dir, maxDoc)
		}
	}
}
