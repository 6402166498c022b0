// Package plugins_test checks the plug-ins for the clients without a client: the syntax of the
// code, and the manifests. TestClients runs them in the real clients.
package plugins_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// files returns the files below this directory that end in one of the suffixes.
func files(t *testing.T, suffixes ...string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		for _, s := range suffixes {
			if err == nil && strings.HasSuffix(name, s) {
				names = append(names, name)
			}
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("no files in %v: %v", suffixes, err)
	}
	return names
}

func TestManifests(t *testing.T) {
	for _, name := range files(t, ".json") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(data) {
			t.Errorf("%s is not valid JSON", name)
		}
	}
}

// TestModules checks that each file that a hooks.json names is there.
func TestModules(t *testing.T) {
	const dir = "claude-code/hooks"
	data, err := os.ReadFile(filepath.Join(dir, "hooks.json"))
	if err != nil {
		t.Fatal(err)
	}
	var hooks struct{ Modules []string }
	if err := json.Unmarshal(data, &hooks); err != nil || len(hooks.Modules) != 1 {
		t.Fatalf("modules %q, %v", hooks.Modules, err)
	}
	for _, name := range append(hooks.Modules, "digest.sh") {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestSyntax(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	for _, name := range files(t, ".mjs", ".js") {
		if out, err := exec.Command(node, "--check", name).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestShort checks that no plug-in grows a logic of its own.
func TestShort(t *testing.T) {
	for _, name := range files(t, ".mjs", ".js", ".sh") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(data), "\n"); n > 160 {
			t.Errorf("%s has %d lines", name, n)
		}
	}
}
