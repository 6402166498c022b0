package cmd

import (
	"io/fs"
	"path/filepath"
	"testing"
)

func TestIsSaved(t *testing.T) {
	for name, want := range map[string]bool{
		"a.json": true, "b.jsonl": true, "b.jsonl.gz": true, "c.ndjson.zst": true, "run.traj": true,
		"a.txt": false, "a.json.bak": false, "json": false, "a.gz": false, "": false,
	} {
		if got := isSaved(name); got != want {
			t.Errorf("%q: %t", name, got)
		}
	}
}

// TestFixturesAreWalked: what a format calls its files is what a walk looks for.
func TestFixturesAreWalked(t *testing.T) {
	err := filepath.WalkDir("../testdata/sessions", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !isSaved(d.Name()) {
			t.Errorf("a walk passes %s by", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
