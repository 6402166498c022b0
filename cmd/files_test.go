package cmd_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// Limits of files that are not tests.
const (
	maxFiles = 40 // in a package
	minLines = 60 // in a file
	maxLines = 500
)

// manyFiles lists packages that may have more files, with their limits.
var manyFiles = map[string]int{
	"cmd":               52, // a file or two for each command
	"transcript/format": 72, // a file or two for each format
}

// shortFiles lists files that may be shorter, with the reasons. doc.go may always be short.
var shortFiles = map[string]string{
	"main.go":                          "main is one statement",
	"cmd/source/attributes_other.go":   "a build constraint",
	"cmd/source/rename_linux.go":       "a build constraint",
	"cmd/source/rename_other.go":       "a build constraint",
	"cmd/source/attributes_unix.go":    "a build constraint",
	"cmd/source/system_other.go":       "a build constraint",
	"strategy/allocate/marginal.go":    "one type, with the arithmetic of values",
	"strategy/squeeze/regions.go":      "one kind of pieces",
	"transcript/status.go":             "lines of a client that several packages read",
	"strategy/external/group_other.go": "a build constraint",
	"strategy/external/group_unix.go":  "a build constraint",
	"cmd/ui/comparison.go":             "a file for each result",
	"cmd/ui/html/comparison.go":        "a file for each result",
	"cmd/ui/ci/github.go":              "a file for each form",
}

// TestFiles checks the limits of the number of files and of their lengths.
func TestFiles(t *testing.T) {
	for _, fault := range checkFiles(os.DirFS(".."), shortFiles) {
		t.Error(fault)
	}
}

// checkFiles returns a message for every package with too many files, for every file that is too long, or too
// short and not in short, and for every entry of short that is not a short file.
func checkFiles(tree fs.FS, short map[string]string) (faults []string) {
	packages, err := parseTree(tree)
	if err != nil {
		return []string{err.Error()}
	}
	stale := maps.Clone(short)
	for _, p := range packages {
		limit := max(maxFiles, manyFiles[p.dir])
		if n := len(p.files); n > limit {
			faults = append(faults, fmt.Sprintf("%s has %d files, more than %d: move a part of it into a package of its own", p.dir, n, limit))
		}
		for _, f := range p.files {
			file := p.fset.File(f.Pos())
			n := file.LineCount()
			if n > maxLines {
				faults = append(faults, fmt.Sprintf("%s has more than %d lines: move a part of it into another file", file.Name(), maxLines))
			}
			if n >= minLines || strings.HasSuffix(file.Name(), "/doc.go") {
				continue
			}
			delete(stale, file.Name())
			if short[file.Name()] == "" {
				faults = append(faults, fmt.Sprintf("%s has %d lines, fewer than %d: put it into the file that it belongs to, or add the reason to shortFiles", file.Name(), n, minLines))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(stale)) {
		faults = append(faults, fmt.Sprintf("%s is not a short file: delete its entry in shortFiles", name))
	}
	return faults
}

// TestFilesNotices tests checkFiles with one error at a time.
func TestFilesNotices(t *testing.T) {
	long := "package a\n" + strings.Repeat("\n", minLines)
	for _, c := range []struct {
		name  string
		tree  fstest.MapFS
		short string // the files with a reason, with a space between them
		want  string
	}{
		{"nothing wrong", fstest.MapFS{"cmd/a.go": {Data: []byte(long)}, "cmd/doc.go": {Data: []byte("package a\n")}, "cmd/a_test.go": {Data: []byte("package a\n")}}, "", ""},
		{"not too long", fstest.MapFS{"cmd/a.go": {Data: []byte("package a\n" + strings.Repeat("\n", maxLines-1))}}, "", ""},
		{"too long", fstest.MapFS{"cmd/a.go": {Data: []byte("package a\n" + strings.Repeat("\n", maxLines))}}, "", "cmd/a.go has more than 500 lines"},
		{"short file", fstest.MapFS{"cmd/a.go": {Data: []byte("package a\n")}}, "", "cmd/a.go has 1 lines"},
		{"short file with a reason", fstest.MapFS{"main.go": {Data: []byte("package main\n")}}, "main.go", ""},
		{"reason for a file that is not short", fstest.MapFS{"cmd/a.go": {Data: []byte(long)}}, "cmd/a.go", "cmd/a.go is not a short file"},
		{"reason for a file that does not exist", fstest.MapFS{"main.go": {Data: []byte("package main\n")}}, "main.go cmd/b.go", "cmd/b.go is not a short file"},
		{"many files", files("strategy", maxFiles+1, long), "", "strategy has 41 files, more than 40"},
		{"not too many files", files("transcript/format", 72, long), "", ""},
		{"too many files", files("transcript/format", 73, long), "", "transcript/format has 73 files, more than 72"},
	} {
		short := map[string]string{}
		for _, name := range strings.Fields(c.short) {
			short[name] = "a reason"
		}
		got := strings.Join(checkFiles(c.tree, short), "\n")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// files returns a tree with n files of the same text in a folder.
func files(dir string, n int, text string) fstest.MapFS {
	tree := fstest.MapFS{}
	for i := range n {
		tree[fmt.Sprintf("%s/f%d.go", dir, i)] = &fstest.MapFile{Data: []byte(text)}
	}
	return tree
}

// TestFuzzSeeds checks that every fuzz target has seeds, so that go test runs it, and that inputs that
// broke a promise are kept for targets that exist.
func TestFuzzSeeds(t *testing.T) {
	targets := map[string]bool{} // by folder and name
	saved := map[string]bool{}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		dir, base := filepath.Split(name)
		switch {
		case err != nil:
			return err
		case filepath.Base(filepath.Dir(name)) == "fuzz" && d.IsDir():
			saved[filepath.Join(dir, "..", "..", base)] = true
		case strings.HasSuffix(base, "_test.go"):
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for _, m := range fuzzTarget.FindAllStringSubmatch(string(text), -1) {
				targets[filepath.Join(dir, m[1])] = true
				if !strings.Contains(m[2], "f.Add(") {
					t.Errorf("%s: %s has no seed", name, m[1])
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(targets) < 30 || len(saved) == 0 {
		t.Errorf("%d targets, %d with saved inputs", len(targets), len(saved))
	}
	for target := range saved {
		if !targets[target] {
			t.Errorf("the inputs of %s have no target", target)
		}
	}
}

// fuzzTarget matches a fuzz target and its body.
var fuzzTarget = regexp.MustCompile(`(?ms)^func (Fuzz\w+)\(f \*testing\.F\) \{\n(.*?)^\}`)
